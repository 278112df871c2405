"""The floor without training: search over the catalogue joined with the nearest labelled fields (training 10.4).

Three rankings of leaves are joined by reciprocal rank: the search of data-line 5.4, the labelled fields nearest by BM25
on name and description, and those nearest by the spelling of the name. No torch; fields are answered in chunks, so that
memory does not grow with their number.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import TYPE_CHECKING, Any

from autoresearch.standards.text import comparison_form
from autoresearch.task.lexical import import_bm25s
from autoresearch.task.retrieval import K1, B, Hit, tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from autoresearch.task.assets import TaskAssets

RRF_K = 60
"""The constant of reciprocal rank fusion: a list adds 1 / (k + rank)."""
CATALOGUE_HITS = 20
NEIGHBOURS = 20
NAME_SIMILARITY = 70.0
"""Spellings below this ratio (0 to 100) are no neighbours."""
LEVEL_NEIGHBOURS = 5
CANDIDATES = 5
CHUNK = 512
MOST_CELLS = 1 << 21
"""Names compared at a time: distinct queries times distinct labelled names."""
MOST_NAMES = 32_768
"""Distinct names whose neighbours are kept, about 300 bytes each."""
MOST_TEXTS = 4_096
"""Texts whose tokens are kept."""
_tokens = tokens.__wrapped__  # a cache of all texts of an input would grow with it
RANK_WEIGHTS = tuple(1 / (RRF_K + rank) for rank in range(1, 4 * NEIGHBOURS + 1))


@dataclass(frozen=True, slots=True)
class LabelledField:
    """A field whose leaf is known; ``level`` is ``""`` where it is not. ``identity`` keeps a field out of its own
    neighbours.
    """

    field_name: str
    table_name: str
    field_description: str
    category_id: str
    level: str = ""
    identity: str = ""


@dataclass(frozen=True, slots=True)
class BaselineAnswer:
    """What the baseline says of one field; ids are None where nothing was found, ``level`` where nobody knows."""

    category_id: str | None = None
    level: str | None = None
    margin: float | None = None
    """(s1 − s2) / s1 of the joined scores, of the catalogue's own scores without labelled fields; 1.0 with one leaf."""
    second: str | None = None
    candidates: tuple[str, ...] = ()
    """Up to five leaves, best first."""
    nearest: LabelledField | None = None
    """The nearest labelled field of the answered leaf."""


