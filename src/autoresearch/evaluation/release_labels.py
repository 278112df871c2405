"""The labelled fields of the release that standards belong to: neighbours of the baseline, evidence of the review
(training 10.3, 10.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING

from autoresearch.evaluation.retrieval_baseline import LabelledField, RetrievalBaseline
from autoresearch.releases.release import Release
from autoresearch.releases.report import REPORT_NAME

if TYPE_CHECKING:
    from autoresearch.evaluation.standards_folder import StandardsFolder
    from autoresearch.training.episodes import EpisodeRow


def release_of(standards: StandardsFolder) -> Release | None:
    """The release whose ``assets/`` these standards are; None for standards of their own."""
    folder = standards.registry.resolve().parent
    if folder.name != "assets" or not (folder.parent / REPORT_NAME).is_file():
        return None
    return Release(folder.parent)


def labelled_fields(rows: Sequence[EpisodeRow]) -> list[LabelledField]:
    """Labelled rows of a release as neighbours; the source id is their identity."""
    return [
        LabelledField(
            field_name=row.metadata.get("field_name") or "",
            table_name=row.metadata.get("table_name") or "",
            field_description=row.metadata.get("field_description") or "",
            category_id=row.ground_truth or "",
            level=row.ground_truth_level or "",
            identity=row.source_id,
        )
        for row in rows
    ]


def train_fields(release: Release) -> list[LabelledField]:
    """The train rows of a release of any family, each field once."""
    from autoresearch.evaluation.split_data import rows_of_release

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
