"""Judging an attempt from its files: steps, dumps, facts, classes (formal-case.md 4.2, 5.5, 12.3, 13.1)."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from log_excerpts import EXCERPTS, HEALTHY, TRACE

from autoresearch.cases.events import Judged, RowFiles
from autoresearch.cases.judge import judge

CARD_LOGS = Path(__file__).parents[1] / "training" / "logs"
FIELD_LOGS = Path(__file__).parents[3] / "shared" / "data" / "logs"
RL, SFT = ["python3", "-m", "verl.trainer.main_ppo"], ["python3", "-m", "verl.trainer.sft_trainer"]


@dataclass
class Planned:
    """A lock's row, as judging reads it."""

    case_id: str = "train-1npu-sync-bs2-n2-mini2-micro1-64-64"
    numbers: dict[str, int] = field(default_factory=lambda: {"D": 1, "B": 2, "n": 2, "m": 2, "u": 1, "S": 3})
    argv: list[str] = field(default_factory=lambda: list(RL))


def step(number: int, **changes: float | None) -> dict[str, Any]:
    data: dict[str, Any] = {
        "training/global_step": number,
        "actor/grad_norm": 0.5,
        "actor/pg_loss": 0.1,
        "timing_s/update_actor": 1.0,
        "timing_s/gen": 2.0,
        "timing_s/step": 4.0,
        "perf/total_num_tokens": 100.0,
        "perf/time_per_step": 4.0,
        "perf/throughput": 25.0,
    }
    return {"step": number, "data": {**data, **changes}}


