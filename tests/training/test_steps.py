"""The record parser and step counter (formal-case 12)."""

from __future__ import annotations

import ast
import json
import math
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autoresearch.training import stage_times, steps
from autoresearch.training.steps import (
    Record,
    compare_sources,
    count_steps,
    is_accepted,
    parse_line,
    parse_log,
    parse_metrics,
    read_attempt,
)

RL = {
    "actor/grad_norm": 0.5,
    "actor/pg_loss": -0.1,
    "timing_s/update_actor": 2.5,
    "timing_s/step": 6.0,
    "training/global_step": 1,
}


def sft(step: int, loss: float | None = 1.0, norm: float | None = 0.5) -> Record:
    return Record(step, {"train/loss": loss, "train/grad_norm": norm}, "metrics", step)


def rl(step: int, **changes: float | None) -> Record:
    names = {"norm": "actor/grad_norm", "update": "timing_s/update_actor", "global_step": "training/global_step"}
    data: dict[str, float | None] = {**RL, "training/global_step": step}
    data.update({names[key]: value for key, value in changes.items()})
    return Record(step, data, "metrics", step)


def test_colour_and_ray_prefix_are_no_part_of_a_record() -> None:
    prefix = "\x1b[36m(TaskRunnerV1 pid=12)\x1b[0m "
    line = prefix + "step:3 - actor/grad_norm:np.float64(1.5) - training/global_step:np.int64(3)"
    (record,) = parse_line(line)
    assert (record.step, record.data) == (3, {"actor/grad_norm": 1.5, "training/global_step": 3.0})


def test_a_key_keeps_its_colons_and_at_signs() -> None:
    (record,) = parse_line("step:1 - val-core/steel:mini/acc/mean@1:0.25")
    assert record.data == {"val-core/steel:mini/acc/mean@1": 0.25}


def test_negative_and_exponent_numbers_are_read() -> None:
    (record,) = parse_line("step:1 - actor/pg_loss:-1e-3 - actor/kl:+2.5E2 - actor/x:.5")
    assert record.data == {"actor/pg_loss": -0.001, "actor/kl": 250.0, "actor/x": 0.5}


@pytest.mark.parametrize("text", ["nan", "NaN", "inf", "-inf", "np.float64(nan)"])
def test_what_is_not_finite_is_kept_as_null_with_a_notice(text: str) -> None:
    parsed = parse_log(f"step:4 - train/loss:{text} - train/grad_norm:1.0\n".encode())
    assert parsed.records[0].data["train/loss"] is None
    assert [(item.code, item.value) for item in parsed.notices] == [("V513", "train/loss")]


PIECES = [
    "a/b:1.5",
    "a:1",
    ":",
    "k:np.float64(1e5)",
    "k:np.int64(3)",
    "k:np.x(1.2.3)",
    "k:1_0",
    "k:nan",
    "k:1e400",
    "é:1",
    "",
    "x",
]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=8),
    st.sampled_from([" - ", " - ", " -", "  - ", "\t", "\x1c", " [repeated 2x across cluster]"]),
)
def test_the_quick_way_to_read_pairs_gives_what_the_careful_one_does(pieces: list[str], joint: str) -> None:
    for text in (" - ".join(pieces), joint.join(pieces), " - ".join(pieces) + joint):
        careful = steps._any_pairs(text)
        found = steps.parse_pairs(text)
        assert (list(found[0].items()), found[1]) == (list(careful[0].items()), careful[1])


def test_two_records_on_one_line_are_split() -> None:
    first, second = parse_line(
        "step:1 - train/loss:2.0 - train/grad_norm:1.0step:2 - train/loss:1.5 - train/grad_norm:0.9"
    )
    assert (first.step, second.step) == (1, 2)
    assert first.data["train/grad_norm"] == 1.0 and second.data["train/loss"] == 1.5


def test_a_record_behind_a_progress_bar_is_found() -> None:
    content = b"Epoch 1/1:   0%|          | 0/40 [00:00<?, ?it/s]step:1 - train/loss:2.0 - train/grad_norm:1.0\r\n"
    assert [record.step for record in parse_log(content).records] == [1]


def test_a_cut_line_yields_its_whole_pairs_and_says_so() -> None:
    (record,) = parse_line("step:7 - train/loss:2.0 - train/gra")
    assert record.data == {"train/loss": 2.0} and record.truncated


def test_fault_14_wherever_a_log_or_a_metrics_file_is_cut_no_step_and_no_value_is_told_that_was_not_recorded() -> None:
    said = [
        {**RL, "training/global_step": step, "actor/grad_norm": 0.125 * step, "perf/mfu": 123.456} for step in (1, 2)
    ]
    log = "".join(
        f"(TaskRunnerV1 pid=7) step:{step} - " + " - ".join(f"{key}:{value}" for key, value in data.items()) + "\n"
        for step, data in enumerate(said, 1)
    ).encode()
    metrics = "".join(json.dumps({"step": step, "data": data}) + "\n" for step, data in enumerate(said, 1)).encode()
    for parse, content, head in ((parse_log, log, b") step:"), (parse_metrics, metrics, b'"step"')):
        for cut in range(len(content) + 1):
            found = parse(content[:cut]).records
            assert all(record.data.items() <= said[record.step - 1].items() for record in found), cut
            completed = count_steps(found, "rl").completed
            assert content.count(b"\n", 0, cut) <= completed <= content.count(head, 0, cut)


