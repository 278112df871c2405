"""``sft validate`` and ``rl validate``: every check of section 7 on the bytes on disk; all findings, not only the
first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from autoresearch.errors import InputError
from autoresearch.files import read_json, without_collector
from autoresearch.progress import bar
from autoresearch.releases.columns import read_batches
from autoresearch.releases.dossier import Dossier
from autoresearch.releases.folder_checks import GivenAssets, open_dossier
from autoresearch.releases.header import MIXTURES
from autoresearch.releases.judgement import Judgement, Place
from autoresearch.releases.release import refuse_unpublished
from autoresearch.releases.report import REPORT_NAME
from autoresearch.releases.row_checks import RowChecker, RowContext, check_across
from autoresearch.releases.row_witness import RowWitness
from autoresearch.releases.thoughts import ESTIMATE, TokenCounter, counter_of
from autoresearch.standards.corpus import Corpus
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.manifest import GradingManifest
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import TaskConfig

ROWS_PER_SOURCE = {"trajectory": 1, "rl-cascade": 1, "rl-pairs": 2, "three-message": 2, "sft-mixture": 2}


@dataclass(frozen=True)
class ValidationOptions:
    """What a validation is asked for besides the folder; None means: the release's own."""

    family: str | None = None
    registry: Path | None = None
    corpus: Path | None = None
    metadata_fields: Sequence[str] | None = None
    task_config: Path | None = None
    grading_config: Path | None = None
    grading_manifest: Path | None = None
    dataset: str | None = None
    max_think_tokens: int | None = None
    tokenizer: Path | None = None
    require_sources: bool = False


def validate(folder: Path, options: ValidationOptions | None = None) -> dict[str, Any]:
    """Judge a release folder; returns the report of 7.0, ``valid`` false when any check fails.

    Raises ``InputError`` when it cannot judge: the folder, its report or a given asset is missing or unreadable.
    """
    return validate_given(Path(folder), None, options or ValidationOptions())


def validate_given(folder: Path, given: GivenAssets | None, options: ValidationOptions) -> dict[str, Any]:
    """``validate`` with the digests of standards that are loaded already; None: those that ``options`` name."""
    refuse_unpublished(folder)
    path = folder / REPORT_NAME
    try:
        report = read_json(path)
    except OSError as error:
        remedy = "give the folder that an export published"
        raise InputError(f"{folder} is not a release: {REPORT_NAME} is absent; {remedy}") from error
    except ValueError as error:
        raise InputError(str(error)) from error
    if not isinstance(report, dict):
        raise InputError(f"{path}: the report is one JSON object")
    return _judge(folder, report, given, options, staged=False)


def validate_staged(folder: Path, draft: dict[str, Any], tokenizer: Path | None = None) -> dict[str, Any]:
    """The same judgement of a staging folder, whose report is not written yet."""
    return _judge(folder, draft, GivenAssets(), ValidationOptions(tokenizer=tokenizer), staged=True)


def given_assets(options: ValidationOptions, dataset: str | None) -> GivenAssets:
    """Digests of the standards that the caller gave. Raises ``InputError`` for one that does not load."""
    grading = options.grading_config
    if options.grading_manifest is not None and grading is None and dataset is not None:
        manifest = GradingManifest.from_path(options.grading_manifest)
        if dataset not in manifest.datasets:
            raise InputError(f"{options.grading_manifest}: the dataset {dataset} is not in the manifest")
        grading = manifest.grading_path(options.grading_manifest, dataset)
    task = (
        None
        if options.task_config is None
        else TaskConfig.from_path(options.task_config).with_fields(options.metadata_fields)
    )
    return GivenAssets(
        registry_sha256=None if options.registry is None else LeafRegistry.from_path(options.registry).digest,
        corpus_sha256=None if options.corpus is None else Corpus.from_path(options.corpus).digest,
        task_sha256=None if task is None else task.digest,
        grading_sha256=None if grading is None else GradingConfig.from_path(grading).digest,
        metadata_fields=options.metadata_fields,
        dataset=options.dataset,
    )


