"""``autoresearch bundle verify``: the checks of formal-case.md 9.6 on a copied, moved, read-only bundle, without
network.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from autoresearch.errors import InputError
from autoresearch.evidence import case_telemetry
from autoresearch.evidence.attempt_records import attempts
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.checksums import FileRead, check_checksums, read_files
from autoresearch.evidence.derived import (
    derive_matrix,
    derived_texts,
    read_lock,
    started,
)
from autoresearch.evidence.layout import CHECKSUMS, MANIFEST, SIGNATURE
from autoresearch.evidence.signature import check_signature
from autoresearch.evidence.verify_chain import check_chain
from autoresearch.evidence.verify_page import PageReader, check_report, read_page
from autoresearch.evidence.verify_schema import check_schema
from autoresearch.evidence.verify_secrets import check_secrets
from autoresearch.evidence.wandb_runs import check_runs
from autoresearch.files import strict_json_loads, without_collector
from autoresearch.findings import Finding, finding

SIGNED_NOTE = "the bundle is signed; --allowed-signers and --signer check by whom"


class Shared(NamedTuple):
    """What several checks need and is read once. ``reads`` waits for the one pass over all files and raises what it
    raised; ``page`` is the parsed report.
    """

    reads: Callable[[], Mapping[str, FileRead]]
    page: Callable[[], PageReader]


@dataclass(frozen=True)
class CheckResult:
    """One check: how many things it looked at and what it found. ``note`` says why nothing was looked at."""

    id: str
    count: int
    findings: tuple[Finding, ...] = ()
    note: str = ""

    @property
    def ok(self) -> bool:
        """True when no finding is an error."""
        return not any(each.severity == "error" for each in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """The check's line in the JSON."""
        found = [each.as_dict() for each in self.findings]
        return {"id": self.id, "ok": self.ok, "count": self.count, "note": self.note, "findings": found}


@dataclass(frozen=True)
class Verification:
    """All checks of one bundle."""

    checks: tuple[CheckResult, ...] = field(default_factory=tuple)

    @property
    def ok(self) -> bool:
        """True when every check passed."""
        return all(each.ok for each in self.checks)

    def findings(self) -> list[Finding]:
        """All findings in the order of the checks."""
        return [each for check in self.checks for each in check.findings]


def _sums(bundle: Bundle, shared: Shared) -> CheckResult:
    count, found = check_checksums(bundle.root, shared.reads())
    signed = (bundle.root / SIGNATURE).is_file()
    return CheckResult("sums", count, tuple(found), SIGNED_NOTE if signed else "")


def _steps(bundle: Bundle) -> CheckResult:
    """Derive matrix, steps, stage times and telemetry statistics again from the raw files and compare the bytes. A
    matrix line that differs in its failure's class or evidence alone is the ``class`` check's.
    """
    lock = read_lock(bundle)
    found = []
    texts = derived_texts(bundle, lock)
    for name, text in texts.items():
        path = bundle.root / name
        recorded = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else None
        if name == bundle.name("matrix"):
            recorded, text = without_classes(recorded or ""), without_classes(text)
        if recorded != text:
            found.append(
                finding(
                    "V613",
                    place=f"{name}:{_first_difference(recorded or '', text)}",
                    value="missing" if recorded is None else "another content",
                    rule="recounting from the raw files gives the recorded lines",
                    remedy="a file of the row or this file was changed after sealing",
                )
            )
    rows = attempts(lock, bundle.rows())
    return CheckResult("steps", len(rows), tuple(found))


CLASS_KEYS = ("failure_class", "failure_evidence")


