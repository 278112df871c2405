"""Whether a mixture says of its sources what the source release says: ids, truth, level, metadata, counts (7.5)."""

from __future__ import annotations

from pathlib import Path

from autoresearch.releases.columns import read_row_groups
from autoresearch.releases.dossier import Dossier
from autoresearch.releases.episode_rows import mixture_id
from autoresearch.releases.header import SPLITS
from autoresearch.releases.judgement import Judgement, Place
from autoresearch.releases.report import ExportReport, read_report
from autoresearch.releases.row_checks import RowContext
from autoresearch.releases.row_witness import Facts, facts_of


def check_against_source(context: RowContext, dossier: Dossier, folder: Path, facts: Facts) -> None:
    """R093 for ids that are not those of the source; R094 for what is said of them, and for counts that it repeats."""
    judgement, dataset = context.judgement, context.header.dataset
    for split in SPLITS:
        expected: dict[str, set[int]] = {}
        for rows in read_row_groups(folder / f"{split}.parquet"):
            for source_id, of_source in facts_of(rows).items():
                expected.setdefault(mixture_id(dataset, source_id), set()).update(of_source)
        found = context.tally.source_ids(split)
        for source_id in sorted(found ^ set(expected)):
            rule = "is the hash of no source" if source_id in found else "is missing although its source is there"
            judgement.add("R093", Place(split, None, source_id), rule)
        for source_id, of_rows in sorted(facts[split].items()):
            if source_id in expected and of_rows != expected[source_id]:
                rule = "its truth, level or metadata is not that of its source"
                judgement.add("R094", Place(split, None, source_id), rule)
    if dossier.parsed is not None:
        _check_counts(judgement, dossier.parsed, folder)


def _check_counts(judgement: Judgement, report: ExportReport, folder: Path) -> None:
    try:
        source = read_report(folder)
    except ValueError:
        judgement.add("R094", folder.name, "the report of the source cannot be read")
        return
    given = {
        "records": (report.records, source.records),
        "ledger": tuple(
            {split: (item.records, item.exported_sources, item.skipped) for split, item in which.ledger.items()}
            for which in (report, source)
        ),
        "tables": tuple(
            {split: (item.tables, item.tables_seen_in_train) for split, item in which.splits.items()}
            for which in (report, source)
        ),
        "inputs": tuple(
            sorted(item.model_dump_json() for item in which.inputs if item.role in ("canonical", "grading"))
            for which in (report, source)
        ),
    }
    for key, (own, of_source) in given.items():
        if own != of_source:
            judgement.add("R094", key, "is not what the source release says")
