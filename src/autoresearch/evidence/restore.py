"""``restore/`` and the bundle's own README (formal-case.md 9.7). The scripts are files beside this one."""

from __future__ import annotations

from pathlib import Path

from autoresearch.evidence.layout import ARTIFACTS, SECTIONS
from autoresearch.evidence.writer import BundleWriter

SCRIPTS = Path(__file__).with_name("scripts")


def write_restore(writer: BundleWriter) -> None:
    """Put the scripts and both READMEs into the bundle."""
    for artifact in ("verify", "render_report", "rebuild_all"):
        name = ARTIFACTS[artifact].rpartition("/")[2]
        writer.put_text(ARTIFACTS[artifact], (SCRIPTS / name).read_text(encoding="utf-8"), executable=True)
    writer.put_text(f"{SECTIONS['restore']}/README.md", (SCRIPTS / "restore-readme.md").read_text(encoding="utf-8"))
    writer.put_text(ARTIFACTS["readme"], (SCRIPTS / "bundle-readme.md").read_text(encoding="utf-8"))