class RetrievalBaseline:
    """Built once for a catalogue and a set of labelled fields (which may be empty).

    Labelled fields of categories outside the registry raise ``KeyError``.
    """

    def __init__(self, assets: TaskAssets, labelled: Sequence[LabelledField] = ()) -> None:
        for item in labelled:
            assets.registry.leaf(item.category_id)
        self.assets = assets
        self.labelled = tuple(labelled)
        self.level_counts: dict[str, Counter[str]] = defaultdict(Counter)
        for item in labelled:
            if item.level:
                self.level_counts[item.category_id][item.level] += 1
        self.category_counts = Counter(item.category_id for item in labelled)
        self._categories = [leaf.category_id for leaf in assets.registry.leaves]
        places = {category_id: place for place, category_id in enumerate(self._categories)}
        self._leaf_of = [places[item.category_id] for item in self.labelled]
        self._index = _FieldIndex(self.labelled) if labelled else None
        self._spelling = _NameIndex(self.labelled) if labelled else None

    def common_level(self, category_id: str | None) -> str | None:
        """The most frequent level of a leaf among the labelled fields, ties to the higher level; None without one."""
        counts = self.level_counts.get(category_id or "")
        if not counts:
            return None
        rank = {level: number for number, level in enumerate(self.assets.levels)}
        return max(counts, key=lambda level: (counts[level], rank.get(level, -1), level))

    def answer_many(self, fields: Sequence[Mapping[str, str]], identities: Sequence[str] = ()) -> list[BaselineAnswer]:
        """Answer fields given by ``field_name``, ``table_name`` and ``field_description``, in their order.

        ``identities`` (as many, or none) name fields that may stand among the labelled ones: a field never answers
        for itself.
        """
        return list(self.answers(fields, identities))

    def answers(self, fields: Sequence[Mapping[str, str]], identities: Sequence[str] = ()) -> Iterator[BaselineAnswer]:
        """``answer_many`` as an iterator that works in chunks."""
        names = list(identities) or [""] * len(fields)
        for start in range(0, len(fields), CHUNK):
            chunk = fields[start : start + CHUNK]
            queries = [
                (item["field_name"], item.get("table_name", ""), item.get("field_description", "")) for item in chunk
            ]
            if self._index is None or self._spelling is None:
                hits = self.assets.index.search_many(queries, top_k=CANDIDATES)
                yield from (_of_hits(found) for found in hits)
                continue
            leaves = self.assets.index.places_many(queries, top_k=CATALOGUE_HITS)
            texts = self._index.nearest(queries, names[start : start + CHUNK])
            spelled = self._spelling.nearest(queries, names[start : start + CHUNK])
            for found, by_text, by_name in zip(leaves, texts, spelled, strict=True):
                yield self._join(found, by_text, by_name)

    def _join(self, found: Sequence[int], by_text: Sequence[int], by_name: Sequence[int]) -> BaselineAnswer:
        """``found`` are places of leaves, the others places of labelled fields, each best first."""
        leaf_of = self._leaf_of
        scores: dict[int, float] = dict(zip(found, RANK_WEIGHTS, strict=False))
        for neighbours in (by_text, by_name):
            leaves = dict.fromkeys([leaf_of[number] for number in neighbours])
            for place, weight in zip(leaves, RANK_WEIGHTS, strict=False):
                scores[place] = scores.get(place, 0.0) + weight
        if not scores:
            return BaselineAnswer()
        order = _first(scores, CANDIDATES)
        best = self._categories[order[0]]
        near = [self.labelled[number] for number in dict.fromkeys([*by_text, *by_name])]
        first = scores[order[0]]
        return BaselineAnswer(
            best,
            self.common_level(best) or _level_of_neighbours(near),
            1.0 if len(order) == 1 else round((first - scores[order[1]]) / first, 4),
            self._categories[order[1]] if len(order) > 1 else None,
            tuple([self._categories[place] for place in order]),
            next((item for item in near if item.category_id == best), None),
        )


def _first(scores: Mapping[int, float], count: int) -> list[int]:
    """The places with the highest scores, best first; scores equal to nine decimals go by place."""
    if len(scores) > count:
        least = nlargest(count, scores.values())[-1] - 2e-9
        near = [(-round(score, 9), place) for place, score in scores.items() if score >= least]
    else:
        near = [(-round(score, 9), place) for place, score in scores.items()]
    return [place for _, place in sorted(near)[:count]]


def _of_hits(hits: Sequence[Hit]) -> BaselineAnswer:
    """Without labelled fields there is one ranking; its scores say more than its ranks, the level is nobody's."""
    from autoresearch.task.retrieval import margin

    if not hits:
        return BaselineAnswer()
    ids = tuple(hit.category_id for hit in hits)
    return BaselineAnswer(ids[0], None, margin(hits[:2]), ids[1] if len(ids) > 1 else None, ids[:5])


def _level_of_neighbours(near: Sequence[LabelledField]) -> str | None:
    levels = Counter(item.level for item in near[:LEVEL_NEIGHBOURS] if item.level)
    return max(sorted(levels), key=lambda level: levels[level]) if levels else None


