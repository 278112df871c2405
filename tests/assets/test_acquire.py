"""How an asset comes to a machine, with the real hub clients against a hub on loopback (formal-case.md 16)."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hub_stub import COMMIT, HubStub, write_model

from autoresearch.assets.acquire import acquire
from autoresearch.assets.hubs import PROGRAM
from autoresearch.assets.machine import Machine
from autoresearch.assets.place import Done
from autoresearch.assets.placing import AssetLog
from autoresearch.assets.registry import RegistryFile
from autoresearch.errors import RefusedError
from autoresearch.files import tree_sha256
from autoresearch.hosts.local import LocalHost

Read = Callable[[], RegistryFile]
SHARD = "model-00002-of-00002.safetensors"
CLIENTS = ("modelscope", "modelscope_hub", "huggingface_hub")
MIB = 1 << 20
LARGE = 24 * MIB
"""More than a block of either client, so that a broken download has something to go on from."""
has_modelscope = pytest.mark.skipif(
    importlib.util.find_spec("modelscope_hub") is None, reason="modelscope-hub is not installed"
)
has_huggingface = pytest.mark.skipif(
    importlib.util.find_spec("huggingface_hub") is None, reason="huggingface_hub is not installed"
)


@pytest.fixture
def log(tmp_path: Path) -> AssetLog:
    return AssetLog(tmp_path / "bundle" / "3-raw-logs" / "assets.log.jsonl")


def tries(log: AssetLog) -> list[tuple[str, bool]]:
    assert log.path is not None
    lines = [json.loads(line) for line in log.path.read_text(encoding="utf-8").splitlines()]
    assert all(line["reason"] and line["ts"].endswith("Z") for line in lines)
    return [(line["step"], line["ok"]) for line in lines]


def refused(code: str, *words: Any, **more: Any) -> str:
    with pytest.raises(RefusedError) as caught:
        acquire(*words, **more)
    assert [item.code for item in caught.value.findings] == [code]
    return caught.value.message


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@has_modelscope
def test_modelscope_is_asked_first_pinned_to_a_commit_and_goes_on_where_it_broke(
    read: Read, local: Machine, hub: HubStub, log: AssetLog, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served", LARGE)
    hub.break_after[SHARD] = 18 * MIB
    asset = acquire(read(), "org/tiny", local, log=log)
    begun = hub.ranges(SHARD)
    assert begun[0] is None and begun[1] is not None and int(begun[1].removeprefix("bytes=").rstrip("-")) >= MIB
    folder = tmp_path / "local" / "models" / "org__tiny"
    assert asset.tree_sha256 == tree_sha256(folder) == tree_sha256(tmp_path / "served")
    assert (asset.source, asset.revision, asset.first_seen) == ("modelscope", COMMIT, ())
    assert asset.model is not None and asset.as_lock()["revision"] == COMMIT
    place = read().registry.find("tiny")[2].local
    assert place is not None and (place.status, place.revision, place.source) == ("ready", COMMIT, "modelscope")
    assert tries(log) == [("registry", False), ("discovery", False), ("modelscope", True)]
    assert [path.name for path in folder.parent.iterdir()] == ["org__tiny"]
    asked = len(hub.asked)
    assert acquire(read(), "tiny", local, log=log).path == str(folder) and len(hub.asked) == asked


@has_huggingface
def test_hugging_face_follows_when_modelscope_does_not_have_it_and_resumes_too(
    read: Read, local: Machine, hub: HubStub, log: AssetLog, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served", LARGE)
    hub.down.add("modelscope")
    hub.break_after[SHARD] = 18 * MIB
    asset = acquire(read(), "tiny", local, log=log)
    resumed = [given for given in hub.ranges(SHARD) if given is not None]
    assert resumed and int(resumed[0].removeprefix("bytes=").rstrip("-")) >= MIB
    assert (asset.source, asset.revision) == ("huggingface", COMMIT)
    assert asset.tree_sha256 == tree_sha256(tmp_path / "served")
    small = ["config.json", "model.safetensors.index.json", "tokenizer.json", "tokenizer_config.json"]
    assert sorted(asset.first_seen) == small, "the hub gives sha256 of files in LFS only"
    assert tries(log)[2:] == [("modelscope", False), ("huggingface", True)]


@pytest.mark.parametrize(
    "name", [pytest.param("modelscope", marks=has_modelscope), pytest.param("huggingface", marks=has_huggingface)]
)
def test_a_download_that_was_killed_goes_on_in_the_next_process(
    read: Read, local: Machine, hub: HubStub, data_yaml: Path, tmp_path: Path, name: str
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served", LARGE)
    change(data_yaml, "modelscope: {id: org/tiny}, huggingface:", f"{name}:")
    hub.hold_after[SHARD] = 18 * MIB
    folder = tmp_path / "local" / "models" / f".org__tiny.{name}-{COMMIT[:12]}.fetching"
    words = ["get", name, "model", "org/tiny", "--revision", COMMIT, "--folder", str(folder), "--endpoint", hub.url]
    child = subprocess.Popen([sys.executable, str(PROGRAM), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        assert hub.holding.wait(60)
        time.sleep(0.5)
    finally:
        child.kill()
        child.communicate()
    hub.asked.clear()
    asset = acquire(read(), "tiny", local)
    assert asset.tree_sha256 == tree_sha256(tmp_path / "served")
    assert hub.ranges("model-00001-of-00002.safetensors") == []
    (begun,) = hub.ranges(SHARD)
    if name == "modelscope":  # the other client goes on within a process; in the next one it begins the file again
        assert begun is not None and int(begun.removeprefix("bytes=").rstrip("-")) >= MIB


@has_huggingface
def test_a_dataset_is_fetched_as_a_dataset(
    read: Read, local: Machine, hub: HubStub, log: AssetLog, tmp_path: Path
) -> None:
    served = tmp_path / "served"
    (served / "data").mkdir(parents=True)
    (served / "data" / "train.parquet").write_bytes(b"PAR1" * 99)
    (served / "README.md").write_text("shapes")
    hub.folders["datasets/org/shapes"] = served
    asset = acquire(read(), "shapes", local, log=log)
    assert asset.path == str(tmp_path / "local" / "datasets" / "org__shapes")
    assert asset.tree_sha256 == tree_sha256(served) and asset.model is None and asset.first_seen == ("README.md",)


@has_modelscope
def test_where_modelscope_names_no_commit_the_hashes_alone_pin_a_dataset(
    read: Read, local: Machine, hub: HubStub, data_yaml: Path, tmp_path: Path
) -> None:
    served = tmp_path / "served"
    (served / "data").mkdir(parents=True)
    (served / "data" / "train.parquet").write_bytes(b"PAR1" * 99)
    hub.folders["datasets/org/shapes"] = served
    hub.names_no_commit = True
    change(data_yaml, "[huggingface]", "[modelscope]")
    change(data_yaml, "{huggingface: {id: org/shapes}}", "{modelscope: {id: org/shapes}}")
    asset = acquire(read(), "shapes", local)
    assert (asset.revision, asset.source, asset.first_seen) == (None, "modelscope", ())
    assert asset.tree_sha256 == tree_sha256(served)
    place = read().registry.find("shapes")[2].local
    assert place is not None and place.status == "ready" and place.tree_sha256 == tree_sha256(served)


@has_huggingface
def test_of_two_that_fetch_at_once_the_later_takes_the_equal_files_of_the_first(
    read: Read, local: Machine, hub: HubStub, data_yaml: Path, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served")
    change(data_yaml, "modelscope: {id: org/tiny}, ", "")
    goal = tmp_path / "local" / "models" / "org__tiny"

    class Rival(LocalHost):
        def run(self, argv: Sequence[str], **more: Any) -> Done:
            if argv[0] == "rmdir" and not goal.exists():
                shutil.copytree(tmp_path / "served", goal)
            return super().run(argv, **more)

    asset = acquire(read(), "tiny", replace(local, place=Rival("local", str(tmp_path / "host"))))
    assert asset.path == str(goal) and [path.name for path in goal.parent.iterdir()] == ["org__tiny"]


@has_huggingface
def test_bytes_that_are_not_what_the_hub_says_are_not_used(
    read: Read, local: Machine, hub: HubStub, log: AssetLog, data_yaml: Path, tmp_path: Path
) -> None:
    served = tmp_path / "served"
    served.mkdir()
    (served / "train.parquet").write_bytes(b"PAR1" * 99)
    hub.folders["datasets/org/shapes"] = served
    hub.claims["train.parquet"] = "ab" * 32
    message = refused("V105", read(), "shapes", local, log=log)
    assert "train.parquet has sha256" in message and "the hub says abababababab" in message
    assert not (tmp_path / "local" / "datasets" / "org__shapes").exists()
    assert list((tmp_path / "local" / "datasets").iterdir()) == []


@has_huggingface
def test_a_snapshot_that_is_no_whole_model_is_not_used(
    read: Read, local: Machine, hub: HubStub, data_yaml: Path, tmp_path: Path
) -> None:
    served = hub.folders["models/org/tiny"] = write_model(tmp_path / "served")
    (served / SHARD).write_text("version https://git-lfs.github.com/spec/v1\nsize 9\n")
    change(data_yaml, "modelscope: {id: org/tiny}, ", "")
    assert f"{SHARD} is a Git LFS pointer" in refused("V105", read(), "tiny", local)


@has_huggingface
def test_what_is_larger_than_this_machine_may_hold_is_v106_and_nothing_is_staged(
    read: Read, local: Machine, hub: HubStub, data_yaml: Path, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served", 20_000)
    change(data_yaml, "modelscope: {id: org/tiny}, ", "")
    change(data_yaml, "defaults: {", "defaults: {local_asset_limit_gb: 0.00001, ")
    message = refused("V106", read(), "tiny", local)
    assert "defaults.local_asset_limit_gb is 1e-05" in message and "--server NAME" in message
    assert not (tmp_path / "local" / "models").exists()
    change(data_yaml, "0.00001", "5")
    hub.hide_sizes = True
    assert "an unknown size" in refused("V106", read(), "tiny", local)
    hub.hide_sizes = False
    change(data_yaml, "canonical_id: org/tiny", "canonical_id: org/tiny\n      storage_policy: remote_only")
    assert "storage_policy is remote_only" in refused("V106", read(), "tiny", local)
    assert not (tmp_path / "local" / "models").exists()


@has_huggingface
def test_the_limit_of_this_machine_is_none_of_a_server(
    read: Read, other: Machine, hub: HubStub, data_yaml: Path, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served", 20_000)
    change(data_yaml, "modelscope: {id: org/tiny}, ", "")
    change(data_yaml, "defaults: {", "defaults: {local_asset_limit_gb: 0.00001, ")
    asset = acquire(read(), "tiny", other)
    assert asset.path == str(tmp_path / "remote" / "models" / "org__tiny")
    assert read().registry.find("tiny")[2].remotes["npu-a"].status == "ready"
    (program,) = (tmp_path / "remote" / ".autoresearch").glob("fetch-*.py")
    assert "import autoresearch" not in program.read_text() and "from autoresearch" not in program.read_text()


@has_huggingface
def test_the_proxy_is_the_third_way(
    read: Read, local: Machine, hub: HubStub, log: AssetLog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    served = tmp_path / "served"
    served.mkdir()
    (served / "train.parquet").write_bytes(b"PAR1" * 99)
    hub.folders["datasets/org/shapes"] = served
    hub.only_proxied = True
    monkeypatch.setenv("NO_PROXY", "")
    direct = refused("V105", read(), "shapes", local)
    assert "huggingface: huggingface on local: " in direct and "proxy" not in direct
    monkeypatch.setenv("HF_ENDPOINT", hub.url.replace("127.0.0.1", "localhost"))
    asset = acquire(read(), "shapes", replace(local, proxy=hub.url), log=log)
    assert asset.source == "huggingface"
    assert tries(log)[2:] == [("huggingface", False), ("huggingface-proxy", True)]


@has_huggingface
def test_a_server_without_a_way_to_a_hub_is_sent_what_was_downloaded_here(
    read: Read, local: Machine, other: Machine, hub: HubStub, log: AssetLog, data_yaml: Path, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served")
    change(data_yaml, "modelscope: {id: org/tiny}, ", "")
    lonely = replace(other, client=lambda folder: ["env", "HF_ENDPOINT=http://127.0.0.1:9", "false"])
    asset = acquire(read(), "tiny", lonely, sender=local, log=log)
    assert asset.path == str(tmp_path / "remote" / "models" / "org__tiny")
    assert asset.tree_sha256 == tree_sha256(Path(asset.path)) == tree_sha256(tmp_path / "served")
    entry = read().registry.find("tiny")[2]
    assert [(server, place.status) for server, place in entry.locations()] == [("local", "ready"), ("npu-a", "ready")]
    assert entry.remotes["npu-a"].revision == COMMIT
    assert tries(log)[-2:] == [("huggingface", True), ("send", True)]


@has_huggingface
def test_a_copy_that_the_machine_has_is_used_only_if_it_equals_the_hubs(
    read: Read, other: Machine, hub: HubStub, log: AssetLog, data_yaml: Path, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served")
    change(data_yaml, "modelscope: {id: org/tiny}, ", "")
    copy = write_model(tmp_path / "remote" / "old" / "org__tiny", fill=b"\2")
    assert acquire(read(), "tiny", other, log=log).path != str(copy)
    assert tries(log) == [("registry", False), ("discovery", False), ("huggingface", True)]
    assert log.path is not None and f"assets register tiny --server npu-a --path {copy}" in log.path.read_text()


@has_huggingface
def test_a_copy_that_equals_the_hubs_is_registered_without_a_download(
    read: Read, other: Machine, hub: HubStub, log: AssetLog, data_yaml: Path, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served")
    change(data_yaml, "modelscope: {id: org/tiny}, ", "")
    copy = write_model(tmp_path / "remote" / "old" / "org__tiny")
    asset = acquire(read(), "tiny", other, log=log)
    assert (asset.path, asset.revision, asset.source) == (str(copy), COMMIT, "huggingface")
    assert tries(log) == [("registry", False), ("discovery", True)] and hub.ranges(SHARD) == []


class FullDisk(LocalHost):
    """A machine with a gigabyte left."""

    def free_space(self, path: str) -> int:
        return 10**9


@has_huggingface
def test_a_disk_that_is_too_small_is_told_before_anything_is_loaded(
    read: Read, local: Machine, hub: HubStub, data_yaml: Path, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served")
    change(data_yaml, "modelscope: {id: org/tiny}, ", "")
    message = refused("V105", read(), "tiny", replace(local, place=FullDisk("local", str(tmp_path / "host"))))
    assert "1.0 GB are free" in message and hub.ranges(SHARD) == []
    assert list((tmp_path / "local" / "models").iterdir()) == []


def test_offline_asks_nobody_and_says_what_would_be_needed(
    read: Read, local: Machine, hub: HubStub, log: AssetLog, tmp_path: Path
) -> None:
    hub.folders["models/org/tiny"] = write_model(tmp_path / "served")
    message = refused("V105", read(), "tiny", local, log=log, offline=True)
    assert "of unknown size from modelscope: org/tiny, huggingface: org/tiny" in message
    assert str(tmp_path / "local" / "models" / "org__tiny") in message and hub.asked == []
    assert tries(log) == [("registry", False), ("discovery", False)]


def test_a_folder_in_the_way_is_neither_used_nor_overwritten(
    read: Read, local: Machine, data_yaml: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "local" / "models" / "org__tiny"
    mine.mkdir(parents=True)
    (mine / "notes.txt").write_text("mine")
    message = refused("V105", read(), "tiny", local, offline=True)
    assert "is in the way" in message and "assets register tiny" in message
    assert (mine / "notes.txt").read_text() == "mine"


def test_without_a_client_the_message_says_which_is_missing(read: Read, local: Machine) -> None:
    bare = replace(local, client=lambda folder: [sys.executable, "-I", "-S"])
    message = refused("V105", read(), "shapes", bare)
    assert "No module named 'huggingface_hub'" in message


def test_the_clients_are_imported_in_one_file_that_old_pythons_can_read_and_that_needs_nothing_of_ours() -> None:
    root = PROGRAM.parents[1]
    line = re.compile(rf"^\s*(?:from|import) (?:{'|'.join(CLIENTS)})\b", re.MULTILINE)
    named = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if line.search(path.read_text(encoding="utf-8"))
    }
    assert named == {"assets/fetch.py"}
    text = PROGRAM.read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 8))
    assert "autoresearch" not in text
