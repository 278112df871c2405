"""``rl mixture``: a published release of one dataset becomes a mixture, with new ids and checked lineage (4.12)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import json_text, sha256_bytes
from autoresearch.findings import finding
from autoresearch.progress import bar
from autoresearch.releases.columns import group_tables, read_row_groups
from autoresearch.releases.draft import make_header, make_report
from autoresearch.releases.episode_rows import STAGE1, episode_row, mixture_id, mixture_order, stage1_prompt
from autoresearch.releases.gaps import GapGate
from autoresearch.releases.header import NATIVE_PROMPTS, NATIVE_TOOL_TRAJECTORY_FORMAT, SPLITS, ReleaseHeader
from autoresearch.releases.inputs import AssetFiles, load_release_assets
from autoresearch.releases.mixture_checks import POLICY
from autoresearch.releases.pairs_export import check_level_field
from autoresearch.releases.publish import Attempt, Written, audited, not_valid, publish, refuse_existing
from autoresearch.releases.release import Release
from autoresearch.releases.report import ExportReport, ManifestUse, MixtureSource, Sampling, SplitLedger
from autoresearch.releases.validate import ValidationOptions, validate
from autoresearch.standards.manifest import GradingManifest
from autoresearch.standards.task_config import NATIVE_FOUR

REPEATED_INPUTS = ("canonical", "grading")
"""A mixture repeats these entries of its source: a conflict verdict is held against them (training.md 8.2)."""
INPUT_FAMILY = {"rl-cascade": "rl-pairs", "sft": "three-message"}


@dataclass(frozen=True)
class MixtureInputs:
    """What a mixture is made from. Standards that are given must be those of the source release."""

    dataset: str
    source: Path
    grading_manifest: Path
    registry: Path | None = None
    corpus: Path | None = None
    metadata_fields: Sequence[str] | None = None
    task_config: Path | None = None
    grading_config: Path | None = None


def build(family: str, inputs: MixtureInputs, output: Path, failed_audit: Path | None = None) -> dict[str, Any]:
    """Build, validate and publish a mixture (``rl-cascade`` or ``sft``) at ``output``; returns its report.

    Raises ``RefusedError`` R003 for a source of another family, R006 for changed bytes, R011 for a waived gap,
    and with the source's findings when its validator says no.
    """
    if family not in INPUT_FAMILY:
        raise InputError(f"--family {family}: give sft or rl-cascade")
    with audited("rl mixture", output, failed_audit) as attempt:
        refuse_existing(output)
        release = Release(inputs.source)
        _check_family(family, release)
        _check_dataset(inputs, release)
        manifest = _manifest(inputs, release)
        attempt.phase = "validate"
        judged = validate(
            inputs.source,
            ValidationOptions(
                registry=inputs.registry,
                corpus=inputs.corpus,
                metadata_fields=inputs.metadata_fields,
                task_config=inputs.task_config,
                grading_config=inputs.grading_config,
            ),
        )
        if not judged["valid"]:
            attempt.validation = judged
            raise not_valid(judged)
        attempt.phase = "derive"
        files = load_release_assets(inputs.source / "assets")
        check_level_field(files.assets)
        files = files.with_manifest_bytes(inputs.grading_manifest, _portable(inputs, manifest))
        if family == "sft":
            from autoresearch.releases.three_message import mixture_header, mixture_rows

            header = mixture_header(release, files)
            rows: dict[str, Iterator[dict[str, Any]]] = {split: mixture_rows(release, files, split) for split in SPLITS}
        else:
            header = _cascade_header(release, files)
            rows = {split: cascade_rows(release, files, split) for split in SPLITS}
        return _publish(attempt, output, header, files, release, rows)


def _check_family(family: str, release: Release) -> None:
    wanted = INPUT_FAMILY[family]
    if release.family == wanted:
        return
    hint = "; `autoresearch train sft` reads a trajectory release directly" if release.family == "trajectory" else ""
    rule = f"is of the family {release.family}, a {family} mixture is made from {wanted}{hint}"
    item = finding("R003", place=release.path.name, rule=rule)
    raise RefusedError(item.message(), [item])


def _check_dataset(inputs: MixtureInputs, release: Release) -> None:
    if release.header.dataset != inputs.dataset:
        raise InputError(f"--input {inputs.dataset}=…: the release is of the dataset {release.header.dataset}")
    if tuple(release.header.metadata_fields) != NATIVE_FOUR:
        item = finding(
            "R097",
            place=release.path.name,
            rule=f"shows {' '.join(release.header.metadata_fields)}; a mixture needs {' '.join(NATIVE_FOUR)}",
        )
        raise RefusedError(item.message(), [item])
    gate = release.report.label_gap_gate
    if gate.status != "passed":
        item = finding(
            "R011", place=release.path.name, rule=f"its label gap gate is {gate.status}; a mixture accepts passed only"
        )
        raise RefusedError(item.message(), [item])


def _manifest(inputs: MixtureInputs, release: Release) -> GradingManifest:
    manifest = GradingManifest.from_path(inputs.grading_manifest)
    if list(manifest.datasets) != [inputs.dataset]:
        item = finding(
            "F037", place=inputs.grading_manifest.name, rule=f"must name exactly the dataset {inputs.dataset}"
        )
        raise InputError(item.message(), [item])
    if manifest.datasets[inputs.dataset].sha256 != release.header.grading_sha256:
        item = finding(
            "R090",
            place=inputs.grading_manifest.name,
            rule="names another grading standard than the release was made with",
        )
        raise RefusedError(item.message(), [item])
    return manifest


def _portable(inputs: MixtureInputs, manifest: GradingManifest) -> bytes:
    """The manifest's bytes; with an absolute path inside, the same content that points to the grading file beside
    it.
    """
    entry = manifest.datasets[inputs.dataset]
    if not Path(entry.path).is_absolute():
        return inputs.grading_manifest.read_bytes()
    content = {"datasets": {inputs.dataset: {"path": "grading.json", "sha256": entry.sha256}}}
    return json_text(content).encode("utf-8")


def _cascade_header(release: Release, files: AssetFiles) -> ReleaseHeader:
    return make_header(
        "rl-cascade",
        release.header.dataset,
        files.assets,
        prompt_version=NATIVE_PROMPTS,
        trajectory_format=NATIVE_TOOL_TRAJECTORY_FORMAT,
        enable_thinking=release.header.enable_thinking,
    )


def cascade_rows(release: Release, files: AssetFiles, split: str) -> Iterator[dict[str, Any]]:
    """The first stage of each pair under its mixture id, candidates dropped, in the order of 4.12."""
    header = release.header
    found = []
    for rows in read_row_groups(release.parquet(split)):
        for row in rows:
            extra = row["extra_info"]
            if extra["stage"] == STAGE1:
                identity = mixture_id(header.dataset, extra["source_id"])
                truth = row["reward_model"]["ground_truth"]
                found.append(
                    (
                        mixture_order(split, identity, STAGE1),
                        identity,
                        truth,
                        extra["ground_truth_level"],
                        extra["metadata"],
                    )
                )
    found.sort(key=lambda item: item[0])
    with bar(f"cascade {split}", len(found)) as progress:
        for _, identity, truth, level, metadata in found:
            prompt = stage1_prompt(files.assets, metadata, header.enable_thinking)
            yield episode_row(header.dataset, STAGE1, identity, prompt, header.task_name, truth, level, metadata, None)
            progress.advance()


def _publish(
    attempt: Attempt,
    output: Path,
    header: ReleaseHeader,
    files: AssetFiles,
    release: Release,
    rows: dict[str, Iterator[dict[str, Any]]],
) -> dict[str, Any]:
    tables = {split: group_tables(rows[split], header) for split in SPLITS}
    return publish(attempt, output, header, files, tables, _reporter(output, header, files, release))


def _reporter(
    output: Path, header: ReleaseHeader, files: AssetFiles, release: Release
) -> Callable[[Written], ExportReport]:
    source = release.report
    dataset = header.dataset
    manifest_bytes = files.content["grading_manifest"]
    grading = files.assets.grading
    assert grading is not None
    path = Path(os.path.relpath(release.path.resolve(), output.resolve())).as_posix()

    def report(written: Written) -> ExportReport:
        ledger = {
            split: SplitLedger(
                records=item.records,
                exported_sources=item.exported_sources,
                rows=written.rows[split],
                skipped=item.skipped,
            )
            for split, item in source.ledger.items()
        }
        count = ledger["train"].exported_sources
        further = {
            "sampling": Sampling(
                policy=POLICY,
                train_input_source_counts={dataset: source.ledger["train"].exported_sources},
                train_source_counts={dataset: count},
                train_achieved_weights={dataset: 1.0},
            ),
            "grading_manifest": ManifestUse(
                path="assets/grading-manifest.json",
                sha256=sha256_bytes(manifest_bytes),
                datasets={dataset: {"path": "assets/grading.json", "sha256": grading.digest}},
            ),
            "sources": {dataset: MixtureSource(path=path, report_sha256=release.report_sha256, files=release.files)},
        }
        return make_report(
            header,
            files,
            written,
            inputs=tuple(item for item in source.inputs if item.role in REPEATED_INPUTS),
            records=source.records,
            ledger=ledger,
            tables={split: (item.tables, item.tables_seen_in_train) for split, item in source.splits.items()},
            gaps=GapGate("passed", (), (), (), ()),
            further=further,
        )

    return report
