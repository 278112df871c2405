"""What a validator judges, opened: the report, the headers, the assets and the usable splits of one folder (7.1.1 to
7.1.5, 7.1.8).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from autoresearch.errors import AutoResearchError
from autoresearch.releases.columns import expected_schema
from autoresearch.releases.dossier import Dossier
from autoresearch.releases.header import (
    FORMAT_OF_FAMILY,
    NATIVE_TOOL_TRAJECTORY_FORMAT,
    PROMPT_VERSIONS_OF_FAMILY,
    SPLITS,
    ReleaseHeader,
    header_of_schema,
)
from autoresearch.releases.judgement import Judgement, Place
from autoresearch.releases.release import inside, verify_files
from autoresearch.releases.report import ExportReport
from autoresearch.releases.report_checks import check_header_keys, check_report
from autoresearch.task.assets import TaskAssets

RIGHT_COMMAND = {
    "three-message": "sft validate --family three-message",
    "sft-mixture": "sft validate --family sft-mixture",
    "trajectory": "sft validate --family trajectory (script.verl.sft.validate_tool_trajectories)",
    "rl-pairs": "rl validate",
    "rl-cascade": "rl validate",
}


@dataclass(frozen=True)
class GivenAssets:
    """Standards that the caller wants a release to be made with; None where the release's own are to be used."""

    registry_sha256: str | None = None
    corpus_sha256: str | None = None
    task_sha256: str | None = None
    grading_sha256: str | None = None
    metadata_fields: Sequence[str] | None = None
    dataset: str | None = None


def open_dossier(
    folder: Path, report: dict[str, Any], family: str | None, given: GivenAssets, judgement: Judgement, staged: bool
) -> Dossier:
    """Open a folder and make the checks that need no row. Splits that cannot be read are left out of ``usable``."""
    dossier = Dossier(folder, judgement, report)
    judgement.ran("R003")
    if not _check_family(dossier, family):
        return dossier
    judgement.ran("R004", "R005", "R006", "R007", "R009", "R015")
    _check_report_form(dossier)
    headers = _read_headers(dossier)
    if not headers:
        return dossier
    dossier.header = next(iter(headers.values()))
    _check_headers(dossier, headers)
    _check_assets(dossier, given)
    check_header_keys(judgement, dossier.header)
    if dossier.parsed is not None:
        check_report(dossier, dossier.parsed, dossier.header, staged=staged)
    if not staged:
        for item in verify_files(folder, _recorded_files(report)):
            judgement.add("R006", item.place, item.rule)
    return dossier


def _recorded_files(report: Mapping[str, Any]) -> dict[str, str]:
    """The hashes that the report names; none where it has another form (R009 says so)."""
    release = report.get("release")
    files = release.get("files") if isinstance(release, dict) else None
    return files if isinstance(files, dict) else {}


def _check_family(dossier: Dossier, family: str | None) -> bool:
    found = dossier.report.get("family")
    if found not in FORMAT_OF_FAMILY:
        dossier.judgement.add(
            "R003", "export_report.json", f"family {found!r} is not one of {', '.join(FORMAT_OF_FAMILY)}"
        )
        return False
    accepted = {family} if family != "three-message" else {"three-message", "sft-mixture"}
    if family is not None and found not in accepted:
        rule = f"this is a release of the family {found}, asked for {family}; use {RIGHT_COMMAND[str(found)]}"
        dossier.judgement.add("R003", dossier.folder.name, rule)
        return False
    return True


def _check_report_form(dossier: Dossier) -> None:
    try:
        ExportReport.model_validate(dossier.report)
    except ValidationError as error:
        first = error.errors()[0]
        rule = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        dossier.judgement.add("R009", "export_report.json", rule)
        return
    paths = [*dossier.report["release"]["files"], *(item["file"] for item in dossier.report["splits"].values())]
    paths.extend(item["name"] for item in dossier.report["inputs"])
    for path in paths:
        if not inside(path):
            dossier.judgement.add(
                "R009", "export_report.json", f"the path {path!r} is not relative or leaves the folder"
            )


def _read_headers(dossier: Dossier) -> dict[str, ReleaseHeader]:
    headers: dict[str, ReleaseHeader] = {}
    for split in SPLITS:
        place = Place(split)
        path = dossier.folder / f"{split}.parquet"
        if not path.is_file():
            dossier.judgement.add("R007", place, f"{path.name} is absent")
            continue
        try:
            with pq.ParquetFile(path) as file:
                schema, count = file.schema_arrow, file.metadata.num_rows
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            dossier.judgement.add("R007", place, f"{path.name} is not readable parquet: {type(error).__name__}")
            continue
        try:
            header = header_of_schema(schema)
        except ValueError as error:
            dossier.judgement.add("R004", place, str(error))
            continue
        headers[split] = header
        dossier.rows[split] = count
        if _columns_fit(dossier, place, header, schema, count):
            dossier.usable.append(split)
    return headers


