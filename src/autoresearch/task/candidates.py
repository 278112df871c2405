"""Candidate bundles of the two-stage line: five leaves, gold among them, in an order drawn from the source id
(data-line 5.5).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from autoresearch.task.retrieval import Best, Query

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets

BUNDLE = 5
CandidatePolicy = Literal["hard_negatives", "gold_first4"]
Item = TypeVar("Item")


class Source(NamedTuple):
    """What a bundle is made from."""

    source_id: str
    gold: str
    """Category id."""
    metadata: Mapping[str, str]


def presented_order(source_id: str, base: Sequence[Item]) -> list[Item]:
    """Fisher–Yates from the last index down to 1, swap index ``digest[i mod 32] mod (i + 1)``, digest = sha256(source
    id).
    """
    digest = hashlib.sha256(source_id.encode("utf-8")).digest()
    order = list(base)
    for place in range(len(order) - 1, 0, -1):
        swap = digest[place % len(digest)] % (place + 1)
        order[place], order[swap] = order[swap], order[place]
    return order


def visible_query(metadata: Mapping[str, str], fields: Sequence[str]) -> Query:
    """The search of a record's visible metadata: fields that are not configured, or absent, count as empty."""
    get = metadata.get
    return Query(
        (get("field_name") or "") if "field_name" in fields else "",
        (get("table_name") or "") if "table_name" in fields else "",
        (get("field_description") or "") if "field_description" in fields else "",
    )


def search_of(assets: TaskAssets, sources: Sequence[Source]) -> list[Best]:
    """The search of each source's visible metadata. Raises ``KeyError`` for an unknown gold."""
    queries = [visible_query(source.metadata, assets.fields) for source in sources]
    return assets.index.best_many(queries, [source.gold for source in sources])


def candidate_bundles(
    assets: TaskAssets, policy: CandidatePolicy, sources: Sequence[Source], found: Sequence[Best] | None = None
) -> list[list[str]]:
    """The five category ids of each source in presented order.

    ``hard_negatives``: the first four that search finds for the visible metadata, gold left out; if fewer, those
    found for the gold's own name and description; then registry order. ``gold_first4``: the first four other leaves.
    ``found`` is ``search_of`` of the sources, where it was made already. Raises ``KeyError`` for an unknown gold.
    """
    order = [leaf.category_id for leaf in assets.registry.leaves]
    if policy == "gold_first4":
        others: Iterable[Sequence[str]] = repeat((), len(sources))
    else:
        others = (best.category_ids for best in (search_of(assets, sources) if found is None else found))
    bundles = []
    for source, first in zip(sources, others, strict=True):
        assets.registry.leaf(source.gold)
        base = _fill(source.gold, first)
        if len(base) < BUNDLE and policy == "hard_negatives":
            base = _fill(source.gold, chain(base[1:], _near_gold(assets, source.gold)))
        if len(base) < BUNDLE:
            base = _fill(source.gold, chain(base[1:], order))
        bundles.append(presented_order(source.source_id, base))
    return bundles


def _fill(gold: str, others: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(chain((gold,), others)))[:BUNDLE]


@lru_cache(maxsize=8_192)
def _near_gold(assets: TaskAssets, gold: str) -> tuple[str, ...]:
    entry = assets.catalogue.by_category(gold)
    hits = assets.index.search(entry.leaf_name, "", entry.description, top_k=2 * BUNDLE)
    return tuple(hit.category_id for hit in hits)
