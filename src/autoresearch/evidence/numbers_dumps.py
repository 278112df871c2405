"""Numbers from the texts that a case's rows dumped: mixed groups, accuracy with its interval, the zero-accuracy ladder,
and what two modes of a validation matrix answered alike (formal-case.md 7.4, 14).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autoresearch.cases.field_measures import MEASURES
from autoresearch.cases.geo3k import Sample, accuracy, consistency, mixed_groups, read_dump, zero_ladder
from autoresearch.cases.judge import FIELD_REWARD, measures
from autoresearch.evidence.attempt_records import Attempt, attempts
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.derived import started
from autoresearch.evidence.locks import ConfigLock
from autoresearch.evidence.matrix import MatrixRow
from autoresearch.evidence.report_data import ReportData

NAMES = frozenset(
    {
        "experiment_name", "project_name", "default_local_dir", "default_hdfs_dir", "validation_data_dir",
        "rollout_data_dir", "group_name",
    }
)  # fmt: skip
"""Keys of a composed configuration that only name things."""
SWITCH = "trainer.v1.trainer_mode"
WARM_UP = "num_warmup_batches"


def add_dumps(data: ReportData, bundle: Bundle, lock: ConfigLock, matrix: Mapping[str, MatrixRow]) -> None:
    """All numbers of the dumps; a row without any adds nothing."""
    hashed = lock.case.get("dump_policy") == "hash"
    data.fact("run.texts_hashed", hashed, "read", bundle.name("config_lock"))
    rows = started(bundle, attempts(lock, bundle.rows()))
    for attempt in rows:
        rollouts = _dumps(bundle, attempt.row, "rollouts")
        _add_mixed(data, bundle, attempt, rollouts)
        held = _dumps(bundle, attempt.row, "validation")
        chosen = held[:1] or rollouts
        if chosen:
            kind = "validation" if held else "rollouts"
            _add_accuracy(data, bundle, attempt, chosen, kind=kind, hashed=hashed)
    known = [data.value(f"acc.{each.row}.samples") for each in rows]
    counts = [value for value in known if value is not None]
    if counts:
        data.number("acc.least", min(counts), "count", "acc.least", bundle.name("row_files"))
    _add_modes(data, bundle, [each for each in rows if matrix[each.row].status == "passed"], matrix, hashed=hashed)


def _dumps(bundle: Bundle, row: str, name: str) -> list[Path]:
    """The dumps of a row by step."""
    found = [each for each in (bundle.row_folder(row) / name).glob("*.jsonl") if each.stem.isdigit()]
    return sorted(found, key=lambda path: int(path.stem))


def is_field(attempt: Attempt) -> bool:
    """True for field classification, whose episodes the task loop judged."""
    return any(FIELD_REWARD in item for item in attempt.case.argv)


def _add_mixed(data: ReportData, bundle: Bundle, attempt: Attempt, dumps: list[Path]) -> None:
    """Share of groups whose scores differ, a step, and over all of the row."""
    head = f"row.{attempt.row}"
    counts = [(int(path.stem), *mixed_groups(read_dump(path.read_bytes()))) for path in dumps]
    counts = [each for each in counts if each[2]]
    if not counts or f"{head}.mixed_share" in data.series:
        return
    source = bundle.relative(bundle.row_folder(attempt.row) / "rollouts")
    points = [(step, mixed / groups) for step, mixed, groups in counts]
    data.line(f"{head}.mixed_share", points, ("steps", "share"), "dump.mixed", source)
    mixed, groups = sum(each[1] for each in counts), sum(each[2] for each in counts)
    data.number(f"{head}.mixed.numerator", mixed, "count", "dump.mixed", source)
    data.number(f"{head}.mixed.denominator", groups, "count", "dump.mixed", source)
    data.number(f"{head}.mixed.rate", mixed / groups, "share", "dump.mixed", source)
    data.number(f"{head}.steps_with_signal", sum(each[1] > 0 for each in counts), "steps", "signal.steps", source)


def _add_accuracy(
    data: ReportData, bundle: Bundle, attempt: Attempt, dumps: list[Path], *, kind: str, hashed: bool
) -> None:
    """Named measures of a row's dumps: of its validation, else of all its rollouts, which are training samples."""
    head = f"acc.{attempt.row}"
    source = bundle.relative(dumps[0] if kind == "validation" else dumps[0].parent)
    content = b"\n".join(path.read_bytes() for path in dumps)
    found = measures(content, attempt.case)
    data.fact(f"{head}.kind", kind, "dump.kind", source)
    data.number(f"{head}.samples", found["samples"], "count", "acc.samples", source)
    if is_field(attempt):
        for name in MEASURES:
            _add_share(data, f"{head}.{name}", found[name], source)
        return
    samples = read_dump(content)
    strict = accuracy(samples).strict
    _add_share(data, f"{head}.strict", {**strict._asdict()}, source)
    for name in ("format_rate", "mean_score"):
        unit = "share" if name == "format_rate" else "reward"
        data.number(f"{head}.{name}", found[name], unit, f"acc.{name}", source)
    if not hashed:
        data.number(f"{head}.truncated", found["truncated"], "count", "acc.truncated", source)
        _add_ladder(data, attempt, samples, kind, source)


