"""Ranked lexical search over the catalogue: BM25 on words and CJK bigrams (data-line 5.4, *Search*).

The library builds the weights of every (token, leaf) pair; scoring is the sparse product of query and index, done
for many queries at once. Scores are integers of 1e-4 before they are ordered, so that the order never hangs on the
last bit of a sum.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from autoresearch.standards.text import REDACTED, comparison_form
from autoresearch.task.catalogue import Catalogue, Entry
from autoresearch.task.lexical import import_bm25s

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from autoresearch.standards.corpus import Corpus
    from autoresearch.standards.registry import LeafRegistry

TOP_K = 5
K1, B = 1.5, 0.75
NAME_WEIGHT, DESCRIPTION_WEIGHT, TABLE_WEIGHT = 2.0, 2.0, 1.0
EXACT_NAME_BONUS = 100.0
SCALE = 10_000
CHUNK = 512
MOST_LATEST = 4_096
_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f\u3040-\u30ff\uac00-\ud7af"
_RUN = re.compile(rf"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[{_CJK}]+|[^\W\x00-\x7f{_CJK}]+")
_CJK_START = re.compile(f"[{_CJK}]")


class Query(NamedTuple):
    """What a field is searched by."""

    field_name: str
    table_name: str = ""
    field_description: str = ""


class Hit(NamedTuple):
    """One found leaf; ``score`` is rounded to four decimals."""

    category_id: str
    choice_id: str
    score: float


class Best(NamedTuple):
    """What a bundle needs of a search: at most five category ids, best first, and whether the gold is one of them."""

    category_ids: tuple[str, ...]
    recalled: bool


@dataclass(frozen=True)
class Ranked:
    """The unscoped search of one record, seen from its gold leaf."""

    hits: tuple[Hit, ...]
    """At most five, best first."""
    rank: int | None
    """1-based rank of the gold, None if its score is zero."""
    margin: float | None
    """(s1 − s2) / s1 to four decimals; 1.0 with one hit, None with none."""


@lru_cache(maxsize=65_536)
def tokens(text: str) -> tuple[str, ...]:
    """Tokens of a text: ASCII runs cut at ``_``, digits and camelCase, case-folded; CJK runs as character bigrams."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for run in _RUN.findall(text):
        found += _run_tokens(run)
    return tuple(found)


def _run_tokens(run: str) -> Iterable[str]:
    """The tokens of one run."""
    if run.isascii() or not _CJK_START.match(run):
        return (run.casefold(),)
    return (run,) if len(run) == 1 else map(add, run, run[1:])


def _document(entry: Entry) -> list[str]:
    strong = tokens(" ".join((entry.name, entry.leaf_name, *entry.path)).replace(REDACTED, " "))
    middle = tokens(entry.description.replace(REDACTED, " "))
    weak = tokens("\n".join((*entry.descriptions, *entry.examples)).replace(REDACTED, " "))
    return [*strong * 3, *middle * 2, *weak]


