"""geometry3k prepared for verl, on this machine, from a registered dataset folder (formal-case.md 4.3).

A row without image, text or answer is refused with its index; nothing falls back to text only. Before any row the
reward is tested on the data itself (V230). Columns: data_source, prompt, images, ability, reward_model, extra_info.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from autoresearch.cases.geo3k import STRICT, TOLERANCE
from autoresearch.cases.prompt_length import IMAGE, Length
from autoresearch.errors import InputError, MissingPackageError, RefusedError, require
from autoresearch.files import read_json, sha256_file, staging, write_json
from autoresearch.findings import Finding, finding

if TYPE_CHECKING:
    import pyarrow as pa

DATA_SOURCE = "hiyouga/geometry3k"
Split = Literal["train", "val"]
SPLITS: Mapping[Split, str] = {"train": "train", "val": "test"}
"""Ours -> the dataset's own split, as verl's example uses them."""
INSTRUCTION = (
    "Reason step by step inside <think> </think> first. Then give the final answer, and nothing else, inside \\boxed{}."
)
MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF", b"GIF8", b"BM")
LFS = b"version https://git-lfs"
MOST_SWAPPED = 0.05
SHOWN = 5
Score = Callable[[str, str], float]
"""(output, ground truth) -> score."""


@dataclass(frozen=True)
class Prepared:
    """Prepared files and what they were made from."""

    folder: Path
    rows: Mapping[str, int]
    sha256: Mapping[str, str]

    def file(self, split: Split) -> Path:
        """The parquet file of a split."""
        return self.folder / f"{split}.parquet"


def source_files(dataset: Path, split: str) -> list[Path]:
    """Parquet files of one split of a dataset folder, sorted. Raises ``InputError`` when there are none."""
    found = sorted(path for path in dataset.rglob("*.parquet") if path.name.startswith(split))
    if not found:
        raise InputError(f"{dataset} has no {split}*.parquet; fetch it again: autoresearch assets fetch {DATA_SOURCE}")
    for path in found:
        with path.open("rb") as handle:
            if handle.read(len(LFS)) == LFS:
                raise InputError(f"{path} is a Git LFS pointer, not the file it stands for; run git lfs pull")
    return found


def _image_bytes(image: object) -> bytes:
    data = image.get("bytes") if isinstance(image, Mapping) else None
    return data if isinstance(data, bytes) else b""


def _problem(row: Mapping[str, Any]) -> str:
    """Why a row cannot be used; empty when it can."""
    text, answer, images = row.get("problem"), row.get("answer"), row.get("images")
    if not isinstance(images, Sequence) or not images:
        return "has no image"
    if not isinstance(text, str) or not text.replace(IMAGE, "").strip():
        return "has no text"
    if not isinstance(answer, str) or not answer.strip():
        return "has no answer"
    broken = [place for place, image in enumerate(images) if not _image_bytes(image).startswith(MAGIC)]
    if broken:
        return f"has an image that is no picture (number {broken[0]})"
    if text.count(IMAGE) != len(images):
        return f"has {len(images)} image(s) and {text.count(IMAGE)} mark(s) {IMAGE} in its text"
    return ""


def prepared_row(row: Mapping[str, Any], split: str, index: int) -> dict[str, Any]:
    """One row of the dataset in verl's columns. Raises ``InputError`` with split and index."""
    problem = _problem(row)
    if problem:
        raise InputError(
            f"{DATA_SOURCE}, {split} row {index}: {problem}; a row needs image, text and answer, and is never asked "
            "without its picture: repair or replace the dataset"
        )
    question, answer = str(row["problem"]), str(row["answer"])
    return {
        "data_source": DATA_SOURCE,
        "prompt": [{"role": "user", "content": f"{question} {INSTRUCTION}"}],
        "images": [{"bytes": _image_bytes(image), "path": None} for image in row["images"]],
        "ability": "math",
        "reward_model": {"style": "rule", "ground_truth": answer},
        "extra_info": {"split": split, "index": index, "answer": answer, "question": question},
    }


def schema() -> pa.Schema:
    """Columns of a prepared file."""
    import pyarrow as pa

    text = pa.string()
    return pa.schema(
        [
            ("data_source", text),
            ("prompt", pa.list_(pa.struct([("role", text), ("content", text)]))),
            ("images", pa.list_(pa.struct([("bytes", pa.binary()), ("path", text)]))),
            ("ability", text),
            ("reward_model", pa.struct([("style", text), ("ground_truth", text)])),
            (
                "extra_info",
                pa.struct([("split", text), ("index", pa.int64()), ("answer", text), ("question", text)]),
            ),
        ]
    )


def _source_rows(files: Iterable[Path]) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for path in files:
        try:
            opened = pq.ParquetFile(path)
            lacks = {"problem", "answer", "images"} - set(opened.schema_arrow.names)
            if lacks:
                raise InputError(f"{path} has no column {', '.join(sorted(lacks))}; it is not {DATA_SOURCE}")
            for batch in opened.iter_batches(batch_size=64, columns=["problem", "answer", "images"]):
                yield from batch.to_pylist()
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(f"{path} is no readable parquet file ({str(error).splitlines()[0]})") from error


def prepare(dataset: Path, out: Path) -> Prepared:
    """Write ``train.parquet``, ``val.parquet`` and ``prepared.json`` into a new folder ``out``.

    Equal inputs give equal bytes. Raises ``InputError`` with split and index of the first row that cannot be used,
    ``RefusedError`` when ``out`` holds something already.
    """
    sources = {split: source_files(dataset, own) for split, own in SPLITS.items()}
    rows: dict[str, int] = {}
    try:
        with staging(out) as folder:
            for split, files in sources.items():
                rows[split] = _write_split(folder / f"{split}.parquet", split, files)
            digests: dict[str, str] = {split: sha256_file(folder / f"{split}.parquet") for split in sources}
            write_json(folder / "prepared.json", {"data_source": DATA_SOURCE, "rows": rows, "sha256": digests})
    except FileExistsError as error:
        raise RefusedError(
            f"{out} exists and is not empty; prepared data is never changed: take another folder"
        ) from error
    return Prepared(out, rows, digests)