def _judge(
    folder: Path, report: dict[str, Any], given: GivenAssets | None, options: ValidationOptions, *, staged: bool
) -> dict[str, Any]:
    judgement = Judgement()
    header = report.get("header")
    dataset = header.get("dataset") if isinstance(header, dict) else None
    given = given or given_assets(options, dataset)
    dossier = open_dossier(folder, report, options.family, given, judgement, staged)
    if (
        dossier.header is not None
        and dossier.assets is not None
        and dossier.header.registry_sha256 == dossier.assets.registry.digest
    ):
        with without_collector():
            _check_rows(dossier, options, staged)
    sizes = (None, None) if dossier.assets is None else (len(dossier.assets.registry), len(dossier.assets.corpus))
    return judgement.report(
        str(report.get("family")),
        dataset,
        header if isinstance(header, dict) else None,
        sizes,
        dossier.rows,
    )


def _check_rows(dossier: Dossier, options: ValidationOptions, staged: bool) -> None:
    header, assets = dossier.header, dossier.assets
    assert header is not None
    assert assets is not None
    if header.graded != (assets.grading is not None):
        return  # R005 speaks of it
    if header.family == "trajectory" and header.class_policy is None:
        return  # R004 speaks of it
    context = RowContext(dossier.judgement, header, assets, dossier.report)
    checker, witness = _checker(context, options), RowWitness(context)
    dossier.judgement.ran(*checker.codes)
    for split in list(dossier.usable):
        number = 0
        try:
            with bar(f"validate {split}", dossier.rows[split]) as progress:
                for batch in read_batches(dossier.folder / f"{split}.parquet", checker.apart):
                    checker.check(split, number, batch)
                    witness.hear(split, number, batch)
                    number += len(batch)
                    progress.advance(len(batch))
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            dossier.usable.remove(split)
            dossier.judgement.add("R007", Place(split), f"the rows cannot be read: {type(error).__name__}")
    checker.finish()
    witness.finish(dossier)
    check_across(context, dossier, ROWS_PER_SOURCE[header.family])
    if header.family in MIXTURES:
        from autoresearch.releases.mixture_checks import check_mixture

        check_mixture(context, dossier, witness.facts, require_sources=options.require_sources, staged=staged)


def _checker(context: RowContext, options: ValidationOptions) -> RowChecker:
    family = context.header.family
    if family == "trajectory":
        from autoresearch.releases.trajectory_checks import TrajectoryChecks

        return TrajectoryChecks(context, options.max_think_tokens, _counter(context, options), options.tokenizer)
    if family in ("rl-pairs", "rl-cascade"):
        from autoresearch.releases.episode_checks import EpisodeChecks

        return EpisodeChecks(context)
    from autoresearch.releases.three_message_checks import ThreeMessageChecks

    return ThreeMessageChecks(context)


def _counter(context: RowContext, options: ValidationOptions) -> TokenCounter | None:
    if options.tokenizer is not None:
        return counter_of(options.tokenizer)
    think = context.report.get("think")
    recorded = think.get("counter") if isinstance(think, dict) else None
    return ESTIMATE if recorded == ESTIMATE.name else None


def episode_family(folder: Path) -> str:
    """The family that ``rl validate`` asks of a folder: the cascade when it is one, else pairs (R003 for all
    others).
    """
    return "rl-cascade" if _recorded_family(folder) == "rl-cascade" else "rl-pairs"


def tuning_family(folder: Path) -> str:
    """The family that ``sft validate`` asks of a folder: the recorded one, or three-message when it is none of SFT."""
    found = _recorded_family(folder)
    return found if found in ("trajectory", "sft-mixture") else "three-message"


def _recorded_family(folder: Path) -> str | None:
    try:
        content = read_json(folder / REPORT_NAME)
    except (OSError, ValueError):
        return None
    return str(content.get("family")) if isinstance(content, dict) else None
