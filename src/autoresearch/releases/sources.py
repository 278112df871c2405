"""Sources: the canonical records that become rows, and the gates that every exporter shares (4.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autoresearch.errors import AutoResearchError, InputError, RefusedError, raise_if_errors
from autoresearch.files import stream_records
from autoresearch.findings import Finding, FindingCounter, finding
from autoresearch.releases.gaps import GapGate, label_gaps
from autoresearch.releases.header import SPLITS
from autoresearch.releases.inputs import AssetFiles, ExportInputs, file_entry
from autoresearch.releases.report import InputFile, RecordCounts, SplitLedger
from autoresearch.standards.text import comparison_form, contains_code, control_token
from autoresearch.task.assets import TaskAssets

NO_LEVEL = "no_level"
LABEL_IN_METADATA = "label_in_metadata"
THOUGHT_OVER_CAP = "thought_over_cap"


@dataclass(frozen=True, slots=True)
class Source:
    """One canonical record that will be exported."""

    source_id: str
    split: str
    category_id: str
    level: str | None
    """Set when graded."""
    metadata: dict[str, str]
    """The configured fields in their order: all that the model sees."""
    table: tuple[str, str]
    """Database and table name, for the table counts of the report."""

    @property
    def query(self) -> tuple[str, str, str]:
        """What the record is searched by: visible texts only."""
        shown = self.metadata
        return shown.get("field_name", ""), shown.get("table_name", ""), shown.get("field_description", "")


@dataclass
class SourceSet:
    """All sources of an export, by split and in id order, with the count of everything that was left out."""

    dataset: str
    by_split: dict[str, list[Source]]
    records: RecordCounts
    resolved_of_split: dict[str, int]
    skipped: dict[str, Counter[str]]
    skipped_ids: dict[str, list[str]]
    gaps: GapGate
    entries: tuple[InputFile, ...]
    """``inputs`` lines of the canonical file and split views."""
    tables: dict[str, set[tuple[str, str]]] = field(default_factory=dict)

    def ledger(self, split: str, rows: int, exported: int, more_skips: Mapping[str, int] | None = None) -> SplitLedger:
        """The ledger of one split, with skips that the exporter itself decided."""
        skipped = dict(sorted((self.skipped[split] + Counter(more_skips or {})).items()))
        return SplitLedger(records=self.resolved_of_split[split], exported_sources=exported, rows=rows, skipped=skipped)


def load_sources(inputs: ExportInputs, files: AssetFiles) -> SourceSet:
    """Read the canonical file and apply the gates of 4.5.

    Raises ``InputError`` for records that cannot be used and ``RefusedError`` (R007, R011) for an empty split or
    a label gap.
    """
    entries = [file_entry("canonical", inputs.canonical)]
    joined = None
    if inputs.split_dir is not None:
        joined, views = _joined_splits(inputs.split_dir)
        entries.extend(views)
    names: set[str] = set()
    try:
        found = select_sources(_named(inputs.canonical, names), "", files.assets, joined)
    except AutoResearchError:
        _dataset(names, inputs.dataset)  # the more telling one of two reasons
        raise
    found.dataset = _dataset(names, inputs.dataset)
    gate = label_gaps(
        {split: [(source.category_id, source.level) for source in found.by_split[split]] for split in SPLITS},
        allow=inputs.allow_label_gaps,
        allow_any=inputs.allow_any_label_gap,
    )
    gate.raise_if_failed()
    found.gaps = gate
    found.entries = tuple(entries)
    return found


def _joined_splits(folder: Path) -> tuple[dict[str, str], list[InputFile]]:
    splits: dict[str, str] = {}
    entries = []
    for split in SPLITS:
        path = folder / f"{split}.json"
        entries.append(file_entry(f"split_{split}", path))
        for record in stream_records(path):
            splits[str(record.get("id"))] = split
    return splits, entries


def _named(path: Path, names: set[str]) -> Iterator[Any]:
    """The records of a canonical file, one by one; their datasets are added to ``names``."""
    try:
        for record in stream_records(path):
            if isinstance(record, dict):
                names.add(str(record.get("dataset")))
            yield record
    except ValueError as error:
        raise InputError(f"{error}; a canonical file is a JSON array of records; run `data build`") from error


def _dataset(found: set[str], given: str | None) -> str:
    names = sorted(found)
    if given is not None and names not in ([given], []):
        raise InputError(
            f"the records are of {', '.join(names)}, --dataset says {given}; give the canonical file of {given}"
        )
    if given is None and len(names) != 1:
        raise InputError(f"the records are of {len(names)} datasets ({', '.join(names)}); export one dataset at a time")
    return given or names[0]


def select_sources(
    records: Iterable[Any], dataset: str, assets: TaskAssets, splits: Mapping[str, str] | None = None
) -> SourceSet:
    """Decide for each record whether it becomes a source. Pure; the label gap is not judged here."""
    problems = FindingCounter()
    by_split: dict[str, list[Source]] = {split: [] for split in SPLITS}
    skipped: dict[str, Counter[str]] = {split: Counter() for split in SPLITS}
    skipped_ids: dict[str, list[str]] = {}
    tables: dict[str, set[tuple[str, str]]] = {split: set() for split in SPLITS}
    resolved = Counter[str]()
    not_resolved = 0
    seen: set[str] = set()
    for number, record in enumerate(records):
        status = _status(record)
        split = _split(record, splits)
        if status != "resolved":
            not_resolved += 1
            if split is not None:
                problems.add(_unassigned(number, record, "an unresolved record carries a split"))
            continue
        source, reason = _source(number, record, split, assets, problems)
        if source is None and reason is None:
            continue
        assert split is not None
        record_id = str(record["id"])
        if record_id in seen:
            problems.add(finding("F041", place=f"record {number}", value=record_id, rule="is the id of two records"))
            continue
        seen.add(record_id)
        resolved[split] += 1
        if source is None:
            assert reason is not None
            skipped[split][reason] += 1
            skipped_ids.setdefault(reason, []).append(record_id)
            continue
        by_split[split].append(source)
        tables[split].add(source.table)
    raise_if_errors(problems, "export")
    for split in SPLITS:
        if not by_split[split]:
            item = finding("R007", place=split, rule="no source is left in this split", remedy="run `data split` again")
            raise RefusedError(item.message(), [item])
        by_split[split].sort(key=lambda source: source.source_id)
    counts = RecordCounts(resolved=sum(resolved.values()), not_resolved=not_resolved)
    ids = {reason: sorted(found) for reason, found in sorted(skipped_ids.items()) if reason == LABEL_IN_METADATA}
    gate = GapGate("passed", (), (), (), ())
    return SourceSet(dataset, by_split, counts, dict(resolved), skipped, ids, gate, (), tables)


def left_out(record: dict[str, Any], assets: TaskAssets) -> str | None:
    """Why an exporter with these assets makes no rows of a canonical record: its status, the reason of a skip, or the
    finding that stops the export; None when it makes rows.
    """
    status = _status(record)
    if status != "resolved":
        return f"not resolved: {status}"
    problems = FindingCounter()
    _, reason = _source(0, record, _split(record, None), assets, problems)
    found = problems.findings()
    return found[0].message() if found else reason


def _status(record: Any) -> str:
    if not isinstance(record, dict):
        return "invalid_record"
    resolution = record.get("resolution")
    return str(resolution.get("status")) if isinstance(resolution, dict) else str(record.get("resolution_status"))


def _split(record: Any, splits: Mapping[str, str] | None) -> str | None:
    if not isinstance(record, dict):
        return None
    value = splits.get(str(record.get("id"))) if splits is not None else record.get("split")
    return None if value is None else str(value)


def _place(number: int, record: Mapping[str, Any]) -> str:
    return f"record {number} ({record.get('id')})"


def _unassigned(number: int, record: Any, rule: str) -> Finding:
    place = _place(number, record) if isinstance(record, dict) else f"record {number}"
    return finding("R010", place=place, rule=rule, remedy="run `data build`, then `data split`")


def _source(
    number: int, record: dict[str, Any], split: str | None, assets: TaskAssets, problems: FindingCounter
) -> tuple[Source | None, str | None]:
    """The source, or the reason why the record is skipped, or neither when it has a problem."""
    target = record.get("target")
    leaf = assets.registry.get(str(target.get("category_id"))) if isinstance(target, dict) else None
    record_id = record.get("id")
    if not isinstance(record_id, str) or not record_id.strip():
        problems.add(_unassigned(number, record, "has no id"))
        return None, None
    if not isinstance(target, dict) or leaf is None:
        problems.add(_unassigned(number, record, "its target is not in the registry"))
        return None, None
    name = str(target.get("leaf_name", ""))
    if name != leaf.name and comparison_form(name) != comparison_form(leaf.name):
        problems.add(_unassigned(number, record, f"its leaf name is not that of {leaf.category_id} in the registry"))
        return None, None
    if split not in SPLITS:
        problems.add(_unassigned(number, record, "has no split" if split is None else f"has the split {split!r}"))
        return None, None
    shown = _visible(number, record, assets, problems)
    if shown is None:
        return None, None
    level = None
    if assets.grading is not None:
        level = _level(record, assets.grading.gt_field)
        if not level:
            return None, NO_LEVEL
        if level not in assets.levels:
            levels = " ".join(assets.levels)
            problems.add(finding("R026", place=_place(number, record), value=level, rule=f"is not a level of {levels}"))
            return None, None
    codes = [code for code in (leaf.category_id, leaf.code) if code]
    if any(code in text and contains_code(text, code) for code in codes for text in shown.values()):
        return None, LABEL_IN_METADATA
    metadata = record["metadata"]
    table = (str(metadata.get("database_name", "")), str(metadata.get("table_name", "")))
    return Source(record_id, split, leaf.category_id, level, shown, table), None


def _visible(
    number: int, record: dict[str, Any], assets: TaskAssets, problems: FindingCounter
) -> dict[str, str] | None:
    metadata = record.get("metadata")
    shown: dict[str, str] = {}
    for name in assets.task.metadata_fields:
        value = metadata.get(name) if isinstance(metadata, dict) else None
        if not isinstance(value, str):
            problems.add(
                finding("R027", place=_place(number, record), value=name, rule="is not a text of its metadata")
            )
            return None
        token = control_token(value) if "<" in value else None
        if token is not None:
            remedy = "run `data preprocess --control-tokens strip`"
            problems.add(
                finding("F023", place=_place(number, record), value=token, rule=f"stands in {name}", remedy=remedy)
            )
            return None
        shown[name] = value
    return shown


def _level(record: Mapping[str, Any], path: str) -> str:
    value: Any = record
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value.strip() if isinstance(value, str) else ""