def _columns_fit(dossier: Dossier, place: Place, header: ReleaseHeader, schema: pa.Schema, count: int) -> bool:
    if count == 0:
        dossier.judgement.add("R007", place, "there is no row")
        return False
    expected = expected_schema(header)
    if schema.remove_metadata().equals(expected):
        return True
    wrong = [
        name
        for name in expected.names
        if name not in schema.names or schema.field(name).type != expected.field(name).type
    ]
    extra = [name for name in schema.names if name not in expected.names]
    rule = (
        f"columns differ: absent or of another type {wrong}, unknown {extra}"
        if wrong or extra
        else "columns are in another order"
    )
    dossier.judgement.add("R070" if header.family in ("rl-pairs", "rl-cascade") else "R007", place, rule)
    return False


def _check_headers(dossier: Dossier, headers: Mapping[str, ReleaseHeader]) -> None:
    judgement = dossier.judgement
    assert dossier.header is not None
    first = dossier.header.without_split()
    given = dossier.report.get("header")
    repeated = given if isinstance(given, dict) else {}
    for split, header in headers.items():
        if header.split != split:
            judgement.add("R004", Place(split), f"the header says split {header.split}")
        for key, value in header.without_split().items():
            if value != first[key]:
                code = "R014" if key == "enable_thinking" else "R004"
                judgement.add(code, Place(split), f"header key {key} differs from the other files")
            elif value != repeated.get(key, ...):
                judgement.add("R004", Place(split), f"header key {key} differs from the report")
    extra = sorted(set(repeated) - set(first))
    if extra:
        judgement.add("R004", "export_report.json", f"header key {extra[0]} is in no file")
    header = dossier.header
    family = str(dossier.report.get("family"))
    if header.family != family:
        judgement.add(
            "R003", dossier.folder.name, f"the files are of the family {header.family}, the report says {family}"
        )
    if header.format != FORMAT_OF_FAMILY[header.family] or dossier.report.get("format") != header.format:
        judgement.add("R015", dossier.folder.name, f"format {header.format} is not that of the family {header.family}")
    if header.prompt_version not in PROMPT_VERSIONS_OF_FAMILY[header.family]:
        judgement.add(
            "R015", dossier.folder.name, f"prompt version {header.prompt_version} is not known for {header.family}"
        )
    native = "native" in header.prompt_version
    if header.trajectory_format != (NATIVE_TOOL_TRAJECTORY_FORMAT if native else None):
        judgement.add(
            "R015",
            dossier.folder.name,
            f"trajectory format {header.trajectory_format} does not fit {header.prompt_version}",
        )


def _check_assets(dossier: Dossier, given: GivenAssets) -> None:
    from autoresearch.task.tools import tools_sha256

    judgement = dossier.judgement
    header = dossier.header
    assert header is not None
    try:
        assets = TaskAssets.load(dossier.folder / "assets")
        assets.corpus.require_cover(assets.registry)
        if header.family not in ("three-message", "sft-mixture"):
            assets.corpus.require_equal(assets.registry)
        _ = assets.catalogue  # names that clash, or a leaf without a text, are found here and not at a row
    except AutoResearchError as error:
        judgement.add("R005", "assets", error.message)
        return
    dossier.assets = assets
    grading = assets.grading
    own: dict[str, tuple[Any, Any]] = {
        "registry_sha256": (header.registry_sha256, assets.registry.digest),
        "corpus_sha256": (header.corpus_sha256, assets.corpus.digest),
        "task_sha256": (header.task_sha256, assets.task.digest),
        "grading_sha256": (header.grading_sha256, None if grading is None else grading.digest),
        "tools_sha256": (header.tools_sha256, None if header.trajectory_format is None else tools_sha256()),
        "metadata_fields": (header.metadata_fields, list(assets.fields)),
        "task_name": (header.task_name, assets.task.task_name),
        "levels": (header.levels, list(assets.levels)),
        "gt_field": (header.gt_field, None if grading is None else grading.gt_field),
    }
    for key, (stored, found) in own.items():
        if stored != found:
            what = "the current tool schemas" if key == "tools_sha256" else "assets/"
            judgement.add("R005", what, f"{key} of the header is not that of {what}")
    for key in ("registry_sha256", "corpus_sha256", "task_sha256", "grading_sha256"):
        wanted = getattr(given, key)
        if wanted is not None and wanted != getattr(header, key):
            judgement.add(
                "R005", f"the given {key.removesuffix('_sha256')}", "is not the one the release was made with"
            )
    if given.metadata_fields is not None and list(given.metadata_fields) != header.metadata_fields:
        judgement.add(
            "R005", "the given metadata fields", f"are not those of the release: {' '.join(header.metadata_fields)}"
        )
    if given.dataset is not None and given.dataset != header.dataset:
        judgement.add("R005", f"the given dataset {given.dataset}", f"is not that of the release: {header.dataset}")