def _add_share(data: ReportData, head: str, block: Mapping[str, Any], source: str) -> None:
    formula = "acc." + head.rpartition(".")[2]
    data.number(f"{head}.numerator", block["hits"], "count", formula, source)
    data.number(f"{head}.denominator", block["n"], "count", formula, source)
    data.number(f"{head}.rate", block["share"], "share", formula, source)
    data.number(f"{head}.low", block["low"], "share", "acc.wilson", source)
    data.number(f"{head}.high", block["high"], "share", "acc.wilson", source)


def _add_ladder(data: ReportData, attempt: Attempt, samples: list[Sample], kind: str, source: str) -> None:
    """Counts of the causes where no sample was right."""
    for cause in zero_ladder(samples, validation=kind == "validation"):
        data.number(f"acc.{attempt.row}.ladder.{cause.id}", cause.count, "count", "acc.ladder", source)


def _add_modes(
    data: ReportData, bundle: Bundle, rows: list[Attempt], matrix: Mapping[str, MatrixRow], *, hashed: bool
) -> None:
    """For each two rows that were asked to differ in their mode alone: whether they really did, and how many answers
    agree."""
    for first, second in mode_pairs(rows, matrix):
        head = f"modes.{first.row}.{second.row}"
        one, two = matrix[first.row], matrix[second.row]
        files = [bundle.path("effective") / f"{each.row}.yaml" for each in (first, second)]
        sources = [bundle.relative(path) for path in files if path.is_file()] or [bundle.name("matrix")]
        data.fact(f"{head}.engine", _engine(files, one, two), "modes.engine", *sources)
        dumps = [_dumps(bundle, each.row, "validation")[:1] for each in (first, second)]
        if all(dumps) and not hashed and not is_field(first):
            left, right = (read_dump(found[0].read_bytes()) for found in dumps)
            equal = consistency(left, right)
            names = [bundle.relative(found[0]) for found in dumps]
            data.number(f"{head}.numerator", equal.equal, "count", "modes.equal", *names)
            data.number(f"{head}.denominator", equal.n, "count", "modes.equal", *names)
            data.number(f"{head}.rate", equal.share, "share", "modes.equal", *names)
            data.number(f"{head}.left_out", equal.left_out, "count", "modes.left_out", *names)


def mode_pairs(rows: list[Attempt], matrix: Mapping[str, MatrixRow]) -> list[tuple[Attempt, Attempt]]:
    """Pairs that were asked to differ in their inference mode and in nothing else."""
    found = []
    for place, first in enumerate(rows):
        for second in rows[place + 1 :]:
            one, two = matrix[first.row], matrix[second.row]
            alike = (one.stage, one.input_tokens, one.output_tokens, one.ignore_eos) == (
                two.stage, two.input_tokens, two.output_tokens, two.ignore_eos,
            )  # fmt: skip
            letters = all(one.numbers.get(name) == two.numbers.get(name) for name in ("D", "B", "n", "m", "u", "TP"))
            asked = {one.inference_mode, two.inference_mode}
            if alike and letters and None not in asked and len(asked) > 1:
                found.append((first, second))
    return found


def _engine(files: list[Path], one: MatrixRow, two: MatrixRow) -> str:
    """``same`` engine path, ``other``, or ``unknown`` where a composed configuration is missing.

    A validation matrix serves both modes through the same rollout engine: there the trainer's own mode and its warm-up
    are no difference of the engine (7.4).
    """
    settings = [_settings(path) for path in files]
    if not all(settings):
        return "unknown"
    if one.resolved_mode == two.resolved_mode:
        return "same"
    left, right = settings
    different = {key for key in left.keys() | right.keys() if left.get(key) != right.get(key)}
    names = {key for key in different if key.rpartition(".")[2] in NAMES or key.startswith("hydra.")}
    if one.trainer_val_only:
        names |= {key for key in different if key == SWITCH or key.rpartition(".")[2] == WARM_UP}
    return "other" if different - names else "same"


def _settings(path: Path) -> dict[str, Any]:
    """A composed configuration as dotted keys; empty when it is absent or unreadable."""
    import yaml

    try:
        content: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError, UnicodeDecodeError):
        return {}
    found: dict[str, Any] = {}

    def walk(prefix: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(f"{prefix}.{key}" if prefix else str(key), inner)
        else:
            found[prefix] = value

    walk("", content)
    return found
