"""Every file format by its schema's name, and the JSON Schemas made of their models (data-line.md 3.0.6)."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from autoresearch.files import atomic_write_text, json_text

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SUFFIX = ".json"

FORMATS: dict[str, tuple[str, str]] = {
    "bundle-manifest": ("evidence.manifest", "Manifest"),
    "canonical-record": ("fields.canonical_record", "CanonicalRecord"),
    "classification": ("fields.derivation", "ClassificationStandard"),
    "collect-report": ("releases.report_forms", "CollectReport"),
    "collect-sample": ("releases.report_forms", "CollectSample"),
    "comparison": ("evaluation.compare", "Comparison"),
    "config-lock": ("evidence.locks", "ConfigLock"),
    "corpus": ("standards.corpus", "CorpusContent"),
    "datasets": ("standards.datasets", "DatasetsContent"),
    "ddl-import-report": ("fields.ddl", "DdlReport"),
    "eval-report": ("evaluation.eval_report", "EvalReport"),
    "export-report": ("releases.report", "ExportReport"),
    "failed-audit": ("releases.report_forms", "FailedAudit"),
    "grading": ("standards.grading", "GradingConfig"),
    "grading-manifest": ("standards.manifest", "GradingManifest"),
    "leakage-report": ("fields.leakage", "LeakageReport"),
    "mapping": ("standards.mapping", "MappingContent"),
    "matrix-row": ("evidence.matrix", "MatrixRow"),
    "plan": ("training.plan", "Plan"),
    "preprocess-report": ("fields.preprocess", "PreprocessReport"),
    "processed-record": ("fields.processed", "ProcessedRecord"),
    "prompt-audit": ("task.conflict_report", "AuditReport"),
    "prompt-audit-bundle": ("task.conflict_report", "AuditBundle"),
    "provenance-lock": ("evidence.locks", "ProvenanceLock"),
    "registry": ("standards.registry", "RegistryContent"),
    "release-header": ("releases.header", "ReleaseHeader"),
    "resolution-report": ("fields.resolution_report", "ResolutionReport"),
    "rewrite-rules": ("fields.labels", "RewriteRules"),
    "row-result": ("evaluation.results", "RowResult"),
    "run-result": ("training.outcome", "RunResult"),
    "skipped-file": ("evidence.verify_schema", "SkippedFile"),
    "source-runs": ("evidence.verify_schema", "SourceRuns"),
    "split-report": ("fields.split_report", "SplitReport"),
    "task": ("standards.task_config", "TaskConfig"),
    "tiny-model": ("training.tiny", "TinyRecord"),
    "token-budget": ("releases.report_forms", "TokenBudget"),
    "trajectory-stats": ("releases.report_forms", "TrajectoryStats"),
    "validation-report": ("releases.report_forms", "ValidationReport"),
    "verdict": ("verdict", "Verdict"),
}
"""Schema name -> module below ``autoresearch`` and the name of the model in it. Record files are arrays of their
record's form."""


def form_of(name: str) -> TypeAdapter[Any]:
    """What validates one document of the format ``name``. Raises ``KeyError``."""
    module, attribute = FORMATS[name]
    return TypeAdapter(getattr(import_module(f"autoresearch.{module}"), attribute))


def schema_text(name: str) -> str:
    """The JSON Schema of a format as the text of its file."""
    schema = form_of(name).json_schema(mode="validation")
    return json_text({"$schema": DIALECT, "$id": f"{name}{SUFFIX}", **schema})


def write_schemas(folder: Path) -> dict[str, list[str]]:
    """Write ``<name>.json`` of every format; returns the names ``written`` (absent or different before), ``unchanged``,
    and ``unknown``: schema files there that no format has, which are left alone.
    """
    written, unchanged = [], []
    for name in sorted(FORMATS):
        path, text = folder / f"{name}{SUFFIX}", schema_text(name)
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            unchanged.append(name)
        else:
            atomic_write_text(path, text)
            written.append(name)
    unknown = sorted(path.stem for path in folder.glob(f"*{SUFFIX}") if path.stem not in FORMATS)
    return {"written": written, "unchanged": unchanged, "unknown": unknown}