class _FieldIndex:
    """BM25 over name and description of the labelled fields."""

    def __init__(self, labelled: Sequence[LabelledField]) -> None:
        self._identities = _places_by_identity(labelled)
        documents = [[*_tokens(item.field_name), *_tokens(item.field_description)] for item in labelled]
        self._vocabulary = {token: place for place, token in enumerate(sorted({t for d in documents for t in d}))}
        self._size = len(documents)
        self._model: Any = import_bm25s().BM25(method="lucene", k1=K1, b=B, backend="numpy", csc_backend="numpy")
        ids = [[self._vocabulary[token] for token in document] for document in documents]
        self._model.index((ids, self._vocabulary), show_progress=False, create_empty_token=False)
        self._known: dict[str, list[int]] = {}

    def nearest(self, queries: Sequence[tuple[str, str, str]], identities: Sequence[str]) -> list[list[int]]:
        """Places of the nearest labelled fields of each query, best first; zero scores are left out."""
        return [
            self._one(name, description, identity)
            for (name, _, description), identity in zip(queries, identities, strict=True)
        ]

    def _one(self, name: str, description: str, identity: str) -> list[int]:
        known = [*self._terms(name), *self._terms(description)]
        if not known:
            return []
        scores = self._model.get_scores_from_ids(known)
        scores[self._identities.get(identity, [])] = 0.0
        best: list[int] = _best(scores, NEIGHBOURS).tolist()
        return best

    def _terms(self, text: str) -> list[int]:
        """The places of the tokens of a text in the vocabulary; those of the latest texts are kept."""
        known = self._known.get(text)
        if known is None:
            if len(self._known) >= MOST_TEXTS:
                self._known = {}
            known = self._known[text] = [self._vocabulary[t] for t in _tokens(text) if t in self._vocabulary]
        return known


class _NameIndex:
    """The distinct spellings of the labelled names."""

    def __init__(self, labelled: Sequence[LabelledField]) -> None:
        self._identities = _places_by_identity(labelled)
        places: dict[str, list[int]] = defaultdict(list)
        for place, item in enumerate(labelled):
            places[comparison_form(item.field_name)].append(place)
        self._names, self._places = list(places), list(places.values())
        self._similar: dict[str, NDArray[np.int32]] = {}
        """Form → numbers of the names that are spelled most alike, best first."""

    def nearest(self, queries: Sequence[tuple[str, str, str]], identities: Sequence[str]) -> list[list[int]]:
        """Places of the labelled fields whose names are spelled most alike, best first."""
        forms = [comparison_form(name) for name, _, _ in queries]
        if len(self._similar) > MOST_NAMES:
            self._similar = {}
        new = [form for form in dict.fromkeys(forms) if form not in self._similar]
        rows = max(1, MOST_CELLS // len(self._names))
        for start in range(0, len(new), rows):
            self._similar.update(self._find(new[start : start + rows]))
        found = []
        for form, identity in zip(forms, identities, strict=True):
            own = self._identities.get(identity, ())
            places = [place for number in self._similar[form].tolist() for place in self._places[number]]
            found.append([place for place in places[: NEIGHBOURS * 4] if place not in own][:NEIGHBOURS])
        return found

    def _find(self, forms: Sequence[str]) -> dict[str, NDArray[np.int32]]:
        import numpy as np
        from rapidfuzz import fuzz, process

        alike = process.cdist(
            forms, self._names, scorer=fuzz.ratio, score_cutoff=NAME_SIMILARITY, dtype=np.float32, processor=None
        )
        return {form: _best(scores, NEIGHBOURS).astype(np.int32) for form, scores in zip(forms, alike, strict=True)}


def _places_by_identity(labelled: Sequence[LabelledField]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, item in enumerate(labelled):
        if item.identity:
            places[item.identity].append(place)
    return dict(places)


def _best(scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """Places of the highest positive scores, best first, ties to the earlier place."""
    import numpy as np

    places = np.flatnonzero(scores > 0)
    found = scores[places]
    if len(found) > count:  # far fewer than all: most fields share no token
        kept = found >= np.partition(found, len(found) - count)[len(found) - count]
        places, found = places[kept], found[kept]
    best: NDArray[np.int64] = places[np.argsort(-found, kind="stable")][:count]
    return best
