"""verl's RL trainer for real, on this machine: RLOO and GRPO with KL, two steps each (training.md 7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
import small_world

from autoresearch.errors import RefusedError
from autoresearch.training.launch import run_plan
from autoresearch.training.outcome import RunResult
from autoresearch.training.plan import write_plan
from autoresearch.training.rl_checks import RlOptions
from autoresearch.training.rl_plan import plan_rl

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("rl")
    sft, rl = small_world.export_releases(root)
    base = small_world.build_tiny(sft, root / "base")
    small_world.write_verdicts(root / "verdicts", rl, base, "rl", longest_prompt=2048, longest_completion=64)
    small_world.write_model_verdicts(root / "verdicts", rl, base)
    return root


def options(root: Path, name: str, algorithm: Literal["rloo", "grpo"], **changes: Any) -> RlOptions:
    values: dict[str, Any] = {
        "algorithm": algorithm,
        "release": root / "rl",
        "model": root / "base",
        "run": root / name,
        "device": "cpu",
        "engine": "transformers",
        "n": 2,
        "prompts": 2,
        "micro": 2,
        "steps": 2,
        "lr": 1e-3,
        "kl_coef": 0.0,
        "val_before": False,
        "purpose": "practice",
        "verdicts": root / "verdicts",
    }
    return RlOptions(**{**values, **changes})


def launched(chosen: RlOptions) -> RunResult:
    write_plan(plan_rl(chosen), chosen.run)
    return run_plan(chosen.run / "plan.json")


def test_rloo_of_an_untrained_model_runs_and_says_that_there_was_no_signal(world: Path) -> None:
    result = launched(options(world, "rloo", "rloo"))
    assert result.steps_completed == 2 and result.exit_code == 0, result.reason
    assert result.status == "ran_without_signal" and result.steps_with_signal == 0
    assert (world / "rloo" / "signal.jsonl").read_text().count("\n") == 2
    assert any((world / "rloo" / "transcripts").glob("*.jsonl"))
    with pytest.raises(RefusedError, match="is finished"):
        run_plan(world / "rloo" / "plan.json", resume=True)


def test_grpo_with_kl_runs_with_a_reference_model_and_validates(world: Path) -> None:
    result = launched(options(world, "grpo", "grpo", kl_coef=0.01, val_before=True, val_samples=2))
    assert result.steps_completed == 2 and result.exit_code == 0, result.reason


def test_a_verdict_of_another_model_stops_before_anything_starts(world: Path, tmp_path: Path) -> None:
    other = small_world.build_tiny(world / "sft", tmp_path / "other", seed=2)
    with pytest.raises(RefusedError, match=r"T109.*judged\.model\.tree_sha256 is") as caught:
        plan_rl(options(world, "refused", "rloo", model=other))
    assert not (world / "refused").exists()
    assert "T109" in {item.code for item in caught.value.findings}
