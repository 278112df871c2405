"""``autoresearch assets`` as a command (formal-case.md 16)."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "fixtures"))

from hub_stub import write_model

from autoresearch.cli.main import run
from autoresearch.files import tree_sha256

Command = Callable[..., tuple[int, dict[str, Any]]]
FILE = """\
# kept
defaults: {{local_root: {root}, proxy_url: ''}}
assets:
  models:
    tiny: {{kind: model, canonical_id: org/tiny, size_gb: 0.1, sources: {{huggingface: {{id: org/tiny}}}}}}
"""


@pytest.fixture
def assets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs a command on a registry of its own; exit code and result."""
    (tmp_path / "data.yaml").write_text(FILE.format(root=tmp_path / "root"), encoding="utf-8")
    (tmp_path / "config.yaml").write_text("version: 1\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("AUTORESEARCH_CONFIG", str(tmp_path / "config.yaml"))

    def assets(*words: object) -> tuple[int, dict[str, Any]]:
        code = run(["assets", *map(str, words)])
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return code, found

    return assets


def test_a_folder_is_registered_listed_verified_and_then_found_changed(assets: Command, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "weights")
    code, listed = assets("list")
    assert code == 0 and [(row["asset"], row["server"]) for row in listed["assets"]] == [("tiny", None)]
    code, named = assets("register", "org/tiny", "--path", folder)
    assert code == 0 and named["tree_sha256"] == tree_sha256(folder) and named["asset"] == "tiny"
    (row,) = assets("list")[1]["assets"]
    assert (row["server"], row["status"], row["path"], row["source"]) == ("local", "ready", str(folder), "found")
    assert 0 <= row["age_days"] < 1
    code, ready = assets("fetch", "tiny", "--offline", "--verify-assets")
    assert code == 0 and ready["path"] == str(folder) and Path(ready["log"]).parent == tmp_path
    code, checked = assets("verify")
    assert code == 0 and checked["ok"] and checked["assets"][0]["status"] == "ready"
    (folder / "config.json").write_text('{"model_type": "qwen3"}')
    code, checked = assets("verify", "tiny")
    assert code == 1 and checked["findings"][0]["code"] == "V108" and checked["assets"][0]["status"] == "stale"
    assert (tmp_path / "data.yaml").read_text().startswith("# kept\n")


def test_what_cannot_be_had_offline_is_refused_with_what_is_needed(assets: Command) -> None:
    code, refused = assets("fetch", "tiny", "--offline")
    assert code == 2 and refused["findings"][0]["code"] == "V105"
    assert "0.1 GB from huggingface: org/tiny" in refused["message"]
    code, refused = assets("fetch", "tinny")
    assert code == 2 and refused["findings"][0]["code"] == "V104"
    code, refused = assets("verify", "tiny", "--server", "npu-a")
    assert code == 2 and "the config has no such server" in refused["message"]


def test_large_folders_of_this_machine_are_searched_for(assets: Command, tmp_path: Path) -> None:
    large = tmp_path / "root" / "kept" / "Org__Large"
    large.mkdir(parents=True)
    with (large / "model.safetensors").open("wb") as handle:
        handle.truncate(11 * 10**9)
    code, found = assets("discover")
    mine = [each for each in found["found"] if each["path"] == str(large)]
    assert code == 0 and found["written"] and [each["name_guess"] for each in mine] == ["Org/Large"]
    assert str(large) in [each["path"] for each in assets("list")[1]["discovered"]]


def test_without_data_yaml_the_example_is_read_and_nothing_can_be_registered(assets: Command, tmp_path: Path) -> None:
    (tmp_path / "data.yaml").rename(tmp_path / "data.example.yaml")
    code, listed = assets("list")
    assert code == 0 and listed["read_from"].endswith("data.example.yaml") and len(listed["assets"]) == 1
    code, refused = assets("register", "tiny", "--path", write_model(tmp_path / "weights"))
    assert code == 2 and "copy the example to data.yaml" in refused["message"]
    assert not (tmp_path / "data.yaml").exists()
