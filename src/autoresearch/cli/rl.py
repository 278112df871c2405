"""``autoresearch rl``: releases for reinforcement learning (data-line.md 4.11, 4.12, 4.8)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.cli.sft import (
    Folder,
    Words,
    export_inputs,
    published,
    release_folder,
    validation_outcome,
)
from autoresearch.errors import InputError

app = App(name="rl", help="Releases for reinforcement learning: export, mixture, validate.")


@app.command
def export(
    *,
    canonical: Path,
    output_dir: Path,
    registry: Path,
    corpus: Path,
    dataset: str,
    metadata_fields: Words | None = None,
    task_config: Path | None = None,
    grading_config: Path | None = None,
    candidate_policy: Literal["hard_negatives", "gold_first4"] = "hard_negatives",
    enable_thinking: bool = True,
    split_dir: Path | None = None,
    allow_label_gaps: Words | None = None,
    allow_any_label_gap: bool = False,
    failed_audit: Path | None = None,
) -> Outcome:
    """Publish a stage1 and a stage2 row for each labelled field.

    Example: autoresearch rl export --canonical canonical/steel/all.json --registry steel.registry.json
    --corpus steel.corpus.json --grading-config steel.grading.json --dataset steel
    --metadata-fields field_name table_name field_description table_description --output-dir releases/pairs
    """
    from autoresearch.releases import pairs_export

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
    report = pairs_export.export(
        inputs,
        output_dir,
        candidate_policy=candidate_policy,
        enable_thinking=enable_thinking,
        failed_audit=failed_audit,
    )
    return published(output_dir, report)


@app.command
def mixture(
    *,
    family: Literal["sft", "rl-cascade"],
    input: Annotated[list[str], Parameter(name="--input")],
    grading_manifest: Path,
    output_dir: Path,
    registry: Path | None = None,
    corpus: Path | None = None,
    metadata_fields: Words | None = None,
    task_config: Path | None = None,
    grading_config: Path | None = None,
    failed_audit: Path | None = None,
) -> Outcome:
    """Make a mixture from one published release, with new source ids and checked lineage.

    Example: autoresearch rl mixture --family rl-cascade --input steel=releases/pairs
    --grading-manifest grading-manifest.json --output-dir releases/cascade
    """
    from autoresearch.releases import mixture as room

    if len(input) != 1:
        raise InputError(f"--input is given {len(input)} times; a mixture has exactly one input, <ds>=DIR")
    name, found, folder = input[0].partition("=")
    if not found or not name or not folder:
        raise InputError(f"--input {input[0]}: give <ds>=DIR")
    inputs = room.MixtureInputs(
        dataset=name,
        source=Path(folder),
        grading_manifest=grading_manifest,
        registry=registry,
        corpus=corpus,
        metadata_fields=metadata_fields,
        task_config=task_config,
        grading_config=grading_config,
    )
    return published(output_dir, room.build(family, inputs, output_dir, failed_audit))


@app.command
def validate(
    *,
    dataset_dir: Folder,
    registry: Path | None = None,
    corpus: Path | None = None,
    metadata_fields: Words | None = None,
    task_config: Path | None = None,
    grading_config: Path | None = None,
    grading_manifest: Path | None = None,
    dataset: str | None = None,
    require_sources: bool = False,
    report: Path | None = None,
) -> Outcome:
    """Check a release of pairs or a cascade on the bytes on disk; exit 1 when it is not valid.

    Example: autoresearch rl validate --dataset-dir releases/cascade
    """
    from autoresearch.releases import validate as room

    options = room.ValidationOptions(
        family=room.episode_family(dataset_dir),
        registry=registry,
        corpus=corpus,
        metadata_fields=metadata_fields,
        task_config=task_config,
        grading_config=grading_config,
        grading_manifest=grading_manifest,
        dataset=dataset,
        require_sources=require_sources,
    )
    return validation_outcome(room.validate(release_folder(dataset_dir), options), report)
