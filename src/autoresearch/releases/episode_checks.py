"""Row checks of the RL line: pairs (7.4) and the cascade (7.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoresearch.files import strict_json_loads
from autoresearch.releases.columns import RowBatch
from autoresearch.releases.episode_rows import STAGE1, STAGE2, mixture_order, stage1_prompt, stage2_prompt
from autoresearch.releases.header import NATIVE_TOOL_TRAJECTORY_FORMAT
from autoresearch.releases.judgement import Place
from autoresearch.releases.row_checks import SHARED_ROW_CODES, RowContext, at
from autoresearch.standards.registry import Leaf
from autoresearch.task.candidates import Source as BundleSource
from autoresearch.task.candidates import candidate_bundles

STAGES = (STAGE1, STAGE2)
ROLES = ("system", "user")
FIELD_HEAD = "Field:\n"


class EpisodeChecks:
    """R070 to R079, and for the cascade R092 and R099."""

    apart: str | None = None

    def __init__(self, context: RowContext) -> None:
        self.context = context
        self.cascade = context.header.family == "rl-cascade"
        further = ("R092", "R099") if self.cascade else ("R031", "R032", "R078")
        self.codes: tuple[str, ...] = (
            *SHARED_ROW_CODES,
            *(f"R07{number}" for number in range(10) if number != 8),
            *further,
        )
        self._pairs: dict[tuple[str, str], dict[str, tuple[Any, ...]]] = {}
        self._last: dict[str, str] = {}

    def check(self, split: str, first_row: int, batch: RowBatch) -> None:
        """Judge consecutive rows; the bundles of their second stages are made together."""
        second: list[tuple[Place, Mapping[str, Any], Leaf]] = []
        for number, row in enumerate(batch.rows, start=first_row):
            extra = row["extra_info"]
            if extra is None or row["reward_model"] is None or row["prompt"] is None:
                self.context.add("R020", Place(split, number), "prompt, reward_model or extra_info is null")
                continue
            place = Place(split, number, str(extra["source_id"]))
            leaf = self._row(place, row, extra)
            if leaf is not None and extra["stage"] == STAGE2:
                second.append((place, row, leaf))
        self._second_stages(second)

    def finish(self) -> None:
        """R078: each source has both stages, and they agree."""
        if self.cascade:
            return
        for (split, source_id), stages in self._pairs.items():
            place = Place(split, None, source_id)
            if set(stages) != set(STAGES):
                self.context.add("R078", place, f"has only {', '.join(sorted(stages))}")
            elif stages[STAGE1] != stages[STAGE2]:
                self.context.add("R078", place, "the two rows disagree on truth, level or metadata")

    def _row(self, place: Place, row: Mapping[str, Any], extra: Mapping[str, Any]) -> Leaf | None:
        context, header = self.context, self.context.header
        stage = extra["stage"]
        if stage not in STAGES:
            context.add("R073", place, f"stage {stage!r} is not stage1 or stage2")
            return None
        if self.cascade and stage != STAGE1:
            context.add("R092", place, "a second stage in a cascade")
            return None
        known = context.source(place, stage, extra["source_id"])
        self._tags(place, row, extra, stage)
        leaf = context.truth(place, row["reward_model"]["ground_truth"], extra["ground_truth_level"])
        if not context.roles(place, row["prompt"], ROLES) or not context.metadata(place, extra["metadata"]):
            return None
        if leaf is None or not known:
            return None
        if self.cascade:
            self._order(place, extra["source_id"], stage)
        else:
            seen = self._pairs.setdefault((place.split, extra["source_id"]), {})
            seen[stage] = (leaf.category_id, extra["ground_truth_level"], tuple(extra["metadata"].values()))
        if stage == STAGE1:
            self._first_stage(place, row["prompt"], extra["metadata"], leaf)
        if header.enable_thinking not in (True, False):
            context.add("R014", place, "the thinking switch is not set")
        return leaf

    def _tags(self, place: Place, row: Mapping[str, Any], extra: Mapping[str, Any], stage: str) -> None:
        context, header = self.context, self.context.header
        if row["data_source"] != f"{header.dataset}/{stage}":
            context.add("R071", place, f"data_source is {row['data_source']!r}")
        if row["ability"] != header.task_name:
            context.add("R079", place, f"ability is {row['ability']!r}, the task is {header.task_name}")
        if row["reward_model"]["style"] != "rule":
            context.add("R072", place, f"style is {row['reward_model']['style']!r}, not rule")
        if extra["dataset"] != header.dataset:
            context.add("R073", place, f"dataset is {extra['dataset']!r}")
        native = NATIVE_TOOL_TRAJECTORY_FORMAT if stage == STAGE1 and header.graded else None
        if extra["trajectory_format"] != native:
            context.add("R074", place, f"trajectory_format is {extra['trajectory_format']!r}, not {native!r}")
        if (extra["candidates"] is not None) != (stage == STAGE2):
            context.add("R077", place, "candidates stand in the first stage or are absent in the second")

    def _first_stage(
        self, place: Place, prompt: Sequence[Mapping[str, str]], metadata: Mapping[str, str], leaf: Leaf
    ) -> None:
        context = self.context
        fresh = stage1_prompt(context.assets, metadata, context.header.enable_thinking)
        system: str | None = fresh[0]["content"]
        user: str | None = fresh[1]["content"]
        outside = prompt[0]["content"]
        shown = context.leaks.in_system(outside)
        if shown:
            context.add("R075", at(place, 0), f"the prompt shows the registry id {shown[0]}")
            system = None
        if not self._user_structure(prompt[1]["content"], metadata):
            context.add("R076", at(place, 1), "the user text is not the field's metadata under its heading")
            user = None
        context.prompt(place, prompt, system, user)
        if user is not None:
            context.leak(place, prompt, leaf, closed_system=False)

    def _user_structure(self, text: str, metadata: Mapping[str, str]) -> bool:
        """Graded: a heading and one JSON object equal to the metadata. Ungraded: the catalogue, then the same."""
        head, found, tail = text.rpartition(FIELD_HEAD)
        if not found or (self.context.header.graded and head):
            return False
        if not self.context.header.graded and not head.startswith("Catalogue "):
            return False
        try:
            return bool(strict_json_loads(tail) == dict(metadata))
        except ValueError:
            return False

    def _second_stages(self, second: Sequence[tuple[Place, Mapping[str, Any], Leaf]]) -> None:
        context = self.context
        policy = context.header.candidate_policy
        if not second or policy is None:
            return
        subjects = [
            BundleSource(row["extra_info"]["source_id"], leaf.category_id, row["extra_info"]["metadata"])
            for _, row, leaf in second
        ]
        for (place, row, leaf), bundle in zip(second, candidate_bundles(context.assets, policy, subjects), strict=True):
            extra = row["extra_info"]
            if extra["candidates"] is None:
                continue
            if extra["candidates"] != bundle:
                context.add("R077", place, f"the candidates are not the bundle of the policy {policy}")
                continue
            fresh = stage2_prompt(context.assets, bundle, extra["metadata"])
            context.prompt(place, row["prompt"], fresh[0]["content"], fresh[1]["content"])
            context.leak(place, row["prompt"], leaf, closed_system=False)

    def _order(self, place: Place, source_id: str, stage: str) -> None:
        key = mixture_order(place.split, source_id, stage)
        if key < self._last.get(place.split, ""):
            self.context.add("R099", place, "the row stands before one that it should follow")
        self._last[place.split] = key
