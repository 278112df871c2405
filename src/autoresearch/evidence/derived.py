"""Files that are derived from raw files of the bundle: matrix, steps, stage times, telemetry, observed state (formal-
case.md 9.4, 10.4).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from autoresearch.evidence import case_telemetry, provenance
from autoresearch.evidence.attempt_records import Attempt, attempts, read_records, telemetry_statistics
from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.case_rows import addition_paths, case_experiment, derive_case_row
from autoresearch.evidence.layout import ARTIFACTS
from autoresearch.evidence.locks import ConfigLock, LockRow
from autoresearch.evidence.manifest import Experiment, ManifestRow
from autoresearch.evidence.matrix import MatrixRow, derive_row, derive_stage_timings, derive_steps
from autoresearch.evidence.writer import BundleWriter
from autoresearch.files import json_text, read_json
from autoresearch.findings import finding

NEEDED_FILES = ("metrics.jsonl", "host-samples.jsonl", "result.json", "row.json")


def read_lock(bundle: Bundle) -> ConfigLock:
    """The bundle's config lock with the rows of its additions: the whole planned matrix (8.2).

    Raises ``ValueError`` or ``OSError`` when one is unreadable (pydantic's error is a ``ValueError``).
    """
    lock = ConfigLock.model_validate(read_json(bundle.path("config_lock")))
    rows = {row.case_id: row for row in lock.rows}
    for path in addition_paths(bundle):
        for content in read_json(path)["rows"]:
            row = LockRow.model_validate(content)
            rows.setdefault(row.case_id, row)
    return lock.model_copy(update={"rows": list(rows.values())}) if len(rows) > len(lock.rows) else lock


def is_quickstart(bundle: Bundle) -> bool:
    """The quickstart's bundle is derived by its own rules (9.8), all others by those of formal cases."""
    return bundle.manifest.kind == "quickstart"


def started(bundle: Bundle, found: Sequence[Attempt]) -> list[Attempt]:
    """Attempts without the planned cases that were never started."""
    skipped = {row.row for row in bundle.manifest.rows if row.status == "skipped"}
    return [attempt for attempt in found if attempt.row not in skipped]


def lines_text(lines: Iterable[Mapping[str, Any]]) -> str:
    """JSON lines with their newlines."""
    return "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)


def derive_matrix(bundle: Bundle, lock: ConfigLock) -> list[MatrixRow]:
    """Matrix lines of all attempts that the manifest names, in its order."""
    return [derive_one(bundle, lock, attempt) for attempt in attempts(lock, bundle.rows())]


def derive_one(bundle: Bundle, lock: ConfigLock, attempt: Attempt) -> MatrixRow:
    """The matrix line of one attempt, by the rules of its bundle's kind."""
    return (derive_row if is_quickstart(bundle) else derive_case_row)(bundle, lock, attempt)


def stored_rows(bundle: Bundle, lock: ConfigLock) -> dict[str, MatrixRow]:
    """Attempt -> matrix line. A case's are those of its matrix file, which the ``steps`` and ``class`` checks derive
    again; a line that is not there or of another form is derived.
    """
    kept: dict[str, dict[str, Any]] = {}
    if not is_quickstart(bundle):
        kept = {f"{each.get('case_id')}.a{each.get('attempt')}": each for each in read_lines(bundle.path("matrix"))}
    found = {}
    for attempt in attempts(lock, bundle.rows()):
        try:
            found[attempt.row] = MatrixRow.model_validate(kept[attempt.row])
        except (KeyError, ValidationError):
            found[attempt.row] = derive_one(bundle, lock, attempt)
    return found


def stored_statistics(bundle: Bundle, attempt: Attempt) -> dict[str, Any]:
    """The statistics of a case's attempt as ``telemetry-stats.json`` has them, which the ``steps`` check derives again;
    derived where there is no such file yet.
    """
    content = bundle.json(bundle.root / _statistics_name(bundle, attempt.row))
    return content if isinstance(content, dict) else case_telemetry.statistics(bundle, attempt)


def derived_texts(bundle: Bundle, lock: ConfigLock) -> dict[str, str]:
    """Relative path -> text of the derived text files; the same bundle gives the same bytes."""
    found = attempts(lock, bundle.rows())
    records = {attempt.row: read_records(bundle, attempt) for attempt in found}
    steps = [line for attempt in found for line in derive_steps(lock, attempt, records[attempt.row])]
    timings = [line for attempt in found for line in derive_stage_timings(lock, attempt, records[attempt.row])]
    texts = {
        bundle.name("matrix"): lines_text(row.model_dump(mode="json") for row in derive_matrix(bundle, lock)),
        bundle.name("steps"): lines_text(steps),
        bundle.name("stage_timings"): lines_text(timings),
    }
    for attempt in started(bundle, found):
        if not is_quickstart(bundle):
            texts[_statistics_name(bundle, attempt.row)] = json_text(case_telemetry.statistics(bundle, attempt))
            continue
        statistics = telemetry_statistics(bundle, attempt.row)
        if statistics is not None:
            texts[_statistics_name(bundle, attempt.row)] = json_text(statistics)
    return texts


def _statistics_name(bundle: Bundle, row: str) -> str:
    return bundle.relative(bundle.row_folder(row) / "telemetry-stats.json")


def write_telemetry(bundle: Bundle, lock: ConfigLock) -> None:
    """Table, expositions and the note about what is present and missing. No samples: no file, and the note says so."""
    found = started(bundle, attempts(lock, bundle.rows()))
    if is_quickstart(bundle):
        blocks = {each.row: {"devices": None, "host": telemetry_statistics(bundle, each.row)} for each in found}
    else:
        blocks = {each.row: case_telemetry.statistics(bundle, each) for each in found}
    case_telemetry.write(bundle, lock, found, blocks)


def write_derived(writer: BundleWriter) -> None:
    """Derive everything into the unfinished bundle, and set the manifest's rows and result."""
    bundle = writer.bundle()
    lock = read_lock(bundle)
    for name, text in derived_texts(bundle, lock).items():
        writer.put_text(name, text)
    matrix = derive_matrix(bundle, lock)
    write_telemetry(bundle, lock)
    status = {f"{row.case_id}.a{row.attempt}": row.status for row in matrix}
    rows = [row.model_copy(update={"status": status.get(row.row, row.status)}) for row in bundle.manifest.rows]
    writer.save_manifest(
        rows=[row.model_dump() for row in rows],
        experiment=experiment(lock, rows).model_dump(),
        finished_at=bundle.manifest.finished_at or max((row.finished_at or "" for row in matrix), default="") or None,
        started_at=bundle.manifest.started_at
        or min((row.started_at for row in matrix if row.started_at), default=None),
    )


def experiment(lock: ConfigLock, rows: Sequence[ManifestRow]) -> Experiment:
    """ok when every planned case has a passed attempt (a quickstart is both of its cases)."""
    passed = {row.row.rpartition(".a")[0] for row in rows if row.status == "passed"}
    count = {status: sum(row.status == status for row in rows) for status in ("passed", "failed", "skipped")}
    return Experiment(ok=all(case.case_id in passed for case in lock.rows), rows=len(rows), **count)


def bundle_experiment(bundle: Bundle, lock: ConfigLock) -> Experiment:
    """The experiment's result as it follows from the bundle's rows."""
    return experiment(lock, bundle.manifest.rows) if is_quickstart(bundle) else case_experiment(bundle, lock)


def bundle_state(bundle: Bundle) -> Literal["complete", "partial"]:
    """``complete`` when every attempt that was started left the files that its numbers are made from, and its log."""
    for row in bundle.manifest.rows:
        if row.status == "skipped":
            continue
        folder = bundle.row_folder(row.row)
        if (
            not all((folder / name).is_file() for name in NEEDED_FILES)
            or not (bundle.log_folder(row.row) / "trainer.log").is_file()
        ):
            return "partial"
    return "complete"


def write_observed(writer: BundleWriter) -> None:
    """``observed.json``: versions that the rows' own environments name against those of the lock, differences as
    findings (V322).
    """
    bundle = writer.bundle()
    lock = read_json(writer.root / ARTIFACTS["provenance_lock"])
    wanted: dict[str, str | None] = lock["environment"]["versions"]
    rows: dict[str, Any] = {}
    found = []
    for row in bundle.rows():
        content = bundle.json(bundle.path("environments") / f"{row}.json")
        seen = content.get("versions", content) if isinstance(content, dict) else {}
        named = {name: str(seen[name]) for name in wanted if isinstance(seen, dict) and isinstance(seen.get(name), str)}
        rows[row] = {"versions": named}
        for name, version in named.items():
            if wanted[name] is not None and version != wanted[name]:
                found.append(
                    finding("V322", place=f"{row}: {name}", value=version, rule=f"the lock says {wanted[name]}")
                )
    package = Path(provenance.__file__).parent.parent / "__init__.py"
    now = provenance.source_state(package, "autoresearch", "").repository
    before = lock["repositories"][0]
    for key in ("commit_sha", "tree_sha256", "version"):
        if before.get(key) != getattr(now, key):
            found.append(
                finding(
                    "V322",
                    place=f"autoresearch: {key}",
                    value=str(getattr(now, key)),
                    rule=f"the lock says {before.get(key)}",
                )
            )
    content = {
        "schema_version": 1,
        "run_id": writer.manifest.run_id,
        "rows": rows,
        "repositories": [
            {"name": now.name, "commit_sha": now.commit_sha, "tree_sha256": now.tree_sha256, "version": now.version}
        ],
        "findings": [each.as_dict() for each in found],
    }
    writer.put_json(ARTIFACTS["observed"], content)
