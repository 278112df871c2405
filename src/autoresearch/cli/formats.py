"""Every file format by its schema's name, and the JSON Schemas made of their models (data-line.md 3.0.6)."""

from __future__ import annotations

import ast
import inspect
import textwrap
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from autoresearch.files import atomic_write_text, json_text

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core.core_schema import ModelSchema

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SUFFIX = ".json"

FORMATS: dict[str, tuple[str, str]] = {
    "bundle-manifest": ("evidence.manifest", "Manifest"),
    "canonical-record": ("fields.canonical_record", "CanonicalRecord"),
    "classification": ("fields.derivation", "ClassificationStandard"),
    "collect-report": ("releases.report_forms", "CollectReport"),
    "collect-sample": ("releases.report_forms", "CollectSample"),
    "comparison": ("evaluation.compare", "Comparison"),
    "config": ("cases.config", "CaseConfig"),
    "config-lock": ("cases.locks", "ConfigLock"),
    "config-lock-addition": ("cases.locks", "LockAddition"),
    "corpus": ("standards.corpus", "CorpusContent"),
    "data": ("assets.registry", "Registry"),
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
    "merge-record": ("training.merge_record", "MergeRecord"),
    "plan": ("training.plan", "Plan"),
    "preprocess-report": ("fields.preprocess", "PreprocessReport"),
    "processed-record": ("fields.processed", "ProcessedRecord"),
    "prompt-audit": ("task.conflict_report", "AuditReport"),
    "prompt-audit-bundle": ("task.conflict_report", "AuditBundle"),
    "provenance-lock": ("cases.locks", "ProvenanceLock"),
    "registry": ("standards.registry", "RegistryContent"),
    "release-header": ("releases.header", "ReleaseHeader"),
    "resolution-report": ("fields.resolution_report", "ResolutionReport"),
    "rewrite-rules": ("fields.labels", "RewriteRules"),
    "row-result": ("evaluation.results", "RowResult"),
    "row-spec": ("hosts.row_spec", "RowSpec"),
    "run-result": ("training.outcome", "RunResult"),
    "skipped-file": ("evidence.verify_schema", "SkippedFile"),
    "services-images": ("hosts.local_services", "Images"),
    "source-runs": ("evidence.wandb_runs", "SourceRuns"),
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


def field_docs(model: type[BaseModel]) -> dict[str, str]:
    """The text that stands below each field of a model and of the models it is made from."""
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if owner is BaseModel or not issubclass(owner, BaseModel):
            continue
        body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, text in pairwise(body.body):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
            ):
                found[field.target.id] = inspect.cleandoc(str(text.value.value))
    return found


class DocumentedSchema(GenerateJsonSchema):
    """JSON Schema in which the texts below a model's fields are descriptions. They are read from the sources here, so
    that no command that only uses a model pays for it.
    """

    def model_schema(self, schema: ModelSchema) -> JsonSchemaValue:
        """The schema of one model."""
        found = super().model_schema(schema)
        for name, text in field_docs(schema["cls"]).items():
            if name in found.get("properties", {}):
                found["properties"][name].setdefault("description", text)
        return found


def form_of(name: str) -> TypeAdapter[Any]:
    """What validates one document of the format ``name``. Raises ``KeyError``."""
    module, attribute = FORMATS[name]
    return TypeAdapter(getattr(import_module(f"autoresearch.{module}"), attribute))


def schema_text(name: str) -> str:
    """The JSON Schema of a format as the text of its file."""
    schema = form_of(name).json_schema(mode="validation", schema_generator=DocumentedSchema)
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
