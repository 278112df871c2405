"""The case on a processor: real verl, a row of three steps, and one whose trainer is killed (20.2-1)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from runner_archive import owner_with_trainer

from autoresearch.evidence.verify import verify

pytest.importorskip("verl")
pytest.importorskip("bokeh")
pytestmark = pytest.mark.train
ROOT = Path(__file__).parents[2]
CASE = "train-1cpu-sync-bs{}-n2-mini{}-micro1-1024-256"


def test_prepare_and_case_give_a_sealed_bundle_with_a_trained_row_and_a_killed_one(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["examples/case-cpu/prepare.sh"], cwd=tmp_path, env=env, check=True, capture_output=True)
    second = tmp_path / "host" / "autoresearch" / "runs" / "case" / "rows" / f"{CASE.format(2, 2)}.a1"

    def kill() -> None:
        while not second.exists() and not over.wait(0.5):
            pass
        if not over.is_set():
            os.kill(owner_with_trainer(second)["trainer_pid"], signal.SIGKILL)

    over = threading.Event()
    killer = threading.Thread(target=kill)
    killer.start()
    words = ["--config", "examples/case-cpu/config.yaml", "--run-id", "case", "--workdir", str(tmp_path / "host")]
    try:
        done = subprocess.run(
            ["autoresearch", "run", "verl-case", *words], cwd=tmp_path, env=env, capture_output=True, text=True
        )
    finally:
        over.set()
        killer.join()
    result = json.loads(done.stdout)
    assert done.returncode == 0, result
    bundle = tmp_path / result["bundle"]
    lines = (bundle / "6-rows" / "matrix-results.jsonl").read_text().splitlines()
    rows = {row["case_id"]: row for row in map(json.loads, lines)}
    trained, killed = rows[CASE.format(1, 1)], rows[CASE.format(2, 2)]
    assert (trained["status"], trained["completed_training_steps"], trained["numbers"]["n"]) == ("passed", 3, 2)
    assert killed["failure_class"] == "killed" and killed["failure_evidence"]["file"] == "result.json"
    assert verify(bundle).findings() == []
