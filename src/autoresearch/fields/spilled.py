"""Texts and frames in unnamed temporary files: written one after another and read again."""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray

BUFFER_BYTES = 1 << 16
GAP_BYTES = 1 << 12
"""Bytes between two texts up to which both are read at once."""


def nearest_folder(path: Path) -> Path | None:
    """``path`` or the nearest folder above it that is there: where a temporary file for an output may lie."""
    return next((folder for folder in (path, *path.parents) if folder.is_dir()), None)


class SpilledTexts:
    """Texts by number. Eight bytes of each stay in memory; the file has no name and goes with the object.

    ``folder`` is where the file lies (default: the system's folder for temporary files).
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder, buffering=BUFFER_BYTES)  # noqa: SIM115 - closed with this object
        self._ends = array("q", [0])

    def append(self, text: str) -> None:
        """Write one more text."""
        self._ends.append(self._ends[-1] + self._file.write(text.encode("utf-8")))

    def chosen(self, numbers: NDArray[np.int64]) -> ChosenTexts:
        """Some of the texts, to be read; nothing may be appended after this."""
        self._file.flush()
        bounds = np.frombuffer(self._ends, dtype=np.int64)
        return ChosenTexts(self._file, bounds[numbers], bounds[numbers + 1])


class ChosenTexts(Sequence[str]):
    """Texts of a file from ``begins`` to ``ends``, both ascending."""

    def __init__(self, file: IO[bytes], begins: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        self._file, self._begins, self._ends = file, begins, ends

    def __len__(self) -> int:
        return len(self._begins)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return list(self._read(self._begins[number].tolist(), self._ends[number].tolist()))
        return next(self._read([int(self._begins[number])], [int(self._ends[number])]))

    def _read(self, begins: list[int], ends: list[int]) -> Iterator[str]:
        """Texts that lie near each other are read at once."""
        descriptor, place = self._file.fileno(), 0
        while place < len(begins):
            last = place
            while last + 1 < len(begins) and begins[last + 1] - ends[last] <= GAP_BYTES:
                last += 1
            start = begins[place]
            data = os.pread(descriptor, ends[last] - start, start)
            for begin, end in zip(begins[place : last + 1], ends[place : last + 1], strict=True):
                yield data[begin - start : end - start].decode("utf-8")
            place = last + 1


class SpilledFrames:
    """Frames in an unnamed temporary file, written one after another and given back in that order, as often as wanted.

    ``folder`` is where the file lies (default: the system's folder for temporary files).
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed with this object
        self._ends = [0]

    def append(self, frame: pl.DataFrame) -> None:
        """Write one more frame."""
        content = BytesIO()
        frame.write_ipc(content, compression="lz4")
        self._file.write(content.getbuffer())
        self._ends.append(self._file.tell())

    def __iter__(self) -> Iterator[pl.DataFrame]:
        return (self.frame(number) for number in range(len(self)))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def frame(self, number: int, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """One of the frames, counted from 0, or some columns of it."""
        self._file.flush()
        begin, end = self._ends[number : number + 2]
        names = None if columns is None else list(columns)
        return pl.read_ipc(os.pread(self._file.fileno(), end - begin, begin), columns=names)
