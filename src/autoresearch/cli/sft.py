"""``autoresearch sft``: releases for supervised fine-tuning (data-line.md 4.6 to 4.10)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError
from autoresearch.files import write_json

if TYPE_CHECKING:
    from autoresearch.releases.inputs import ExportInputs

app = App(
    name="sft", help="Releases for supervised fine-tuning: export, validate, collect, assemble, stats, budget, masks."
)

Words = Annotated[list[str], Parameter(consume_multiple=True)]
Folder = Annotated[Path, Parameter(name=("--dataset-dir", "--release"))]


def release_folder(path: Path) -> Path:
    """The release folder, or ``InputError`` when it is not there."""
    if not path.is_dir():
        raise InputError(f"{path}: no such release folder")
    return path


def export_inputs(
    canonical: Path,
    registry: Path,
    corpus: Path,
    metadata_fields: Sequence[str] | None,
    task_config: Path | None,
    grading_config: Path | None,
    dataset: str | None,
    split_dir: Path | None,
    allow_label_gaps: Sequence[str] | None,
    allow_any_label_gap: bool,
) -> ExportInputs:
    """The flags that all exporters share as one object."""
    from autoresearch.releases.inputs import ExportInputs

    return ExportInputs(
        canonical=canonical,
        registry=registry,
        corpus=corpus,
        metadata_fields=metadata_fields,
        task_config=task_config,
        grading_config=grading_config,
        dataset=dataset,
        split_dir=split_dir,
        allow_label_gaps=tuple(allow_label_gaps or ()),
        allow_any_label_gap=allow_any_label_gap,
    )


def published(folder: Path, report: dict[str, Any]) -> Outcome:
    """What a publisher prints: where, how much, and what stands in the report beside it."""
    keys = ("family", "records", "ledger", "label_gap_gate", "class_report", "candidate_report", "think", "sampling")
    shown = {key: report[key] for key in keys if key in report}
    rows = {split: item["rows"] for split, item in report["splits"].items()}
    return Outcome({"output": str(folder), "report": str(folder / "export_report.json"), "rows": rows, **shown})


def validation_outcome(judged: dict[str, Any], report: Path | None) -> Outcome:
    """Print a validation and write it where asked; exit 1 when it is not valid."""
    if report is not None:
        write_json(report, judged)
    return Outcome(judged, 0 if judged["valid"] else 1)


@app.command
def export(
    *,
    canonical: Path,
    output_dir: Path,
    registry: Path,
    corpus: Path,
    metadata_fields: Words | None = None,
    task_config: Path | None = None,
    grading_config: Path | None = None,
    candidate_policy: Literal["hard_negatives", "gold_first4"] = "hard_negatives",
    split_dir: Path | None = None,
    dataset: str | None = None,
    allow_label_gaps: Words | None = None,
    allow_any_label_gap: bool = False,
    failed_audit: Path | None = None,
) -> Outcome:
    """Publish three-message rows: a shortlist and a choice for each labelled field.

    Example: autoresearch sft export --canonical canonical/steel/all.json --registry steel.registry.json
    --corpus steel.corpus.json --metadata-fields field_name table_name field_description table_description
    --grading-config steel.grading.json --output-dir releases/three
    """
    from autoresearch.releases import three_message

    inputs = export_inputs(
        canonical,
        registry,
        corpus,
        metadata_fields,
        task_config,
        grading_config,
        dataset,
        split_dir,
        allow_label_gaps,
        allow_any_label_gap,
    )
    report = three_message.export(inputs, output_dir, candidate_policy=candidate_policy, failed_audit=failed_audit)
    return published(output_dir, report)


@app.command
def collect(
    *,
    canonical: Path,
    collect_dir: Path,
    registry: Path,
    corpus: Path,
    grading_config: Path,
    metadata_fields: Words | None = None,
    task_config: Path | None = None,
    dataset: str | None = None,
    class_policy: Literal["search", "hash"] = "search",
    enable_thinking: bool = True,
    shard_size: int = 64,
    overwrite: bool = False,
    split_dir: Path | None = None,
    allow_label_gaps: Words | None = None,
    allow_any_label_gap: bool = False,
    failed_audit: Path | None = None,
) -> Outcome:
    """Write shards of prompts, calls and results for a generator to fill with thoughts.

    Example: autoresearch sft collect --canonical canonical/steel/all.json --registry steel.registry.json
    --corpus steel.corpus.json --grading-config steel.grading.json --task-config steel.task.json
    --collect-dir thoughts/steel
    """
    from autoresearch.releases import collect as room

    inputs = export_inputs(
        canonical,
        registry,
        corpus,
        metadata_fields,
        task_config,
        grading_config,
        dataset,
        split_dir,
        allow_label_gaps,
        allow_any_label_gap,
    )
    report = room.collect(
        inputs,
        collect_dir,
        class_policy=class_policy,
        enable_thinking=enable_thinking,
        shard_size=shard_size,
        overwrite=overwrite,
        failed_audit=failed_audit,
    )
    shown = {key: report[key] for key in ("splits", "total_samples", "skipped", "class_report")}
    return Outcome({"output": str(collect_dir), "shards": len(report["shards"]), **shown})


@app.command
def assemble(
    *,
    canonical: Path,
    output_dir: Path,
    registry: Path,
    corpus: Path,
    grading_config: Path,
    metadata_fields: Words | None = None,
    task_config: Path | None = None,
    dataset: str | None = None,
    class_policy: Literal["search", "hash"] = "search",
    enable_thinking: bool = True,
    think_source: str | None = None,
    max_think_tokens: int = 128,
    think_over_limit: Literal["truncate", "discard"] = "truncate",
    tokenizer: Path | None = None,
    split_dir: Path | None = None,
    allow_label_gaps: Words | None = None,
    allow_any_label_gap: bool = False,
    failed_audit: Path | None = None,
) -> Outcome:
    """Publish tool trajectories: one complete chat with real tool results for each labelled field.

    Example: autoresearch sft assemble --canonical canonical/steel/all.json --registry steel.registry.json
    --corpus steel.corpus.json --grading-config steel.grading.json --task-config steel.task.json
    --no-enable-thinking --output-dir releases/trajectory
    """
    from autoresearch.releases import trajectory_export

    inputs = export_inputs(
        canonical,
        registry,
        corpus,
        metadata_fields,
        task_config,
        grading_config,
        dataset,
        split_dir,
        allow_label_gaps,
        allow_any_label_gap,
    )
    options = trajectory_export.TrajectoryOptions(
        enable_thinking=enable_thinking,
        class_policy=class_policy,
        think_source=think_source,
        max_think_tokens=max_think_tokens,
        think_over_limit=think_over_limit,
        tokenizer=tokenizer,
    )
    return published(output_dir, trajectory_export.assemble(inputs, output_dir, options, failed_audit))


@app.command
def validate(
    *,
    dataset_dir: Folder,
    family: Literal["three-message", "trajectory", "sft-mixture"] | None = None,
    registry: Path | None = None,
    corpus: Path | None = None,
    metadata_fields: Words | None = None,
    task_config: Path | None = None,
    grading_config: Path | None = None,
    dataset: str | None = None,
    report: Path | None = None,
    max_think_tokens: int | None = None,
    tokenizer: Path | None = None,
) -> Outcome:
    """Check a release on the bytes on disk; exit 1 when it is not valid.

    Example: autoresearch sft validate --dataset-dir releases/trajectory --report validation.json
    """
    from autoresearch.releases import validate as room

    options = room.ValidationOptions(
        family=family or room.tuning_family(dataset_dir),
        registry=registry,
        corpus=corpus,
        metadata_fields=metadata_fields,
        task_config=task_config,
        grading_config=grading_config,
        dataset=dataset,
        max_think_tokens=max_think_tokens,
        tokenizer=tokenizer,
    )
    return validation_outcome(room.validate(release_folder(dataset_dir), options), report)


@app.command
def stats(
    *,
    dataset_dir: Folder,
    report: Path,
    model: Path | None = None,
    max_length: int | None = None,
    snapshot_rows: int = 2,
    fail_over_length: bool = False,
) -> Outcome:
    """Count every text that a trajectory's prompt will hold, by split and class.

    Example: autoresearch sft stats --dataset-dir releases/trajectory --report stats.json
    """
    from autoresearch.releases import stats as room

    counted = room.stats(dataset_dir, model=model, max_length=max_length, snapshot_rows=snapshot_rows)
    write_json(report, counted)
    over = counted["over_length"]
    shown = {key: counted[key] for key in ("rows", "classes", "think_sources", "over_length")}
    return Outcome({"report": str(report), **shown}, 1 if fail_over_length and over else 0)


@app.command
def budget(
    *,
    dataset_dir: Folder,
    model: Path,
    max_length: int | None = None,
    rollout_prompt: int | None = None,
    rollout_response: int | None = None,
    report: Path | None = None,
    verdict: Path | None = None,
) -> Outcome:
    """Count the tokens of every row by the checkpoint's own template; exit 1 when a row is over its limit.

    Example: autoresearch sft budget --release releases/trajectory --model models/qwen --max-length 4096
    --verdict verdicts/token_budget.json
    """
    from autoresearch.releases import budget as room

    limits = room.Limits(max_length, rollout_prompt, rollout_response)
    counted = room.check(dataset_dir, model, limits, report=report, verdict=verdict)
    return Outcome(counted, 0 if counted["valid"] else 1)


@app.command
def masks(
    *,
    release: Annotated[list[Path], Parameter(name=("--release", "--dataset-dir"), consume_multiple=True)],
    model: Annotated[list[Path], Parameter(consume_multiple=True)],
    out: Path,
    row: str | None = None,
    split: Literal["train", "val", "test"] = "train",
    answer_weight: float = 8,
    only_answer: bool = False,
) -> Outcome:
    """Write a page that shows one row of each class with its trained tokens marked, as the trainer gets them.

    Example: autoresearch sft masks --release releases/trajectory releases/three --model models/qwen --out masks.md

    Parameters
    ----------
    release
        Release folders of any family; rows of RL families are prompts, in which nothing is trained.
    model
        Checkpoint folders, for tokenizer, template and class; weights are not read.
    out
        Page to write; written anew when it exists.
    row
        Source id; default the first row of each class.
    split
        Split the rows are taken from.
    answer_weight
        Weight of the two values of the answer, as in train sft.
    only_answer
        Learn from the last turn only, as in train sft.
    """
    from autoresearch.files import atomic_write_text
    from autoresearch.releases import mask_page as room

    options = room.MaskOptions(split=split, row=row, answer_weight=answer_weight, only_answer=only_answer)
    shown = room.collect_shown(release, model, options)
    names = ", ".join(folder.name for folder in release)
    how = f"Written by `autoresearch sft masks` from the releases {names}."
    atomic_write_text(out, room.write_page(shown, model, options, how))
    conversations = [
        {"conversation": item.title, "row": item.row, "tokens": item.tokens, "trained": item.trained} for item in shown
    ]
    return Outcome({"page": str(out), "conversations": conversations})
