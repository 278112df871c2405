"""Checks of rows that every family shares (7.1.7 to 7.1.10), and the tallies that need all rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from autoresearch.releases.gaps import label_gaps
from autoresearch.releases.header import SPLITS, ReleaseHeader
from autoresearch.releases.judgement import Judgement, Place
from autoresearch.standards.registry import Leaf
from autoresearch.standards.text import control_token
from autoresearch.task.assets import TaskAssets
from autoresearch.task.leaks import PromptLeaks

if TYPE_CHECKING:
    from autoresearch.releases.columns import RowBatch
    from autoresearch.releases.dossier import Dossier

SHARED_ROW_CODES = ("R012", "R013", "R014", *(f"R0{number}" for number in range(20, 30)))


class RowChecker(Protocol):
    """The row checks of one family."""

    codes: tuple[str, ...]
    apart: str | None
    """The column that is read apart from the rows (``columns.read_batches``)."""

    def check(self, split: str, first_row: int, batch: RowBatch) -> None:
        """Judge consecutive rows of a split; ``first_row`` is the number of the first."""

    def finish(self) -> None:
        """Judge what needs all rows."""


@dataclass
class RowTally:
    """Source ids and labels of all rows that could be read."""

    sources: dict[str, dict[str, set[str]]] = field(default_factory=lambda: {split: {} for split in SPLITS})
    """Split -> stage -> source ids."""
    labels: dict[str, set[tuple[str, str | None]]] = field(default_factory=lambda: {split: set() for split in SPLITS})

    def source_ids(self, split: str) -> set[str]:
        """All source ids of a split, whatever the stage."""
        return set().union(*self.sources[split].values()) if self.sources[split] else set()


@dataclass
class RowContext:
    """What row checks judge by."""

    judgement: Judgement
    header: ReleaseHeader
    assets: TaskAssets
    report: Mapping[str, Any]
    tally: RowTally = field(default_factory=RowTally)

    def __post_init__(self) -> None:
        self.leaks = PromptLeaks(self.assets.registry)
        self.levels = frozenset(self.assets.levels)
        self.fields = list(self.header.metadata_fields)
        self._clean_systems: set[str] = set()

    def add(self, code: str, place: Place, rule: str) -> None:
        """Count a finding."""
        self.judgement.add(code, place, rule)

    def source(self, place: Place, stage: str, source_id: Any) -> bool:
        """R024, R013: the id is a text and new in this split and stage."""
        if not isinstance(source_id, str) or not source_id.strip():
            self.add("R024", place, "source_id is blank")
            return False
        seen = self.tally.sources[place.split].setdefault(stage, set())
        if source_id in seen:
            self.add("R013", place, "this source stands in the split already")
        seen.add(source_id)
        return True

    def truth(self, place: Place, category_id: Any, level: Any) -> Leaf | None:
        """R025, R026: the truth is a leaf of the registry and a level of the standard; gives the leaf."""
        leaf = self.assets.registry.get(category_id) if isinstance(category_id, str) else None
        if leaf is None:
            self.add("R025", place, f"{category_id!r} is not in the registry")
        legal = level in self.levels if self.header.graded else level is None
        if not legal:
            rule = (
                f"{level!r} is not one of {' '.join(self.assets.levels)}"
                if self.header.graded
                else "a level in an ungraded release"
            )
            self.add("R026", place, rule)
        if leaf is None or not legal:
            return None
        self.tally.labels[place.split].add((leaf.category_id, level))
        return leaf

    def metadata(self, place: Place, metadata: Any) -> bool:
        """R027: exactly the configured fields, each a text."""
        if not isinstance(metadata, dict) or list(metadata) != self.fields:
            self.add("R027", place, f"metadata does not hold exactly {' '.join(self.fields)}")
            return False
        for name, value in metadata.items():
            if not isinstance(value, str):
                self.add("R027", place, f"metadata.{name} is not a text")
                return False
        return True

    def roles(self, place: Place, messages: Any, roles: Sequence[str]) -> bool:
        """R021, R022: messages of exactly these roles, each content a text."""
        if not isinstance(messages, list) or [_get(message, "role") for message in messages] != list(roles):
            self.add("R021", place, f"roles are not exactly {', '.join(roles)}")
            return False
        return self.contents(place, messages)

    def contents(self, place: Place, messages: Sequence[Mapping[str, Any]]) -> bool:
        """R022 and R023 of each message."""
        fine = True
        for index, message in enumerate(messages):
            content = message["content"]
            if not isinstance(content, str):
                self.add("R022", at(place, index), "content is not a text")
                fine = False
            else:
                self.no_control_token(place, index, content)
        return fine

    def no_control_token(self, place: Place, index: int, text: str | None) -> None:
        """R023: no control token in a content or thought."""
        if text is None or "<" not in text or text in self._clean_systems:
            return
        token = control_token(text)
        if token is not None:
            self.add("R023", at(place, index), f"holds the control token {token}")
        elif index == 0:
            self._clean_systems.add(text)

    def prompt(self, place: Place, messages: Sequence[Mapping[str, Any]], system: str | None, user: str | None) -> None:
        """R028: system and user text equal a fresh build, byte for byte; None where another check spoke of it
        already.
        """
        if system is not None and messages[0]["content"] != system:
            self.add(
                "R028", at(place, 0), "the system text is not the one that is built from registry, grading and header"
            )
        if user is not None and messages[1]["content"] != user:
            self.add("R028", at(place, 1), "the user text is not the one that is built from metadata and assets")

    def leak(
        self,
        place: Place,
        messages: Sequence[Mapping[str, Any]],
        leaf: Leaf,
        *,
        closed_system: bool,
        beginning: str = "",
    ) -> None:
        """R029: no gold id or code in system or user text; with ``closed_system`` no registry id in the
        system text at all. A user text that starts with ``beginning`` is searched there once a leaf.
        """
        found = self.leaks.in_system(messages[0]["content"])
        if found and (closed_system or leaf.category_id in found or leaf.code in found):
            self.add("R029", at(place, 0), f"the system text holds the registry id {found[0]}")
        gold = self.leaks.gold_in_user(messages[1]["content"], leaf, beginning)
        if gold is not None:
            self.add("R029", at(place, 1), "the user text holds the gold id or code")


def _get(message: Any, key: str) -> Any:
    return message.get(key) if isinstance(message, dict) else None


def at(place: Place, message: int) -> Place:
    """The same row, one message of it."""
    return Place(place.split, place.row, place.source_id, message)


def check_across(context: RowContext, dossier: Dossier, rows_per_source: int) -> None:
    """R008, R011, R012: what needs all rows and the report."""
    judgement = context.judgement
    judgement.ran("R008", "R011", "R012")
    tally = context.tally
    for first, second in (("train", "val"), ("train", "test"), ("val", "test")):
        both = sorted(tally.source_ids(first) & tally.source_ids(second))
        for source_id in both:
            judgement.add("R012", f"{first} and {second}, {source_id}", "the source stands in both splits")
    report = dossier.parsed
    if report is None:
        return
    for split in SPLITS:
        ledger, file, rows = report.ledger.get(split), report.splits.get(split), dossier.rows.get(split)
        if ledger is None or file is None or rows is None:
            judgement.add("R008", split, "the report has no ledger or no file of this split")
            continue
        if ledger.records != ledger.exported_sources + sum(ledger.skipped.values()):
            judgement.add("R008", split, "records are not exported sources plus skips")
        if not ledger.rows == file.rows == rows:
            judgement.add("R008", split, f"the report says {ledger.rows} and {file.rows} rows, the file holds {rows}")
        if split in dossier.usable and ledger.exported_sources * rows_per_source != rows:
            judgement.add("R008", split, f"{ledger.exported_sources} sources cannot be {rows} rows")
        if file.sha256 != report.release.files.get(file.file):
            judgement.add("R008", split, f"the sha256 of {file.file} stands twice and differs")
    if (
        set(report.ledger) == set(SPLITS)
        and sum(item.records for item in report.ledger.values()) != report.records.resolved
    ):
        judgement.add("R008", "records", "resolved records are not the sum of the ledgers")
    if set(dossier.usable) == set(SPLITS):
        _check_gaps(context, report.label_gap_gate.model_dump())


def _check_gaps(context: RowContext, recorded: Mapping[str, Any]) -> None:
    gate = label_gaps(context.tally.labels, allow_any=True).report().model_dump()
    found = {key: _pairs([*recorded[key], *recorded[waived]]) for key, waived in _GAP_KEYS.items()}
    expected = {key: _pairs(gate[waived]) for key, waived in _GAP_KEYS.items()}
    blocking = bool(recorded["blocking"] or recorded["blocking_levels"])
    waived = bool(recorded["waived"] or recorded["waived_levels"])
    status = "failed" if blocking else "waived" if waived else "passed"
    if found != expected or recorded["status"] != status:
        context.judgement.add("R011", "label_gap_gate", "the recorded verdict is not the one that the rows give")
    elif status == "failed":
        context.judgement.add("R011", "label_gap_gate", "a failed gate stands in a published release")


_GAP_KEYS = {"blocking": "waived", "blocking_levels": "waived_levels"}


def _pairs(entries: Sequence[Mapping[str, str]]) -> list[tuple[str, str]]:
    return sorted((entry["label"], entry["split"]) for entry in entries)
