"""``autoresearch data``: from a field list or DDL to canonical, split and audited records (data-line.md sections 4.1 to
4.4, 8).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError

app = App(name="data", help="From a field list or DDL to canonical, split and audited records.")

Words = Annotated[list[str], Parameter(consume_multiple=True)]


@app.command
def preprocess(
    *,
    input: Path,
    mapping: Path,
    output: Path,
    dataset: str,
    sheet: str | None = None,
    header_row: int = 1,
    encoding: str | None = None,
    delimiter: str | None = None,
    missing_field_policy: Literal["error", "skip"] = "error",
    control_tokens: Literal["error", "strip"] = "error",
    strip_trailing_codes: bool = False,
    rewrite_rules: Path | None = None,
    grading_config: Path | None = None,
    overwrite: bool = False,
) -> Outcome:
    """Read a sheet of fields into processed records.

    Example: autoresearch data preprocess --input steel.xlsx --mapping steel.mapping.json --dataset steel
    --output processed/steel/all.json
    """
    from autoresearch.fields import preprocess as room
    from autoresearch.fields.preprocess_options import Options

    options = Options(
        sheet=sheet,
        header_row=header_row,
        encoding=encoding,
        delimiter=delimiter,
        missing_field_policy=missing_field_policy,
        control_tokens=control_tokens,
        strip_trailing_codes=strip_trailing_codes,
    )
    report = room.preprocess(
        input,
        mapping,
        output,
        dataset,
        options=options,
        rewrite_rules=rewrite_rules,
        grading_config=grading_config,
        overwrite=overwrite,
    )
    target = room.output_file(output)
    return Outcome({"output": str(target), **room.report_json(report)})


@app.command
def build(
    *,
    processed_dir: Path,
    canonical_dir: Path,
    config_file: Path,
    registry_dir: Path,
    dataset: Words,
    corpus_dir: Path | None = None,
    derive_from: Path | None = None,
    overwrite: bool = False,
) -> Outcome:
    """Resolve processed records to leaves of the standard.

    Example: autoresearch data build --processed-dir processed --canonical-dir canonical --config-file datasets.json
    --registry-dir registries --corpus-dir corpora --dataset steel
    """
    from autoresearch.fields import canonical as room

    reports = room.build(
        processed_dir,
        canonical_dir,
        config_file,
        registry_dir,
        dataset,
        corpus_dir=corpus_dir,
        derive_from=derive_from,
        overwrite=overwrite,
    )
    datasets = {name: report.model_dump(mode="json") for name, report in reports.items()}
    return Outcome({"output": str(canonical_dir), "datasets": datasets})


@app.command
def split(
    *,
    canonical_dir: Path,
    dataset: Words,
    split_type: Literal["random", "group", "cluster"] = "random",
    group_key: Words | None = None,
    near_threshold: float = 0.90,
    train_ratio: float = 0.8,
    val_ratio: float = 0.1,
    test_ratio: float = 0.1,
    seed: int = 42,
    require_train_coverage: bool = False,
    overwrite: bool = False,
) -> Outcome:
    """Divide resolved records into train, val and test; the first split needs no --overwrite.

    Example: autoresearch data split --canonical-dir canonical --dataset steel --split-type group
    """
    from autoresearch.fields import split as room
    from autoresearch.fields.pool import DEFAULT_GROUP_KEY

    plan = room.Plan(
        split_type=split_type,
        group_key=tuple(group_key) if group_key else DEFAULT_GROUP_KEY,
        near_threshold=near_threshold,
        train_ratio=train_ratio,
        val_ratio=val_ratio,
        test_ratio=test_ratio,
        seed=seed,
        require_train_coverage=require_train_coverage,
    )
    reports = room.split(canonical_dir, dataset, plan, overwrite=overwrite)
    datasets = {name: report.model_dump(mode="json") for name, report in reports.items()}
    return Outcome({"output": str(canonical_dir), "datasets": datasets})


def by_dataset(values: list[str], flag: str) -> dict[str, str]:
    """``[<ds>=]PATH`` flags as dataset → path; a bare path takes the name of its folder."""
    found: dict[str, str] = {}
    for value in values:
        name, sign, path = value.partition("=")
        key, target = (name, path) if sign else (Path(value).resolve().parent.name, value)
        if key in found:
            raise InputError(f"{flag}: dataset {key!r} is given twice")
        found[key] = target
    return found


@app.command
def leakage(
    *,
    canonical: Words,
    report: Path,
    near_threshold: float = 0.90,
    max_exact_share: float | None = None,
    max_near_share: float | None = None,
    max_table_share: float | None = None,
    overwrite: bool = False,
) -> Outcome:
    """Report rows and tables of val and test that train also holds; exit 1 over a given maximum.

    Example: autoresearch data leakage --canonical steel=canonical/steel/all.json --report leakage.json
    """
    from autoresearch.fields import leakage as room

    done = room.leakage_report(
        by_dataset(canonical, "--canonical"),
        report,
        near_threshold=near_threshold,
        max_exact_share=max_exact_share,
        max_near_share=max_near_share,
        max_table_share=max_table_share,
        overwrite=overwrite,
    )
    return Outcome({"output": str(report), **done.model_dump(mode="json")}, 0 if done.status == "passed" else 1)


@app.command
def import_ddl(
    *inputs: Path,
    input: Words | None = None,
    dataset: str,
    output: Path,
    dialect: Literal["mysql", "postgres", "tsql", "auto"] = "auto",
    database: str | None = None,
    labels: Path | None = None,
    mapping: Path | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
) -> Outcome:
    """Read SQL schema files into processed records; exit 1 if a CREATE TABLE was not understood.

    Example: autoresearch data import-ddl schema.sql more/ --dataset steel --output processed/steel/all.json
    """
    from autoresearch.fields import ddl as room

    report = room.import_ddl(
        [*inputs, *(input or [])],
        output,
        dataset,
        dialect=None if dialect == "auto" else dialect,
        database=database,
        labels=labels,
        mapping=mapping,
        encoding=encoding,
        overwrite=overwrite,
    )
    target = output if output.suffix == ".json" else output / "all.json"
    return Outcome({"output": str(target), **report.model_dump(mode="json")}, 1 if report.lost_tables else 0)


@app.command
def explain(
    record_id: str,
    /,
    *,
    canonical: Path,
    processed: Path | None = None,
    release: Words | None = None,
) -> Outcome:
    """Say what one record became at each step, and why; nothing is written.

    Example: autoresearch data explain 6663364e-7648-56fc-ae58-c9df66e4bfa1 --canonical canonical/steel/all.json
    --processed processed/steel/all.json --release releases/trajectory --release releases/cascade
    """
    from autoresearch.releases import explain as room

    return Outcome(room.explain(record_id, canonical, processed, [Path(folder) for folder in release or []]))


def named_paths(values: list[str]) -> dict[str, Path]:
    """``<ds>=PATH`` or ``PATH`` flags as name → path; a bare path has the name ``""``."""
    found: dict[str, Path] = {}
    for value in values:
        name, sign, path = value.partition("=")
        key = name if sign else ""
        if key in found:
            raise InputError(f"audit: {key or 'a bare path'} is given twice; write DATASET=PATH")
        found[key] = Path(path if sign else value)
    return found


@app.command
def audit(
    *,
    canonical: Words,
    classification_standard: Words,
    grading_standard: Words,
    report: Path,
    bundle: bool = False,
    split: Literal["train", "val", "test", "all"] | None = None,
    level_field: str = "data_level",
    decide_by: Literal["two-field", "rendered"] = "two-field",
    registry: Path | None = None,
    metadata_fields: Words | None = None,
    verdict: Path | None = None,
    explain: Path | None = None,
    overwrite: bool = False,
) -> Outcome:
    """Can two records that look the same to the model have different answers? Exit 1 on one such prompt.

    Example: autoresearch data audit --canonical canonical/steel/all.json --classification-standard std.json
    --grading-standard grading.json --report audit.json
    """
    from autoresearch.task import conflicts

    payload, exit_code = conflicts.audit(
        named_paths(canonical),
        named_paths(classification_standard),
        named_paths(grading_standard),
        split=split or ("all" if bundle else "train"),
        level_field=level_field,
        decide_by=decide_by,
        registry=registry,
        metadata_fields=metadata_fields,
        bundle=bundle,
        report=report,
        verdict=verdict,
        overwrite=overwrite,
        explain=explain,
    )
    return Outcome(payload, exit_code)
