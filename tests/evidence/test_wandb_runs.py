"""W&B runs of a bundle: real offline runs of the SDK, one of them cut, read, listed, checked, rebuilt and replayed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_world import make_offline_run, rl_metrics

from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.layout import ARTIFACTS, CASE_ARTIFACTS, CASE_FOLDERS, FOLDERS
from autoresearch.evidence.manifest import ArtifactLayout, Manifest
from autoresearch.evidence.wandb_records import (
    BLOCK,
    FRAME,
    HEADER,
    framed,
    frames,
    inspected,
    read_offline_run,
)
from autoresearch.evidence.wandb_runs import check_runs, take_offline_runs, write_wandb
from autoresearch.evidence.writer import BundleWriter, make_read_only, make_writable
from autoresearch.files import write_json

pytest.importorskip("wandb")
IDS = {"a.a1": "3fa09c11d2e4", "a.a2": "9c01d2e43fa0"}


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole offline run of three steps."""
    return make_offline_run(tmp_path_factory.mktemp("wandb"), IDS["a.a1"])


def cut(folder: Path) -> None:
    """Take the last third of a record file away."""
    record = next(folder.glob("*.wandb"))
    record.write_bytes(record.read_bytes()[: record.stat().st_size * 2 // 3])


@pytest.fixture
def writer(offline: Path, tmp_path: Path) -> Iterator[BundleWriter]:
    """An open bundle with two attempts; the run of the second was cut in the middle."""
    layout = ArtifactLayout(artifacts={**ARTIFACTS, **CASE_ARTIFACTS, **FOLDERS, **CASE_FOLDERS})
    rows = [{"row": row, "status": "passed", "path": f"6-rows/cases/{row}"} for row in IDS]
    head = {"kind": "verl-case", "state": "open", "run_id": "run", "task": "geo3k-grpo", "mode": "training"}
    times = {"started_at": None, "finished_at": None, "trainer_val_only": False, "synthetic_hardware": False}
    manifest = Manifest.model_validate(
        {**head, **times, "server": "local", "accelerator": "cpu", "artifact_layout": layout, "rows": rows}
    )
    made = BundleWriter(tmp_path / "run", manifest)
    for row, wandb_id in IDS.items():
        folder = made.root / "6-rows" / "cases" / row
        env = {"WANDB_RUN_ID": wandb_id, "WANDB_NAME": f"display-{row}", "WANDB_PROJECT": "verl"}
        write_json(folder / "row.json", {"row": row, "env": env})
        lines = [json.dumps({"step": step, "data": rl_metrics(step)}) + "\n" for step in (1, 2, 3)]
        (folder / "metrics.jsonl").write_text("".join(lines))
        source = tmp_path / "pulled" / row
        name = offline.name.rpartition("-")[0] + f"-{wandb_id}"
        shutil.copytree(offline, source / name)
        (source / "latest-run").symlink_to(name)
        if row == "a.a2":
            cut(source / name)
        assert take_offline_runs(made, source) == [name]
    write_wandb(made)
    yield made
    make_writable(made.root)


def test_a_record_file_of_the_sdk_is_read_with_its_steps_and_exit(offline: Path) -> None:
    found = read_offline_run(next(offline.glob("*.wandb")))
    assert (found.run_id, found.project, found.steps, found.exited, found.damage) == (
        IDS["a.a1"],
        "verl",
        (1, 2, 3),
        True,
        None,
    )


def test_without_the_sdk_what_only_it_can_tell_is_null_and_its_install_line_is_said(
    writer: BundleWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "wandb", None)
    write_wandb(writer)
    runs = writer.bundle().json(writer.bundle().path("wandb_runs"))["source_runs"]
    assert [(run["record_steps"], run["history_steps"], run["whole"]) for run in runs] == [(3, None, None)] * 2
    count, findings, note = check_runs(writer.bundle())
    assert (count, findings) == (2, ()) and "pip install wandb" in note
    monkeypatch.undo()
    assert check_runs(writer.bundle()) == (2, (), "")


def cut_between_records(part: bytes) -> bool:
    """Nothing of such a file is cut; that the run did not end is all there is to see."""
    try:
        return len(list(frames(part))) > 0
    except ValueError:
        return False


def test_a_cut_or_damaged_file_gives_what_is_whole_and_never_more(offline: Path, tmp_path: Path) -> None:
    data = next(offline.glob("*.wandb")).read_bytes()
    path = tmp_path / "run.wandb"
    for end in range(0, len(data), 211):
        path.write_bytes(data[:end])
        found = read_offline_run(path)
        assert not found.exited
        assert found.damage or cut_between_records(data[:end]), end
        assert set(found.steps) <= {1, 2, 3}
    path.write_bytes(data[:300] + bytes([data[300] ^ 1]) + data[301:])
    found = read_offline_run(path)
    assert found.damage is not None
    assert "checksum" in found.damage


def test_the_frames_give_what_the_sdks_own_reader_gives(offline: Path, tmp_path: Path) -> None:
    data = next(offline.glob("*.wandb")).read_bytes()
    path = tmp_path / "run.wandb"
    if inspected(next(offline.glob("*.wandb"))) is None:
        pytest.skip("this SDK has no reader of its own")
    for end in [*range(1, len(data), 97), len(data)]:
        path.write_bytes(data[:end])
        one, two = inspected(path), framed(path)
        assert one is not None
        assert one[0] == two[0], end
        assert (one[1] is None) == (two[1] is None) or end < 200, end


def test_a_record_that_spans_blocks_is_joined() -> None:
    import zlib

    def frame(body: bytes, kind: int) -> bytes:
        return FRAME.pack(zlib.crc32(body, zlib.crc32(bytes([kind]))), len(body), kind) + body

    first = BLOCK - len(HEADER) - FRAME.size
    data = HEADER + frame(b"a" * first, 2) + frame(b"b" * (BLOCK - FRAME.size), 3) + frame(b"c" * 5, 4)
    assert list(frames(data)) == [b"a" * first + b"b" * (BLOCK - FRAME.size) + b"c" * 5]


def test_runs_are_listed_with_their_attempt_and_whether_they_are_whole(writer: BundleWriter) -> None:
    bundle = writer.bundle()
    content = bundle.json(bundle.path("wandb_runs"))
    assert content["restore_command"] == "bash 1-wandb/rebuild-wandb.sh"
    one, two = content["source_runs"]
    assert (one["wandb_id"], one["row"], one["attempt"], one["whole"], one["history_steps"]) == (
        IDS["a.a1"],
        "a.a1",
        1,
        True,
        3,
    )
    assert (two["whole"], two["record_steps"], two["synced"]) == (False, 3, False)
    assert two["history_steps"] < 3
    assert "incomplete" in two["damage"]
    assert (bundle.root / one["path"]).is_dir()
    assert check_runs(bundle)[:2] == (2, ())


def test_the_check_finds_a_changed_an_extra_and_a_missing_run(writer: BundleWriter) -> None:
    bundle = writer.bundle()
    runs = bundle.json(bundle.path("wandb_runs"))["source_runs"]
    (bundle.root / runs[0]["path"] / "added").write_text("x")
    assert "another content" in [each.value for each in check_runs(bundle)[1]]
    (bundle.root / runs[0]["path"]).rename(bundle.root / "1-wandb" / "source-runs" / "offline-run-2-other")
    assert {each.value for each in check_runs(bundle)[1]} == {"missing", "not listed"}


def test_a_run_called_whole_whose_records_have_more_steps_is_found(writer: BundleWriter) -> None:
    bundle = writer.bundle()
    path = bundle.path("wandb_runs")
    content = bundle.json(path)
    content["source_runs"][1]["whole"] = True
    write_json(path, content)
    found = check_runs(bundle)[1]
    assert [each.code for each in found] == ["V616"]
    assert "a whole run has the 3 steps" in found[0].rule


def run_script(writer: BundleWriter, out: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run ``rebuild-wandb.sh`` of a read-only bundle."""
    environment = {**os.environ, "RESTORE_DIR": str(out), "PYTHON": sys.executable, **more}
    script = ["bash", str(writer.root / "1-wandb" / "rebuild-wandb.sh"), *words]
    return subprocess.run(script, capture_output=True, text=True, env=environment, timeout=300, check=False)


def test_the_script_rebuilds_whole_runs_and_replays_the_cut_one(writer: BundleWriter, tmp_path: Path) -> None:
    make_read_only(writer.root)
    before = sorted(path for path in writer.root.rglob("*"))
    done = run_script(writer, tmp_path / "out", "--files")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{IDS['a.a1']} ok: 3 steps" in done.stdout
    assert f"{IDS['a.a2']}-replay ok: 3 steps" in done.stdout
    assert sorted(path for path in writer.root.rglob("*")) == before
    replay = next((tmp_path / "out").rglob(f"*-{IDS['a.a2']}-replay/*.wandb"))
    assert read_offline_run(replay).steps == (1, 2, 3)


def test_a_server_that_is_down_fails_each_run_and_the_script(writer: BundleWriter, tmp_path: Path) -> None:
    shutil.rmtree(next(Bundle(writer.root).path("source_runs").glob(f"*{IDS['a.a2']}")))
    write_wandb(writer)
    done = run_script(writer, tmp_path / "out", WANDB_BASE_URL="http://127.0.0.1:9", WANDB_API_KEY="x" * 40)
    assert done.returncode == 1
    assert f"{IDS['a.a1']} FAILED: no server: http://127.0.0.1:9" in done.stdout
    assert "0 of 1 runs" in done.stdout