@pytest.mark.parametrize("end", ["", "\n# ar log-cut bytes=9 lines=1 from_epoch_ms=1 to_epoch_ms=2\nrest\n"])
def test_half_of_a_number_is_not_taken_for_the_number(end: str) -> None:
    whole = "step:1 - train/loss:2.5 - train/grad_norm:0.25\n"
    for cut in ("step:2 - train/loss:2.25 - train/grad_norm:0.0", "step:2 - train/loss:2.25 - train/grad_norm:"):
        found = parse_log((whole + cut + end).encode())
        assert [(record.data, record.truncated) for record in found.records] == [
            ({"train/loss": 2.5, "train/grad_norm": 0.25}, False),
            ({"train/loss": 2.25}, True),
        ]
        assert count_steps(found.records, "sft").completed == 1
    assert [record.step for record in parse_log((whole + "step:2 - train/loss:2" + end).encode()).records] == [1]


@pytest.mark.parametrize(
    "line",
    [
        "global_step:3 - train/loss:1.0",
        "'step:3 - train/loss:1.0'",
        "Training Progress: 3/3 [00:10<00:00]",
        "saved global_step_3",
        "{'trainer': {'step': 3}}",
        "step:3 - nothing here",
        "last-step:3 - a/b:1",
    ],
)
def test_other_text_counts_nothing(line: str) -> None:
    assert parse_line(line) == []


@pytest.mark.parametrize(
    ("line", "dialect"),
    [
        ("(main_task pid=1) step:0 - timing/gen:1.0 - critic/x:1.0", 1),
        ("(TaskRunner pid=1) step:1 - timing_s/gen:1.0", 2),
        ("(TaskRunnerV1 pid=1) step:1 - timing_s/gen:1.0", 3),
        ("step:1 - train/loss:1.0", 3),
        ("step:1 - timing/gen:1.0", 1),
        ("step:1 - timing_s/gen:1.0", 2),
        ("step:10 - timing_s/gen:1.0 - val/test_score/openai/gsm8k:0.6", 2),
        ("step:6 - val/loss:1.6", 3),
    ],
)
def test_the_dialect_is_told_from_prefix_or_keys(line: str, dialect: int) -> None:
    assert parse_log(line.encode() + b"\n").dialect == dialect


def test_line_numbers_are_those_of_the_file() -> None:
    content = b"one\ntwo\nstep:1 - train/loss:1.0\nfour\nstep:2 - train/loss:1.0\n"
    assert [record.line for record in parse_log(content).records] == [3, 5]


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_random_bytes_never_raise(content: bytes) -> None:
    parse_log(content)
    parse_metrics(content)
    parse_log(b"step:1 - " + content + b"step:2 - a/b:" + content)


def test_an_ordinary_log_is_read_at_more_than_fifty_megabytes_a_second() -> None:
    record = b"(TaskRunnerV1 pid=1) step:1 - " + b" - ".join(b"actor/key_%d:0.12345" % i for i in range(80)) + b"\n"
    content = (record + b"INFO something that says nothing about any step at all\n" * 400) * 300
    started = time.process_time()
    assert len(parse_log(content).records) == 300
    assert len(content) / (time.process_time() - started) > 50e6


def test_metrics_lines_that_are_cut_or_foreign_are_passed_over() -> None:
    lines = [
        json.dumps({"step": 1, "data": {"train/loss": 1.0, "train/grad_norm": None, "text": "x"}}),
        '{"step": 2, "data": {"train/lo',
        "[]",
        json.dumps({"step": True, "data": {}}),
    ]
    parsed = parse_metrics("\n".join(lines).encode())
    assert [record.data for record in parsed.records] == [{"train/loss": 1.0, "train/grad_norm": None}]


def test_sft_steps_need_finite_loss_and_gradient() -> None:
    records = [sft(1), sft(2, loss=None), sft(3), Record(3, {"val/loss": 1.0}, "metrics", 4), sft(5)]
    count = count_steps(records, "sft")
    assert count.accepted == (1, 3, 5) and count.completed == 1 and count.not_finite == (2,)


def test_a_validation_record_is_never_a_step() -> None:
    records = [Record(0, {"val-core/x/acc/mean@1": 0.1}, "metrics", 1), Record(1, {"val/loss": 1.0}, "metrics", 2)]
    assert count_steps(records, "sft").accepted == () and count_steps(records, "rl").accepted == ()


