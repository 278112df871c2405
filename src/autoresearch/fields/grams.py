"""Character trigrams of many texts as numbers: three code points of 21 bits make one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

GRAM_BITS = 63
SHORT = 3
PAD = 0x1FFFFF
"""Pads a text of fewer than three code points; no text holds it."""
GRAMS_AT_ONCE = 1 << 20
LAST = np.iinfo(np.int64).max


def gram_rows(texts: Sequence[str]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Texts of one length at a time: their numbers, and one row of grams for each, repeated ones included."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    points = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.uint32)
    begins = np.concatenate(([0], np.cumsum(lengths)))[:-1]
    for length in np.unique(lengths).tolist():
        same = np.flatnonzero(lengths == length)
        at_once = max(GRAMS_AT_ONCE // max(length, 1), 1)
        for at in range(0, len(same), at_once):
            rows = same[at : at + at_once]
            codes = points[begins[rows][:, None] + np.arange(length)].astype(np.int64)
            if length < SHORT:
                codes = np.pad(codes, ((0, 0), (0, SHORT - length)), constant_values=PAD)
            grams = codes[:, :-2] << 21
            grams |= codes[:, 1:-1]
            grams <<= 21
            grams |= codes[:, 2:]
            yield rows, grams


def mixed(grams: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Another number of 63 bits for every gram, evenly spread: each step can be undone."""
    code = grams.astype(np.uint64)
    code ^= code >> np.uint64(31)
    code *= np.uint64(0xBF58476D1CE4E5B9)
    code &= np.uint64((1 << GRAM_BITS) - 1)
    code ^= code >> np.uint64(29)
    code *= np.uint64(0x94D049BB133111EB)
    code &= np.uint64((1 << GRAM_BITS) - 1)
    code ^= code >> np.uint64(32)
    return code


def distinct(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort each row in place, its different numbers first; returns how many of them each has."""
    rows.sort(axis=1)
    again = rows[:, 1:] == rows[:, :-1]
    repeated = np.flatnonzero(again.any(axis=1))
    if len(repeated):
        part = rows[repeated]
        part[:, 1:][again[repeated]] = LAST
        part.sort(axis=1)
        rows[repeated] = part
    sizes: NDArray[np.int64] = rows.shape[1] - again.sum(axis=1)
    return sizes
