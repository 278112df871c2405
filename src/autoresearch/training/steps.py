"""Reading verl's records: the one parser and the one step counter (formal-case.md 12).

Standard library only, Python 3.8 grammar: the runner carries this file. Two sources are read: ``metrics.jsonl`` of
verl's file logger and the console log. A step is counted only from a record that holds the finite numbers of an
optimizer update; texts such as ``global step``, progress bars and checkpoint names count nothing. The parser never
raises on content: what cannot be read yields no pair.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SFT_KEYS = ("train/loss", "train/grad_norm")
RL_KEYS = ("actor/grad_norm", "actor/pg_loss")
WATCHED_FOR_NAN = ("actor/grad_norm", "actor/pg_loss", "train/loss")

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_RAY_PREFIX = re.compile(r"\((main_task|TaskRunner|TaskRunnerV1) pid=\d+[^)]*\)")
_RAY_REPEATED = re.compile(r"\s*\[repeated \d+x across cluster\].*$")
# The patterns begin with a literal text, which is searched for many times faster; what stands before is asked after.
_HEAD = re.compile(r"step:(\d{1,18}) - ")
# The character before `step:` may end a bar or a prefix; a word, quote or path character means other text.
_BEFORE_HEAD = re.compile(r"[^\w'\"`=/.-]")
# A glued record follows a number; ``training/global_step:1 - `` is a pair of the record that it stands in.
_BEFORE_NEXT = re.compile(r"[^A-Za-z_/]")
_HEAD_BYTES = re.compile(rb"step:\d{1,18} - ")
_NUMPY_NUMBER = re.compile(r":np\.\w+\(([-+.0-9e]+)\)(?= - |\Z)")
_NUMPY = re.compile(r"^np\.\w+\(([^()]*)\)$")
OTHER_SPACES = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f"
_CUT_MARK = b"\n# ar log-cut "
"""Begins the line that the runner writes where it left out the middle of a log."""
_DIALECT_OF_PREFIX = {"main_task": 1, "TaskRunner": 2, "TaskRunnerV1": 3}


class Notice(NamedTuple):
    """A finding in the form that the runner can carry: code, place, value."""

    code: str
    place: str
    value: str


class Record(NamedTuple):
    """One record of one step. A value is None where verl wrote ``nan`` or ``inf``."""

    step: int
    data: dict[str, float | None]
    source: str
    """``metrics`` or ``log``."""
    line: int
    """Line of the source, from 1."""
    truncated: bool = False


class Parsed(NamedTuple):
    """What one source held."""

    records: tuple[Record, ...]
    dialect: int | None
    notices: tuple[Notice, ...]


class StepCount(NamedTuple):
    """Counted optimizer steps of one run (formal-case.md 12.3, 5.5)."""

    accepted: tuple[int, ...]
    """Distinct accepted steps, ascending."""
    completed: int
    """Largest k such that each of 1…k was accepted."""
    zero_gradient: int
    """Accepted steps whose gradient norm is 0."""
    repeated: tuple[int, ...]
    """Steps that stand twice with different values (V511)."""
    not_finite: tuple[int, ...]
    """Steps with a training record whose loss or gradient norm is not finite."""


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:  # a whole number of more than 308 digits
        return None
    return number if math.isfinite(number) else None


def _number(text: str) -> float | None:
    """The number that a value text stands for, or None if it is no number at all (``nan`` and ``inf`` are numbers)."""
    if text.startswith("np."):
        match = _NUMPY.match(text)
        text = match.group(1) if match else ""
    if "_" in text or not text.isascii():
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _plain_pairs(text: str) -> dict[str, float | None] | None:
    """Pairs of a text in which all are finite plain numbers, the usual case; null when any may be something else."""
    if ":np." in text:
        text = _NUMPY_NUMBER.sub(lambda found: f":{found[1]}", text)  # half the time of a template
    words = text.replace(" - ", ":").split(":")
    values = words[1::2]
    joints = len(values) - 1
    if len(words) % 2 or text.count(":") != joints + 1 or text.count(" ") != 2 * joints or not text.isascii():
        return None
    if any(map(text.__contains__, OTHER_SPACES)) or "_" in "".join(values):
        return None
    try:
        data = dict(zip(words[::2], map(float, values)))  # noqa: B905 - Python 3.8 on hosts
    except ValueError:
        return None
    if "" in data or not math.isfinite(sum(data.values())):
        return None
    return cast("dict[str, float | None]", data)


def parse_pairs(text: str) -> tuple[dict[str, float | None], bool]:
    """Pairs of one record, the text after ``step:N - ``; True when the text ends in something that is no whole pair."""
    plain = _plain_pairs(text)
    return _any_pairs(text) if plain is None else (plain, False)


def _any_pairs(text: str) -> tuple[dict[str, float | None], bool]:
    data: dict[str, float | None] = {}
    broken = False
    if "[repeated " in text:
        text = _RAY_REPEATED.sub("", text)
    for piece in text.split(" - "):
        key, _, value = piece.rpartition(":")
        number = _number(value.strip())
        if number is None or not key.strip():
            broken = True
            continue
        data[key.strip()] = number if math.isfinite(number) else None
    return data, broken


def parse_line(text: str, line: int = 1) -> list[Record]:
    """Records of one console line; two records glued together by interleaved writers are split."""
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    starts: list[re.Match[str]] = []
    for match in _HEAD.finditer(text):
        before = _BEFORE_NEXT if starts else _BEFORE_HEAD
        if match.start() == 0 or before.match(text, match.start() - 1):
            starts.append(match)
    records = []
    for index, start in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(text)
        data, broken = parse_pairs(text[start.end() : end])
        if any("/" in key for key in data):
            records.append(Record(int(start.group(1)), data, "log", line, broken))
    return records


def _dialect(prefix: str | None, records: Sequence[Record]) -> int | None:
    if prefix is not None:
        return _DIALECT_OF_PREFIX[prefix]
    keys = {key for record in records for key in record.data}
    if not keys:
        return None
    if any(key.startswith("timing/") for key in keys):
        return 1
    if "training/global_step" in keys or "val/loss" in keys or any(key.startswith(("train/", "val-")) for key in keys):
        return 3
    return 2


def parse_log(content: bytes) -> Parsed:
    """All records of a console log. A carriage return ends a line like a newline does, so progress bars stand alone.

    The last pair of a line that was cut off is left out: half of a number is another number.
    """
    records: list[Record] = []
    prefix: str | None = None
    line, counted = 1, 0
    end = place = 0
    while (place := content.find(b"step:", place)) >= 0:
        hit = _HEAD_BYTES.match(content, place)
        if hit is None:
            place += len(b"step:")
            continue
        start = max(content.rfind(b"\n", end, place), content.rfind(b"\r", end, place), end - 1) + 1
        end = place = _line_end(content, hit.end())
        line += content.count(b"\n", counted, start)
        counted = start
        text = content[start:end].decode("utf-8", errors="replace")
        found = parse_line(text, line)
        if found and prefix is None:
            match = _RAY_PREFIX.search(text)
            prefix = match.group(1) if match else None
        if end == len(content) or content.startswith(_CUT_MARK, end):
            found = _without_cut_number(found)
        records.extend(found)
    return Parsed(tuple(records), _dialect(prefix, records), tuple(_nan_notices(records)))


def _without_cut_number(found: list[Record]) -> list[Record]:
    """The records of a line that has no end of its own: of its last number only a part may have been written."""
    if not found or found[-1].truncated:
        return found
    last = found[-1]
    data = dict(list(last.data.items())[:-1])
    return [*found[:-1], *([last._replace(data=data, truncated=True)] if data else [])]


def _line_end(content: bytes, position: int) -> int:
    newline = content.find(b"\n", position)
    newline = len(content) if newline < 0 else newline
    carriage = content.find(b"\r", position, newline)
    return newline if carriage < 0 else carriage


def parse_metrics(content: bytes) -> Parsed:
    """All records of verl's file logger; what is no whole record is passed over."""
    records: list[Record] = []
    for number, raw in enumerate(content.split(b"\n"), start=1):
        if not raw.strip():
            continue
        try:
            entry = json.loads(raw)
        except (ValueError, RecursionError):
            continue
        if not isinstance(entry, dict) or not isinstance(entry.get("data"), dict):
            continue
        step = entry.get("step")
        if isinstance(step, bool) or not isinstance(step, int):
            continue
        data = {key: _finite(value) for key, value in entry["data"].items() if value is None or _is_number(value)}
        records.append(Record(step, data, "metrics", number))
    return Parsed(tuple(records), _dialect(None, records), tuple(_nan_notices(records)))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _nan_notices(records: Iterable[Record]) -> list[Notice]:
    return [
        Notice("V513", f"{record.source} line {record.line}, step {record.step}", key)
        for record in records
        for key in WATCHED_FOR_NAN
        if key in record.data and record.data[key] is None
    ]


