"""Row checks of three-message rows and their mixture (7.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from autoresearch.releases.bundles import bundles_of
from autoresearch.releases.columns import RowBatch
from autoresearch.releases.episode_rows import SOURCE_HASH_CHARACTERS, STAGE1, STAGE2, mixture_order
from autoresearch.releases.judgement import Place
from autoresearch.releases.pair_columns import STAGES, PairColumns
from autoresearch.releases.row_checks import SHARED_ROW_CODES, RowContext, at
from autoresearch.releases.three_message_rows import (
    ROLES,
    StageTexts,
    messages_array,
    pair_texts,
    stage_messages,
    stage_texts,
)
from autoresearch.releases.values import values_of
from autoresearch.standards.registry import Leaf
from autoresearch.standards.text import control_token
from autoresearch.task.answers import parse_stage1, parse_stage2
from autoresearch.task.candidates import BUNDLE, candidate_bundles
from autoresearch.task.candidates import Source as BundleSource
from autoresearch.task.prompts import metadata_json, stage1_beginning

Examined = tuple[Place, Mapping[str, Any], Leaf, Any]
"""A row, its gold, and its messages unless they are known to be those of a fresh build."""


class ThreeMessageChecks:
    """R030 to R038, and for the mixture R093 and R099."""

    apart: str | None = "messages"

    def __init__(self, context: RowContext) -> None:
        self.context = context
        self.mixture = context.header.family == "sft-mixture"
        further = ("R038", "R093", "R099") if self.mixture else ()
        self.codes: tuple[str, ...] = (*SHARED_ROW_CODES, *(f"R03{number}" for number in range(8)), *further)
        self._pairs: dict[tuple[str, str], dict[str, tuple[Any, ...]]] = {}
        self._last: dict[str, str] = {}
        self._fine: tuple[Any, Leaf | None] = (None, None)
        self._catalogue = stage1_beginning(context.assets)
        self._shared: dict[tuple[str, str], tuple[bool, tuple[str, ...]]] = {}
        if context.header.enable_thinking:
            context.judgement.add("R037", "header", "thinking is on in a family whose rows hold no reasoning")

    def check(self, split: str, first_row: int, batch: RowBatch) -> None:
        """Judge consecutive rows; their bundles are made together.

        The messages are made again from the other columns and compared as Arrow arrays. Where they are equal nothing
        is left to say about their texts; the others are decoded and judged row by row. A batch of whole pairs in which
        nothing else is wrong either needs no look at a single row.
        """
        made = self._pairs_made(split, batch.pairs)
        unlike = None if made is None else _unlike(batch, made)
        if unlike is not None and not unlike:
            self._remember(split, batch.pairs)
            return
        rows: Sequence[Mapping[str, Any]] = batch.facts
        places = [Place(split, number, str(row["source_id"])) for number, row in enumerate(rows, first_row)]
        leaves = [self._facts(place, row) for place, row in zip(places, rows, strict=True)]
        if unlike is None:
            unlike = _unlike(batch, self._rows_made(rows, leaves))
        examined: list[Examined] = []
        for offset, (place, row, leaf) in enumerate(zip(places, rows, leaves, strict=True)):
            as_made = offset not in unlike
            shaped = as_made or (row["stage"] in STAGES and self.context.roles(place, unlike[offset], ROLES))
            if shaped and leaf is not None and self._source(place, row, leaf):
                examined.append((place, row, leaf, None if as_made else unlike[offset]))
        self._bundles(examined)
        for place, row, leaf, messages in examined:
            if messages is not None:
                self._texts(place, row, leaf, messages)

    def finish(self) -> None:
        """R035, R036: each source has both stages, and they agree."""
        for (split, source_id), stages in self._pairs.items():
            place = Place(split, None, source_id)
            if set(stages) != set(STAGES):
                self.context.add("R035", place, f"has only {', '.join(sorted(stages))}")
            elif stages[STAGE1] != stages[STAGE2]:
                self.context.add("R036", place, "the two rows disagree on truth, level, candidates or metadata")

    def _facts(self, place: Place, row: Mapping[str, Any]) -> Leaf | None:
        """The gold of a row whose stage, id, truth and metadata are fine."""
        context = self.context
        stage = row["stage"]
        if stage not in STAGES:
            context.add("R030", place, f"stage {stage!r} is not stage1 or stage2")
            return None
        known = context.source(place, stage, row["source_id"])
        leaf = context.truth(place, row["ground_truth"], row["ground_truth_level"])
        return leaf if context.metadata(place, row["metadata"]) and known else None

    def _pairs_made(self, split: str, pairs: PairColumns | None) -> list[StageTexts] | None:
        """The texts of all rows, made again; None unless their sources are new and nothing is wrong with truths,
        levels, metadata, candidates or these texts.
        """
        context, policy = self.context, self.context.header.candidate_policy
        if self.mixture or pairs is None or policy is None or list(pairs.fields) != context.fields:
            return None
        ids = {subject.source_id for subject in pairs.subjects}
        known = context.tally.sources[split].values()
        if len(ids) < len(pairs.subjects) or not all(map(str.strip, ids)) or not all(map(ids.isdisjoint, known)):
            return None
        if not set(pairs.levels) <= (context.levels if context.header.graded else {None}):
            return None
        registry = context.assets.registry
        leaves = {subject.gold: registry.get(subject.gold) for subject in pairs.subjects}
        if any(leaf is None for leaf in leaves.values()):
            return None
        if pairs.candidates != candidate_bundles(context.assets, policy, pairs.subjects, pairs.search(context.assets)):
            return None
        texts: list[StageTexts] = []
        for subject, level, bundle in zip(pairs.subjects, pairs.levels, pairs.candidates, strict=True):
            made = pair_texts(context.assets, bundle, subject.metadata, subject.gold, level)
            leaf = leaves[subject.gold]
            if leaf is None or not all(self._clean(item, leaf) for item in made):
                return None
            texts += made
        return texts

    def _remember(self, split: str, pairs: PairColumns | None) -> None:
        """Count sources in which nothing is wrong; both rows of each were there."""
        assert pairs is not None
        for stage in STAGES:
            stood = self.context.tally.sources[split].setdefault(stage, set())
            stood.update(subject.source_id for subject in pairs.subjects)
        golds = (subject.gold for subject in pairs.subjects)
        self.context.tally.labels[split].update(zip(golds, pairs.levels, strict=True))

    def _rows_made(
        self, rows: Sequence[Mapping[str, Any]], leaves: Sequence[Leaf | None]
    ) -> Iterator[StageTexts | None]:
        """The texts of each row, made again; None where they cannot be, or a text check speaks against them."""
        metadata: Mapping[str, str] = {}
        shown = ""
        for row, leaf in zip(rows, leaves, strict=True):
            candidates = row["candidates"]
            if leaf is None or not self._five(candidates, leaf):
                yield None
                continue
            if row["metadata"] != metadata:
                metadata, shown = row["metadata"], metadata_json(row["metadata"], self.context.assets.fields)
            level = row["ground_truth_level"]
            made = stage_texts(self.context.assets, row["stage"], candidates, shown, leaf.category_id, level)
            yield made if self._clean(made, leaf) else None

    def _clean(self, made: StageTexts, leaf: Leaf) -> bool:
        """R023 and R029 of a fresh build; false also where a control token could begin in the shared part."""
        system, beginning, rest, target = made
        shared = self._shared.get((system, beginning))
        if shared is None:
            free = "<|" not in beginning and control_token(system) is None and control_token(beginning) is None
            shared = self._shared[system, beginning] = (free, self.context.leaks.in_system(system))
        free, ids = shared
        return (
            free
            and ("<" not in rest or control_token(rest) is None)
            and ("<" not in target or control_token(target) is None)
            and not (ids and (leaf.category_id in ids or leaf.code in ids))
            and self.context.leaks.gold_in_parts(beginning, rest, leaf) is None
        )

    def _source(self, place: Place, row: Mapping[str, Any], leaf: Leaf) -> bool:
        """R031, R038; remembers the row for R035 and R036."""
        self._provenance(place, row)
        candidates = row["candidates"]
        if not self._five(candidates, leaf):
            self.context.add("R031", place, "candidates are not five different registry ids with the gold among them")
            return False
        seen = self._pairs.setdefault((place.split, row["source_id"]), {})
        told = (leaf.category_id, row["ground_truth_level"], tuple(candidates), tuple(row["metadata"].values()))
        seen[row["stage"]] = next((other for other in seen.values() if other == told), told)  # equal ones are kept once
        return True

    def _five(self, candidates: Any, leaf: Leaf) -> bool:
        if (candidates, leaf) == self._fine:
            return True
        registry = self.context.assets.registry
        fine = (
            isinstance(candidates, list)
            and len(candidates) == BUNDLE == len(set(candidates))
            and all(isinstance(item, str) and registry.get(item) is not None for item in candidates)
            and leaf.category_id in candidates
        )
        if fine:
            self._fine = (candidates, leaf)
        return fine

    def _provenance(self, place: Place, row: Mapping[str, Any]) -> None:
        context, provenance = self.context, row["mixture_provenance"]
        if not self.mixture:
            if provenance is not None:
                context.add("R038", place, "a provenance outside a mixture")
            return
        key = mixture_order(place.split, row["source_id"], row["stage"])
        if key < self._last.get(place.split, ""):
            context.add("R099", place, "the row stands before one that it should follow")
        self._last[place.split] = key
        if provenance is None or None in provenance.values() or provenance["replica"] != 0:
            context.add("R038", place, "the provenance is not complete, or its replica is not 0")
            return
        digest = provenance["original_source_sha256"]
        expected = f"mix:{context.header.dataset}:{digest[:SOURCE_HASH_CHARACTERS]}:0000"
        if row["source_id"] != expected or provenance["dataset"] != context.header.dataset or len(digest) != 64:
            context.add("R093", place, "the id is not that of its provenance")

    def _bundles(self, examined: Sequence[Examined]) -> None:
        """R032: the candidates are the bundle of the header's policy."""
        context = self.context
        policy = context.header.candidate_policy
        if not examined:
            return
        if policy is None:
            context.add("R032", examined[0][0], "the header names no candidate policy")
            return
        subjects = [BundleSource(row["source_id"], leaf.category_id, row["metadata"]) for _, row, leaf, _ in examined]
        bundles = bundles_of(context.assets, policy, subjects)
        for (place, row, *_), bundle in zip(examined, bundles, strict=True):
            if row["candidates"] != bundle:
                context.add("R032", place, f"the candidates are not the bundle of the policy {policy}")

    def _texts(self, place: Place, row: Mapping[str, Any], leaf: Leaf, messages: Any) -> None:
        """R028, R029, and the target: R033 or R034."""
        context = self.context
        level = row["ground_truth_level"]
        fresh = stage_messages(
            context.assets, row["stage"], row["candidates"], row["metadata"], leaf.category_id, level
        )
        context.prompt(place, messages, fresh[0]["content"], fresh[1]["content"])
        context.leak(place, messages, leaf, closed_system=False, beginning=self._catalogue)
        target = messages[2]["content"]
        if target == fresh[2]["content"]:
            return  # made of the candidates and the truth that were judged above
        place = at(place, 2)
        if row["stage"] == STAGE1:
            parsed = parse_stage1(target, context.assets.registry)
            if not parsed.constraint_valid or list(parsed.category_ids) != row["candidates"]:
                context.add("R033", place, f"the target does not decode to the candidates in order ({parsed.reason})")
            else:
                context.add("R033", place, "the target is not written in its one form")
            return
        parsed = parse_stage2(target, row["candidates"], context.assets.levels)
        if not parsed.constraint_valid or parsed.category_ids != (leaf.category_id,) or parsed.level != level:
            context.add("R034", place, f"the target does not decode to the truth and level ({parsed.reason})")
        else:
            context.add("R034", place, "the target is not written in its one form")


def _unlike(batch: RowBatch, texts: Iterable[StageTexts | None]) -> dict[int, Any]:
    """The messages of all rows that are not known to hold exactly these texts, by the place of the row."""
    unlike: dict[int, Any] = {}
    made, start = iter(texts), 0
    for piece in batch.pieces():
        part = list(islice(made, len(piece)))
        whole = [item for item in part if item is not None]
        if len(whole) < len(part) or not piece.equals(messages_array(whole)):
            unlike.update(enumerate(values_of(piece), start))
        start += len(piece)
    return unlike