@pytest.mark.parametrize("broken", [{"norm": None}, {"update": 0.0}, {"update": None}, {"global_step": 9}])
def test_rl_steps_need_an_update_of_this_step(broken: dict[str, float | None]) -> None:
    assert is_accepted(rl(1), "rl")
    assert not is_accepted(rl(1, **broken), "rl")


def test_zero_gradients_are_counted() -> None:
    assert count_steps([sft(1, norm=0.0), sft(2)], "sft").zero_gradient == 1


def test_a_step_with_two_values_is_named() -> None:
    assert count_steps([sft(1), sft(1)], "sft").repeated == ()
    assert count_steps([sft(1), sft(1, loss=9.0)], "sft").repeated == (1,)


def test_sources_that_disagree_are_named_step_by_step() -> None:
    log = [sft(1), sft(2, loss=1.00000001), sft(3, loss=7.0)]
    notices = compare_sources([sft(1), sft(2), sft(3), sft(4)], log, "sft")
    assert [(item.code, item.place) for item in notices] == [("V510", "step 3"), ("V510", "step 4")]


def test_an_attempt_is_read_from_metrics_first_and_from_the_log_without_them(tmp_path: Path) -> None:
    (tmp_path / "trainer.log").write_bytes(b"step:1 - train/loss:1.0 - train/grad_norm:0.5\n")
    assert read_attempt(tmp_path, "sft").source == "log"
    line = json.dumps({"step": 1, "data": {"train/loss": 1.0, "train/grad_norm": 0.5}})
    (tmp_path / "metrics.jsonl").write_text(line + "\n")
    read = read_attempt(tmp_path, "sft")
    assert read.source == "metrics" and read.steps.completed == 1 and read.notices == ()


def test_stages_and_remainder_add_up_to_the_step() -> None:
    data = {
        "timing_s/step": 10.0,
        "timing_s/gen": 4.0,
        "timing_s/update_actor": 3.0,
        "timing_s/testing": 5.0,
        "timing_s/agent_loop/slowest": 9.0,
        "timing_s/new_thing": 1.0,
        "timing_per_token_ms/gen": 99.0,
    }
    times = stage_times.step_times(Record(1, dict(data), "metrics", 1), 3)
    assert times.remainder is not None and math.isclose(times.remainder, 2.0)
    assert {stage.key: (stage.stage, stage.inside) for stage in times.stages} == {
        "gen": ("rollout", True),
        "update_actor": ("update", True),
        "testing": ("validation", False),
        "agent_loop/slowest": ("rollout", False),
        "new_thing": ("unmapped", True),
    }
    assert stage_times.step_times(Record(1, dict(data), "metrics", 1), 2).remainder == pytest.approx(-3.0)


def test_what_lies_in_the_rollout_is_told_and_not_summed_again() -> None:
    data = {"timing_s/gen": 5.0, "timing_s/reshard": 2.0, "timing_s/generate_sequences/max": 3.0, "timing_s/step": 5.5}
    times = stage_times.step_times(Record(1, data, "log", 1), 2)
    assert (times.remainder, times.notices) == (0.5, ())
    assert [each.key for each in times.stages if each.detail] == ["reshard", "generate_sequences/max"]


def test_throughput_leaves_the_first_step_out() -> None:
    records = [
        Record(
            n, {**RL, "training/global_step": n, "perf/total_num_tokens": 100.0 * n, "perf/time_per_step": 2.0}, "m", n
        )
        for n in (1, 2, 3)
    ]
    found = stage_times.rl_throughput(records, devices=2)
    assert (found.steps, found.tokens, found.seconds, found.per_device) == (2, 500.0, 4.0, 62.5)


@pytest.mark.parametrize("module", [steps, stage_times])
def test_what_the_runner_carries_parses_as_python_3_8_and_imports_the_standard_library_only(module: object) -> None:
    source = Path(str(getattr(module, "__file__"))).read_text(encoding="utf-8")  # noqa: B009  # a module as object
    tree = ast.parse(source, feature_version=(3, 8))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    allowed = {
        "__future__",
        "json",
        "math",
        "re",
        "pathlib",
        "typing",
        "collections.abc",
        "autoresearch.training.steps",
    }
    assert set(names) <= allowed


def test_the_step_counter_of_a_record_does_not_cut_it_in_two() -> None:
    head = "(TaskRunnerV1 pid=1) step:1 - actor/pg_loss:-0.5 - actor/grad_norm:0.25 - training/global_step:1"
    tail = "training/epoch:0 - timing_s/update_actor:2.5 - timing_s/step:9.0"
    parsed = parse_log(f"{head} - {tail}step:2 - {tail}\n".encode())
    assert [record.step for record in parsed.records] == [1, 2]
    assert parsed.records[0].data["training/global_step"] == 1 and parsed.records[0].data["timing_s/step"] == 9.0
    assert count_steps(parsed.records, "rl").completed == 1
