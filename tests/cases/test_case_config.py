"""``verl_case``: every key of formal-case.md 3.2 with its default, contradictions and near misses refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoresearch.cases.config import CaseConfig, load_case
from autoresearch.cli.main import run
from autoresearch.errors import InputError

KEYS = tuple(
    """
    task mode trainer_val_only model_id dataset_id plan cache_root artifact_root wandb_project wandb_mode input_tokens
    output_tokens ignore_eos inference_modes training_steps devices single_card_devices group_size train_samples
    val_samples ladder tensor_parallel rollout profile padding_removal dynamic_batch row_timeout_seconds
    outer_margin_seconds retry reuse_container dependencies telemetry dump_policy save_final seed github_owner
    keep_remote
    """.split()  # noqa: SIM905 - one list a page reader can compare with the text
)


def load(tmp_path: Path, text: str) -> CaseConfig:
    path = tmp_path / "config.yaml"
    path.write_text(text, encoding="utf-8")
    return load_case(path)


def test_every_key_is_there_with_its_default(tmp_path: Path) -> None:
    case = load(tmp_path, "version: 1\nverl_case:\n").verl_case
    assert sorted(type(case).model_fields) == sorted(KEYS)
    assert (case.task, case.mode, case.trainer_val_only) == ("geo3k-grpo", "training", False)
    assert case.output_tokens == (2048, 4096, 8192, 16384) and case.inference_modes == ("sync",)
    assert case.ladder.batch_sizes == (1, 2, 4, 8) and case.ladder.micro_batches == (1,)
    assert (case.group_size, case.val_samples, case.seed) == (4, 64, 20240)
    assert (case.row_timeout_seconds, case.outer_margin_seconds) == (7200, 300)
    assert case.retry.on == ("ssh_lost", "launcher_error", "docker_error", "resource_busy")
    assert case.rollout.update_weights_bucket_mb == 2048 and case.telemetry.interval_seconds == 0.5
    assert case.artifacts == "~/autoresearch-data/runs"


def test_the_case_stands_in_the_whole_config(tmp_path: Path) -> None:
    config = load(tmp_path, "servers: [{name: a, kind: local}]\nverl_case: {mode: validation}\n")
    assert config.server("a").kind == "local"
    assert config.verl_case.trainer_val_only and config.verl_case.inference_modes == ("sync", "async")


@pytest.mark.parametrize(("stated", "mode"), [("true", "validation"), ("false", "training")])
def test_trainer_val_only_may_stand_for_the_mode(tmp_path: Path, stated: str, mode: str) -> None:
    case = load(tmp_path, f"verl_case: {{trainer_val_only: {stated}}}\n").verl_case
    assert case.mode == mode


@pytest.mark.parametrize("mode", ["training", "validation"])
def test_a_contradiction_of_mode_and_trainer_val_only_is_refused(tmp_path: Path, mode: str) -> None:
    other = "true" if mode == "training" else "false"
    with pytest.raises(InputError, match=r"V103 mode-contradiction: config\.yaml, verl_case"):
        load(tmp_path, f"verl_case: {{mode: {mode}, trainer_val_only: {other}}}\n")


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("verl_case: {training_step: 3}", "write training_steps"),
        ("verl_case: {ladder: {batchsizes: [1]}}", "write batch_sizes"),
        ("verl_case: {rollout: {max_num_seq: 4}}", "write max_num_seqs"),
        ("verl_case: {telemetry: {intervall_seconds: 1}}", "write interval_seconds"),
    ],
)
def test_a_near_miss_is_refused_with_the_nearest_key(tmp_path: Path, text: str, near: str) -> None:
    with pytest.raises(InputError, match="V101 unknown-key") as error:
        load(tmp_path, text)
    assert near in error.value.message


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("training_steps: 2", "greater than or equal to 3"),
        ("ignore_eos: true", "ignore_eos is refused for mode training"),
        ("task: field-grpo", "needs the key plan"),
        ("plan: /p", "belongs to field-"),
        ("task: field-sft, plan: /p, mode: validation", "autoresearch eval"),
        ("ladder: {batch_sizes: [2, 4]}", "the first batch size is 1"),
        ("ladder: {batch_sizes: [1, 4, 2]}", "ascend"),
        ("ladder: {skip_single: true}", "skip_reason"),
        ("ladder: {modes: [async]}", "inference_modes does not"),
        ("devices: [0, 1], single_card_devices: [2]", "subset of devices"),
        ("devices: [0, 0]", "stands twice"),
        ("outer_margin_seconds: 60", "greater than or equal to 120"),
        ("telemetry: {interval_seconds: 0.01}", "0.1"),
        ("retry: {on: [oom]}", "ssh_lost"),
        ("output_tokens: []", "at least one"),
        ("seed: -1", "greater than or equal to 0"),
    ],
)
def test_values_that_make_no_case_are_refused(tmp_path: Path, keys: str, says: str) -> None:
    with pytest.raises(InputError) as error:
        load(tmp_path, f"verl_case: {{{keys}}}\n")
    assert "config.yaml, verl_case" in error.value.message and says in error.value.message


def test_the_key_on_needs_no_quotes(tmp_path: Path) -> None:
    case = load(tmp_path, "verl_case: {retry: {max_attempts: 3, on: [ssh_lost]}}\n").verl_case
    assert (case.retry.max_attempts, case.retry.on) == (3, ("ssh_lost",))


def test_short_forms(tmp_path: Path) -> None:
    case = load(tmp_path, "verl_case: {tensor_parallel: 2, padding_removal: on, dynamic_batch: off}\n").verl_case
    assert (case.tensor_parallel.single, case.tensor_parallel.node) == (2, 2)
    assert (case.padding_removal, case.dynamic_batch) == ("on", "off")
    apart = load(tmp_path, "verl_case: {tensor_parallel: {single: 1, node: 4}}\n").verl_case
    assert (apart.tensor_parallel.of("bisect"), apart.tensor_parallel.of("node")) == (1, 4)


def test_config_show_and_check_config_read_the_case_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("verl_case: {mode: validation}\n", encoding="utf-8")
    assert run(["config", "show", "--config", str(path)]) == 0
    shown = json.loads(capsys.readouterr().out)["config"]["verl_case"]
    assert shown["trainer_val_only"] is True and shown["inference_modes"] == ["sync", "async"]
    path.write_text("verl_case: {mod: validation}\n", encoding="utf-8")
    assert run(["check", "config", "--config", str(path)]) == 1
    assert "write mode" in capsys.readouterr().out
