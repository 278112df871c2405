"""Processed to canonical records (data-line.md 4.3): every record gets a leaf of the standard, or a reason why not.

Labels repeat, so each distinct combination of label texts is resolved once and its JSON is appended to every record
that has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from autoresearch.errors import InputError, RefusedError, raise_if_errors
from autoresearch.fields import processed
from autoresearch.fields.preprocess import FindingCount, Processed
from autoresearch.fields.resolution import Resolution, Resolver
from autoresearch.fields.resolution_report import ResolutionReport, resolution_report
from autoresearch.files import (
    json_text,
    json_writer,
    read_json,
    sha256_bytes,
    sha256_file,
    stream_records,
    without_collector,
)
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.datasets import DatasetConfig, load_datasets
from autoresearch.standards.mapping import LEVEL_FIELDS
from autoresearch.standards.registry import LeafRegistry

PREFIX = "build"
RECORDS_NAME = "all.json"
REPORT_NAME = "resolution_report.json"
SCHEMA_VERSION = 2
_COMPACT = json_writer(",", ":")
ROWS_AT_ONCE = 20_000
"""Records that are Python objects at one time; the others are columns."""
ADDED_KEYS = (
    "schema_version",
    "dataset",
    "path_mask",
    "leaf",
    "resolution",
    "resolution_status",
    "target",
    "split",
    "split_exclusion_reason",
)
COLUMNS = ("id", "label_status", *LEVEL_FIELDS, "data_level", "json")


@dataclass(frozen=True)
class Assets:
    """What one dataset resolves against."""

    config: DatasetConfig
    registry: LeafRegistry
    corpus: Corpus | None


@dataclass(frozen=True)
class Canonical:
    """One dataset resolved: the records as JSON lines in the order of their ids, and the report."""

    dataset: str
    lines: pl.Series
    report: ResolutionReport


def load_processed(path: Path, dataset: str) -> pl.DataFrame:
    """Read a processed record file into columns: the label texts, ``json`` (the record unchanged) and whether it is an
    object.

    Raises ``InputError``: no file, no record array, a stale id (F040).
    """
    findings = FindingCounter()
    schema = dict.fromkeys(COLUMNS, pl.String)
    parts: list[pl.DataFrame] = [pl.DataFrame(schema=schema)]
    records = enumerate(stream_records(path), start=1)
    try:
        while rows := [_row(record, index, dataset, path, findings) for index, record in islice(records, ROWS_AT_ONCE)]:
            parts.append(pl.DataFrame(rows, schema=schema, orient="row"))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"{PREFIX}: {path}: {reason}; run data preprocess or data import-ddl first") from error
    raise_if_errors(findings, PREFIX)
    return pl.concat(parts)


def _row(record: Any, number: int, dataset: str, path: Path, findings: FindingCounter) -> tuple[str, ...]:
    if not isinstance(record, dict):
        text = _COMPACT({"record": record})
        return ("", "invalid", "", "", "", "", "", text)
    kept = {key: value for key, value in record.items() if key not in ADDED_KEYS}
    metadata = record.get("metadata")
    identity = [str(metadata.get(name) or "") if isinstance(metadata, dict) else "" for name in processed.IDENTITY]
    if record.get("id") != processed.record_id(dataset, *identity):
        rule = f"is not the id of its dataset, database, table and field name in dataset {dataset}"
        remedy = "run data preprocess again; never edit ids or names in a record file"
        place = f"{path.name}, record {number}"
        findings.add(finding("F040", place=place, value=str(record.get("id")), rule=rule, remedy=remedy))
    labels = record.get("classification")
    status = record.get("label_status") if isinstance(labels, dict) else "invalid"
    texts = [str(labels.get(name) or "") if isinstance(labels, dict) else "" for name in LEVEL_FIELDS]
    text = _COMPACT(kept)
    return (str(record.get("id")), str(status), *texts, str(record.get("data_level") or ""), text)


def resolve(frame: pl.DataFrame, assets: Assets, source: Mapping[str, str]) -> Canonical:
    """Resolve all records of ``frame`` (``COLUMNS``); ``source`` is ``{name, sha256}`` of the processed file.

    Raises ``InputError``: duplicate ids (F041), an ambiguous leaf text (F038), an excluded category (F039).
    """
    config = assets.config
    ids = frame["id"]
    twice = ids.filter(ids.is_duplicated() & (ids != ""))
    if not twice.is_empty():
        item = finding(
            "F041",
            place=source["name"],
            value=str(twice[0]),
            rule=f"stands on {int((ids == twice[0]).sum())} records ({twice.n_unique()} such ids)",
            remedy="run data preprocess again",
        )
        raise InputError(f"{PREFIX}: {item.message()}.", [item])
    combination = pl.concat_str("label_status", *LEVEL_FIELDS, separator=processed.SEPARATOR).alias("combination")
    frame = frame.select(*COLUMNS, combination)
    distinct = frame.unique("combination", maintain_order=True)
    resolver = Resolver(config, assets.registry, assets.corpus)
    resolutions = [_resolve_one(row, resolver) for row in distinct.iter_rows(named=True)]
    tails = [
        _tail(row, found, config, assets.registry)
        for row, found in zip(distinct.iter_rows(named=True), resolutions, strict=True)
    ]
    known = pl.DataFrame(
        {
            "combination": distinct["combination"],
            "tail": tails,
            "status": [found.status for found in resolutions],
            "category_id": pl.Series([found.category_id for found in resolutions], dtype=pl.String),
            "tried_id": pl.Series([found.tried_id for found in resolutions], dtype=pl.String),
        }
    )
    whole = frame.join(known, on="combination", how="left", maintain_order="left")
    line = pl.concat_str(pl.col("json").str.strip_suffix("}"), "tail")
    ordered = whole.with_columns(line.alias("json")).sort("id", "json")
    report = resolution_report(ordered, config, assets.registry, assets.corpus, source)
    return Canonical(config.dataset, ordered["json"], report)


def _resolve_one(row: Mapping[str, str], resolver: Resolver) -> Resolution:
    if row["label_status"] == "invalid":
        return Resolution("invalid_record", None, "not an object with a classification object")
    return resolver.resolve({name: row[name] for name in LEVEL_FIELDS}, row["label_status"] != "unlabeled")


def _tail(row: Mapping[str, str], found: Resolution, config: DatasetConfig, registry: LeafRegistry) -> str:
    """What canonical records add to a processed one, as the end of its JSON object."""
    target = None
    if found.category_id is not None:
        target = {
            "leaf_level": config.leaf_level,
            "leaf_name": registry.leaf(found.category_id).name,
            "category_id": found.category_id,
            "category_path": [row[name] for name in config.path_fields if row[name]],
        }
    reason = None if found.status == "resolved" else f"resolution_status:{found.status}"
    added = {
        "schema_version": SCHEMA_VERSION,
        "dataset": config.dataset,
        "path_mask": [row[name] != "" for name in config.path_fields],
        "leaf": {"field": config.leaf_level, "value": row[config.leaf_level]},
        "resolution": {"status": found.status, "category_id": found.category_id, "reason": found.reason},
        "resolution_status": found.status,
        "target": target,
        "split": None,
        "split_exclusion_reason": reason,
    }
    return "," + _COMPACT(added)[1:]


def load_assets(config: DatasetConfig, registry_dir: Path, corpus_dir: Path | None) -> Assets:
    """Registry and corpus of one dataset (those of ``registry_source`` where it names one)."""
    name = config.registry_source or config.dataset
    registry = LeafRegistry.from_path(registry_dir / f"{name}.registry.json")
    if corpus_dir is None:
        if config.id_strategy == "code":
            raise InputError(f"{PREFIX}: dataset {config.dataset} has the code strategy, which needs --corpus-dir")
        return Assets(config, registry, None)
    corpus = Corpus.from_path(corpus_dir / f"{name}.corpus.json")
    if config.id_strategy == "code":
        corpus.require_cover(registry)
    return Assets(config, registry, corpus)


@without_collector()
def build(
    processed_dir: str | Path,
    canonical_dir: str | Path,
    config_file: str | Path,
    registry_dir: str | Path,
    datasets: Sequence[str],
    *,
    corpus_dir: str | Path | None = None,
    derive_from: str | Path | None = None,
    overwrite: bool = False,
    in_memory: Mapping[str, Processed] | None = None,
) -> dict[str, ResolutionReport]:
    """``data build``: write ``all.json`` and ``resolution_report.json`` of each dataset, all or none; returns the
    reports.

    ``in_memory`` hands over what ``preprocess.process`` made, so that its files are not read again. Raises
    ``InputError`` for
    a bad config, registry or record, ``RefusedError`` for an existing output.
    """
    configs = load_datasets(config_file)
    missing = [name for name in datasets if name not in configs]
    if missing or not datasets:
        known = ", ".join(configs)
        what = f"dataset {missing[0]!r} is not in {Path(config_file).name}" if missing else "--dataset is needed"
        raise InputError(f"{PREFIX}: {what}; it has {known}")
    outputs = {name: Path(canonical_dir) / name for name in datasets}
    if not overwrite:
        for folder in outputs.values():
            for path in (folder / RECORDS_NAME, folder / REPORT_NAME):
                if path.exists():
                    raise RefusedError(f"{PREFIX}: {path} exists; give --overwrite to replace it")
    if derive_from is not None:
        from autoresearch.fields.derivation import derive

        if corpus_dir is None:
            raise InputError(f"{PREFIX}: --derive-from writes a corpus and needs --corpus-dir")
        for name in datasets:
            derive(Path(derive_from), configs[name], Path(registry_dir), Path(corpus_dir))
    results: dict[str, Canonical] = {}
    for name in datasets:
        assets = load_assets(configs[name], Path(registry_dir), None if corpus_dir is None else Path(corpus_dir))
        given = (in_memory or {}).get(name)
        if given is not None:
            source = {"name": RECORDS_NAME, "sha256": sha256_bytes(given.content)}
            results[name] = resolve(given.frame, assets, source)
        else:
            path = Path(processed_dir) / name / RECORDS_NAME
            frame = load_processed(path, name)
            results[name] = resolve(frame, assets, {"name": path.name, "sha256": sha256_file(path)})
    files: dict[Path, bytes | pl.Series] = {}
    for name, done in results.items():
        report = _with_order_change(done.report, outputs[name] / REPORT_NAME)
        results[name] = Canonical(name, done.lines, report)
        files[outputs[name] / RECORDS_NAME] = done.lines
        files[outputs[name] / REPORT_NAME] = json_text(report.model_dump(mode="json")).encode("utf-8")
    processed.write_together(files)
    return {name: done.report for name, done in results.items()}


def _with_order_change(report: ResolutionReport, older: Path) -> ResolutionReport:
    """Adds F043 when the report that is replaced names another registry: choice ids move with its order."""
    if not older.exists():
        return report
    try:
        before = read_json(older)["registry"]["sha256"]
    except (ValueError, KeyError, TypeError, OSError):
        return report
    if before == report.registry.sha256:
        return report
    item = finding(
        "F043",
        place="registry",
        rule="is not the one of the canonical file that is replaced; choice ids may stand for other leaves",
        remedy="build releases again",
    )
    counter = FindingCounter()
    counter.add(item)
    added = tuple(FindingCount.model_validate(entry) for entry in counter.summary())
    return report.model_copy(update={"findings": (*report.findings, *added)})
