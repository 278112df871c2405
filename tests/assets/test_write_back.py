"""``data.yaml`` as it is changed (formal-case.md 16, "Write-back")."""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

import pytest

from autoresearch.assets.registry import Discovered, Entry, Location, load_registry
from autoresearch.assets.write_back import add_entry, editing, mark_discovered, record_discovered, set_location
from autoresearch.errors import InputError

FILE = """\
# The registry of the laboratory.
version: 1
defaults:
  local_asset_limit_gb: 5   # agreed in spring
  source_priority: [modelscope, huggingface]
assets:
  models:
    # the small one
    "tiny":
      kind: model
      canonical_id: 'Org/Tiny'
      sources:
        modelscope: {id: Org/Tiny}
      remotes:
        npu-a: {path: /data/tiny, status: ready}   # fast disk
        npu-b:
          path: "/data1/tiny"
          status: downloading
    # the large one
    large:
      kind: model
      canonical_id: Org/Large
      size_gb: 70
    # end of models
  datasets: {}
discovered_large_assets: []
"""
PLACE = Location(path="/data1/tiny", status="ready", revision="12e34567", source="huggingface", tree_sha256="ab" * 32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    written = tmp_path / "data.yaml"
    written.write_text(FILE, encoding="utf-8")
    return written


def changed_lines(path: Path, before: str = FILE) -> list[str]:
    after = path.read_text(encoding="utf-8")
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))[2:]
    return [line for line in lines if line[0] in "+-"]


def found(place: str, **more: object) -> Discovered:
    evidence = {"index": True, "safetensors": 4, "samples": ["a.safetensors"]}
    content = {"server": "npu-a", "path": place, "size_gb": 71.5, "kind_guess": "model", "name_guess": "Org/Large"}
    return Discovered.model_validate({**content, "evidence": evidence, "scanned_at": "2026-11-30T04:10:00Z", **more})


def test_only_the_changed_keys_change_and_the_old_file_is_kept_once(path: Path) -> None:
    set_location(path, "models", "tiny", "npu-b", PLACE)
    assert changed_lines(path) == [
        "-          status: downloading",
        "+          revision: '12e34567'",
        "+          source: huggingface",
        f"+          tree_sha256: {'ab' * 32}",
        "+          status: ready",
    ]
    assert "          status: ready\n    # the large one\n" in path.read_text(encoding="utf-8")
    assert path.with_name("data.yaml.bak").read_text(encoding="utf-8") == FILE
    assert load_registry(path).find("tiny")[2].remotes["npu-b"] == PLACE


def test_a_place_in_one_line_stays_in_one_line_and_keeps_its_comment(path: Path) -> None:
    set_location(path, "models", "tiny", "npu-a", Location(path="/data/tiny", status="stale"))
    assert changed_lines(path) == [
        "-        npu-a: {path: /data/tiny, status: ready}   # fast disk",
        "+        npu-a: {path: /data/tiny, status: stale}   # fast disk",
    ]


def test_a_first_place_is_added_without_taking_over_the_comment_of_what_follows(path: Path) -> None:
    set_location(path, "models", "large", "npu-c", Location(path="/srv/large", status="planned"))
    set_location(path, "models", "large", "local", Location(path="~/large", status="missing"))
    text = path.read_text(encoding="utf-8")
    assert text.index("/srv/large") < text.index("# end of models") < text.index("datasets:")
    entry = load_registry(path).find("Org/Large")[2]
    assert [server for server, _ in entry.locations()] == ["local", "npu-c"]


def test_writing_what_stands_there_already_writes_nothing(path: Path) -> None:
    set_location(path, "models", "tiny", "npu-a", Location(path="/data/tiny", status="ready"))
    assert path.read_text(encoding="utf-8") == FILE and not path.with_name("data.yaml.bak").exists()


def test_items_that_are_indented_below_their_key_stay_so(path: Path) -> None:
    text = FILE.replace("source_priority: [modelscope, huggingface]", "source_priority:\n    - modelscope  # first")
    path.write_text(text, encoding="utf-8")
    set_location(path, "models", "tiny", "npu-b", Location(path="/data1/tiny", status="ready"))
    assert changed_lines(path, text) == ["-          status: downloading", "+          status: ready"]


def test_a_change_that_makes_the_file_invalid_is_refused_and_leaves_it_as_it_was(path: Path) -> None:
    with pytest.raises(InputError, match="V101"), editing(path) as content:
        content["assets"]["models"]["tiny"]["knid"] = "model"
    with pytest.raises(InputError, match="V107"):
        add_entry(path, "again", Entry(kind="model", canonical_id="Org/Tiny"))
    assert path.read_text(encoding="utf-8") == FILE
    assert [each.name for each in path.parent.iterdir() if each.name.startswith(".")] == []


def test_a_registry_that_is_not_there_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="copy data.example.yaml to it"):
        set_location(tmp_path / "data.yaml", "models", "tiny", "local", PLACE)
    assert list(tmp_path.iterdir()) == []


def test_an_entry_that_was_removed_meanwhile_is_said(path: Path) -> None:
    with pytest.raises(InputError, match=r"assets\.models\.gone is no longer there"):
        set_location(path, "models", "gone", "local", PLACE)


def test_an_entry_is_added_with_its_places(path: Path) -> None:
    entry = Entry(kind="dataset", canonical_id="org/shapes", remotes={"npu-a": Location(path="/d/s", status="ready")})
    add_entry(path, "shapes", entry)
    assert load_registry(path).find("org/shapes") == ("datasets", "shapes", entry)
    with pytest.raises(InputError, match="exists; give another key"):
        add_entry(path, "shapes", Entry(kind="dataset", canonical_id="org/other"))


def test_discovered_folders_are_listed_kept_and_go_stale(path: Path) -> None:
    assert record_discovered(path, "npu-a", [found("/d/one"), found("/d/two")]) == 2
    mark_discovered(path, "npu-a", "/d/two", "ignored")
    assert record_discovered(path, "npu-b", [found("/d/one", server="npu-b")]) == 1
    assert record_discovered(path, "npu-a", [found("/d/three", size_gb=80)]) == 1
    listed = load_registry(path).discovered_large_assets
    assert [(each.server, each.path, each.status) for each in listed] == [
        ("npu-a", "/d/one", "stale"),
        ("npu-a", "/d/two", "ignored"),
        ("npu-b", "/d/one", "discovered"),
        ("npu-a", "/d/three", "discovered"),
    ]
    assert record_discovered(path, "npu-a", [found("/d/one"), found("/d/three")]) == 0
    assert load_registry(path).discovered_large_assets[0].status == "discovered"
    assert FILE.split("discovered")[0] == path.read_text(encoding="utf-8").split("discovered")[0]


REGISTER = """
import sys
from pathlib import Path
from autoresearch.assets.registry import Location
from autoresearch.assets.write_back import set_location
print("ready", flush=True)
sys.stdin.readline()
for number in range(6):
    server = f"{sys.argv[2]}-{number}"
    set_location(Path(sys.argv[1]), "models", "large", server, Location(path=f"/srv/{server}", status="ready"))
"""


def test_two_processes_that_register_at_once_both_survive(path: Path) -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", REGISTER, str(path), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in ("first", "second")
    ]
    for child in children:
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        child.communicate(timeout=60)
        assert child.returncode == 0
    remotes = load_registry(path).find("large")[2].remotes
    assert set(remotes) == {f"{name}-{number}" for name in ("first", "second") for number in range(6)}
    assert "# the large one" in path.read_text(encoding="utf-8")
