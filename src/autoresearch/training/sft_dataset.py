"""The dataset of SFT runs: whole conversations, rendered once, with a mask of floats (training.md 4).

Seam: `data.custom_cls.path=pkg://autoresearch.training.sft_dataset data.custom_cls.name=ConversationDataset`. All
is rendered and checked at construction; the tokens of all rows lie in one flat buffer, in a memory-mapped file that the
ranks of a run share when `data.token_store` names a folder. Keys of `data` that it reads: `answer_weight` (1),
`only_answer` (False), `order_seed` (none), `token_store` (none), `max_length`, `truncation`, `pad_mode`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from autoresearch.errors import InputError, raise_if_errors
from autoresearch.files import content_digest, sha256_file, sha256_text, staging
from autoresearch.findings import FindingCounter, finding

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

FAMILIES = ("trajectory", "three-message", "sft-mixture")


@dataclass(frozen=True)
class TokenRows:
    """All rows of a file: ids and weights laid end to end; row `i` is `offsets[i]` to `offsets[i + 1]`.

    `ids` is int32, `weights` float32 (0 outside the mask), `offsets` int64 with one entry more than rows.
    """

    ids: NDArray[np.int32]
    weights: NDArray[np.float32]
    offsets: NDArray[np.int64]

    def save(self, folder: Path) -> None:
        for name in ("ids", "weights", "offsets"):
            np.save(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: Path) -> TokenRows:
        """Memory-mapped and read-only."""
        return cls(*(np.load(folder / f"{name}.npy", mmap_mode="r") for name in ("ids", "weights", "offsets")))


class ConversationDataset:
    """Rows of release files as `{input_ids, position_ids, loss_mask}`, 1-D tensors for `pad_mode=no_padding`.

    The mask is int64 with an answer weight of 1, else float32 with the weight on the tokens of the answer's two values;
    verl multiplies by it and divides by its sum. Raises InputError for settings that would shorten or pad a row, for a
    file without header, for rows that are too long (T030) or cannot be trained as inference sees them (T0xx).
    """

    def __init__(
        self,
        parquet_files: str | Sequence[str],
        tokenizer: Any,
        config: Mapping[str, Any],
        processor: Any = None,
        max_samples: int = -1,
    ) -> None:
        files = [parquet_files] if isinstance(parquet_files, str) else list(parquet_files)
        _refuse("data.pad_mode", config.get("pad_mode", "no_padding"), "no_padding")
        _refuse("data.truncation", config.get("truncation", "error"), "error")
        self._weight = float(config.get("answer_weight", 1))
        self._only_answer = bool(config.get("only_answer", False))
        self._max_length = int(config["max_length"])
        store = config.get("token_store")
        paths = [Path(file) for file in files]
        if store:
            self._rows = self._shared(paths, tokenizer, Path(store))
        else:
            self._rows = encode_files(paths, tokenizer, self._weight, self._only_answer, self._max_length)
        count = len(self._rows.offsets) - 1
        order = np.arange(count)
        seed = config.get("order_seed")
        if seed is not None:
            order = np.random.default_rng(int(seed)).permutation(count)
        self._order = order[:max_samples] if 0 < max_samples < count else order

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, item: int) -> dict[str, torch.Tensor]:
        import torch

        row = int(self._order[item])
        start, stop = int(self._rows.offsets[row]), int(self._rows.offsets[row + 1])
        ids = torch.from_numpy(self._rows.ids[start:stop].astype(np.int64))
        mask = torch.from_numpy(self._rows.weights[start:stop].astype(np.float32))
        if self._weight == 1:
            mask = mask.to(torch.int64)
        return {"input_ids": ids, "position_ids": torch.arange(len(ids)), "loss_mask": mask}

    def _shared(self, paths: list[Path], tokenizer: Any, store: Path) -> TokenRows:
        """The rows from a file below `store`, written by rank 0 if it is not there; other ranks wait for it."""
        key = content_digest(
            {
                "files": [sha256_file(path) for path in paths],
                "tokenizer": sha256_text(tokenizer.backend_tokenizer.to_str()),
                "template": sha256_text(str(tokenizer.chat_template)),
                "settings": [self._weight, self._only_answer, self._max_length],
            }
        )
        folder = store / key[:16]
        if _rank() == 0 and not folder.exists():
            rows = encode_files(paths, tokenizer, self._weight, self._only_answer, self._max_length)
            store.mkdir(parents=True, exist_ok=True)
            with staging(folder) as staged:
                rows.save(staged)
                names = json.dumps([path.name for path in paths])
                (staged / "key.json").write_text(json.dumps({"key": key, "files": names}) + "\n", encoding="utf-8")
        _wait_for_all()
        return TokenRows.open(folder)


def encode_files(
    paths: Sequence[Path], tokenizer: Any, answer_weight: float, only_answer: bool, max_length: int
) -> TokenRows:
    """Render and encode every row of the files. All rows are looked at before findings are raised together."""
    from autoresearch.progress import bar
    from autoresearch.task.conversation import decode_row
    from autoresearch.task.segments import SegmentCache

    ids: list[NDArray[np.int32]] = []
    weights: list[NDArray[np.float32]] = []
    found = FindingCounter()
    cache = SegmentCache(tokenizer)
    with bar("tokens", total=_count(paths)) as progress:
        for place, row in _read(paths):
            progress.advance()
            try:
                encoded = cache.encode(decode_row(row, place), answer_weight, only_answer)
            except InputError as error:
                if not error.findings:
                    raise
                found.extend(error.findings)
                continue
            if len(encoded.input_ids) > max_length:
                found.add(
                    finding(
                        "T030",
                        place=place,
                        value=str(len(encoded.input_ids)),
                        rule=f"more tokens than data.max_length={max_length}",
                        remedy="raise --max-length; rows are never cut",
                    )
                )
            mask = np.asarray(encoded.loss_mask, dtype=np.float32)
            # The trainer shifts the mask around the flat batch: a trained first token would meet another row's last.
            assert mask[0] == 0, place
            ids.append(np.asarray(encoded.input_ids, dtype=np.int32))
            weights.append(mask)
    raise_if_errors(found, "sft dataset")
    if not ids:
        raise InputError(f"{', '.join(str(path) for path in paths)}: no rows")
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in ids])]).astype(np.int64)
    return TokenRows(np.concatenate(ids), np.concatenate(weights), offsets)


def _read(paths: Sequence[Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    from autoresearch.releases.columns import read_row_groups
    from autoresearch.releases.header import read_header

    for path in paths:
        try:
            header = read_header(path)
        except ValueError as error:
            raise InputError(f"{path}: {error}; train on the parquet files of a release") from error
        if header.family not in FAMILIES:
            raise InputError(f"{path}: a release of family {header.family}; SFT takes {', '.join(FAMILIES)}")
        at = 0
        for group in read_row_groups(path):
            for row in group:
                yield f"{path.name}, row {at}, source {row.get('source_id')}", row
                at += 1


def _count(paths: Sequence[Path]) -> int:
    import pyarrow.parquet as parquet

    return sum(parquet.ParquetFile(path).metadata.num_rows for path in paths)


def _refuse(name: str, value: object, wanted: str) -> None:
    text = str(getattr(value, "value", value))
    if text != wanted:
        raise InputError(f"{name}={text}: this dataset takes {wanted} only; a shortened row loses catalogue or answer")


def _rank() -> int:
    return int(os.environ.get("RANK", "0"))


def _wait_for_all() -> None:
    import torch.distributed

    if torch.distributed.is_available() and torch.distributed.is_initialized():
        torch.distributed.barrier()
