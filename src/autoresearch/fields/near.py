"""Near-duplicates: all pairs of texts whose character trigrams overlap enough (data-line.md 8.3).

An exact set-similarity join: a pair with Jaccard >= t shares a token among the first ``size - ceil(t * size) + 1`` of
each set when tokens
are ordered by rarity, and its sizes differ by at most the factor t. Only pairs that pass both are compared. No
sampling.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil

SMALL = 1e-9


def trigrams(text: str) -> frozenset[str]:
    """Character trigrams of a text; a shorter text is its own only token."""
    if len(text) < 3:
        return frozenset((text,))
    return frozenset(text[index : index + 3] for index in range(len(text) - 2))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of common tokens, 0 to 1."""
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def near_pairs(texts: Sequence[str], threshold: float) -> Iterator[tuple[int, int]]:
    """Every pair (i, j), i before j in the order of sizes, of different ``texts`` with Jaccard >= ``threshold``.

    ``texts`` must be distinct; equal ones are the caller's exact duplicates. ``threshold`` is above 0 and at most 1.
    """
    sets = [trigrams(text) for text in texts]
    frequency: Counter[str] = Counter(token for tokens in sets for token in tokens)
    rank = {token: place for place, token in enumerate(sorted(frequency, key=lambda token: (frequency[token], token)))}
    ordered = [sorted(rank[token] for token in tokens) for tokens in sets]
    postings: dict[int, list[tuple[int, int]]] = defaultdict(list)
    numbers = [frozenset(tokens) for tokens in ordered]
    for index in sorted(range(len(texts)), key=lambda position: (len(ordered[position]), position)):
        tokens = ordered[index]
        size = len(tokens)
        smallest = ceil(threshold * size - SMALL)
        seen: set[int] = set()
        for place in range(size - smallest + 1):
            token = tokens[place]
            posted = postings[token]
            for other, at in posted:
                other_size = len(ordered[other])
                if other in seen or other_size < smallest:
                    continue
                needed = ceil(threshold / (1 + threshold) * (size + other_size) - SMALL)
                if 1 + min(size - place - 1, other_size - at - 1) + min(place, at) < needed:
                    continue
                seen.add(other)
                if len(numbers[index] & numbers[other]) >= needed:
                    yield (other, index)
            posted.append((index, place))
