"""All numbers of the page as pure functions of the bundle's files: made once for ``report-data.json``, made again by
every check.
"""

from __future__ import annotations

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.derived import is_quickstart, read_lock, stored_rows
from autoresearch.evidence.layout import CHECKSUMS, MANIFEST, SIGNATURE
from autoresearch.evidence.numbers_case import add_case_rows
from autoresearch.evidence.numbers_curves import add_curves
from autoresearch.evidence.numbers_dumps import add_dumps
from autoresearch.evidence.numbers_evaluation import add_evaluation
from autoresearch.evidence.numbers_live import add_live
from autoresearch.evidence.numbers_telemetry import add_telemetry
from autoresearch.evidence.numbers_training import add_rows
from autoresearch.evidence.numbers_verdicts import add_verdicts
from autoresearch.evidence.report_data import ReportData
from autoresearch.files import json_text, tree_files

LATE_ARTIFACTS = ("report", "report_data", "report_check", "crate")
"""Files that are made after the numbers; the page lists them without their bytes."""


def derive_numbers(bundle: Bundle) -> ReportData:
    """All numbers, lines and facts of a bundle, in the order of the chapters."""
    lock = read_lock(bundle)
    data = ReportData()
    manifest = bundle.manifest
    data.fact("run.id", lock.run_id, "read", bundle.name("config_lock"))
    data.fact("run.task", lock.task, "read", bundle.name("config_lock"))
    data.fact("run.thinking", bool(lock.prompt.get("enable_thinking")), "read", bundle.name("config_lock"))
    data.fact("run.trainer_val_only", lock.trainer_val_only, "read", bundle.name("config_lock"))
    data.fact("run.label", manifest.label, "read", MANIFEST)
    data.fact("run.state", manifest.state, "read", MANIFEST)
    for name, seed in sorted(lock.seeds.items()):
        unit = "count" if is_quickstart(bundle) else "index"
        data.number(f"run.seed.{name}", seed, unit, "read", bundle.name("config_lock"))
    matrix = stored_rows(bundle, lock)
    add_rows(data, bundle, lock, matrix)
    add_evaluation(data, bundle)
    add_verdicts(data, bundle)
    if is_quickstart(bundle):
        add_telemetry(data, bundle, lock)
    else:
        add_case_rows(data, bundle, lock, matrix)
        add_dumps(data, bundle, lock, matrix)
        add_curves(data, bundle, lock)
        add_live(data, bundle, lock)
    add_files(data, bundle)
    return data


def add_files(data: ReportData, bundle: Bundle) -> None:
    """Number and bytes of the files of each section, and of the files that were left out."""
    late = {CHECKSUMS, SIGNATURE, MANIFEST, *(bundle.name(name) for name in LATE_ARTIFACTS)}
    names = [name for name in tree_files(bundle.root) if name not in late]
    for section, folder in bundle.manifest.artifact_layout.sections.items():
        inside = [name for name in names if name.startswith(folder + "/")]
        size = sum((bundle.root / name).stat().st_size for name in inside)
        data.number(f"files.{section}.count", len(inside), "count", "files.count", folder)
        data.number(f"files.{section}.bytes", size, "bytes", "files.bytes", folder)
    if not is_quickstart(bundle):
        _add_artifacts(data, bundle, late)
    skipped = bundle.json(bundle.path("skipped"))
    entries = skipped if isinstance(skipped, list) else []
    data.number("files.skipped.count", len(entries), "count", "files.count", bundle.name("skipped"))
    left_out = sum(each.get("bytes") or 0 for each in entries)
    data.number("files.skipped.bytes", left_out, "bytes", "files.bytes", bundle.name("skipped"))


def _add_artifacts(data: ReportData, bundle: Bundle, late: set[str]) -> None:
    """Bytes of each file that the layout names."""
    for key, name in bundle.manifest.artifact_layout.artifacts.items():
        path = bundle.root / name
        if name not in late and path.is_file():
            data.number(f"artifact.{key}.bytes", path.stat().st_size, "bytes", "files.bytes", name)


def report_data_text(data: ReportData) -> str:
    """The bytes of ``report-data.json``."""
    return json_text(data.as_dict())


def write_report_data(bundle: Bundle) -> None:
    """Derive all numbers and write ``report-data.json`` into an unfinished bundle."""
    bundle.path("report_data").write_text(report_data_text(derive_numbers(bundle)), encoding="utf-8")
