"""Sections 4, 6 and 7 of the runbook by their commands, with the real verl on this machine (training.md 12.40)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl")
sys.path.append(str(Path(__file__).parents[1] / "training"))

import small_world
from printed import ROOT

pytestmark = pytest.mark.train


class Launch:
    """A trajectory release, its cascade, a tiny model and the verdicts that SFT asks for."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sft, self.rl = small_world.export_releases(root)
        self.base = small_world.build_tiny(self.sft, root / "base")
        self.verdicts = root / "verdicts"
        small_world.write_verdicts(self.verdicts, self.sft, self.base, "sft", longest_completion=90)

    def process(self, words: list[object]) -> tuple[int, dict[str, Any]]:
        environment = {**os.environ, "PYTHON_BIN": sys.executable}
        command = [str(word) for word in words]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False, env=environment)
        assert done.stdout.startswith("{"), done.stderr[-3000:]
        return done.returncode, json.loads(done.stdout)

    def command(self, *words: object) -> tuple[int, dict[str, Any]]:
        return self.process([sys.executable, "-m", "autoresearch", *words])


@pytest.fixture(scope="module")
def launch(tmp_path_factory: pytest.TempPathFactory) -> Launch:
    return Launch(tmp_path_factory.mktemp("launch"))


def test_the_launcher_trains_on_a_trajectory_release_through_the_dataset_and_counts_its_steps(launch: Launch) -> None:
    run = launch.root / "run"
    words: list[object] = ["bash", ROOT / "script" / "verl" / "sft" / "run.sh", "--release", launch.sft]
    words += ["--model", launch.base, "--verdicts", launch.verdicts, "--run", run, "--device", "cpu", "--steps", 2]
    words += ["--batch", 4, "--lr", "3e-3", "--eval-every", 0, "--purpose", "practice"]
    code, shown = launch.process(words)
    assert code == 0, shown
    assert (shown["command"], shown["result"], shown["steps"]) == ("train sft", "trained", 2)
    plan = json.loads((run / "plan.json").read_text(encoding="utf-8"))
    assert "data.custom_cls.path=pkg://autoresearch.training.sft_dataset" in plan["argv"]
    assert {"T001", "T002", "T003"} <= {item["id"] for item in plan["checks"] if item["passed"]}


def test_a_gate_that_is_not_passed_leaves_a_report_exits_one_and_blocks_rl(launch: Launch) -> None:
    out = launch.verdicts / "rollout.json"
    words: list[object] = ["--release", launch.rl, "--sft-release", launch.sft, "--out", out, "--unbound"]
    words += ["--prompts", 4, "--samples", 2, "--max-response", 128]
    code, shown = launch.command("gate", "rollout", "--model", launch.base, *words)
    assert (code, shown["passed"], shown["result"]) == (1, False, "too_few"), shown
    verdict = json.loads(out.read_text(encoding="utf-8"))
    rate = verdict["numbers"]["nonzero_reward_rate"]
    assert (rate["numerator"], rate["denominator"], rate["rate"]) == (0, 8, 0.0)
    assert verdict["judged"]["model"]["tree_sha256"] and verdict["judged"]["release"]["report_sha256"]
    assert verdict["settings"]["loop"] and verdict["evidence"]
    words = ["--release", launch.rl, "--model", launch.base, "--verdicts", launch.verdicts, "--purpose", "practice"]
    words += ["--run", launch.root / "rl-run", "--device", "cpu", "--n", 2, "--prompts", 2, "--steps", 1]
    code, refused = launch.command("train", "rl", *words)
    assert code == 2 and not (launch.root / "rl-run").exists()
    assert "rollout.json: it did not pass: too_few" in {item["value"] for item in refused["findings"]}
