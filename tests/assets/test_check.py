"""Whether an asset is whole (formal-case.md 16, "Hashes" and "Readiness")."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hub_stub import write_model

from autoresearch.assets.acquire import acquire
from autoresearch.assets.check import File, compare, judge_content, look_at_tree, read_model
from autoresearch.assets.machine import Machine
from autoresearch.assets.register import register, verify
from autoresearch.assets.registry import RegistryFile
from autoresearch.errors import InfrastructureError, InputError, RefusedError
from autoresearch.files import tree_sha256
from autoresearch.training.model_folder import read_model_folder

Read = Callable[[], RegistryFile]
SHARD = "model-00002-of-00002.safetensors"


def problems(machine: Machine, folder: Path) -> list[str]:
    tree = look_at_tree(machine, str(folder))
    assert tree is not None
    return [f"{each.path} {each.what}".strip() for each in judge_content(machine, "model", tree)[0]]


def test_a_model_on_a_server_is_judged_by_t004_from_its_small_files_and_headers(other: Machine, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    tree = look_at_tree(other, str(folder))
    assert tree is not None and tree.tree_sha256 == tree_sha256(folder)
    assert read_model(other, tree) == read_model_folder(folder)


@pytest.mark.parametrize("here", [True, False])
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda f: (f / SHARD).write_bytes((f / SHARD).read_bytes()[:-1]), "the file is cut or changed"),
        (lambda f: (f / SHARD).unlink(), f"has no {SHARD}; a model folder needs every shard of its index"),
        (lambda f: (f / "tokenizer.json").unlink(), "has no tokenizer.json"),
        (lambda f: (f / SHARD).write_bytes(b""), f"{SHARD} is zero bytes"),
        (
            lambda f: (f / SHARD).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"),
            f"{SHARD} is a Git LFS pointer",
        ),
        (lambda f: (f / SHARD).write_text("\n<!DOCTYPE html><html>502</html>"), f"{SHARD} is an HTML page"),
    ],
    ids=["cut", "missing-shard", "no-tokenizer", "empty", "pointer", "html"],
)
def test_what_is_not_whole_is_named(
    local: Machine, other: Machine, tmp_path: Path, here: bool, spoil: Callable[[Path], object], says: str
) -> None:
    folder = write_model(tmp_path / "m")
    spoil(folder)
    (found,) = problems(local if here else other, folder)
    assert says in found
    assert here or "/tmp/tmp" not in found


def test_a_page_of_a_readme_is_no_error_page(local: Machine, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "README.md").write_text("<html>of the model</html>")
    assert problems(local, folder) == []


def test_a_tree_is_compared_with_the_hub_file_by_file(local: Machine, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    for name, text in {"a": "1", "b": "22", "c": "3", "d": "4", ".gitkeep": ""}.items():
        (folder / name).write_text(text)
    tree = look_at_tree(local, str(folder))
    assert tree is not None
    sha = {file.path: file.sha256 for file in tree.files}
    wanted = [File("a", 1, sha["a"]), File("b", 3, sha["b"]), File("c", 1, "f" * 64), File("e", 1, None)]
    found, first_seen = compare([*wanted, File("d", 1, None), File(".gitkeep", 0, None)], tree)
    assert [f"{each.path} {each.what}" for each in found] == [
        "e is missing",
        "b has 2 bytes, the hub says 3",
        f"c has sha256 {(sha['c'] or '')[:12]}, the hub says ffffffffffff",
    ]
    assert first_seen == [".gitkeep", "d"]
    assert [each.path for each in compare([], tree)[0]][:2] == [".gitkeep", "a"]


def test_a_link_in_a_tree_is_refused_in_words(local: Machine, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "m")
    (folder / "more").symlink_to(folder / "config.json")
    with pytest.raises(InfrastructureError, match="is a link"):
        look_at_tree(local, str(folder))


def test_registering_hashes_judges_and_writes_the_place(read: Read, other: Machine, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "weights")
    asset = register(read(), other, "tiny", f"{folder}/")
    place = read().registry.find("tiny")[2].remotes["npu-a"]
    assert (place.path, place.status, place.source) == (str(folder), "ready", "found")
    assert place.tree_sha256 == asset.tree_sha256 == tree_sha256(folder)
    assert asset.model is not None and asset.model.parameters == 64 + 4096


def test_a_folder_that_is_not_whole_is_v105_and_registers_nothing(
    read: Read, local: Machine, data_yaml: Path, tmp_path: Path
) -> None:
    folder, before = write_model(tmp_path / "weights"), data_yaml.read_text()
    (folder / SHARD).write_bytes(b"")
    with pytest.raises(RefusedError) as caught:
        register(read(), local, "tiny", str(folder))
    assert caught.value.message.startswith("V105 asset-not-ready: tiny on local")
    assert f"{SHARD} is zero bytes" in caught.value.message
    with pytest.raises(InputError, match="no folder with files"):
        register(read(), local, "tiny", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="V104"):
        register(read(), local, "tinny", str(folder))
    assert data_yaml.read_text() == before


def test_a_new_entry_is_named_with_its_canonical_id(read: Read, local: Machine, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "rows.jsonl").write_text("{}\n")
    register(read(), local, "more-shapes", str(folder), canonical_id="org/more")
    section, _, entry = read().registry.find("org/more")
    assert section == "datasets" and entry.local is not None and entry.local.status == "ready"
    with pytest.raises(InputError, match="V107"):
        register(read(), local, "again", str(folder), canonical_id="org/more")


def test_a_place_that_changed_is_v108_goes_stale_and_stops(read: Read, local: Machine, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "weights")
    register(read(), local, "tiny", str(folder))
    assert acquire(read(), "org/tiny", local).path == str(folder)
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen3"}))
    with pytest.raises(RefusedError) as caught:
        acquire(read(), "tiny", local)
    assert [item.code for item in caught.value.findings] == ["V108"]
    assert "assets register tiny --server local" in caught.value.message
    place = read().registry.find("tiny")[2].local
    assert place is not None and place.status == "stale" and place.verified_at is not None
    register(read(), local, "tiny", str(folder))
    assert acquire(read(), "tiny", local).model is not None


def test_only_what_changed_is_read_again_unless_that_is_asked_for(read: Read, local: Machine, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "weights")
    register(read(), local, "tiny", str(folder))
    hashed = []
    for fresh in (False, False, True):
        tree = look_at_tree(local, str(folder), fresh=fresh)
        assert tree is not None
        hashed.append(tree.hashed)
    assert hashed == [6, 0, 6]
    moved = folder.rename(tmp_path / "moved")
    tree = look_at_tree(local, str(moved))
    assert tree is not None and tree.hashed == 0


def test_bytes_that_turned_without_a_trace_are_found_by_verifying(read: Read, local: Machine, tmp_path: Path) -> None:
    import os

    folder = write_model(tmp_path / "weights")
    register(read(), local, "tiny", str(folder))
    acquire(read(), "tiny", local)
    facts = (folder / SHARD).stat()
    with (folder / SHARD).open("r+b") as handle:
        handle.seek(-1, 2)
        handle.write(b"\2")
    os.utime(folder / SHARD, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert acquire(read(), "tiny", local).tree_sha256 != tree_sha256(folder)
    found = verify(read(), local, "tiny")
    assert (found["ok"], found["status"], found["findings"][0]["code"]) == (False, "stale", "V108")
    place = read().registry.find("tiny")[2].local
    assert place is not None and place.status == "stale"


def test_a_place_written_by_hand_without_a_hash_is_checked_and_hashed(
    read: Read, local: Machine, data_yaml: Path, tmp_path: Path
) -> None:
    folder = write_model(tmp_path / "weights")
    line = f"      local: {{path: {folder}, status: ready}}\n"
    data_yaml.write_text(data_yaml.read_text().replace("  datasets:", f"{line}  datasets:"))
    assert acquire(read(), "tiny", local).tree_sha256 == tree_sha256(folder)
    place = read().registry.find("tiny")[2].local
    assert place is not None and place.tree_sha256 == tree_sha256(folder)


def test_a_folder_that_is_gone_is_missing(read: Read, local: Machine, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "weights")
    register(read(), local, "tiny", str(folder))
    folder.rename(tmp_path / "elsewhere")
    assert verify(read(), local, "tiny")["status"] == "missing"
    with pytest.raises(InputError, match="no place on local"):
        verify(read(), local, "shapes")
