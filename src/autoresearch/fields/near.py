"""Near-duplicates: all pairs of texts whose character trigrams overlap enough (data-line.md 8.3).

An exact set-similarity join without sampling. With tokens ordered by rarity, two sets that have ``a`` tokens in common
share at least
``k`` of the first ``size - a + k`` tokens of each, and Jaccard >= t asks for ``a >= t * size`` of both sizes. So every
``k`` tokens out of
that prefix become one key (k = 3: keys are almost as selective as the whole text), pairs with a common key are
candidates, and
candidates are compared in full. Texts that are too short or too long for that go through plain postings (k = 1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, comb

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
SMALL = 1e-9
KEY_TOKENS = 3
TOKEN_BITS = 21
MOST_KEYS = 400
"""Keys of one text beyond which postings are cheaper."""
BLOCK_PAIRS = 1 << 21
KEYS_AT_ONCE = 1 << 22


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
class _TokenSets:
    """The trigrams of all texts as numbers, the rarest lowest: ``tokens[starts[i]:starts[i + 1]]`` is text i,
    ascending.
    """

    tokens: Numbers
    starts: Numbers
    distinct: int

    @property
    def sizes(self) -> Numbers:
        """Number of different trigrams of each text."""
        return np.diff(self.starts)

    def of(self, index: int) -> list[int]:
        """The tokens of one text."""
        found: list[int] = self.tokens[self.starts[index] : self.starts[index + 1]].tolist()
        return found


def _token_sets(texts: Sequence[str]) -> _TokenSets:
    """Three code points of 21 bits make one number; a text of fewer than three is padded by what no text holds."""
    pad = 0x1FFFFF
    lengths = np.array([max(len(text), 3) for text in texts], dtype=np.int64)
    points = np.frombuffer("".join(text.ljust(3, "\ue000") for text in texts).encode("utf-32-le"), dtype=np.uint32)
    points = points.copy()
    begins = np.concatenate(([0], np.cumsum(lengths)))
    for index, text in enumerate(texts):
        if len(text) < 3:
            points[begins[index] + len(text) : begins[index] + 3] = pad
    grams = points[:-2].astype(np.int64)
    for later in (points[1:-1], points[2:]):
        grams <<= 21
        grams |= later
    inside = np.ones(len(grams), dtype=np.bool_)
    inside[begins[1:-1] - 1] = inside[begins[1:-1] - 2] = False  # across two texts
    grams = grams[inside]
    del points, later, inside
    owner = np.repeat(np.arange(len(texts), dtype=np.int32), lengths - 2)
    rank, distinct = _ranks(grams)
    del grams
    keyed = owner.astype(np.int64)
    keyed <<= 32
    keyed |= rank
    del owner, rank
    keyed = _distinct(keyed)
    sizes = np.bincount(keyed >> 32, minlength=len(texts))
    keyed &= 0xFFFFFFFF
    return _TokenSets(keyed, np.concatenate(([0], np.cumsum(sizes))), distinct)


def _ranks(grams: Numbers) -> tuple[NDArray[np.int32], int]:
    """The number of each gram, the rarest lowest (ties by value), and how many there are."""
    order = np.argsort(grams)
    ordered = grams[order]
    first = np.empty(len(grams), dtype=np.bool_)
    first[0], first[1:] = True, ordered[1:] != ordered[:-1]
    del ordered
    counts = np.diff(np.append(np.flatnonzero(first), len(grams)))
    rank = np.empty(len(counts), dtype=np.int32)
    rank[np.argsort(counts, kind="stable")] = np.arange(len(counts), dtype=np.int32)
    ranks = np.empty(len(grams), dtype=np.int32)
    ranks[order] = rank[np.cumsum(first, dtype=np.int32) - 1]
    return ranks, len(counts)


def _distinct(numbers: Numbers) -> Numbers:
    """Different numbers, ascending; sorts in place. ``numpy.unique`` is several times slower on many."""
    numbers.sort()
    return numbers[np.concatenate(([True], numbers[1:] != numbers[:-1]))] if len(numbers) else numbers


def _least_common(size: int, other: int, threshold: float) -> int:
    """Common tokens that two sets of these sizes need."""
    return ceil(threshold / (1 + threshold) * (size + other) - SMALL)


def near_pairs(texts: Sequence[str], threshold: float) -> Iterator[tuple[int, int]]:
    """Every pair (i, j), i < j, of different ``texts`` with Jaccard >= ``threshold``, each once, in no order.

    ``texts`` must be distinct; equal ones are the caller's exact duplicates. ``threshold`` is above 0 and at most 1.
    """
    if len(texts) < 2:
        return
    sets = _token_sets(texts)
    sizes = sets.sizes
    least = np.ceil(threshold * sizes - SMALL).astype(np.int64)
    prefixes = sizes - least + KEY_TOKENS
    keyed = least >= KEY_TOKENS
    if sets.distinct < 1 << TOKEN_BITS:
        counts = {int(prefix): comb(int(prefix), KEY_TOKENS) for prefix in np.unique(prefixes)}
        keyed &= np.array([counts[int(prefix)] <= MOST_KEYS for prefix in prefixes])
    else:
        keyed[:] = False
    yield from _by_keys(sets, np.flatnonzero(keyed), prefixes, threshold)
    rest = np.flatnonzero(~keyed)
    if len(rest):
        lowest, highest = int(sizes[rest].min()), int(sizes[rest].max())
        reach = (sizes >= threshold * lowest - SMALL) & (sizes <= highest / threshold + SMALL)
        yield from _by_postings(sets, np.flatnonzero(reach), keyed, threshold)


def _by_keys(sets: _TokenSets, chosen: Numbers, prefixes: Numbers, threshold: float) -> Iterator[tuple[int, int]]:
    """Pairs among ``chosen`` through keys of three prefix tokens."""
    if len(chosen) < 2:
        return
    compared: set[int] = set()
    cache: dict[int, frozenset[int]] = {}
    parts = -(-sum(comb(int(prefix), KEY_TOKENS) for prefix in prefixes[chosen]) // KEYS_AT_ONCE)
    for part in range(parts):
        owner, begins, ends = _runs(sets, chosen, prefixes, part, parts)
        for one, other in _run_pairs(owner, begins, ends):
            codes = _distinct((np.minimum(one, other) << 32) | np.maximum(one, other))
            for code in codes.tolist():
                if code not in compared:
                    compared.add(code)
                    pair = (code >> 32, code & 0xFFFFFFFF)
                    if _is_near(sets, pair, threshold, cache):
                        yield pair


def _runs(
    sets: _TokenSets, chosen: Numbers, prefixes: Numbers, part: int, parts: int
) -> tuple[Numbers, Numbers, Numbers]:
    """The texts of all keys of one part, texts of a key side by side, with the begin and end of each key's run. The
    rarest token of a key says its part.
    """
    keys, owners = [], []
    for prefix in np.unique(prefixes[chosen]):
        rows = chosen[prefixes[chosen] == prefix]
        grid = sets.tokens[sets.starts[rows][:, None] + np.arange(prefix)]
        picks = np.array(list(combinations(range(int(prefix)), KEY_TOKENS)))
        for lowest in range(int(prefix) - KEY_TOKENS + 1):
            here = np.flatnonzero(grid[:, lowest] % parts == part)
            second, third = picks[picks[:, 0] == lowest][:, 1:].T
            inside = grid[here]
            key = (inside[:, lowest, None] << (2 * TOKEN_BITS)) | (inside[:, second] << TOKEN_BITS) | inside[:, third]
            keys.append(key.ravel())
            owners.append(np.repeat(rows[here], len(second)))
    key, owner = np.concatenate(keys), np.concatenate(owners)
    order = np.argsort(key)
    key, owner = key[order], owner[order]
    ends = np.flatnonzero(np.concatenate((key[1:] != key[:-1], np.ones(min(len(key), 1), dtype=np.bool_)))) + 1
    return owner, np.concatenate((np.zeros(min(len(ends), 1), dtype=np.int64), ends[:-1])), ends


def _run_pairs(owner: Numbers, begins: Numbers, ends: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """All pairs within each run of equal keys, in blocks."""
    lengths = ends - begins
    ones: list[Numbers] = []
    others: list[Numbers] = []
    held = 0
    twos = begins[lengths == 2]
    if len(twos):
        yield owner[twos], owner[twos + 1]
    for begin, end in zip(begins[lengths > 2].tolist(), ends[lengths > 2].tolist(), strict=True):
        members = owner[begin:end]
        for place in range(1, end - begin):
            ones.append(members[:place])
            others.append(np.full(place, members[place]))
            held += place
            if held >= BLOCK_PAIRS:
                yield np.concatenate(ones), np.concatenate(others)
                ones, others, held = [], [], 0
    if held:
        yield np.concatenate(ones), np.concatenate(others)


def _is_near(sets: _TokenSets, pair: tuple[int, int], threshold: float, cache: dict[int, frozenset[int]]) -> bool:
    one, other = (cache.get(index) or cache.setdefault(index, frozenset(sets.of(index))) for index in pair)
    return len(one & other) >= _least_common(len(one), len(other), threshold)


def _by_postings(
    sets: _TokenSets, chosen: Numbers, keyed: NDArray[np.bool_], threshold: float
) -> Iterator[tuple[int, int]]:
    """Pairs among ``chosen`` of which at least one text is not ``keyed``, through postings of single prefix tokens."""
    postings: dict[int, list[tuple[int, int]]] = defaultdict(list)
    numbers: dict[int, frozenset[int]] = {}
    sizes = sets.sizes
    for index in sorted(chosen.tolist(), key=lambda item: (int(sizes[item]), item)):
        tokens = sets.of(index)
        numbers[index] = frozenset(tokens)
        size = len(tokens)
        smallest = ceil(threshold * size - SMALL)
        seen: set[int] = set()
        for place in range(size - smallest + 1):
            posted = postings[tokens[place]]
            for other, at in posted:
                if other in seen or (keyed[index] and keyed[other]):
                    continue
                other_size = len(numbers[other])
                needed = _least_common(size, other_size, threshold)
                if other_size < smallest or 1 + min(size - place - 1, other_size - at - 1) + min(place, at) < needed:
                    continue
                seen.add(other)
                if len(numbers[index] & numbers[other]) >= needed:
                    yield (other, index) if other < index else (index, other)
            posted.append((index, place))