def _matrix_lines(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Each line of a matrix text with its object; the object is empty where the line is none."""
    found = []
    for line in text.split("\n"):
        try:
            content = strict_json_loads(line) if line else None
        except ValueError:
            content = None
        found.append((line, content if isinstance(content, dict) else {}))
    return found


def without_classes(text: str) -> str:
    """A matrix text with the class and evidence of each line taken out; a line that is no object stays as it is."""
    lines = []
    for line, content in _matrix_lines(text):
        for key in CLASS_KEYS:
            content.pop(key, None)
        lines.append(json.dumps(content, ensure_ascii=False) if content else line)
    return "\n".join(lines)


def _first_difference(recorded: str, derived: str) -> int:
    left, right = recorded.split("\n"), derived.split("\n")
    for number, (one, two) in enumerate(zip(left, right, strict=False), start=1):
        if one != two:
            return number
    return min(len(left), len(right))


def _class(bundle: Bundle) -> CheckResult:
    """Classify each attempt again: the recorded class and the evidence line must come out."""
    lock = read_lock(bundle)
    derived = {f"{row.case_id}.a{row.attempt}": row for row in derive_matrix(bundle, lock)}
    path = bundle.path("matrix")
    found, failed = [], 0
    for number, (_, line) in enumerate(_matrix_lines(path.read_text(encoding="utf-8", errors="replace")), start=1):
        row = derived.get(f"{line.get('case_id')}.a{line.get('attempt')}")
        if row is None:
            continue
        failed += row.status == "failed"
        for key in CLASS_KEYS:
            if line.get(key) != getattr(row, key):
                rule = f"classifying again from the raw files gives {getattr(row, key)}"
                place = f"{bundle.name('matrix')}:{number}: {key}"
                found.append(finding("V614", place=place, value=str(line.get(key)), rule=rule))
    return CheckResult("class", failed, tuple(found), "" if failed else "no failed row")


def _telemetry(bundle: Bundle) -> CheckResult:
    """Table, exposition and raw samples must agree in count, first, last, minimum and maximum of every series."""
    lock = read_lock(bundle)
    found = started(bundle, attempts(lock, bundle.rows()))
    return CheckResult("telemetry", *case_telemetry.check(bundle, lock, found))


CHECKS: tuple[tuple[str, str, Callable[[Bundle, Shared], CheckResult]], ...] = (
    ("schema", "V611", lambda bundle, _: CheckResult("schema", *check_schema(bundle))),
    ("chain", "V612", lambda bundle, _: CheckResult("chain", *check_chain(bundle))),
    ("steps", "V613", lambda bundle, _: _steps(bundle)),
    ("class", "V614", lambda bundle, _: _class(bundle)),
    ("telemetry", "V615", lambda bundle, _: _telemetry(bundle)),
    ("wandb", "V616", lambda bundle, _: CheckResult("wandb", *check_runs(bundle))),
    ("report", "V617", lambda bundle, shared: CheckResult("report", *check_report(bundle, shared.page()))),
    ("sums", "V610", _sums),
    ("secrets_paths", "V618", lambda bundle, shared: CheckResult("secrets_paths", *check_secrets(bundle, *shared))),
)
"""Those that wait for the one pass over all files come last; the sums are shown first."""


@contextmanager
def _short_turns() -> Iterator[None]:
    """Let threads that hash come back to the interpreter within 0.5 ms, so that they go on while a check parses: a
    block is hashed in less than the 5 ms that Python lets them wait.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _guarded(
    bundle: Bundle, shared: Shared, name: str, code: str, check: Callable[[Bundle, Shared], CheckResult]
) -> CheckResult:
    """A check that cannot even read what it needs has failed, and says on what."""
    try:
        return check(bundle, shared)
    except (InputError, ValueError, OSError, KeyError, TypeError, AttributeError, IndexError) as error:
        text = str(error).strip().split("\n")[0][:300]
        return CheckResult(name, 0, (finding(code, place=name, value=type(error).__name__, rule=text),))


def verify(root: Path, signers: tuple[Path, str] | None = None) -> Verification:
    """Run all checks; hashing runs on threads while the others parse. ``signers``: the verifier's file of allowed
    signers and the name that must have signed; then the signature is a check of its own.

    A folder whose manifest cannot be read but that has ``SHA256SUMS`` is a damaged bundle: the sums name the file, and
    nothing else can be checked. Raises ``InputError`` (exit 2) when the folder is no bundle at all.
    """
    try:
        bundle = Bundle(root)
    except InputError:
        if not (root / CHECKSUMS).is_file():
            raise
        count, found = check_checksums(root)
        unreadable = finding(
            "V611", place=MANIFEST, value="unreadable", rule="the manifest validates against its schema"
        )
        return Verification((CheckResult("sums", count, tuple(found)), CheckResult("schema", 0, (unreadable,))))
    with _short_turns(), without_collector(), ThreadPoolExecutor(max_workers=1) as pool:
        reading = pool.submit(read_files, bundle.root)
        shared = Shared(reading.result, cache(lambda: read_page(bundle.path("report").read_text(encoding="utf-8"))))
        done = [_guarded(bundle, shared, *check) for check in CHECKS]
    checks = tuple(sorted(done, key=lambda each: each.id != "sums"))
    if signers is not None:
        checks = (checks[0], CheckResult("signature", 1, tuple(check_signature(root, *signers))), *checks[1:])
    return Verification(checks)


def verify_bundle(root: Path) -> list[Finding]:
    """The findings of ``verify`` (what sealing asks)."""
    return verify(root).findings()
