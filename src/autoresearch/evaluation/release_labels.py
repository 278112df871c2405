"""The labelled fields of the release that standards belong to: neighbours of the baseline, evidence of the review
(training 10.3, 10.4).
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from autoresearch.evaluation.retrieval_baseline import LabelledField, RetrievalBaseline
from autoresearch.evaluation.split_data import labelled_fields, rows_of_release
from autoresearch.releases.release import Release
from autoresearch.releases.report import REPORT_NAME

if TYPE_CHECKING:
    from autoresearch.evaluation.standards_folder import StandardsFolder


def release_of(standards: StandardsFolder) -> Release | None:
    """The release whose ``assets/`` these standards are; None for standards of their own."""
    folder = standards.registry.resolve().parent
    if folder.name != "assets" or not (folder.parent / REPORT_NAME).is_file():
        return None
    return Release(folder.parent)


def train_fields(release: Release) -> list[LabelledField]:
    """The train rows of a release of any family, each field once."""
    return list({item.identity: item for item in labelled_fields(rows_of_release(release, "train"))}.values())


def median_margin(baseline: RetrievalBaseline) -> float | None:
    """The median margin of the baseline on its own labelled fields, none answering for itself; None without any."""
    if not baseline.labelled:
        return None
    fields = [
        {"field_name": item.field_name, "table_name": item.table_name, "field_description": item.field_description}
        for item in baseline.labelled
    ]
    answers = baseline.answers(fields, [item.identity for item in baseline.labelled])
    return median(answer.margin or 0.0 for answer in answers)
