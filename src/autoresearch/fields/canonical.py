"""Processed to canonical records (data-line.md 4.3): every record gets a leaf of the standard, or a reason why not.

Labels repeat, so each distinct combination of label texts is resolved once and its JSON is appended to every record
that has it. Records of a file pass one by one; they are sorted by id on disk.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import polars as pl

from autoresearch import progress
from autoresearch.errors import InputError, RefusedError
from autoresearch.fields import processed
from autoresearch.fields.preprocess import FindingCount, Processed
from autoresearch.fields.processed_file import Combination, Loaded, load_processed, refuse_repeats
from autoresearch.fields.resolution import Resolution, Resolver
from autoresearch.fields.resolution_report import NOT_FOUND, ResolutionReport, Tally, resolution_report
from autoresearch.fields.spilled import nearest_folder
from autoresearch.files import (
    json_text,
    json_writer,
    read_json,
    sha256_bytes,
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


@dataclass(frozen=True)
class Assets:
    """What one dataset resolves against."""

    config: DatasetConfig
    registry: LeafRegistry
    corpus: Corpus | None


@dataclass(frozen=True)
class Known:
    """What each combination of label texts resolves to, and what its records get at the end of their JSON object."""

    resolutions: Sequence[Resolution]
    tails: Sequence[str]
    leaves: Sequence[str]

    def not_found(self, place: int) -> bool:
        """Whether records of this combination are labelled and have no leaf."""
        return self.resolutions[place].status in NOT_FOUND


def know(combinations: Sequence[Combination], assets: Assets) -> Known:
    """Resolve each combination of label texts once. Raises ``InputError``: an ambiguous leaf text (F038), an excluded
    category (F039).
    """
    config = assets.config
    resolver = Resolver(config, assets.registry, assets.corpus)
    rows = [dict(zip(("label_status", *LEVEL_FIELDS), texts, strict=True)) for texts in combinations]
    resolutions = [_resolve_one(row, resolver) for row in rows]
    tails = [_tail(row, found, config, assets.registry) for row, found in zip(rows, resolutions, strict=True)]
    return Known(resolutions, tails, [row[config.leaf_level] for row in rows])


class Canonical:
    """One dataset, resolved: ``write`` gives the bytes of its record file, and the report after that.

    Raises ``InputError`` as ``know`` does.
    """

    def __init__(self, loaded: Loaded, assets: Assets) -> None:
        self.loaded, self.assets = loaded, assets
        self.known = know(loaded.combinations, assets)

    def write(self, handle: IO[bytes]) -> ResolutionReport:
        """Write the records in the order of their ids."""
        file = processed.RecordFile(handle)
        tails = [tail.encode() for tail in self.known.tails]
        unresolved = []
        with progress.bar(f"{PREFIX}: write", sum(self.loaded.counts.values()), "records") as bar:
            for line in self.loaded.lines:
                record_id, text, number = line.split(b"\t")
                place = int(number)
                file.write(text[:-1] + tails[place])
                if self.known.not_found(place):
                    unresolved.append(record_id.decode())
                bar.advance()
        file.close()
        tally = Tally(self.known.resolutions, self.known.leaves, self.loaded.counts, unresolved)
        return _report(tally, self.assets, self.loaded.source)


class CanonicalColumns:
    """The same of columns that ``preprocess.process`` handed over. Raises ``InputError`` also for F041."""

    def __init__(self, given: Processed, assets: Assets) -> None:
        self.assets, self.source = assets, {"name": RECORDS_NAME, "sha256": sha256_bytes(given.content)}
        refuse_repeats(given.frame["id"], RECORDS_NAME)
        combination = pl.concat_str("label_status", *LEVEL_FIELDS, separator=processed.SEPARATOR).alias("combination")
        self.frame = given.frame.select("id", "data_level", "json", "label_status", *LEVEL_FIELDS, combination)
        distinct = self.frame.unique("combination", maintain_order=True)
        self.known = know(list(distinct.select("label_status", *LEVEL_FIELDS).iter_rows()), assets)
        self.places = pl.DataFrame({"combination": distinct["combination"], "tail": self.known.tails}).with_row_index(
            "place"
        )

    def write(self, handle: IO[bytes]) -> ResolutionReport:
        """Write the records in the order of their ids."""
        whole = self.frame.join(self.places, on="combination", how="left", maintain_order="left")
        line = pl.concat_str(pl.col("json").str.strip_suffix("}"), "tail").alias("json")
        ordered = whole.select("id", "place", "data_level", line).sort("id")
        processed.write_lines_to(handle, ordered["json"])
        counted = ordered.group_by("place", "data_level").len()
        counts = {(place, level): count for place, level, count in counted.iter_rows()}
        missing = [place for place in range(len(self.known.resolutions)) if self.known.not_found(place)]
        unresolved = ordered.filter(pl.col("place").is_in(missing))["id"].to_list()
        return _report(Tally(self.known.resolutions, self.known.leaves, counts, unresolved), self.assets, self.source)


def _report(tally: Tally, assets: Assets, source: Mapping[str, str]) -> ResolutionReport:
    return resolution_report(tally, assets.config, assets.registry, assets.corpus, source)


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
    results: dict[str, Canonical | CanonicalColumns] = {}
    for name, output in outputs.items():
        assets = load_assets(configs[name], Path(registry_dir), None if corpus_dir is None else Path(corpus_dir))
        given = (in_memory or {}).get(name)
        if given is not None:
            results[name] = CanonicalColumns(given, assets)
        else:
            loaded = load_processed(Path(processed_dir) / name / RECORDS_NAME, name, nearest_folder(output))
            results[name] = Canonical(loaded, assets)
    reports: dict[str, ResolutionReport] = {}
    with processed.Together() as together:
        for name, done in results.items():
            report = done.write(together.open(outputs[name] / RECORDS_NAME))
            reports[name] = _with_order_change(report, outputs[name] / REPORT_NAME)
            content = json_text(reports[name].model_dump(mode="json")).encode("utf-8")
            together.open(outputs[name] / REPORT_NAME).write(content)
    return reports


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
