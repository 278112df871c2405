"""geometry3k prepared from a dataset folder: columns, refusals with index, the reward tested on the data (4.3)."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

pytest.importorskip("PIL.Image", reason="Pillow draws the pictures of these tests")

from geometry import dataset, row, twelve
from PIL import Image

from autoresearch.cases.geo3k import extract_box
from autoresearch.cases.geo3k_data import (
    DATA_SOURCE,
    load_scorer,
    overlong,
    prepare,
    prompt_lengths,
    read_prepared,
    reward_selftest,
    truths,
    unboxed,
    wrapped,
)
from autoresearch.cases.remembered import remembered
from autoresearch.errors import InputError, MissingPackageError, RefusedError


def score(output: str, truth: str) -> float:
    """A reward of the same form as verl's: 0.9 for the box, 0.1 for the form."""
    form = output.startswith("<think>") and "</think>" in output and extract_box(output) is not None
    return 0.9 * (extract_box(output) == truth) + 0.1 * form


def test_rows_have_verls_columns_and_the_prompt_asks_for_thought_and_box(tmp_path: Path) -> None:
    made = prepare(twelve(tmp_path / "source"), tmp_path / "prepared")
    assert made.rows == {"train": 8, "val": 4}
    table = pq.read_table(made.file("train"))
    assert table.column_names == ["data_source", "prompt", "images", "ability", "reward_model", "extra_info"]
    first = table.to_pylist()[0]
    assert first["data_source"] == DATA_SOURCE and first["reward_model"] == {"style": "rule", "ground_truth": "2"}
    assert first["extra_info"] == {
        "split": "train", "index": 0, "answer": "2",
        "question": "<image>Find the area of the triangle with the legs 1 and 4.",
    }  # fmt: skip
    (message,) = first["prompt"]
    assert message["role"] == "user" and message["content"].count("<image>") == 1
    assert all(part in message["content"] for part in ("<think>", "</think>", "\\boxed{}"))
    assert Image.open(io.BytesIO(first["images"][0]["bytes"])).size == (160, 120)
    assert truths(made.file("val")) == ["18", "20", "22", "24"]


def test_equal_inputs_give_equal_bytes_and_prepared_data_is_never_changed(tmp_path: Path) -> None:
    source = twelve(tmp_path / "source")
    first, second = prepare(source, tmp_path / "a"), prepare(source, tmp_path / "b")
    assert first.sha256 == second.sha256
    with pytest.raises(RefusedError, match="take another folder"):
        prepare(source, tmp_path / "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "source"], "no staging folder is left"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"images": []}, "has no image"),
        ({"images": None}, "has no image"),
        ({"images": [{"bytes": None, "path": "x.png"}]}, "no picture"),
        ({"images": [{"bytes": b"<html>gone</html>", "path": None}]}, "no picture"),
        ({"problem": "<image> "}, "has no text"),
        ({"problem": None}, "has no text"),
        ({"problem": "Find x."}, "1 image(s) and 0 mark(s)"),
        ({"answer": " "}, "has no answer"),
        ({"answer": None}, "has no answer"),
    ],
)
def test_a_row_that_lacks_something_is_refused_with_its_index(
    tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    rows = [row(1), row(2), {**row(3), **changes}]
    source = dataset(tmp_path / "source", rows, [row(4)])
    with pytest.raises(InputError, match="train row 2") as error:
        prepare(source, tmp_path / "prepared")
    assert says in error.value.message
    assert not (tmp_path / "prepared").exists()


def test_folders_that_are_no_such_dataset_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no train"):
        prepare(tmp_path, tmp_path / "out")
    pointer = tmp_path / "pointer" / "train-0.parquet"
    pointer.parent.mkdir()
    pointer.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    with pytest.raises(InputError, match="Git LFS pointer"):
        prepare(pointer.parent, tmp_path / "out")
    pointer.write_text("no parquet")
    (tmp_path / "pointer" / "test-0.parquet").write_text("no parquet")
    with pytest.raises(InputError, match="no readable parquet"):
        prepare(pointer.parent, tmp_path / "out")


ANSWERS = [str(number) for number in range(40)]


def test_a_reward_that_is_as_it_should_be_passes_its_selftest() -> None:
    assert reward_selftest(ANSWERS, score) == []


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (lambda output, truth: 0.0, "must score 1.0"),
        (lambda output, truth: 1.0 if truth in output else 0.0, "without \\boxed{} must score 0"),
        (lambda output, truth: score(output, truth) if "\\boxed" not in output else 1.0, "less than 5%"),
    ],
)
def test_a_broken_reward_is_refused_with_rows(broken: Any, says: str) -> None:
    found = reward_selftest(ANSWERS, broken)
    assert found and {item.code for item in found} == {"V230"}
    assert any(says in item.rule for item in found) and len(found) <= 11


def test_truths_that_are_all_the_same_have_no_swapped_answers() -> None:
    assert reward_selftest(["3"] * 5, score) == []


def test_prompts_beyond_the_limit_are_found_by_index(tmp_path: Path) -> None:
    made = prepare(twelve(tmp_path / "source"), tmp_path / "prepared")

    def length(prompt: str, images: Any) -> int:
        return len(images) * 100 + int(prompt.split("legs ")[1].split(" ")[0])

    lengths = prompt_lengths(made.file("train"), length)
    assert lengths == [100 + number for number in range(1, 9)]
    assert overlong(lengths, 106) == (6, 7) and overlong(lengths, 200) == ()


def test_prepared_files_are_found_again_and_refused_when_they_changed(tmp_path: Path) -> None:
    assert read_prepared(tmp_path / "prepared") is None
    made = prepare(twelve(tmp_path / "source"), tmp_path / "prepared")
    assert read_prepared(made.folder) == made
    with made.file("val").open("ab") as handle:
        handle.write(b"x")
    with pytest.raises(RefusedError, match="is not what was prepared"):
        read_prepared(made.folder)


def test_what_is_remembered_holds_for_equal_facts_only(tmp_path: Path) -> None:
    asked = []

    def make() -> list[int]:
        asked.append(len(asked))
        return list(asked)

    assert [remembered(tmp_path / "memory", "x", {"a": 1}, make) for _ in range(2)] == [[0], [0]]
    assert remembered(tmp_path / "memory", "x", {"a": 2}, make) == [0, 1]
    (spoiled,) = [path for path in (tmp_path / "memory").iterdir() if '"a": 1' in path.read_text()]
    spoiled.write_text("{")
    assert remembered(tmp_path / "memory", "x", {"a": 1}, make) == [0, 1, 2]

    def fail() -> None:
        raise RefusedError("no")

    with pytest.raises(RefusedError):
        remembered(tmp_path / "memory", "y", {}, fail)
    assert len(list((tmp_path / "memory").iterdir())) == 2


def test_verls_own_reward_passes_on_drawn_data(tmp_path: Path) -> None:
    if find_spec("verl") is None or find_spec("mathruler") is None:
        with pytest.raises(MissingPackageError):
            load_scorer()
        pytest.skip("verl and mathruler are needed for the reward itself")
    own = load_scorer()
    made = prepare(twelve(tmp_path / "source"), tmp_path / "prepared")
    assert reward_selftest(truths(made.file("train")), own) == []
    table = {wrapped("7"): 1.0, "\\boxed{7}": 0.9, wrapped("8"): 0.1, unboxed("7"): 0.0}
    assert {output: round(own(output, "7"), 6) for output in table} == table
