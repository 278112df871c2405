"""Answers in words: what the sheet says of one field, from catalogue entries and tool results alone (training 10.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autoresearch.evaluation.sheet import Labelled, Language, texts
from autoresearch.task.catalogue import cut

if TYPE_CHECKING:
    from autoresearch.evaluation.model_answers import ModelAnswer
    from autoresearch.evaluation.retrieval_baseline import BaselineAnswer, RetrievalBaseline
    from autoresearch.evaluation.review import ReviewCode
    from autoresearch.task.assets import TaskAssets

DEFINITION_CHARACTERS = 80
THOUGHT_CHARACTERS = 400
PATH_SEPARATOR = " / "
Pair = tuple[str, str | None]


class Explainer:
    """Puts predictions over one catalogue into words of one language."""

    def __init__(self, assets: TaskAssets, baseline: RetrievalBaseline, language: Language) -> None:
        self.assets = assets
        self.baseline = baseline
        self.words: Mapping[str, Any] = texts(language)

    def block(
        self,
        pair: Pair | None,
        *,
        certainty: float | None,
        second: Pair | None,
        second_share: float | None,
        codes: Sequence[ReviewCode],
        common_level: str | None,
        baseline: BaselineAnswer,
        model: ModelAnswer | None,
    ) -> Labelled:
        """The block of one row."""
        floor = None if baseline.category_id is None else (baseline.category_id, baseline.level)
        reason = self._baseline_reason(baseline) if model is None else self._model_reason(pair, model)
        return Labelled(
            answer=self._name(pair[0]) if pair else "",
            level=(pair[1] or "") if pair else "",
            path=self._path(pair[0]) if pair else "",
            category_id=pair[0] if pair else "",
            certainty=certainty,
            second=self._second(second, second_share),
            reason=reason,
            review=self._review(codes, common_level),
            baseline=self._pair(floor) if floor else "",
        )

    def _name(self, category_id: str) -> str:
        return self.assets.registry.display_name(category_id)

    def _path(self, category_id: str) -> str:
        """Root to leaf; a leaf without a path stands below the name of its group."""
        leaf = self.assets.registry.leaf(category_id)
        if leaf.path:
            return PATH_SEPARATOR.join(leaf.path)
        scope = self.assets.catalogue.by_category(category_id).scope_key
        return PATH_SEPARATOR.join((scope, leaf.name))

    def _pair(self, pair: Pair) -> str:
        return self._name(pair[0]) + (f" / {pair[1]}" if pair[1] else "")

    def _second(self, second: Pair | None, share: float | None) -> str:
        if second is None:
            return ""
        name = self._pair(second)
        if share is None:
            return str(self.words["second_plain"].format(name=name))
        return str(self.words["second_choice"].format(name=name, share=f"{share:.2f}"))

    def _review(self, codes: Sequence[ReviewCode], common_level: str | None) -> str:
        if not codes:
            return str(self.words["no"])
        names: Mapping[str, str] = self.words["review"]
        reasons = []
        for code in codes:
            name: str = code
            if code == "level_unknown" and not self.assets.levels:
                name = "level_unknown_no_standard"
            reasons.append(names[name].format(common=common_level or ""))
        return str(self.words["yes"].format(why=self.words["separator"].join(reasons)))

    def _definition(self, category_id: str) -> str:
        return cut(self.assets.catalogue.by_category(category_id).summary, DEFINITION_CHARACTERS)

    def _chosen(self, key: str, category_id: str) -> str:
        return str(self.words[key].format(name=self._name(category_id), text=self._definition(category_id)))

    def _baseline_reason(self, answer: BaselineAnswer) -> str:
        if answer.category_id is None:
            return str(self.words["reason_none"])
        parts = [self._chosen("reason_baseline", answer.category_id)]
        if answer.nearest is not None:
            near = answer.nearest
            shown = ".".join(part for part in (near.table_name, near.field_name) if part)
            level = f" / {near.level}" if near.level else ""
            parts.append(
                self.words["reason_nearest"].format(field=shown, name=self._name(near.category_id), level=level)
            )
        return str(self.words["separator"].join(parts))

    def _model_reason(self, pair: Pair | None, answer: ModelAnswer) -> str:
        parts = [self._call(call) for call in answer.calls]
        if pair is not None:
            parts = parts or [self.words["reason_direct"]]
            parts.append(self._chosen("reason_chosen", pair[0]))
        else:
            why = next((reason for reason in answer.reasons if reason), "too_long" if answer.too_long else "")
            parts.append(self.words["reason_invalid"].format(why=why))
        if answer.thought:
            parts.append(self.words["reason_thought"].format(text=cut(answer.thought, THOUGHT_CHARACTERS)))
        return str(self.words["separator"].join(parts))

    def _call(self, call: Mapping[str, Any]) -> str:
        entries = [self.assets.catalogue.by_choice(choice) for choice in call["surfaced"]]
        shown = "、".join(f"{entry.choice_id} {entry.name}" for entry in entries if entry is not None)
        return str(self.words["reason_call"].format(tool=call["name"], entries=shown or "—"))
