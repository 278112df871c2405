"""The provenance gate: a whole chain holds, and one changed byte anywhere breaks it by name (training.md 8.5)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import sha256_file, tree_sha256, write_json
from autoresearch.gates.provenance import ProvenanceOptions, gate_provenance
from autoresearch.gates.recheck import recheck
from autoresearch.task import conflicts
from autoresearch.training.outcome import RunResult
from autoresearch.training.plan import Plan, file_input, tree_input, write_plan
from autoresearch.verdict import make_verdict, read_verdict, write_verdict

FIXTURE = Path(__file__).parents[1] / "fixtures" / "steel_mini"
VERSIONS = {"verl": "0.9.1"}


def export(out: Path, family: str) -> Path:
    """A release of the fixture without thinking: ``trajectory`` or ``three-message``."""
    from autoresearch.releases import three_message, trajectory_export
    from autoresearch.releases.inputs import ExportInputs

    inputs = ExportInputs(
        FIXTURE / "canonical.json",
        FIXTURE / "registry.json",
        FIXTURE / "corpus.json",
        task_config=FIXTURE / "task.json",
        grading_config=FIXTURE / "grading.json",
    )
    if family == "three-message":
        three_message.export(inputs, out)
        return out
    options = trajectory_export.TrajectoryOptions(class_policy="hash", enable_thinking=False)
    trajectory_export.assemble(inputs, out, options)
    return out


def audit(folder: Path) -> Path:
    """A passed conflict audit of the fixture with its verdict."""
    report = folder / "audit.json"
    conflicts.audit(
        canonical={"steelmini": FIXTURE / "canonical.json"},
        classification={"steelmini": FIXTURE / "classification.json"},
        grading={"steelmini": FIXTURE / "grading.json"},
        report=report,
        verdict=folder / "verdicts" / "conflict.json",
        split="train",
    )
    return report


class World:
    """A run folder as a launch leaves it, with release, base model, merged model, audit and verdicts."""

    def __init__(self, root: Path, family: str = "trajectory") -> None:
        from autoresearch.releases.release import Release

        self.root = root
        self.release = export(root / "rel", family)
        self.audit = audit(root)
        self.run = root / "run"
        self.model = self.run / "merged"
        self.base = root / "base"
        self.out = root / "verdicts" / "provenance.json"
        for folder in (self.base, self.model, self.run / "attempts" / "01", self.run / "verdicts"):
            folder.mkdir(parents=True)
        (self.base / "model.safetensors").write_bytes(b"before")
        (self.model / "model.safetensors").write_bytes(b"after")
        opened = Release(self.release)
        inputs = [file_input(f"release/{name}", self.release / name) for name in opened.files]
        inputs.append(file_input("release/export_report.json", self.release / "export_report.json"))
        inputs.append(tree_input("model", self.base))
        self.plan = Plan(
            kind="sft",
            algorithm="sft",
            purpose="practice",
            device="cpu",
            engine="",
            steps=3,
            argv=("python",),
            environment={},
            paths={"run": str(self.run), "release": str(self.release), "model": str(self.base)},
            inputs=tuple(inputs),
            release_header=opened.header.without_split(),
            thinking=False,
            template_sha256="t",
            tokenizer_sha256="k",
            verdicts=(),
            checks=(),
            limits={},
            settings={"model_tree": "m"},
            overrides={},
            variable={},
            versions=VERSIONS,
        )
        self.digest = write_plan(self.plan, self.run)
        self.write_result()
        self.write_merge()
        write_json(self.run / "attempts" / "01" / "environment.json", {"versions": VERSIONS})
        budget = make_verdict(
            gate="token_budget", passed=True, status="passed", rule="r", judged={"release": opened.identity()}
        )
        write_verdict(root / "verdicts" / "budget.json", budget)

    def write_result(self, **changes: Any) -> None:
        values: dict[str, Any] = {
            "status": "trained",
            "reason": "every condition holds",
            "kind": "sft",
            "algorithm": "sft",
            "purpose": "practice",
            "plan_sha256": self.digest,
            "steps_asked": 3,
            "steps_completed": 3,
            "zero_gradient_steps": 0,
            "optimizer_updates": 3,
            "steps_with_signal": None,
            "exit_code": 0,
            "trouble": None,
            "conditions": (),
            "checkpoint": "checkpoints/global_step_3",
            "weights": None,
            "first_loss": 1.0,
            "last_loss": 0.5,
            "attempts": 1,
            "joined": (),
            "seconds": 1.0,
            "notices": (),
            "versions": VERSIONS,
        }
        write_json(self.run / "result.json", RunResult(**{**values, **changes}).model_dump(mode="json"))

    def write_merge(self, **changes: Any) -> None:
        record = {
            "step": 3,
            "checkpoint": "checkpoints/global_step_3",
            "plan_sha256": self.digest,
            "tree_sha256": tree_sha256(self.model, ("merge.json",)),
            **changes,
        }
        write_json(self.model / "merge.json", record)

    def judge(self, name: str = "provenance.json", **changes: Any) -> Any:
        values: dict[str, Any] = {
            "run": self.run,
            "model": self.model,
            "audit": self.audit,
            "out": self.root / "verdicts" / name,
            "verdicts": self.root / "verdicts",
        }
        return gate_provenance(ProvenanceOptions(**{**values, **changes}))

    def broken(self) -> list[str]:
        verdict = self.judge()
        return [item["id"] for item in verdict.numbers["table"] if not item["passed"]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("provenance"))


@pytest.fixture
def world(made: World) -> World:
    """The made world; what a test changes is put back after it."""
    saved = made.root.parent / "saved"
    shutil.copytree(made.root, saved)
    yield made  # type: ignore[misc]  # a generator fixture
    shutil.rmtree(made.root)
    saved.rename(made.root)


def test_a_whole_chain_passes_and_says_that_it_was_practice(world: World) -> None:
    verdict = world.judge()
    assert verdict.passed, verdict.numbers["table"]
    assert verdict.settings["purpose"] == "practice" and verdict.settings["step"] == 3
    assert read_verdict(world.out) == verdict
    assert verdict.judged["model"]["path"] == "../run/merged"


def test_a_model_of_the_three_message_family_has_the_same_links(tmp_path: Path) -> None:
    world = World(tmp_path / "three", "three-message")
    verdict = world.judge("first.json")
    assert verdict.passed, verdict.numbers["table"]
    assert world.plan.release_header["family"] == "three-message"
    parquet = world.release / "train.parquet"
    content = bytearray(parquet.read_bytes())
    content[len(content) // 2] ^= 1
    parquet.write_bytes(bytes(content))
    assert "release" in world.broken()


@pytest.mark.parametrize(
    ("place", "link"),
    [
        ("run/merged/model.safetensors", "merge"),
        ("base/model.safetensors", "base"),
        ("rel/train.parquet", "release"),
        ("rel/assets/grading.json", "release"),
        ("audit.json", "audit"),
    ],
)
def test_one_changed_byte_breaks_its_link(world: World, place: str, link: str) -> None:
    path = world.root / place
    content = bytearray(path.read_bytes())
    position = content.find(b" ") if path.suffix == ".json" else len(content) // 2
    content[position] = 0x0A if path.suffix == ".json" else content[position] ^ 1
    path.write_bytes(bytes(content))
    assert link in world.broken()


def test_a_changed_plan_is_refused(world: World) -> None:
    path = world.run / "plan.json"
    path.write_text(path.read_text().replace("practice", "formal"))
    with pytest.raises(RefusedError, match="changed after it was written"):
        world.judge()


def test_a_changed_verdict_is_an_error(world: World) -> None:
    path = world.root / "verdicts" / "conflict.json"
    path.write_text(path.read_text().replace('"passed": true', '"passed": false'))
    with pytest.raises(InputError, match="changed after it was written"):
        world.judge()


@pytest.mark.parametrize("changes", [{"status": "not_trained"}, {"purpose": "smoke"}, {"status": "ran_without_signal"}])
def test_a_run_that_is_not_trained_or_smoke_is_no_reference(world: World, changes: dict[str, Any]) -> None:
    world.write_result(**changes)
    assert world.broken() == ["trained"]


def test_a_result_of_another_plan_breaks_the_plan_link(world: World) -> None:
    world.write_result(plan_sha256="0" * 64)
    assert world.broken() == ["plan"]


def test_a_merge_of_another_step_breaks_the_merge_link(world: World) -> None:
    world.write_merge(step=2)
    assert world.broken() == ["merge"]


def test_missing_verdicts_break_their_links(world: World) -> None:
    (world.root / "verdicts" / "budget.json").unlink()
    (world.root / "verdicts" / "conflict.json").unlink()
    assert world.broken() == ["conflict", "token_budget", "audit"]


def test_an_environment_of_other_versions_breaks_its_link(world: World) -> None:
    write_json(world.run / "attempts" / "01" / "environment.json", {"versions": {"verl": "0.9.2"}})
    assert world.broken() == ["environment"]


def test_the_asked_commit_must_be_the_one_of_the_sources(world: World) -> None:
    verdict = world.judge(commit="0" * 40)
    assert [item["id"] for item in verdict.numbers["table"] if not item["passed"]] == ["source"]


def test_a_model_without_merge_record_cannot_be_judged(world: World) -> None:
    (world.model / "merge.json").unlink()
    with pytest.raises(InputError, match="no merge.json"):
        world.judge()
    assert not world.out.exists()


def test_an_existing_verdict_is_not_overwritten(world: World) -> None:
    world.judge()
    with pytest.raises(RefusedError, match="never overwritten"):
        world.judge()


def test_a_second_look_finds_everything_as_it_was(world: World) -> None:
    verdict = world.judge()
    assert {item.state for item in recheck(world.out, verdict)} == {"same"}


def test_a_second_look_names_the_changed_file(world: World) -> None:
    verdict = world.judge()
    path = world.model / "model.safetensors"
    path.write_bytes(b"other")
    found = {item.role: item for item in recheck(world.out, verdict)}
    assert (found["model"].state, found["model"].detail) == ("changed", "model.safetensors")
    assert found["release"].state == "same"


def test_a_moved_folder_still_verifies(world: World, tmp_path: Path) -> None:
    verdict = world.judge()
    moved = tmp_path / "elsewhere"
    shutil.copytree(world.root, moved)
    shutil.rmtree(world.root)
    assert {item.state for item in recheck(moved / "verdicts" / "provenance.json", verdict)} == {"same"}
    world.root.mkdir()


def test_what_is_gone_is_absent_and_not_changed(world: World) -> None:
    verdict = world.judge()
    shutil.rmtree(world.base)
    assert {item.role: item.state for item in recheck(world.out, verdict)}["base"] == "absent"


def test_the_command_shows_and_exits_one_when_something_changed(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    from autoresearch.cli.main import run

    world.judge()
    assert run(["gate", "show", str(world.out)]) == 0
    (world.audit).write_text("{}")
    capsys.readouterr()
    assert run(["gate", "show", str(world.out)]) == 1
    shown = json.loads(capsys.readouterr().out)
    assert shown["verdicts"][0]["gate"] == "provenance" and shown["changed"]
    assert sha256_file(world.out)
