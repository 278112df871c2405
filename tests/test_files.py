"""Files: strict JSON, hashes, atomic writes, publishing."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from autoresearch import files


@pytest.mark.parametrize(
    "text", ['{"a": 1, "a": 2}', "[NaN]", "[Infinity]", "[1e999]", "{", "", r'["\ud800"]', '"\udc00"', "[" * 100_000]
)
def test_strict_json_refuses_what_two_readers_could_understand_differently(text: str) -> None:
    with pytest.raises(ValueError):
        files.strict_json_loads(text)


def test_strict_json_reads_whole_surrogate_pairs_and_large_doubles() -> None:
    assert files.strict_json_loads(r'["\ud83d\ude00", 1e308]') == ["\U0001f600", 1e308]


def test_strict_json_skips_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": "\xe7\x82\x89"}')
    assert files.read_json(path) == {"a": "炉"}


def test_content_digest_ignores_layout_and_key_order_but_not_content() -> None:
    assert files.content_digest({"a": 1, "b": "炉"}) == files.content_digest({"b": "炉", "a": 1})
    assert files.content_digest({"a": 1}) != files.content_digest({"a": 2})


def test_records_round_trip_one_a_line(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "all.json"
    rows = [{"a": "炉号", "b": None}, {"a": "x", "b": [1]}]
    assert files.write_records(path, iter(rows)) == 2
    assert files.read_records(path) == rows
    assert path.read_text(encoding="utf-8").splitlines()[1:3] == ['{"a":"炉号","b":null},', '{"a":"x","b":[1]}']
    assert files.write_records(tmp_path / "none.json", []) == 0
    assert files.read_records(tmp_path / "none.json") == []


def test_tree_hash_is_the_hash_of_the_sorted_sha256sum_lines(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x").write_bytes(b"1")
    (tmp_path / "a").write_bytes(b"2")
    lines = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in [("a", b"2"), ("b/x", b"1")])
    assert files.tree_sha256(tmp_path) == hashlib.sha256(lines.encode()).hexdigest()
    assert files.tree_sha256(tmp_path, exclude=["a"]) != files.tree_sha256(tmp_path)


def test_tree_hash_refuses_links(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/hostname")
    with pytest.raises(ValueError, match="link"):
        files.tree_sha256(tmp_path)


def test_a_walk_tells_files_from_links_follows_none_and_finds_nothing_where_no_folder_is(tmp_path: Path) -> None:
    (tmp_path / "b.d").mkdir()
    (tmp_path / "b.d" / "x").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "b.d" / "away").symlink_to("/nowhere")
    os.mkfifo(tmp_path / "pipe")
    assert files.walk_tree(tmp_path) == (["b", "b.d/x"], ["b.d/away", "loop"])
    assert files.walk_tree(tmp_path / "b") == files.walk_tree(tmp_path / "absent") == ([], [])


def test_staging_publishes_by_one_rename_and_leaves_nothing_after_a_failure(tmp_path: Path) -> None:
    target = tmp_path / "release"
    with pytest.raises(RuntimeError), files.staging(target) as folder:
        (folder / "x").write_text("half")
        raise RuntimeError("stop")
    assert list(tmp_path.iterdir()) == []
    with files.staging(target) as folder:
        assert folder.name.startswith(".release.staging-")
        (folder / "x").write_text("whole")
    assert (target / "x").read_text() == "whole"
    with pytest.raises(FileExistsError), files.staging(target):
        pass
    assert (target / "x").read_text() == "whole"


def test_of_two_publishers_the_second_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "release"
    with pytest.raises(FileExistsError), files.staging(target) as second:
        with files.staging(target) as first:
            (first / "x").write_text("first")
        (second / "x").write_text("second")
    assert (target / "x").read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_an_interrupt_is_held_until_all_is_in_place_and_then_let_through() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), files.interrupts_held():
        signal.raise_signal(signal.SIGINT)
        done.append("all")
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_is_not_hidden_by_a_held_interrupt_and_another_thread_holds_nothing() -> None:
    with pytest.raises(KeyError), files.interrupts_held():
        signal.raise_signal(signal.SIGINT)
        raise KeyError("x")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(_handler_inside).result() is signal.default_int_handler


def _handler_inside() -> object:
    with files.interrupts_held():
        return signal.getsignal(signal.SIGINT)


def test_a_staging_folder_may_take_the_place_of_what_its_caller_clears(tmp_path: Path) -> None:
    target = tmp_path / "shards"
    target.mkdir()
    (target / "old").touch()
    with pytest.raises(FileExistsError), files.staging(target):
        pass
    with files.staging(target, (target / "old").unlink) as folder:
        assert files.is_staging(folder) and not files.is_staging(target)
        (folder / "new").touch()
        assert (target / "old").exists()
    assert [path.name for path in target.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["shards"]


def test_files_uses_the_standard_library_only() -> None:
    program = "import sys; sys.path.insert(0, sys.argv[1]); import files; print(sorted(sys.modules))"
    folder = Path(files.__file__).parent
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program, str(folder)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_a_created_file_is_there_whole_or_not_at_all_and_is_never_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "owner.json"
    files.create_text(path, "炉\n")
    with pytest.raises(FileExistsError):
        files.create_text(path, "other")
    assert path.read_text(encoding="utf-8") == "炉\n" and path.stat().st_mode & 0o777 == 0o644

    def no_links(*words: object) -> None:
        raise OSError("no hard links here")

    monkeypatch.setattr(files.os, "link", no_links)
    files.create_text(tmp_path / "plain", "x")
    with pytest.raises(FileExistsError):
        files.create_text(tmp_path / "plain", "y")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["owner.json", "plain"]
    assert (tmp_path / "plain").read_text() == "x"
