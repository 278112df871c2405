"""Checks of a mixture as a whole: its standards, sampling, manifest and source (7.5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import ValidationError

from autoresearch.files import read_json, sha256_file
from autoresearch.releases.dossier import Dossier
from autoresearch.releases.header import SPLITS
from autoresearch.releases.judgement import Place
from autoresearch.releases.release import verify_files
from autoresearch.releases.report import REPORT_NAME, ExportReport, MixtureSource
from autoresearch.releases.row_checks import RowContext
from autoresearch.releases.row_witness import Facts
from autoresearch.releases.source_checks import check_against_source
from autoresearch.standards.manifest import GradingManifest
from autoresearch.standards.task_config import NATIVE_FOUR

POLICY: Literal["single-dataset passthrough"] = "single-dataset passthrough"
MANIFEST_NAME = "grading-manifest.json"


def check_mixture(context: RowContext, dossier: Dossier, facts: Facts, *, require_sources: bool, staged: bool) -> None:
    """R090, R091, R093 to R098, R100 and the strict gap gate; ``staged``: the source was checked a moment ago."""
    judgement, header = context.judgement, context.header
    judgement.ran("R090", "R091", "R093", "R094", "R095", "R096", "R097", "R098", "R100")
    for leaf in context.assets.registry.leaves:
        if not leaf.description:
            judgement.add("R096", "registry", f"{leaf.category_id} has no description")
    if tuple(header.metadata_fields) != NATIVE_FOUR:
        judgement.add(
            "R097", "header", f"metadata fields are {' '.join(header.metadata_fields)}, not the native four in order"
        )
    report = dossier.parsed
    if report is None:
        return
    _check_manifest(context, dossier, report)
    _check_sampling(context, dossier, report)
    gate = report.label_gap_gate
    if gate.status != "passed" or gate.blocking or gate.waived or gate.blocking_levels or gate.waived_levels:
        judgement.add("R011", "label_gap_gate", "a mixture accepts a passed gate with four empty lists only")
    _check_ids(context)
    sources = report.sources or {}
    if list(sources) != [header.dataset]:
        judgement.add(
            "R100", "sources", f"there are {len(sources)} inputs; a mixture has exactly one, of its own dataset"
        )
    for name, source in sources.items():
        _check_source(context, dossier, facts, name, source, require_sources=require_sources and not staged)


def _check_manifest(context: RowContext, dossier: Dossier, report: ExportReport) -> None:
    judgement, header = context.judgement, context.header
    path = dossier.folder / "assets" / MANIFEST_NAME
    try:
        manifest = GradingManifest.model_validate(read_json(path))
    except (OSError, ValueError, ValidationError) as error:
        judgement.add("R090", MANIFEST_NAME, f"is not a grading manifest: {str(error).splitlines()[0]}")
        return
    if list(manifest.datasets) != [header.dataset]:
        judgement.add("R090", MANIFEST_NAME, f"does not name exactly the dataset {header.dataset}")
        return
    grading = dossier.folder / "assets" / "grading.json"
    found = sha256_file(grading) if grading.is_file() else None
    if not manifest.datasets[header.dataset].sha256 == header.grading_sha256 == found:
        judgement.add("R090", MANIFEST_NAME, "its sha256 is not that of header and assets/grading.json")
    used = report.grading_manifest
    expected = {
        "path": f"assets/{MANIFEST_NAME}",
        "sha256": sha256_file(path),
        "datasets": {header.dataset: {"path": "assets/grading.json", "sha256": header.grading_sha256}},
    }
    if used is None or used.model_dump() != expected:
        judgement.add("R090", "grading_manifest", "the report names another manifest")


def _check_sampling(context: RowContext, dossier: Dossier, report: ExportReport) -> None:
    judgement, dataset = context.judgement, context.header.dataset
    sampling = report.sampling
    if sampling is None:
        judgement.add("R091", "sampling", "is absent")
        return
    maps: tuple[Mapping[str, float], ...] = (
        sampling.train_input_source_counts,
        sampling.train_source_counts,
        sampling.train_achieved_weights,
    )
    if sampling.policy != POLICY or any(list(item) != [dataset] for item in maps):
        judgement.add("R091", "sampling", f"its maps are not keyed by {dataset} alone")
        return
    given, used = sampling.train_input_source_counts[dataset], sampling.train_source_counts[dataset]
    if given != used or used <= 0:
        judgement.add("R091", "sampling", f"{given} sources in, {used} out; a passthrough keeps all")
        return
    if sampling.train_achieved_weights[dataset] != 1.0:
        judgement.add("R091", "sampling", "the weight of the one dataset is not 1.0")
    if "train" in dossier.usable and used != len(context.tally.source_ids("train")):
        judgement.add(
            "R098", "sampling", f"{used} sources in the report, {len(context.tally.source_ids('train'))} in the rows"
        )


def _check_ids(context: RowContext) -> None:
    form = re.compile(rf"mix:{re.escape(context.header.dataset)}:[0-9a-f]{{20}}:0000")
    for split in SPLITS:
        for source_id in sorted(context.tally.source_ids(split)):
            if not form.fullmatch(source_id):
                context.add("R093", Place(split, None, source_id), "is not an id of a mixture")


def _check_source(
    context: RowContext, dossier: Dossier, facts: Facts, name: str, source: MixtureSource, *, require_sources: bool
) -> None:
    judgement = context.judgement
    folder = dossier.folder / source.path
    if not (folder / REPORT_NAME).is_file():
        judgement.add(
            "R095", name, f"the source release {folder.name} is not there", "error" if require_sources else "note"
        )
        return
    if sha256_file(folder / REPORT_NAME) != source.report_sha256:
        judgement.add("R094", name, "the report of the source has other bytes than when it was used")
        return
    changed = verify_files(folder, source.files)
    if changed:
        judgement.add("R094", name, f"{changed[0].place} of the source {changed[0].rule}")
        return
    check_against_source(context, dossier, folder, facts)
