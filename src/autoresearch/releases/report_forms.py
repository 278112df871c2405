"""The reports that a release's commands write, as forms (data-line.md 3.12, 3.17, 4.9, 4.10, 7.0)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from autoresearch.fields.preprocess import FindingCount


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CountedPlaces(_Form):
    """One code in one split: all findings are counted, the first hundred places are listed."""

    code: str
    count: int
    places: list[str]


class JudgedSplit(_Form):
    """What a validator found in one split."""

    rows: int
    errors: list[str]
    findings: list[CountedPlaces]


class ValidationReport(_Form):
    """The report of a validator (7.0). ``valid`` is true when no finding is an error."""

    format: Literal["autoresearch-validation-v1"]
    family: str
    valid: bool
    dataset: str | None
    header: dict[str, Any] | None
    registry_size: int | None
    corpus_size: int | None
    splits: dict[str, JudgedSplit]
    cross_split_errors: list[str]
    checks_run: list[str]
    findings: list[FindingCount]


class Thresholds(_Form):
    """The margins and the bundle size that the classes of ``search`` follow."""

    direct_margin: float
    tie_margin: float
    bundle: int


class SplitClasses(_Form):
    """Classes of one split, and how well search finds the gold."""

    class_counts: dict[str, int]
    class_shares: dict[str, float]
    search_rank: dict[str, int]
    ties: int
    reassigned: int
    gold_recall_at_5: float
    gold_recall_at_5_without_description: float
    missing_description_share: float


class ClassReport(_Form):
    """The classes of a trajectory release (6.2)."""

    policy: Literal["search", "hash"]
    thresholds: Thresholds
    splits: dict[str, SplitClasses]


class Instruction(_Form):
    """What the generator of thoughts must keep to."""

    terminal_max_tokens: int
    tool_max_tokens: int
    most_sentences: int
    must_not_appear: list[str]


class Shard(_Form):
    """One shard file by name, with its lines and hash."""

    path: str
    rows: int
    sha256: str


class CollectReport(_Form):
    """``collect_report.json``: the shards that a generator fills. They show the truth (``label_aware``)."""

    format: Literal["autoresearch-think-collect-v1"]
    header: dict[str, Any]
    label_aware: Literal[True]
    instruction: Instruction
    shard_size: int
    shards: list[Shard]
    splits: dict[str, int]
    total_samples: int
    skipped: dict[str, int]
    class_report: ClassReport


class Prompt(_Form):
    """System and user text."""

    system: str
    user: str


class ToolCall(_Form):
    """One call with its arguments as an object."""

    name: str
    arguments: dict[str, Any]


class TerminalAnswer(_Form):
    """The terminal turn: choice id and level."""

    answer: str
    level: str


class CollectSample(_Form):
    """One line of a collect shard as it is written; filled ones may have the other shapes of 3.13."""

    sample_id: str
    split: Literal["train", "val", "test"]
    trajectory_class: str
    prompt: Prompt
    tool_calls: list[ToolCall]
    tool_results: list[str]
    ground_truth: str
    ground_truth_level: str
    terminal_json: TerminalAnswer
    assistant_turns: int
    think: str
    tool_think: list[str]


class Lengths(_Form):
    """Characters or tokens of one part over rows."""

    rows: int
    max: int
    p95: int
    mean: float


class ClassStats(_Form):
    """Counts of one split and class."""

    rows: int
    characters: dict[str, Lengths]
    tokens: Lengths | None
    turns: dict[str, int]
    calls: dict[str, int]
    think_sources: dict[str, int]
    truncated_turns: int
    missing_description_share: float
    search_rank: dict[str, int]
    levels: dict[str, int]
    categories: dict[str, int]


class Snapshot(_Form):
    """One row as the tokenizer's template renders it."""

    source_id: str
    text: str


class TrajectoryStats(_Form):
    """The report of ``sft stats`` (4.9); ``splits`` is keyed by split, then by class or ``all``."""

    format: Literal["autoresearch-trajectory-stats-v1"]
    dataset: str
    header: dict[str, Any]
    rows: dict[str, int]
    classes: dict[str, dict[str, int]]
    think_sources: dict[str, dict[str, int]]
    max_length: int | None
    over_length: list[str]
    splits: dict[str, dict[str, ClassStats]]
    snapshots: list[Snapshot]


class BudgetLimits(_Form):
    """Most tokens; null where a part is not judged."""

    max_length: int | None
    rollout_prompt: int | None
    rollout_response: int | None


class ReleaseName(_Form):
    """A release by its folder's name and its report's hash."""

    name: str
    report_sha256: str


class SplitBudget(_Form):
    """Tokens of one split, and the source ids over a limit."""

    rows: int
    max_tokens: int
    p95: int
    longest_source_id: str
    longest_prompt: int
    longest_completion: int
    loss_tokens: int
    over_limit: list[str]
    over_prompt_limit: list[str]
    over_response_limit: list[str]


class TokenBudget(_Form):
    """The report of ``sft budget`` (4.10)."""

    format: Literal["autoresearch-token-budget-v1"]
    family: str
    dataset: str
    enable_thinking: bool
    think_default_used: Literal[False]
    limits: BudgetLimits
    release: ReleaseName
    template_sha256: str
    tokenizer_sha256: str
    splits: dict[str, SplitBudget]
    findings: list[FindingCount]
    valid: bool


class FindingForm(_Form):
    """One finding in full."""

    code: str
    name: str
    severity: Literal["error", "warning", "note"]
    place: str
    value: str
    rule: str
    remedy: str


class FailedAudit(_Form):
    """What an exporter leaves behind when it fails (3.17); the only file with a clock."""

    status: Literal["failed"]
    phase: Literal["prepare", "derive", "write", "validate", "report", "publish"]
    error: str
    error_type: str
    findings: list[FindingForm]
    validation: ValidationReport | None
    output_name: str | None
    recorded_at: str
    """UTC, ISO 8601."""