def is_training_record(record: Record, kind: str) -> bool:
    """True when the record speaks of an update (``val-*`` and ``val/loss`` alone do not). ``kind`` is sft or rl."""
    return any(key in record.data for key in (SFT_KEYS if kind == "sft" else RL_KEYS))


def is_accepted(record: Record, kind: str) -> bool:
    """The rule of formal-case.md 12.3 for one record; ``kind`` is ``sft`` or ``rl``."""
    data = record.data
    if any(data.get(key) is None for key in (SFT_KEYS if kind == "sft" else RL_KEYS)):
        return False
    if kind == "sft":
        return True
    update = data.get("timing_s/update_actor")
    return (
        update is not None
        and update > 0
        and data.get("timing_s/step") is not None
        and data.get("training/global_step") == record.step
    )


def count_steps(records: Iterable[Record], kind: str) -> StepCount:
    """Count accepted steps of one source of records."""
    seen: dict[int, dict[str, float | None]] = {}
    accepted: dict[int, float] = {}
    repeated: set[int] = set()
    bad: set[int] = set()
    gradient = SFT_KEYS[1] if kind == "sft" else RL_KEYS[0]
    for record in records:
        if not is_training_record(record, kind):
            continue
        if record.step in seen and seen[record.step] != record.data:
            repeated.add(record.step)
        seen[record.step] = record.data
        if is_accepted(record, kind):
            accepted[record.step] = float(record.data[gradient] or 0.0)
        elif any(key in record.data and record.data[key] is None for key in SFT_KEYS + RL_KEYS):
            bad.add(record.step)
    completed = 0
    while completed + 1 in accepted:
        completed += 1
    zero = sum(1 for norm in accepted.values() if norm == 0)
    return StepCount(tuple(sorted(accepted)), completed, zero, tuple(sorted(repeated)), tuple(sorted(bad)))


