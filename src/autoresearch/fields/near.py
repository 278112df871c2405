"""Near-duplicates: all pairs of texts whose character trigrams overlap enough (data-line.md 8.3).

An exact set-similarity join without sampling. With tokens ordered by rarity, two sets that have ``a`` tokens in common
share at least ``k`` of the first ``size - a + k`` tokens of each, and Jaccard >= t asks for ``a >= t * size`` of both
sizes. So every ``k`` tokens out of that prefix become one key, pairs with a common key are candidates, and candidates
are compared in full. Three tokens (keys almost as selective as the whole text) where that gives few keys, fewer for
texts that are longer or very short.

Memory: of each text its size and the prefix stay, about fifty bytes; texts are read again where they are compared, and
keys are made in parts. Rarity is counted in a table of fixed size: grams that share a place in it only share a rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import ceil, comb, floor

import numpy as np
from numpy.typing import NDArray

from autoresearch import progress
from autoresearch.fields.grams import GRAM_BITS, distinct, gram_rows, mixed

Numbers = NDArray[np.int64]
SMALL = 1e-9
KEY_TOKENS = 3
MOST_KEYS = 420
"""Keys of one text beyond which a key is made of fewer tokens."""
KEYS_AT_ONCE = 1 << 21
ROWS_AT_ONCE = 1 << 15
TEXTS_AT_ONCE = 1 << 12
PAIRS_AT_ONCE = 1 << 13
SLOT_BITS = 20
ODD = np.uint64(0x9E3779B97F4A7C15)


def trigrams(text: str) -> frozenset[str]:
    """Character trigrams of a text; a shorter text is its own only token."""
    if len(text) < 3:
        return frozenset((text,))
    return frozenset(text[index : index + 3] for index in range(len(text) - 2))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of common tokens, 0 to 1."""
    common = len(one & other)
    return common / (len(one) + len(other) - common)


@dataclass(frozen=True)
class _Class:
    """What all texts of one size have in common."""

    size: int
    least: int
    """Common tokens that every near partner needs."""
    tokens: int
    """Tokens of one key of its own."""
    shared: tuple[int, ...]
    """Tokens of the keys by which partners may find it."""

    def prefix(self, tokens: int) -> int:
        """How many of the rarest tokens the keys of ``tokens`` tokens are made of."""
        return self.size - self.least + tokens


@dataclass(frozen=True)
class _Prefixes:
    """The rarest tokens of all texts, 32 bits each: ``tokens[starts[i]:starts[i + 1]]`` is text i, the rarest first."""

    sizes: NDArray[np.int32]
    tokens: NDArray[np.uint32]
    starts: Numbers


def near_pairs(texts: Sequence[str], threshold: float) -> NDArray[np.int64]:
    """Every pair (i, j), i < j, of different ``texts`` with Jaccard >= ``threshold``: pairs x 2, ascending.

    ``texts`` must be distinct; equal ones are the caller's exact duplicates. They are read by number and by slice.
    ``threshold`` is above 0 and at most 1.
    """
    found = np.empty(0, dtype=np.int64)
    if len(texts) >= 2:
        prefixes = _prefixes(texts, _slot_ranks(texts), threshold)
        for candidates in _candidates(prefixes, threshold):
            new = candidates[~_contains(found, candidates)]
            near = [
                _near_of(texts, new[at : at + PAIRS_AT_ONCE], threshold) for at in range(0, len(new), PAIRS_AT_ONCE)
            ]
            found = np.sort(np.concatenate((found, *near)))
    return np.stack((found >> 32, found & 0xFFFFFFFF), axis=1)


def _contains(ordered: Numbers, wanted: Numbers) -> NDArray[np.bool_]:
    """Which of ``wanted`` stand in ``ordered``."""
    if not len(ordered):
        return np.zeros(len(wanted), dtype=np.bool_)
    found: NDArray[np.bool_] = ordered[np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)] == wanted
    return found