def read_prepared(folder: Path) -> Prepared | None:
    """Prepared files that are there already; None where there are none.

    Raises ``RefusedError`` when a file is no longer what was prepared.
    """
    if not (folder / "prepared.json").is_file():
        return None
    content = read_json(folder / "prepared.json")
    found = Prepared(folder, content["rows"], content["sha256"])
    for split in SPLITS:
        path = found.file(split)
        if not path.is_file() or sha256_file(path) != found.sha256[split]:
            raise RefusedError(
                f"{path} is not what was prepared; remove {folder}, and it is made anew from the dataset"
            )
    return found


def _write_split(path: Path, split: str, files: Sequence[Path]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    count = 0
    with pq.ParquetWriter(path, schema(), compression="zstd") as writer:
        batch: list[dict[str, Any]] = []
        for index, row in enumerate(_source_rows(files)):
            batch.append(prepared_row(row, split, index))
            count += 1
            if len(batch) == 256:
                writer.write_table(pa.Table.from_pylist(batch, schema=schema()))
                batch = []
        if batch:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema()))
    if not count:
        raise InputError(f"{DATA_SOURCE}, {split}: no row at all")
    return count


def truths(path: Path) -> list[str]:
    """Ground truths of a prepared file, in order."""
    import pyarrow.parquet as pq

    column = pq.read_table(path, columns=["reward_model"]).column("reward_model").to_pylist()
    return [str(each["ground_truth"]) for each in column]


def reward_file() -> Path:
    """The installed verl's score of geometry3k. Raises ``MissingPackageError`` where verl is absent."""
    spec = importlib.util.find_spec("verl")
    if spec is None or not spec.submodule_search_locations:
        raise MissingPackageError("verl", "train")
    path = Path(next(iter(spec.submodule_search_locations))) / "utils" / "reward_score" / "geo3k.py"
    if not path.is_file():
        raise MissingPackageError("verl", "train", f"one without {path.name}")
    return path


def load_scorer() -> Score:
    """verl's own score of geometry3k, from its file without importing verl itself.

    Raises ``MissingPackageError`` where verl or mathruler is absent.
    """
    path = reward_file()
    require("mathruler.grader", "geo3k")
    own = importlib.util.spec_from_file_location("autoresearch_geo3k_reward", path)
    if own is None or own.loader is None:
        raise MissingPackageError("verl", "train", f"no {path.name}")
    module = importlib.util.module_from_spec(own)
    own.loader.exec_module(module)
    return cast("Score", module.compute_score)


def wrapped(answer: str) -> str:
    """An output that has everything the reward asks for."""
    return f"<think>It follows from the picture.</think>\n\\boxed{{{answer}}}"


def unboxed(answer: str) -> str:
    """The right value without its box."""
    return f"<think>It follows from the picture.</think>\nThe answer is {answer}."


def reward_selftest(answers: Sequence[str], score: Score) -> list[Finding]:
    """V230: gold answers wrapped as required score 1.0, without a box 0, and answers of rows with another truth have a
    strict accuracy below 5 %. ``answers`` are the data's ground truths; at most five rows are named."""
    found = []
    low = [index for index, answer in enumerate(answers) if abs(score(wrapped(answer), answer) - 1.0) > TOLERANCE]
    found += [
        _selftest(f"row {index}", answers[index], "a gold answer as required must score 1.0") for index in low[:SHOWN]
    ]
    paid = [index for index, answer in enumerate(answers) if abs(score(unboxed(answer), answer)) > TOLERANCE]
    found += [
        _selftest(f"row {index}", answers[index], "a gold answer without \\boxed{} must score 0")
        for index in paid[:SHOWN]
    ]
    pairs = list(_swapped(answers))
    hits = sum(score(wrapped(other), truth) >= STRICT - TOLERANCE for other, truth in pairs)
    if pairs and hits / len(pairs) >= MOST_SWAPPED:
        rule = f"answers of rows with another truth must be right in less than {MOST_SWAPPED:.0%}"
        found.append(_selftest("swapped answers", f"{hits} of {len(pairs)}", rule))
    return found


def _selftest(place: str, value: str, rule: str) -> Finding:
    remedy = "the reward function or the ground truths are not what they should be; look at this row by hand"
    return finding("V230", place=f"{DATA_SOURCE}, {place}", value=value[:80], rule=rule, remedy=remedy)


def _swapped(answers: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each truth with the answer of the next row that has another truth."""
    count = len(answers)
    for index, truth in enumerate(answers):
        other = next(
            (answers[(index + step) % count] for step in range(1, count) if answers[(index + step) % count] != truth),
            None,
        )
        if other is not None:
            yield other, truth


def prompt_lengths(path: Path, length: Length) -> list[int]:
    """Tokens of each prompt of a prepared file, with its pictures."""
    import pyarrow.parquet as pq

    found: list[int] = []
    for batch in pq.ParquetFile(path).iter_batches(batch_size=64, columns=["prompt", "images"]):
        found += [
            length(str(row["prompt"][0]["content"]), [image["bytes"] for image in row["images"]])
            for row in batch.to_pylist()
        ]
    return found


def overlong(lengths: Sequence[int], limit: int) -> tuple[int, ...]:
    """Indices of the prompts that are longer than ``limit`` tokens: those that verl's filter drops."""
    return tuple(index for index, length in enumerate(lengths) if length > limit)
