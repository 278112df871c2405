"""What a host has: devices and holders, large folders, tree hashes (formal-case.md 2.4, 16)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from runner_archive import Runs

from autoresearch.files import tree_sha256, write_json
from autoresearch.runner import inventory
from autoresearch.runner.hardware import read_nvidia
from autoresearch.runner.inventory import find_assets, hash_tree

FAKES = Path(__file__).parents[1] / "fixtures" / "fake_programs"


def answer(runs: Runs, *words: object) -> dict[str, Any]:
    child = runs.start(*words)
    out, errors = child.communicate(timeout=60)
    assert child.returncode == 0, errors
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_devices_of_a_host_and_who_holds_them_are_told(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = {"device": 1, "chip": 0, "pid": os.getpid(), "name": "python3", "memory": 2048}
    write_json(tmp_path / "play.json", {"devices": 2, "processes": [held]})
    monkeypatch.setenv("PATH", f"{FAKES}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_NPU_SMI", str(tmp_path / "play.json"))
    found = answer(runs, "inventory", "hardware")
    assert found["accelerator"] == "ascend" and found["error"] is None and found["synthetic"] is True
    assert [(each["id"], each["chip"], each["memory_total_mib"]) for each in found["devices"]] == [
        (0, 0, 65536.0),
        (1, 0, 65536.0),
    ]
    (holder,) = found["holders"]
    assert (holder["device"], holder["pid"], holder["memory_mib"]) == ("1:0", os.getpid(), 2048)


def test_a_tool_that_fails_is_told_as_an_error_and_not_as_no_hardware(
    runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_json(tmp_path / "play.json", {"fail": [0]})
    monkeypatch.setenv("PATH", f"{FAKES}:{os.environ['PATH']}")
    monkeypatch.setenv("FAKE_NPU_SMI", str(tmp_path / "play.json"))
    found = answer(runs, "inventory", "hardware")
    assert found["accelerator"] == "ascend" and found["devices"] == [] and "-8020" in found["error"]


def test_cards_are_read_by_uuid_and_a_foreign_line_is_counted() -> None:
    devices = "0, GPU-1, NVIDIA H200, 143771, 12, 580.1\nnvidia-smi has failed\n"
    found = read_nvidia(devices, "GPU-1, 7, 100\n")
    (card,) = found["devices"]
    assert (card["uuid"], card["name"], card["memory_total_mib"]) == ("GPU-1", "NVIDIA H200", 143771.0)
    assert (found["driver"], found["unparsed_lines"], found["holders"][0]["device"]) == ("580.1", 1, "GPU-1")


def test_the_device_operation_of_the_archive_computes_and_repeats_for_the_time_asked(archive: Path) -> None:
    done = subprocess.run(
        [sys.executable, archive, "device-op", "cpu", "--seconds", "0.5"], capture_output=True, text=True, timeout=120
    )
    found = json.loads(done.stdout)
    assert done.returncode == 0 and found["ok"] and found["devices"] == [{"place": "cpu", "ok": True}]
    assert found["repeats"] > 1 and found["seconds"] >= 0.5


def test_without_torch_the_device_operation_says_so_and_fails(runs: Runs) -> None:
    child = runs.start("device-op", "cpu")
    out, _ = child.communicate(timeout=60)
    assert child.returncode == 1 and "No module named 'torch'" in json.loads(out)["error"]


def make_files(folder: Path, **sizes: int) -> None:
    folder.mkdir(parents=True)
    for name, size in sizes.items():
        with (folder / name.replace("__dot__", ".")).open("wb") as handle:
            handle.truncate(size)


def test_large_folders_are_found_with_evidence_and_named_and_links_are_not_followed(tmp_path: Path) -> None:
    model, data = tmp_path / "data" / "models" / "Qwen__Qwen3.5-2B", tmp_path / "data" / "sets" / "hiyouga__geometry3k"
    make_files(model, a__dot__safetensors=700, b__dot__safetensors=700)
    (model / "config.json").write_text('{"model_type": "qwen3_5"}')
    (model / "model.safetensors.index.json").write_text("{}")
    make_files(data / "data", x__dot__parquet=2000)
    make_files(tmp_path / "data" / "small", y__dot__parquet=10)
    make_files(tmp_path / "data" / "1" / "2" / "3" / "4" / "5" / "6" / "7", z__dot__parquet=5000)
    (tmp_path / "data" / "loop").symlink_to(tmp_path / "data")
    found = find_assets([tmp_path / "da*"], large_bytes=1000)
    assert [(each["name_guess"], each["kind_guess"]) for each in found] == [
        ("Qwen/Qwen3.5-2B", "model"),
        ("hiyouga/geometry3k", "dataset"),
    ]
    assert found[0]["evidence"] == {
        "index": True,
        "config": True,
        "safetensors": 2,
        "bin": 0,
        "parquet": 0,
        "arrow": 0,
        "jsonl": 0,
        "samples": ["a.safetensors", "b.safetensors"],
    }
    assert found[1]["path"] == str(data)


def test_a_tree_is_hashed_as_everywhere_and_only_what_changed_is_read_again(runs: Runs, tmp_path: Path) -> None:
    tree, memory = tmp_path / "tree", tmp_path / "memory.json"
    make_files(tree / "a", one__dot__bin=1000, two__dot__bin=2000)
    first = answer(runs, "inventory", "tree", tree, "--memory", memory)
    assert first["tree_sha256"] == tree_sha256(tree)
    assert (first["files"], first["bytes"], first["hashed"]) == (2, 3000, 2)
    (tree / "a" / "two.bin").write_bytes(b"x" * 2000)
    again = hash_tree(tree, memory)
    assert again["hashed"] == 1 and again["tree_sha256"] == tree_sha256(tree) != first["tree_sha256"]


def test_what_is_no_content_is_named_and_a_renamed_tree_is_not_read_again(runs: Runs, tmp_path: Path) -> None:
    tree, memory = tmp_path / "tree", tmp_path / "memory.json"
    make_files(tree, empty__dot__json=0, fine__dot__bin=10)
    (tree / "a.safetensors").write_text("version https://git-lfs.github.com/spec/v1\nsize 9\n")
    (tree / "b.parquet").write_text(" <HTML>")
    (tree / "index.html").write_text("<html>")
    found = answer(runs, "inventory", "tree", tree, "--memory", memory)
    assert [(each["path"], each["what"]) for each in found["spoiled"]] == [
        ("a.safetensors", "a Git LFS pointer"),
        ("b.parquet", "an HTML page"),
        ("empty.json", "zero bytes"),
    ]
    renamed = tree.rename(tmp_path / "renamed")
    assert hash_tree(renamed, memory)["hashed"] == 0


def test_what_was_hashed_before_a_loss_stays_known_and_how_far_it_is_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, memory, progress = tmp_path / "tree", tmp_path / "memory.json", tmp_path / "state" / "progress.json"
    make_files(tree, a__dot__bin=1000, b__dot__bin=3000)
    monkeypatch.setattr(inventory, "PROGRESS_SECONDS", -1.0)
    monkeypatch.setattr(inventory, "spoiled", lambda path, size: 1 / 0 if path.name == "b.bin" else None)
    with pytest.raises(ZeroDivisionError):
        hash_tree(tree, memory, progress)
    assert json.loads(progress.read_text()) == {"hashed_bytes": 1000, "of_bytes": 4000, "files": 1, "of": 2}
    monkeypatch.undo()
    assert hash_tree(tree, memory)["hashed"] == 1


def test_the_size_that_counts_as_large_can_be_given(runs: Runs, tmp_path: Path) -> None:
    make_files(tmp_path / "set", x__dot__parquet=2000)
    assert answer(runs, "inventory", "assets", tmp_path)["assets"] == []
    (found,) = answer(runs, "inventory", "assets", tmp_path, "--at-least", 2000)["assets"]
    assert found["path"] == str(tmp_path / "set")