def _blocks(texts: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """The texts in blocks, with the number of the first of each."""
    for start in range(0, len(texts), TEXTS_AT_ONCE):
        yield start, texts[start : start + TEXTS_AT_ONCE]


def _slot_ranks(texts: Sequence[str]) -> NDArray[np.int32]:
    """Rank of every place of the table of rarity, the rarest lowest; the table grows with the texts up to its bound."""
    bits = min(SLOT_BITS, max(10, (len(texts) * 16).bit_length()))
    counts = np.zeros(1 << bits, dtype=np.int32)
    for _, block in _blocks(texts):
        for _, grams in gram_rows(block):
            np.add.at(counts, (mixed(grams) >> np.uint64(GRAM_BITS - bits)).astype(np.int64).ravel(), 1)
    ranks = np.empty(len(counts), dtype=np.int32)
    ranks[np.argsort(counts, kind="stable")] = np.arange(len(counts), dtype=np.int32)
    return ranks


def _prefixes(texts: Sequence[str], ranks: NDArray[np.int32], threshold: float) -> _Prefixes:
    """Sizes and rarest tokens of all texts. A token is the rank of its place, then the rest of the mixed gram: another
    number for every gram, in one order for all texts.
    """
    rest = GRAM_BITS - (len(ranks).bit_length() - 1)
    sizes = np.empty(len(texts), dtype=np.int32)
    classes: dict[int, _Class] = {}
    parts: list[NDArray[np.uint32]] = []
    lengths = np.empty(len(texts), dtype=np.int32)
    for start, block in _blocks(texts):
        rarest: list[NDArray[np.uint32]] = [np.empty(0, dtype=np.uint32)] * len(block)
        for rows, grams in gram_rows(block):
            code = mixed(grams)
            tokens = ranks[(code >> np.uint64(rest)).astype(np.int64)].astype(np.int64) << rest
            tokens |= (code & np.uint64((1 << rest) - 1)).astype(np.int64)
            row_sizes = distinct(tokens)
            sizes[start + rows] = row_sizes
            low = tokens.astype(np.uint32)
            for place, (row, size) in enumerate(zip(rows.tolist(), row_sizes.tolist(), strict=True)):
                kind = classes.get(size) or classes.setdefault(size, _class(size, threshold))
                rarest[row] = low[place, : kind.prefix(kind.tokens)]
        parts.append(np.concatenate(rarest))
        lengths[start : start + len(block)] = [len(tokens) for tokens in rarest]
    return _Prefixes(sizes, np.concatenate(parts), np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))))


def _class(size: int, threshold: float) -> _Class:
    own = _key_tokens(size, threshold)
    partners = range(_least(size, threshold), floor(size / threshold + SMALL) + 1)
    shared = {own if own == 1 else min(own, _key_tokens(other, threshold)) for other in partners}
    return _Class(size, _least(size, threshold), own, tuple(sorted(shared)))


def _least(size: int, threshold: float) -> int:
    return max(ceil(threshold * size - SMALL), 1)


@lru_cache(maxsize=65_536)
def _key_tokens(size: int, threshold: float) -> int:
    """Tokens of a key: as many as are always shared, up to three, while the keys stay few."""
    least = _least(size, threshold)
    fitting = (k for k in range(min(KEY_TOKENS, least), 1, -1) if comb(size - least + k, k) <= MOST_KEYS)
    return next(fitting, 1)