class Folder:
    """An attempt's folder, written piece by piece."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = RowFiles(path, path)

    def metrics(self, *records: dict[str, Any]) -> Folder:
        text = "".join(json.dumps(record) + "\n" for record in records)
        (self.path / "metrics.jsonl").write_text(text, encoding="utf-8")
        return self

    def log(self, *records: dict[str, Any], text: str = "") -> Folder:
        lines = [
            "(TaskRunnerV1 pid=1) "
            + " - ".join([f"step:{each['step']}", *(f"{key}:{value}" for key, value in each["data"].items())])
            for each in records
        ]
        (self.path / "trainer.log").write_text(HEALTHY + "\n".join([*lines, text]) + "\n", encoding="utf-8")
        return self

    def result(self, **facts: Any) -> Folder:
        values = {"exit_code": 0, "signal": None, "limit": None, "refused": None, "container": None}
        (self.path / "result.json").write_text(json.dumps({**values, **facts}, indent=2), encoding="utf-8")
        return self

    def seen(self, **facts: Any) -> Folder:
        (self.path / "orchestrator.json").write_text(json.dumps(facts, indent=2), encoding="utf-8")
        return self

    def dump(self, *lines: dict[str, Any]) -> Folder:
        (self.path / "validation").mkdir(exist_ok=True)
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.path / "validation" / "0.jsonl").write_text(text, encoding="utf-8")
        return self

    def judge(self, row: Planned | None = None) -> Judged:
        return judge(self.files, row or Planned())


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def whole(folder: Folder) -> Folder:
    records = [step(number) for number in (1, 2, 3)]
    return folder.metrics(*records).log(*records)


def codes(judged: Judged) -> list[str]:
    return [item.code for item in judged.findings]


def test_three_recorded_steps_and_exit_code_zero_pass(folder: Folder) -> None:
    judged = whole(folder).result().judge()
    assert (judged.status, judged.failure_class, judged.failure_evidence) == ("passed", None, None)
    assert (judged.completed_steps, judged.target_steps, judged.no_learning_signal) == (3, 3, False)
    assert codes(judged) == []


def test_two_of_three_steps_fail_whatever_the_exit_code_says(folder: Folder) -> None:
    records = [step(1), step(2)]
    judged = folder.metrics(*records).log(*records, text="global step 3/3").result().judge()
    assert (judged.status, judged.failure_class, judged.completed_steps) == ("failed", "incomplete_training_steps", 2)
    assert judged.failure_evidence is not None
    assert (judged.failure_evidence["file"], judged.failure_evidence["line"]) == ("metrics.jsonl", 2)


def test_exit_code_zero_without_any_step_fails(folder: Folder) -> None:
    judged = folder.log(text="Training finished, 3/3").result().judge()
    assert (judged.status, judged.failure_class, judged.completed_steps) == ("failed", "incomplete_training_steps", 0)


@pytest.mark.parametrize("name", sorted(EXCERPTS))
def test_words_in_the_log_of_a_whole_row_change_nothing(folder: Folder, name: str) -> None:
    records = [step(number) for number in (1, 2, 3)]
    judged = folder.metrics(*records).log(*records, text=EXCERPTS[name]).result().judge()
    assert (judged.status, judged.failure_class) == ("passed", None)


@pytest.mark.parametrize("name", sorted(EXCERPTS))
def test_the_same_words_name_the_class_of_a_row_that_failed(folder: Folder, name: str) -> None:
    judged = folder.metrics(step(1)).log(step(1), text=EXCERPTS[name]).result(exit_code=1).judge()
    assert (judged.status, judged.failure_class) == ("failed", name)
    evidence = judged.failure_evidence
    assert evidence is not None and evidence["file"] == "trainer.log"
    content = (folder.path / "trainer.log").read_bytes()
    assert content[: evidence["offset"]].count(b"\n") + 1 == evidence["line"]


def test_an_exit_code_that_nothing_explains(folder: Folder) -> None:
    judged = folder.log(step(1), text="good bye").result(exit_code=3).judge()
    assert judged.failure_class == "trainer_exit"
    assert judged.failure_evidence is not None and judged.failure_evidence["text"] == "good bye"


BUSY = {"reason": "resource_busy", "message": "still held by python3 (pid 1, user a)"}
FACTS: list[tuple[str, dict[str, Any]]] = [
    ("timeout", {"exit_code": None, "signal": 15, "limit": "inner_timeout"}),
    ("timeout", {"exit_code": 124}),
    ("interrupted", {"exit_code": None, "signal": 15, "limit": "interrupted"}),
    ("disk_space", {"exit_code": None, "signal": 15, "limit": "disk_space"}),
    ("resource_busy", {"exit_code": None, "refused": BUSY}),
    ("launcher_error", {"exit_code": None, "refused": {"reason": "lock_mismatch", "message": "another lock"}}),
    ("version_refused", {"exit_code": None, "refused": {"reason": "version_refused", "message": "verl 0.8"}}),
    ("docker_error", {"exit_code": 125, "container": {"name": "a"}}),
    ("killed", {"exit_code": None, "signal": 9}),
    ("killed", {"exit_code": 137, "container": {"name": "a"}}),
    ("host_memory", {"exit_code": 1, "oom_kills": {"before": {"cgroup": 0}, "after": {"cgroup": 2}}}),
    ("host_memory", {"exit_code": 137, "container": {"name": "a"}, "oom_kills": {"container": 1}}),
]


@pytest.mark.parametrize(("name", "facts"), FACTS)
def test_facts_of_the_runner_come_before_the_text(folder: Folder, name: str, facts: dict[str, Any]) -> None:
    judged = folder.metrics(step(1)).log(step(1), text=EXCERPTS["oom"]).result(**facts).judge()
    assert (judged.status, judged.failure_class) == ("failed", name)
    evidence = judged.failure_evidence
    assert evidence is not None and evidence["file"] == "result.json" and evidence["line"] is not None


def test_exit_code_125_without_a_container_is_not_dockers(folder: Folder) -> None:
    assert folder.log(text="x").result(exit_code=125).judge().failure_class == "trainer_exit"


def test_a_killed_trainer_beside_the_kernels_own_words_is_a_lack_of_memory(folder: Folder) -> None:
    text = "[99.1] oom-kill:constraint=CONSTRAINT_MEMCG,task=python3"
    assert folder.log(text=text).result(exit_code=None, signal=9).judge().failure_class == "host_memory"


def test_a_hanging_trainer_with_all_its_steps_is_a_timeout(folder: Folder) -> None:
    judged = whole(folder).result(exit_code=None, signal=15, limit="inner_timeout").judge()
    assert (judged.status, judged.failure_class, judged.completed_steps) == ("failed", "timeout", 3)


SEEN: list[tuple[str, dict[str, Any]]] = [
    ("ssh_lost", {"state": "ssh_lost", "message": "no answer for 9000 s"}),
    ("launcher_error", {"state": "launcher_error", "message": "the runner did not start"}),
    ("supervisor_lost", {"state": "supervisor_lost", "message": "pid 4 is gone"}),
    ("outer_timeout", {"state": "supervisor_lost", "outer_limit_hit": True}),
]


@pytest.mark.parametrize(("name", "seen"), SEEN)
def test_what_only_the_orchestrator_saw(folder: Folder, name: str, seen: dict[str, Any]) -> None:
    judged = folder.log(step(1)).seen(**seen).judge()
    assert (judged.status, judged.failure_class) == ("failed", name)


def test_a_lost_supervisor_fails_no_row_whose_records_are_whole(folder: Folder) -> None:
    assert whole(folder).seen(state="supervisor_lost").judge().status == "passed"
    shutil.rmtree(folder.path / "validation", ignore_errors=True)
    assert folder.seen(state="ssh_lost").judge().failure_class == "ssh_lost"


def test_the_outer_limit_fails_a_row_even_with_a_result(folder: Folder) -> None:
    judged = whole(folder).result().seen(state="finished", outer_limit_hit=True).judge()
    assert judged.failure_class == "outer_timeout"


INVALID: list[tuple[str, list[dict[str, Any]], str]] = [
    ("V511", [step(1), step(2), step(2, **{"actor/pg_loss": 0.7}), step(3)], ""),
    ("V510", [step(1), step(2), step(3), step(4)], ""),
    ("V510", [step(1), step(2), step(3)], "(TaskRunnerV1 pid=1) Resuming from /x/global_step_2"),
]


@pytest.mark.parametrize(("code", "records", "text"), INVALID)
def test_records_that_contradict_themselves_fail(
    folder: Folder, code: str, records: list[dict[str, Any]], text: str
) -> None:
    judged = folder.metrics(*records).log(*records, text=text).result().judge()
    assert (judged.status, judged.failure_class) == ("failed", "records_invalid")
    assert code in codes(judged)
    assert [item.severity for item in judged.findings if item.code == code] == ["error"]


def test_records_that_begin_in_the_middle_are_no_steps(folder: Folder) -> None:
    records = [step(2), step(3)]
    judged = folder.metrics(*records).log(*records).result().judge()
    assert (judged.failure_class, judged.completed_steps) == ("records_invalid", 0)


def test_two_sources_that_count_differently_fail_unless_the_log_was_cut(folder: Folder) -> None:
    folder.metrics(step(1), step(2), step(3)).log(step(1), step(2))
    judged = folder.result().judge()
    assert judged.failure_class == "records_invalid" and "V510" in codes(judged)
    cut = folder.result(log={"left_out": {"bytes": 9}, "lost_bytes": 0}).judge()
    assert cut.status == "passed" and {"V510", "V512"} == set(codes(cut))


def test_a_step_that_is_not_finite_is_no_step(folder: Folder) -> None:
    records = [step(1), step(2, **{"actor/grad_norm": None}), step(3)]
    judged = folder.metrics(*records).log().result().judge()
    assert judged.completed_steps == 1 and "V513" in codes(judged)


def test_a_row_without_any_gradient_passes_without_learning(folder: Folder) -> None:
    records = [step(number, **{"actor/grad_norm": 0.0}) for number in (1, 2, 3)]
    judged = folder.metrics(*records).log(*records).result().judge()
    assert (judged.status, judged.no_learning_signal) == ("passed", True) and "V514" in codes(judged)


def test_stages_beyond_their_step_and_a_rate_that_disagrees_are_told(folder: Folder) -> None:
    records = [step(number, **{"timing_s/gen": 9.0, "perf/throughput": 99.0}) for number in (1, 2, 3)]
    judged = folder.metrics(*records).log(*records).result().judge()
    assert judged.status == "passed" and {"V520", "V521"} == set(codes(judged))


def sample(number: int, **changes: Any) -> dict[str, Any]:
    line = {
        "input": f"<|image_pad|>question {number}",
        "output": "<think>x</think> \\boxed{3}",
        "gts": "3",
        "score": 1.0,
        "acc": 1.0,
        "step": 0,
        "uid": f"u{number}_0_0",
    }
    return {**line, **changes}


def validation(count: int = 3) -> Planned:
    numbers = {"D": 1, "B": 1, "n": 2, "m": 1, "u": 1, "S": 0, "V": count}
    return Planned("sync-64-64", numbers, [*RL, "trainer.val_only=True"])


def plain_log(folder: Folder, text: str = "validated") -> Folder:
    (folder.path / "trainer.log").write_text(text + "\n", encoding="utf-8")
    return folder


def test_a_validation_row_passes_with_one_line_for_each_sample(folder: Folder) -> None:
    judged = plain_log(folder).dump(*(sample(number) for number in range(3))).result().judge(validation())
    assert (judged.status, judged.completed_steps, judged.target_steps) == ("passed", 0, 0)
    assert judged.no_learning_signal is None
    assert judged.validation is not None
    assert judged.validation["samples"] == 3 and judged.validation["strict_acc"] == 1.0


BROKEN: list[list[dict[str, Any]]] = [
    [sample(0), sample(1)],
    [sample(0), sample(1), sample(2, uid="")],
    [sample(0), sample(1), sample(1)],
    [sample(0), sample(1), sample(2), sample(3)],
    [],
]


@pytest.mark.parametrize("lines", BROKEN)
def test_a_short_or_nameless_dump_fails(folder: Folder, lines: list[dict[str, Any]]) -> None:
    judged = plain_log(folder).dump(*lines).result().judge(validation())
    assert (judged.status, judged.failure_class) == ("failed", "incomplete_validation")


def test_a_missing_dump_fails_and_has_no_measures(folder: Folder) -> None:
    judged = plain_log(folder).result().judge(validation())
    assert (judged.failure_class, judged.validation) == ("incomplete_validation", None)


def test_the_filters_own_count_is_what_is_expected(folder: Folder) -> None:
    text = "filter dataset len: 24\n(TaskRunnerV1 pid=1) filter dataset len: 2"
    judged = plain_log(folder, text).dump(sample(0), sample(1)).result().judge(validation(64))
    assert judged.status == "passed"


def turn(number: int, index: int, **flags: float) -> dict[str, Any]:
    line = {"input": "q", "output": "{}", "gts": "3.1", "score": flags.get("both", 0.0), "uid": f"u{number}_0_{index}"}
    return {**line, **flags}


def test_a_field_dump_counts_sessions_and_names_its_measures(folder: Folder) -> None:
    lines = [
        turn(0, 0, both=1.0, category_exact=1.0, level_exact=1.0, under_graded=0.0, answer_valid=1.0),
        turn(0, 1, both=1.0, category_exact=1.0, level_exact=1.0, under_graded=0.0, answer_valid=1.0),
        turn(1, 0, both=0.0, category_exact=1.0, level_exact=0.0, under_graded=1.0, answer_valid=1.0),
        turn(2, 0, both=0.0, category_exact=0.0, answer_valid=0.0),
    ]
    row = validation(3)
    row.argv.append("reward.custom_reward_function.path=pkg://autoresearch.training.episode_reward")
    judged = plain_log(folder).dump(*lines).result().judge(row)
    assert judged.status == "passed" and judged.validation is not None
    found = judged.validation
    assert (found["samples"], found["strict_acc"], found["mean_score"]) == (3, 1 / 3, 1 / 3)
    assert (found["category"]["hits"], found["category"]["n"]) == (2, 3)
    assert (found["level"]["hits"], found["level"]["n"]) == (1, 2), "nothing is invented where nothing was judged"
    assert (found["under_grading"]["share"], found["answer_valid"]["hits"]) == (0.5, 2)
    assert found["both"]["low"] < 1 / 3 < found["both"]["high"]


def test_a_failed_validation_row_is_classified_like_any_other(folder: Folder) -> None:
    judged = plain_log(folder, TRACE + "torch.OutOfMemoryError: x").result(exit_code=1).judge(validation())
    assert judged.failure_class == "oom"


def card(folder: Folder, name: str, exit_code: int | None, argv: list[str], steps: int, **facts: Any) -> Judged:
    shutil.copyfile(CARD_LOGS / name, folder.path / "trainer.log")
    folder.result(exit_code=exit_code, **facts)
    return folder.judge(Planned("train-1gpu", {"D": 1, "B": 8, "n": 4, "m": 8, "u": 1, "S": steps}, argv))


def test_real_logs_of_one_card(folder: Folder) -> None:
    trained = card(folder, "sft-one-card.log", 0, SFT, 6)
    assert (trained.status, trained.completed_steps) == ("passed", 6)
    engine = card(folder, "rloo-one-card-engine.log", 1, RL, 3)
    assert (engine.failure_class, engine.completed_steps) == ("engine_dead", 0)
    memory = card(folder, "rloo-one-card-memory.log", 1, RL, 3)
    assert memory.failure_class == "oom"
    assert memory.failure_evidence is not None and memory.failure_evidence["line"] == 7
    assert "V512" in codes(card(folder, "sft-one-card.log", 0, SFT, 6, log={"left_out": {"bytes": 1}}))


@pytest.mark.field
def test_the_public_log_of_a_three_step_run_passes(folder: Folder) -> None:
    path = FIELD_LOGS / "verl-0.9.1-rloo-vllm-h200.log"
    if not path.is_file():
        pytest.skip("the public files are not here")
    shutil.copyfile(path, folder.path / "trainer.log")
    judged = folder.result().judge()
    assert (judged.status, judged.completed_steps) == ("passed", 3)


def test_files_of_any_bytes_are_judged(folder: Folder) -> None:
    for name in ("metrics.jsonl", "trainer.log", "result.json", "orchestrator.json", "launcher.log"):
        (folder.path / name).write_bytes(bytes(range(256)) * 9)
    assert folder.judge().failure_class == "supervisor_lost"


def test_a_row_that_trains_nothing_passes_by_its_exit_code(folder: Folder) -> None:
    smoke = Planned("device-op", {"D": 1, "S": 0}, ["python3", "runner.pyz", "device-op"])
    assert plain_log(folder).result().judge(smoke).status == "passed"
    assert plain_log(folder).result(exit_code=1).judge(smoke).failure_class == "trainer_exit"
