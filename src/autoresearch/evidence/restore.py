"""``restore/`` and the bundle's own README (formal-case.md 9.7). The scripts are files beside this one."""

from __future__ import annotations

from pathlib import Path

from autoresearch.evidence.layout import ARTIFACTS, CASE_ARTIFACTS, SECTIONS
from autoresearch.evidence.writer import BundleWriter

SCRIPTS = Path(__file__).with_name("scripts")


CASE_SCRIPTS = ("replay_prometheus", "rebuild_environment")


def write_case_restore(writer: BundleWriter) -> None:
    """The restore scripts of a formal case."""
    write_restore(writer)
    for artifact in CASE_SCRIPTS:
        name = CASE_ARTIFACTS[artifact]
        script = SCRIPTS / name.rpartition("/")[2]
        writer.put_text(name, script.read_text(encoding="utf-8"), executable=True)
    reader = (SCRIPTS / "read_lock.py").read_text(encoding="utf-8")
    writer.put_text(f"{SECTIONS['restore']}/read_lock.py", reader)


def write_restore(writer: BundleWriter) -> None:
    """Put the scripts and both READMEs into the bundle."""
    for artifact in ("verify", "render_report", "rebuild_all"):
        name = ARTIFACTS[artifact].rpartition("/")[2]
        writer.put_text(ARTIFACTS[artifact], (SCRIPTS / name).read_text(encoding="utf-8"), executable=True)
    writer.put_text(f"{SECTIONS['restore']}/README.md", (SCRIPTS / "restore-readme.md").read_text(encoding="utf-8"))
    writer.put_text(ARTIFACTS["readme"], (SCRIPTS / "bundle-readme.md").read_text(encoding="utf-8"))