def _candidates(prefixes: _Prefixes, threshold: float) -> Iterator[Numbers]:
    """Pairs with a common key and sizes that allow them, as ``i << 32 | j``; ascending, each once a block."""
    sizes = prefixes.sizes
    classes = [_class(int(size), threshold) for size in np.unique(sizes)]
    counts = np.bincount(sizes)
    total = sum(int(counts[item.size]) * sum(comb(item.prefix(k), k) for k in item.shared) for item in classes)
    parts = -(-total // KEYS_AT_ONCE)
    order = np.argsort(sizes, kind="stable").astype(np.int32)
    with progress.bar("near pairs", parts, "parts") as bar:
        for part in range(parts):
            keys, owners = _keys(prefixes, classes, order, part, parts)
            for one, other in _equal_keys(keys, owners):
                low, high = np.minimum(sizes[one], sizes[other]), np.maximum(sizes[one], sizes[other])
                fit = (low >= threshold * high - SMALL) & (one != other)
                one, other = one[fit].astype(np.int64), other[fit].astype(np.int64)
                yield np.unique((np.minimum(one, other) << 32) | np.maximum(one, other))
            bar.advance()


def _keys(
    prefixes: _Prefixes, classes: Sequence[_Class], order: NDArray[np.int32], part: int, parts: int
) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    """The keys of one part and the text of each; the rarest token of a key says its part. ``order`` is that of the
    sizes.
    """
    keys: list[NDArray[np.uint64]] = [np.empty(0, dtype=np.uint64)]
    owners: list[NDArray[np.int32]] = [np.empty(0, dtype=np.int32)]
    begins = np.searchsorted(prefixes.sizes, [item.size for item in classes], sorter=order)
    ends = [*begins[1:].tolist(), len(order)]
    for item, begin, end in zip(classes, begins.tolist(), ends, strict=True):
        for at in range(begin, end, ROWS_AT_ONCE):
            rows = order[at : min(at + ROWS_AT_ONCE, end)]
            grid = prefixes.tokens[prefixes.starts[rows][:, None] + np.arange(item.prefix(item.tokens))]
            for tokens in item.shared:
                picks = np.array(list(combinations(range(item.prefix(tokens)), tokens)))
                for lowest in range(item.prefix(tokens) - tokens + 1):
                    here = np.flatnonzero(grid[:, lowest] % np.uint32(parts) == part)
                    chosen = grid[here][:, picks[picks[:, 0] == lowest]]
                    keys.append(_key(chosen, tokens).ravel())
                    owners.append(np.repeat(rows[here], chosen.shape[1]))
    return np.concatenate(keys), np.concatenate(owners)


def _key(chosen: NDArray[np.uint32], tokens: int) -> NDArray[np.uint64]:
    """One number of the tokens on the last axis. Two keys that agree by chance make one candidate more."""
    key = np.full(chosen.shape[:-1], tokens, dtype=np.uint64)
    for place in range(tokens):
        key = (key ^ chosen[..., place]) * ODD
        key ^= key >> np.uint64(29)
    return key


def _equal_keys(
    keys: NDArray[np.uint64], owners: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """All pairs of texts with a common key, in blocks: neighbours in the order of keys, then those two apart, and so
    on.
    """
    order = np.argsort(keys)
    keys, owners = keys[order], owners[order]
    del order
    live = np.flatnonzero(keys[1:] == keys[:-1])
    apart = 1
    ones: list[NDArray[np.int32]] = []
    others: list[NDArray[np.int32]] = []
    held = 0
    while len(live):
        ones.append(owners[live])
        others.append(owners[live + apart])
        held += len(live)
        apart += 1
        live = live[live + apart < len(keys)]
        live = live[keys[live] == keys[live + apart]]
        if held >= KEYS_AT_ONCE or not len(live):
            yield np.concatenate(ones), np.concatenate(others)
            ones, others, held = [], [], 0


def _near_of(texts: Sequence[str], pairs: Numbers, threshold: float) -> Numbers:
    """Those of some candidates that are near: their texts are read and compared in full."""
    both = np.concatenate((pairs >> 32, pairs & 0xFFFFFFFF))
    numbers, place = np.unique(both, return_inverse=True)
    grams, sizes = _distinct_grams([texts[number] for number in numbers.tolist()])
    starts = np.concatenate(([0], np.cumsum(sizes)))
    lengths = sizes[place]
    ends = np.cumsum(lengths)
    inside = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - lengths, lengths)
    pair = np.tile(np.arange(len(pairs)), 2)
    coded = np.repeat(pair << 32, lengths) | grams[np.repeat(starts[place], lengths) + inside]
    coded.sort()
    common = np.bincount(coded[1:][coded[1:] == coded[:-1]] >> 32, minlength=len(pairs))
    one, other = lengths[: len(pairs)], lengths[len(pairs) :]
    near: Numbers = pairs[common >= np.ceil(threshold / (1 + threshold) * (one + other) - SMALL)]
    return near


def _distinct_grams(texts: Sequence[str]) -> tuple[Numbers, Numbers]:
    """The different grams of some texts, numbered among these texts, one text after another; and how many each has."""
    found: list[Numbers] = [np.empty(0, dtype=np.int64)] * len(texts)
    for rows, grams in gram_rows(texts):
        sizes = distinct(grams)
        for place, (row, size) in enumerate(zip(rows.tolist(), sizes.tolist(), strict=True)):
            found[row] = grams[place, :size]
    whole = np.concatenate([np.empty(0, dtype=np.int64), *found])
    numbered = np.unique(whole, return_inverse=True)[1].astype(np.int64)
    return numbered, np.array([len(grams) for grams in found], dtype=np.int64)