class SearchIndex:
    """One index over one registry and its corpus. Pure: equal arguments give equal hits in any process."""

    def __init__(self, registry: LeafRegistry, corpus: Corpus, catalogue: Catalogue | None = None) -> None:
        self.catalogue = catalogue or Catalogue(registry, corpus)
        self._size = len(self.catalogue)
        documents = [_document(entry) for entry in self.catalogue.entries]
        self._vocabulary = {token: position for position, token in enumerate(sorted({t for d in documents for t in d}))}
        self._postings = self._weigh(documents)
        self._named: dict[str, list[int]] = {}
        for entry in self.catalogue.entries:
            self._named.setdefault(comparison_form(entry.leaf_name), []).append(entry.index)
        self._names = [entry.category_id for entry in reversed(self.catalogue.entries)]
        self._latest: dict[tuple[str, str, str], tuple[str, ...]] = {}
        self._known: dict[str, list[int]] = {}
        self._words: dict[str, list[int]] = {}
        self._scoped: dict[str, NDArray[np.bool_]] = {}

    def search(
        self,
        field_name: str,
        table_name: str = "",
        field_description: str = "",
        scope: str | None = None,
        top_k: int = TOP_K,
    ) -> list[Hit]:
        """The best ``top_k`` leaves, inside the scope key if one is given. Raises ``KeyError`` for an unknown scope
        key.
        """
        keys = self._keys([Query(field_name, table_name, field_description)])
        if scope is not None:
            keys = keys * self._mask(scope)
        return self._hits(keys, top_k)[0]

    def search_many(self, queries: Iterable[tuple[str, str, str]], top_k: int = TOP_K) -> list[list[Hit]]:
        """``search`` without scope for many (field_name, table_name, field_description) at once, in their order."""
        return [hits for keys in self._chunks(queries) for hits in self._hits(keys, top_k)]

    def places_many(self, queries: Iterable[tuple[str, str, str]], top_k: int = TOP_K) -> list[list[int]]:
        """``search_many`` as places in the catalogue alone."""
        last = self._size - 1
        return [
            [last - key % self._size for key in row if key]
            for keys in self._chunks(queries)
            for row in self._best(keys, top_k)
        ]

    def best_many(self, queries: Iterable[tuple[str, str, str]], gold: Sequence[str]) -> list[Best]:
        """The five best leaves of each query and whether they hold its gold. Raises as ``rank_many``.

        The answers to the latest queries are kept: bundles and their counts ask for the same ones.
        """
        asked = list(queries)
        if len(asked) != len(gold):
            raise ValueError("as many gold categories as queries")
        for category_id in dict.fromkeys(gold):
            self.catalogue.by_category(category_id)
        if len(self._latest) > MOST_LATEST:
            self._latest = {}
        latest, size, names = self._latest, self._size, self._names
        new = [query for query in dict.fromkeys(asked) if query not in latest]
        rows = (row for keys in self._chunks(new) for row in self._best(keys, TOP_K))
        for query, row in zip(new, rows, strict=True):
            latest[query] = tuple([names[key % size] for key in row if key])
        found = map(latest.__getitem__, asked)
        return [Best(ids, truth in ids) for ids, truth in zip(found, gold, strict=True)]

    def rank_many(self, queries: Iterable[tuple[str, str, str]], gold: Sequence[str]) -> list[Ranked]:
        """The hits of each query with the rank and margin of its gold category (data-line 6.2).

        Raises ``KeyError`` for a gold that is not in the registry, ``ValueError`` for unequal lengths.
        """
        queries = list(queries)
        if len(queries) != len(gold):
            raise ValueError("as many gold categories as queries")
        places = [self.catalogue.by_category(category_id).index for category_id in gold]
        ranked: list[Ranked] = []
        for keys in self._chunks(queries):
            own = keys[range(len(keys)), places[len(ranked) : len(ranked) + len(keys)]][:, None]
            ranks = ((keys > own).sum(axis=1) + 1) * (own[:, 0] > 0)
            for rank, hits in zip(ranks.tolist(), self._hits(keys, TOP_K), strict=True):
                ranked.append(Ranked(tuple(hits), rank or None, margin(hits)))
        return ranked

    def _weigh(self, documents: list[list[str]]) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        model = import_bm25s().BM25(method="lucene", k1=K1, b=B, backend="numpy", csc_backend="numpy")
        ids = [[self._vocabulary[token] for token in document] for document in documents]
        built = model.build_index_from_ids(list(range(len(self._vocabulary))), ids, show_progress=False)
        return (
            np.asarray(built["data"], dtype=np.float64),
            np.asarray(built["indices"], dtype=np.int64),
            np.asarray(built["indptr"], dtype=np.int64),
        )

    def _chunks(self, queries: Iterable[tuple[str, str, str]]) -> Iterable[NDArray[np.int64]]:
        asked = list(queries)
        for start in range(0, len(asked), CHUNK):
            yield self._keys(asked[start : start + CHUNK])

    def _keys(self, queries: Sequence[tuple[str, str, str]]) -> NDArray[np.int64]:
        """Ordering keys, shape (queries, leaves): score in 1e-4 times leaves, plus the place from the end; 0 for no
        match.
        """
        import numpy as np

        scores = self._scores(queries)
        scores *= SCALE
        units = np.rint(scores, out=scores).astype(np.int64)
        places = np.arange(self._size - 1, -1, -1, dtype=np.int64)
        return np.where(units > 0, units * self._size + places, 0)

    def _scores(self, queries: Sequence[tuple[str, str, str]]) -> NDArray[np.float64]:
        import numpy as np

        data, leaves, starts = self._postings
        terms: list[int] = []
        lengths: list[int] = []
        for field_name, table_name, field_description in queries:
            for text in (field_description, field_name, table_name):
                known = self._terms(text)
                terms += known
                lengths.append(len(known))
        term = np.asarray(terms, dtype=np.int64)
        row_starts = np.repeat(np.arange(len(queries), dtype=np.int64) * self._size, 3)
        weights = np.tile((DESCRIPTION_WEIGHT, NAME_WEIGHT, TABLE_WEIGHT), len(queries))
        first = starts[term]
        counts = starts[term + 1] - first
        which = np.repeat(np.arange(len(terms)), counts)  # the term of each posting
        where = np.arange(len(which)) + (first - np.cumsum(counts) + counts)[which]
        cells = np.repeat(row_starts, lengths)[which] + leaves[where]
        values = np.repeat(weights, lengths)[which] * data[where]
        flat = np.bincount(cells, weights=values, minlength=len(queries) * self._size)
        scores: NDArray[np.float64] = flat.astype(np.float64, copy=False).reshape(len(queries), self._size)
        for row, (field_name, _, field_description) in enumerate(queries):
            for place in self._exact(field_name, field_description):
                scores[row, place] += EXACT_NAME_BONUS
        return scores

    def _terms(self, text: str) -> list[int]:
        """The places of the tokens of a text in the vocabulary; those of the latest texts and words are kept."""
        known = self._known.get(text)
        if known is None:
            words, known = self._words, []
            for word in (text if text.isascii() else unicodedata.normalize("NFKC", text)).split("_"):
                places = words.get(word)
                known += self._word(word) if places is None else places
            if len(self._known) >= MOST_LATEST:
                self._known = {}
            self._known[text] = known
        return known

    def _word(self, word: str) -> list[int]:
        """``_terms`` of a normal text without ``_``, where every run ends."""
        if len(self._words) >= MOST_LATEST:
            self._words = {}
        place = self._vocabulary.get
        found = self._words[word] = [
            known for run in _RUN.findall(word) for token in _run_tokens(run) if (known := place(token)) is not None
        ]
        return found

    def _exact(self, field_name: str, field_description: str) -> set[int]:
        named, found = self._named, set[int]()
        for text in (field_name, field_description):
            form = comparison_form(text)
            if form in named and form:
                found.update(named[form])
        return found

    def _best(self, keys: NDArray[np.int64], top_k: int) -> list[list[int]]:
        """The highest keys of each row, best first."""
        import numpy as np

        if top_k < self._size:
            keys = np.partition(keys, self._size - top_k, axis=1)[:, self._size - top_k :]
        best: list[list[int]] = (-np.sort(-keys, axis=1)).tolist()
        return best

    def _hits(self, keys: NDArray[np.int64], top_k: int) -> list[list[Hit]]:
        return [[self._hit(key) for key in row if key] for row in self._best(keys, top_k)]

    def _hit(self, key: int) -> Hit:
        units, place = divmod(key, self._size)
        entry = self.catalogue.entries[self._size - 1 - place]
        return Hit(entry.category_id, entry.choice_id, units / SCALE)

    def _mask(self, scope: str) -> NDArray[np.bool_]:
        import numpy as np

        if scope not in self._scoped:
            inside = {entry.index for entry in self.catalogue.members(scope)}
            self._scoped[scope] = np.array([index in inside for index in range(self._size)], dtype=np.bool_)
        return self._scoped[scope]


def margin(hits: Sequence[Hit]) -> float | None:
    """(s1 − s2) / s1 of ordered hits, four decimals; 1.0 with one hit, None with none (data-line 6.2)."""
    if not hits:
        return None
    if len(hits) == 1:
        return 1.0
    return round((hits[0].score - hits[1].score) / hits[0].score, 4)
