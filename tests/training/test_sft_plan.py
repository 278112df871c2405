"""Each check of an SFT plan by one broken input, and what the plan holds (training.md 5.3, 5.4)."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from made_plans import MODEL, VERSIONS, common_facts, model_facts, probe_facts, release_facts, verdicts

from autoresearch.errors import InputError, RefusedError
from autoresearch.training.plan import VARIABLE_KEYS, Plan, fill_in, plan_bytes
from autoresearch.training.plan_facts import CommonFacts
from autoresearch.training.sft_checks import SftOptions, resolve
from autoresearch.training.sft_plan import build_sft_plan, common_environment, sft_overrides
from autoresearch.verdict import make_verdict

GIB = 2**30


def options(run: Path, **changes: Any) -> SftOptions:
    values: dict[str, Any] = {
        "release": Path("/data/rel"),
        "model": Path("/data/model"),
        "run": run,
        "device": "cpu",
        "steps": 8,
        "batch": 8,
        "micro_batch": 8,
        "purpose": "practice",
    }
    return SftOptions(**{**values, **changes})


@pytest.fixture
def facts(tmp_path: Path) -> CommonFacts:
    """Facts whose files exist, so that the plan can hash them."""
    return on_disk(tmp_path)


def on_disk(folder: Path, **changes: Any) -> CommonFacts:
    release, model = folder / "rel", folder / "model"
    release.mkdir(exist_ok=True)
    model.mkdir(exist_ok=True)
    (release / "train.parquet").write_bytes(b"rows")
    (release / "export_report.json").write_text("{}")
    (model / "model.safetensors").write_bytes(b"w")
    made = []
    for path, verdict in verdicts():
        target = folder / path.name
        target.write_text(verdict.model_dump_json())
        made.append((target, verdict))
    values: dict[str, Any] = {
        "release": release_facts(release, files={"train.parquet": "x"}),
        "model": model_facts(model),
        "verdicts": tuple(made),
    }
    return common_facts(**{**values, **changes})


def plan(facts: CommonFacts, run: Path, **changes: Any) -> Any:
    return build_sft_plan(options(run, **changes), facts, common_environment("cpu", run))


def refused(facts: CommonFacts, code: str, text: str = "", **changes: Any) -> None:
    with pytest.raises(RefusedError) as caught:
        plan(facts, Path("/runs/a"), **changes)
    assert code in [item.code for item in caught.value.findings], caught.value.message
    assert text in caught.value.message


def test_a_practice_plan_is_made_and_names_every_input(facts: CommonFacts, tmp_path: Path) -> None:
    made = plan(facts, tmp_path / "run")
    assert all(item.passed for item in made.checks)
    assert {item.role for item in made.inputs} == {
        "release/train.parquet",
        "release/export_report.json",
        "model",
        "verdict/conflict",
        "verdict/token_budget",
        "verdict/host",
    }
    assert [item.gate for item in made.verdicts] == ["conflict", "token_budget", "host"]


def test_equal_facts_give_equal_plans(facts: CommonFacts, tmp_path: Path) -> None:
    assert plan_bytes(plan(facts, tmp_path / "run")) == plan_bytes(plan(facts, tmp_path / "run"))


def test_argv_starts_the_sft_trainer_with_our_dataset_and_no_automatic_resume(
    facts: CommonFacts, tmp_path: Path
) -> None:
    argv = plan(facts, tmp_path / "run", answer_weight=8, eval_every=4).argv
    assert "verl.trainer.sft_trainer" in argv
    for item in (
        "data.custom_cls.path=pkg://autoresearch.training.sft_dataset",
        "data.truncation=error",
        "trainer.resume_mode=disable",
        "trainer.total_training_steps=8",
        "trainer.total_epochs=1",
        "+data.answer_weight=8",
        "+data.order_seed=42",
        "trainer.test_freq=4",
        "engine.strategy=fsdp2",
        "+data.plan_sha256={plan_sha256}",
        "data.max_length=1024",
    ):
        assert item in argv


def launcher(argv: Sequence[str]) -> list[str]:
    """The part of argv between the interpreter and the trainer."""
    return list(argv[1 : argv.index("verl.trainer.sft_trainer") - 1])


def test_one_node_needs_no_meeting_place(facts: CommonFacts, tmp_path: Path) -> None:
    argv = launcher(plan(facts, tmp_path / "run", gpus=2, micro_batch=1).argv)
    assert argv == ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]


def test_several_nodes_meet_at_the_address_of_the_plan(facts: CommonFacts, tmp_path: Path) -> None:
    argv = launcher(plan(facts, tmp_path / "run", nodes=2, gpus=4, micro_batch=1, rendezvous="node1:29500").argv)
    assert argv == [
        "-m",
        "torch.distributed.run",
        "--nnodes=2",
        "--rdzv-backend=c10d",
        "--rdzv-endpoint=node1:29500",
        "--rdzv-id={plan_sha256}",
        "--nproc-per-node=4",
    ]


@pytest.mark.parametrize(
    ("nodes", "address", "message"),
    [
        (2, None, "--nodes 2 needs --rendezvous HOST:PORT"),
        (2, "node1", "'node1' is not HOST:PORT"),
        (2, "node1:0", "is not HOST:PORT"),
        (2, ":29500", "is not HOST:PORT"),
        (1, "node1:29500", "is for several nodes"),
    ],
)
def test_an_address_that_cannot_be_met_at_is_refused(
    facts: CommonFacts, tmp_path: Path, nodes: int, address: str | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        plan(facts, tmp_path / "run", nodes=nodes, micro_batch=1, rendezvous=address)


def test_two_launchers_with_the_argv_of_one_plan_really_meet(facts: CommonFacts, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = plan(facts, tmp_path / "run", nodes=2, micro_batch=1, rendezvous=f"127.0.0.1:{port}")
    argv = [made.argv[0], *(fill_in(item, attempt=1, digest="ab" * 32) for item in launcher(made.argv))]
    rank = tmp_path / "rank.py"
    rank.write_text(
        "import os, pathlib\n"
        f"pathlib.Path({str(tmp_path)!r}, 'rank-' + os.environ['RANK']).write_text(os.environ['WORLD_SIZE'])\n"
    )
    nodes = [subprocess.Popen([*argv, str(rank)], stdout=subprocess.DEVNULL) for _ in range(2)]
    try:
        assert [node.wait(timeout=120) for node in nodes] == [0, 0]
    finally:
        for node in nodes:
            node.kill()
    assert {path.name: path.read_text() for path in tmp_path.glob("rank-*")} == {"rank-0": "2", "rank-1": "2"}


def test_no_validation_set_means_no_validation_frequency(facts: CommonFacts, tmp_path: Path) -> None:
    values = sft_overrides(options(tmp_path, eval_every=0), facts, resolve(options(tmp_path, eval_every=0), facts))
    assert values["data.val_files"] is None and values["trainer.test_freq"] == -1


def test_every_attempt_has_a_metrics_file_of_its_own(facts: CommonFacts, tmp_path: Path) -> None:
    environment = plan(facts, tmp_path / "run").environment
    assert environment["VERL_FILE_LOGGER_PATH"].endswith("/attempts/{attempt}/metrics.jsonl")
    assert environment["VERL_PLATFORM"] == "cpu" and environment["VERL_USE_EXTERNAL_PLUGINS"] == "autoresearch"


def test_keep_zero_keeps_all_checkpoints(facts: CommonFacts, tmp_path: Path) -> None:
    argv = plan(facts, tmp_path / "run", save_every=2, keep=0).argv
    assert "trainer.max_ckpt_to_keep=null" in argv and "trainer.save_freq=2" in argv


def test_t001_another_verl_or_seam(facts: CommonFacts, tmp_path: Path) -> None:
    refused(on_disk(tmp_path, probe=probe_facts(verl="0.9.2")), "T001", "0.9.2")
    refused(on_disk(tmp_path, probe=probe_facts(seams=("verl.x differs",))), "T001", "verl.x differs")


def test_t002_plug_in_not_visible(tmp_path: Path) -> None:
    refused(on_disk(tmp_path, probe=probe_facts(entry_point=False)), "T002", "not visible")
    refused(on_disk(tmp_path, probe=probe_facts(plugin_state="failed: X")), "T002", "failed: X")


def test_t003_release(tmp_path: Path) -> None:
    (tmp_path / "rel").mkdir()
    path = tmp_path / "rel"
    refused(on_disk(tmp_path, release=release_facts(path, problems=("R006 x",))), "T003", "R006")
    refused(on_disk(tmp_path, release=release_facts(path, family="rl-cascade")), "T003", "rl-cascade")


def test_t003_mock_thoughts_and_waived_gaps_only_outside_formal_runs(tmp_path: Path) -> None:
    mock = release_facts(tmp_path / "rel", think_source="mock", gap_gate="waived", files={"train.parquet": "x"})
    real = model_facts(tmp_path / "model", tiny=False)
    refused(on_disk(tmp_path, release=mock, model=real), "T003", "mock", purpose="formal")
    assert plan(on_disk(tmp_path, release=mock), tmp_path / "run").purpose == "practice"


def test_t004_model(tmp_path: Path) -> None:
    refused(on_disk(tmp_path, model=model_facts(tmp_path / "model", model_type="bert")), "T004", "bert")
    refused(on_disk(tmp_path), "T004", "tiny", purpose="formal")


def test_t005_template(tmp_path: Path) -> None:
    refused(on_disk(tmp_path, render_problem="T020 turn"), "T005", "T020 turn")


def test_t006_budget_of_another_length_names_both(facts: CommonFacts) -> None:
    refused(facts, "T006", "settings.max_length is 1024, needed 2048", max_length=2048)


@pytest.mark.parametrize(
    ("changes", "passes"),
    [
        ({"batch": 8, "micro_batch": 8}, True),
        ({"batch": 8, "micro_batch": 3}, False),
        ({"batch": 64, "micro_batch": 8, "steps": 1, "eval_every": 0}, True),
        ({"batch": 65, "micro_batch": 5, "steps": 1, "eval_every": 0}, False),
        ({"batch": 16, "steps": 2}, True),
        ({"batch": 32, "steps": 2}, False),
        ({"batch": 8, "gpus": 3}, False),
    ],
)
def test_t007_batch_at_its_edges(facts: CommonFacts, tmp_path: Path, changes: dict[str, Any], passes: bool) -> None:
    if passes:
        plan(facts, tmp_path / "run", **changes)
    else:
        refused(facts, "T007", **changes)


def test_t008_epochs_at_their_edge(facts: CommonFacts, tmp_path: Path) -> None:
    plan(facts, tmp_path / "run", steps=16, epochs=2)
    refused(facts, "T008", "2 epochs of 8 steps, 17 asked", steps=17, epochs=2)


def test_t009_linear_attention_needs_its_kernels_off_the_processor(facts: CommonFacts) -> None:
    refused(facts, "T009", device="cuda")


def test_t010_memory(tmp_path: Path) -> None:
    refused(on_disk(tmp_path, memory_total=2**20), "T010", "estimate")


def test_t014_run_folder_and_disk(tmp_path: Path) -> None:
    refused(on_disk(tmp_path, run_taken=True), "T014", "taken")
    refused(on_disk(tmp_path, disk_free=2**20), "T014", "GiB free")


@pytest.mark.parametrize("gate", ["conflict", "host_sft"])
def test_a_missing_verdict_is_refused_with_the_command_that_makes_it(tmp_path: Path, gate: str) -> None:
    refused(on_disk(tmp_path, verdicts=verdicts(**{gate: None})), "T108", "autoresearch ")


def test_a_host_verdict_of_another_machine_is_refused_by_name(tmp_path: Path) -> None:
    other = make_verdict(
        gate="host",
        passed=True,
        status="passed",
        rule="r",
        settings={"for": "sft", "device": "cpu"},
        machine="linux-x-96cpu",
        versions=VERSIONS,
    )
    refused(on_disk(tmp_path, verdicts=verdicts(host_sft=other)), "T108", "machine is linux-x-96cpu")


def test_a_device_that_the_host_gate_did_not_find_is_refused_before_anything_starts(facts: CommonFacts) -> None:
    refused(facts, "T108", "settings.device is cpu, needed cuda", device="cuda")


def test_cores_are_divided_among_the_ranks(tmp_path: Path) -> None:
    one, all_ranks = (int(common_environment("cpu", tmp_path, ranks)["OMP_NUM_THREADS"]) for ranks in (1, 10_000))
    assert one >= 1 and all_ranks == 1


def test_smoke_needs_no_conflict_verdict_but_stops_at_three_steps(tmp_path: Path) -> None:
    kept = tuple(item for item in on_disk(tmp_path).verdicts if item[1].gate != "conflict")
    facts = on_disk(tmp_path, verdicts=kept)
    assert plan(facts, tmp_path / "run", purpose="smoke", steps=3).purpose == "smoke"
    refused(facts, "T108", "4 steps", purpose="smoke", steps=4)


def test_the_variable_keys_are_listed_and_nothing_else(facts: CommonFacts, tmp_path: Path) -> None:
    made = plan(facts, tmp_path / "run")
    assert set(made.variable) <= set(VARIABLE_KEYS)
    with pytest.raises(ValueError, match="not variable: lr"):
        Plan.model_validate({**made.model_dump(), "variable": {"lr": 1.0}})
    assert made.settings["model_tree"] == MODEL
