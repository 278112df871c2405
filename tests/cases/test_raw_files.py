"""No content of a row's raw files makes a reader raise (formal-case.md 20.1)."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from test_judge import SFT, Folder, Planned

from autoresearch.cases.field_measures import MEASURES, field_measures
from autoresearch.cases.geo3k import accuracy, read_dump, truncated
from autoresearch.cases.measured import measure
from autoresearch.training.stage_times import rl_throughput, step_times
from autoresearch.training.step_ends import log_times, step_ends
from autoresearch.training.steps import count_steps, parse_log, parse_metrics

KEYS = [
    *MEASURES.values(),
    *("step", "data", "uid", "input", "output", "gts", "score", "acc", "reward", "offset", "epoch_ms", "mono_ms"),
    *("actor/grad_norm", "actor/pg_loss", "timing_s/step", "timing_s/update_actor", "training/global_step"),
    *("perf/total_num_tokens", "perf/time_per_step", "train/loss", "train/grad_norm", "num_turns", "level", "answer"),
]
LEAVES = st.none() | st.booleans() | st.integers() | st.just(10**400) | st.floats() | st.text(max_size=5)
JSON: st.SearchStrategy[Any] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner), max_leaves=8
)
STEPS = st.integers(-1, 4) | st.just(10**400)
RECORDS = st.fixed_dictionaries({"step": STEPS | LEAVES, "data": st.dictionaries(st.sampled_from(KEYS), LEAVES)})
SAMPLES = st.dictionaries(st.sampled_from(KEYS), LEAVES)
LINES = st.lists(
    (JSON | RECORDS | SAMPLES).map(lambda value: json.dumps(value).encode()) | st.binary(max_size=30), max_size=6
).map(b"\n".join)
LOGS = st.lists(
    st.binary(max_size=20)
    | st.sampled_from([b"step:1 - ", b"\n", b"step:99999999999999999999 - ", b"(TaskRunnerV1 pid=1) step:2 - "])
    | st.sampled_from(
        [b"train/loss:nan - ", b"actor/grad_norm:1e999 - ", b"training/global_step:np.int64(1) - ", b"\r"]
    ),
    max_size=12,
).map(b"".join)


@settings(max_examples=250, deadline=None)
@given(LINES, LOGS)
def test_records_logs_and_their_times_are_read_whatever_they_hold(lines: bytes, log: bytes) -> None:
    for found in (parse_metrics(lines), parse_log(log)):
        for kind in ("rl", "sft"):
            count_steps(found.records, kind)
        for record in found.records:
            step_times(record, found.dialect)
        rl_throughput(found.records, 2)
    index = []
    for line in lines.split(b"\n"):
        try:
            index.append(json.loads(line))
        except ValueError:
            continue
    log_times(index)
    step_ends(log, index, "rl")


@settings(max_examples=250, deadline=None)
@given(LINES)
def test_dumps_are_measured_whatever_they_hold(lines: bytes) -> None:
    samples = read_dump(lines)
    accuracy(samples)
    truncated(samples)
    field_measures(lines)


@settings(max_examples=120, deadline=None)
@given(LINES, LOGS, LINES, st.sampled_from([None, SFT]))
def test_an_attempt_of_any_files_is_judged_and_measured(
    metrics: bytes, log: bytes, dump: bytes, argv: list[str] | None
) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Folder(Path(place)).result()
        (folder.path / "metrics.jsonl").write_bytes(metrics)
        (folder.path / "trainer.log").write_bytes(log)
        (folder.path / "log-index.jsonl").write_bytes(metrics)
        (folder.path / "validation").mkdir()
        (folder.path / "validation" / "0.jsonl").write_bytes(dump)
        for row in (Planned(argv=argv or Planned().argv), Planned(argv=[*Planned().argv, "trainer.val_only=True"])):
            judged = folder.judge(row)
            assert judged.status == "failed" and judged.failure_class
        measure(folder.files, "sft" if argv else "rl", 1)
