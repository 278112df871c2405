"""The report of a release, ``export_report.json`` (3.16)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from autoresearch.files import read_json

REPORT_NAME = "export_report.json"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ReleaseState(_Frozen):
    """Whether the folder is a release, and every file of it but the report."""

    status: Literal["passed"]
    published: Literal[True]
    files: dict[str, str]
    """Relative POSIX path -> sha256."""


class InputFile(_Frozen):
    """One file that the release was made from; names only, no folders."""

    role: str
    name: str
    sha256: str
    bytes: int


class RecordCounts(_Frozen):
    """Canonical records by resolution."""

    resolved: int
    not_resolved: int


class SplitLedger(_Frozen):
    """Where the resolved records of one split went; ``records`` = ``exported_sources`` + all of ``skipped``."""

    records: int
    exported_sources: int
    rows: int
    skipped: dict[str, int]
    """Reason -> count."""


class SplitFile(_Frozen):
    """One parquet file, with the table counts that tell seen from unseen tables (8.3)."""

    file: str
    sha256: str
    rows: int
    tables: int
    tables_seen_in_train: int


class Grading(_Frozen):
    """The levels of the rows; ``enabled`` false when the release has none."""

    enabled: bool
    levels: list[str]
    gt_field: str | None
    sha256: str | None


class LabelInSplit(_Frozen):
    """A category id or level that a split holds and train does not."""

    label: str
    split: str


class LabelGapGate(_Frozen):
    """The verdict of 4.5.5."""

    status: Literal["passed", "waived", "failed"]
    blocking: list[LabelInSplit]
    waived: list[LabelInSplit]
    blocking_levels: list[LabelInSplit]
    waived_levels: list[LabelInSplit]


class Versions(_Frozen):
    """Versions that decide the bytes of the parquet files."""

    autoresearch: str
    pyarrow: str


class CandidateReport(_Frozen):
    """How good the candidate bundles are (three-message rows, pairs)."""

    policy: str
    gold_recall_of_search_at_5: float
    distinct_negatives: int
    most_frequent_negative_share: float


class ThinkReport(_Frozen):
    """Where thoughts came from and what the caps did to them (6.3, 6.4)."""

    source: Literal["mock", "file", "none"]
    max_tokens: int
    tool_max_tokens: int
    over_limit: Literal["truncate", "discard"]
    counter: str
    """``estimate`` or ``tokenizer:<sha256>``."""
    truncated_rows: int
    truncated_turns: int
    discarded: int
    reused_thoughts: int
    unused_thoughts: int


class Sampling(_Frozen):
    """How a mixture drew from its one input; each map is keyed by the dataset."""

    policy: Literal["single-dataset passthrough"]
    train_input_source_counts: dict[str, int]
    train_source_counts: dict[str, int]
    train_achieved_weights: dict[str, float]


class ManifestUse(_Frozen):
    """The grading manifest as used by a mixture."""

    path: str
    sha256: str
    datasets: dict[str, dict[str, str]]


class MixtureSource(_Frozen):
    """The release a mixture was made from; ``path`` is relative to the mixture's folder."""

    path: str
    report_sha256: str
    files: dict[str, str]


class ExportReport(_Frozen):
    """The whole report; the keys of other families are left out of the file."""

    format: str
    family: str
    header: dict[str, Any]
    release: ReleaseState
    inputs: list[InputFile]
    records: RecordCounts
    ledger: dict[str, SplitLedger]
    splits: dict[str, SplitFile]
    grading: Grading
    label_gap_gate: LabelGapGate
    validation: dict[str, Any]
    versions: Versions
    candidate_report: CandidateReport | None = None
    class_report: dict[str, Any] | None = None
    think: ThinkReport | None = None
    label_source: Literal["canonical"] | None = None
    skipped_sources: dict[str, list[str]] | None = None
    """Reason -> ids, of the skips that a person should look at (``label_in_metadata``)."""
    sampling: Sampling | None = None
    grading_manifest: ManifestUse | None = None
    sources: dict[str, MixtureSource] | None = None

    def as_json(self) -> dict[str, Any]:
        """The object that is written: keys that do not apply to the family are absent."""
        optional = set(type(self).model_fields) - {
            name for name, field in type(self).model_fields.items() if field.is_required()
        }
        content = self.model_dump(mode="json")
        return {key: value for key, value in content.items() if value is not None or key not in optional}


def read_report(folder: Path) -> ExportReport:
    """Read a release's report. Raises ``ValueError`` naming the file and the first wrong key, ``OSError`` when it
    is absent.
    """
    path = folder / REPORT_NAME
    try:
        return ExportReport.model_validate(read_json(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{path.name}: {place}: {first['msg']}") from error
