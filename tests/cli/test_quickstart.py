"""The quickstart itself: its data part on the full example, and its end when no checkpoint may go to RL.

The whole way with three seeds is ``make quickstart-seeds``; it takes too long for the tests.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autoresearch.cli.quickstart import chain, quickstart
from autoresearch.cli.quickstart.settings import QuickstartSettings
from autoresearch.errors import RefusedError

ROOT = Path(__file__).resolve().parents[2]


def test_the_data_part_runs_on_the_full_example_and_ends_with_its_pinned_counts(tmp_path: Path) -> None:
    outcome = quickstart(dir=tmp_path, until="data")
    assert outcome.exit_code == 0
    steps = outcome.payload["steps"]
    expected = json.loads((ROOT / "examples" / "steel" / "expected.json").read_text(encoding="utf-8"))
    assert steps["fields"]["ledger"] == expected["ledger"]
    assert steps["split"]["statuses"] == expected["statuses"]
    assert steps["split"]["sizes"] == expected["splits"]["random"]["sizes"]
    assert steps["audit"] == {"status": "passed", "conflict_keys": 0}
    counts = expected["splits"]["random"]["class_counts"]
    rows = {name: sum(classes.values()) for name, classes in counts.items()}
    assert steps["releases"]["trajectory_rows"] == rows
    assert steps["releases"]["cascade_rows"] == rows


@pytest.mark.train
def test_without_a_qualified_checkpoint_rl_is_not_started_and_the_bundle_says_so(tmp_path: Path) -> None:
    from autoresearch.evidence.verify import verify

    os.environ["OMP_NUM_THREADS"] = "2"
    # A learning rate at which nothing is learnt in the few steps.
    settings = QuickstartSettings(
        sft_steps=12,
        sft_save_every=6,
        sft_lr=1e-7,
        probe_first_step=6,
        probe_stride=6,
        probe_prompts=8,
        probe_samples=2,
        gate_prompts=8,
    )
    folder = tmp_path / "run"
    outcome = chain.run(folder, None, settings)
    assert outcome.exit_code == 1
    assert outcome.payload["outcome"] == "gate_not_met"
    assert "no probe qualified" in outcome.payload["reason"]
    assert outcome.payload["sft"]["status"] == "trained"
    assert not (folder / "rl").exists()
    assert outcome.payload["sheet"] is None
    found = verify(folder / "bundle")
    assert found.ok, found.findings()
    matrix = (folder / "bundle" / "6-rows" / "matrix-results.jsonl").read_text(encoding="utf-8").splitlines()
    status = {json.loads(line)["case_id"]: json.loads(line)["status"] for line in matrix}
    assert status == {"sft": "passed", "rl": "skipped"}

    again = chain.run(folder, None, settings)
    assert (again.exit_code, again.payload["reason"]) == (1, outcome.payload["reason"])
    with pytest.raises(RefusedError, match="begun with sft_steps 12"):
        chain.run(folder, None, settings.model_copy(update={"sft_steps": 13}))


@pytest.mark.train
def test_ctrl_c_in_the_middle_of_sft_is_exit_130_and_keeps_what_was_finished(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-m", "autoresearch", "quickstart", "--dir", str(folder)]
    process = subprocess.Popen(
        command,
        env={**os.environ, "OMP_NUM_THREADS": "2"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    metrics = folder / "sft" / "attempts" / "01" / "metrics.jsonl"
    try:
        deadline = time.monotonic() + 240
        while not (metrics.exists() and len(metrics.read_text().splitlines()) >= 3):
            assert process.poll() is None, "it ended before the third step"
            assert time.monotonic() < deadline, "no third step within four minutes"
            time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert json.loads(output)["status"] == "interrupted"
    journal = json.loads((folder / "journal.json").read_text())["steps"]
    assert "host" in journal
    assert "sft" not in journal
    assert json.loads((folder / "sft" / "result.json").read_text())["status"] == "interrupted"
    left = subprocess.run(["pgrep", "-f", str(folder / "sft")], capture_output=True, text=True, check=False).stdout
    assert left == "", "the trainer outlived its launcher"