def compare_sources(metrics: Sequence[Record], log: Sequence[Record], kind: str) -> list[Notice]:
    """``V510`` for each step that stands in one source only, or whose values differ beyond formatting."""
    left = {record.step: record for record in metrics if is_training_record(record, kind)}
    right = {record.step: record for record in log if is_training_record(record, kind)}
    notices = []
    for step in sorted(set(left) | set(right)):
        if step not in left or step not in right:
            notices.append(Notice("V510", f"step {step}", "only in " + ("metrics" if step in left else "log")))
            continue
        for key in sorted(set(left[step].data) & set(right[step].data)):
            one, two = left[step].data[key], right[step].data[key]
            if (one is None) != (two is None) or (one is not None and two is not None and not _close(one, two)):
                notices.append(Notice("V510", f"step {step}", f"{key}: {one} and {two}"))
    return notices


def _close(one: float, two: float) -> bool:
    return math.isclose(one, two, rel_tol=1e-6, abs_tol=1e-12)


class RunRecords(NamedTuple):
    """Both sources of one attempt, read together."""

    records: tuple[Record, ...]
    """Of the metrics file, or of the log where there is no metrics record."""
    source: str
    dialect: int | None
    notices: tuple[Notice, ...]
    steps: StepCount


def read_attempt(folder: Path, kind: str) -> RunRecords:
    """Read ``metrics.jsonl`` and ``trainer.log`` of an attempt; an absent file is empty (formal-case.md 12.1)."""
    metrics = parse_metrics(_bytes(folder / "metrics.jsonl"))
    log = parse_log(_bytes(folder / "trainer.log"))
    chosen, source = (metrics, "metrics") if metrics.records else (log, "log")
    count = count_steps(chosen.records, kind)
    notices = [*chosen.notices, *(Notice("V511", f"{source}, step {step}", "") for step in count.repeated)]
    if metrics.records and log.records:
        notices.extend(compare_sources(metrics.records, log.records, kind))
    return RunRecords(chosen.records, source, log.dialect or chosen.dialect, tuple(notices), count)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def merge_steps(records: Iterable[Record]) -> dict[int, dict[str, Any]]:
    """Step -> all keys of its records, validation included; a later record wins (curves, pages)."""
    steps: dict[int, dict[str, Any]] = {}
    for record in records:
        steps.setdefault(record.step, {}).update(record.data)
    return steps
