"""``ro-crate-metadata.json``: the bundle as RO-Crate 1.1, flattened JSON-LD (formal-case.md 9.5)."""

from __future__ import annotations

import mimetypes
from typing import Any

from autoresearch.evidence.bundle import Bundle, read_lines
from autoresearch.evidence.checksums import hash_files
from autoresearch.evidence.layout import ARTIFACTS, MANIFEST, UNLISTED
from autoresearch.files import tree_files

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "https://w3id.org/ro/crate/1.1"
STATUS = {
    "passed": "http://schema.org/CompletedActionStatus",
    "failed": "http://schema.org/FailedActionStatus",
    "skipped": "http://schema.org/PotentialActionStatus",
}
TYPES = {
    ".jsonl": "application/jsonl",
    ".prom": "application/openmetrics-text",
    ".parquet": "application/vnd.apache.parquet",
}


def _encoding(name: str) -> str:
    suffix = "." + name.rpartition(".")[2]
    return TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "text/plain"


def crate_metadata(bundle: Bundle) -> dict[str, Any]:
    """Root, files, and each attempt as a ``CreateAction`` with its times, status, instrument and results."""
    left_out = (*UNLISTED, MANIFEST, bundle.name("crate"))
    names = tree_files(bundle.root, exclude=left_out)
    sums = hash_files(bundle.root, names)
    files = [
        {
            "@id": name,
            "@type": "File",
            "name": name.rpartition("/")[2],
            "contentSize": str((bundle.root / name).stat().st_size),
            "encodingFormat": _encoding(name),
            "sha256": sums[name],
        }
        for name in names
    ]
    assets = _assets(bundle)
    inputs = [{"@id": ARTIFACTS["config_lock"]}, *({"@id": each["@id"]} for each in assets)]
    actions = [_action(bundle, row, names, inputs) for row in read_lines(bundle.path("matrix"))]
    manifest = bundle.manifest
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": manifest.run_id,
        "description": f"{manifest.kind}, {manifest.task}, {manifest.mode}, state {manifest.state}",
        "datePublished": manifest.finished_at or manifest.started_at or "1970-01-01",
        "license": "unspecified",
        "hasPart": [{"@id": name} for name in names],
        "mentions": [{"@id": action["@id"]} for action in actions],
    }
    descriptor = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": PROFILE},
        "about": {"@id": "./"},
    }
    tool = {"@id": "#autoresearch", "@type": "SoftwareApplication", "name": "autoresearch"}
    return {"@context": CONTEXT, "@graph": [descriptor, root, tool, *assets, *actions, *files]}


def _assets(bundle: Bundle) -> list[dict[str, Any]]:
    """Models and data sets that a formal case used, by id and revision."""
    content = bundle.json(bundle.path("config_lock"))
    found = []
    for number, asset in enumerate(content.get("assets") or [] if isinstance(content, dict) else []):
        if asset.get("tree_sha256"):
            facts = {
                "@id": f"#asset-{number}",
                "@type": "CreativeWork",
                "name": asset.get("canonical_id"),
                "version": asset.get("revision"),
                "identifier": asset["tree_sha256"],
            }
            found.append({key: value for key, value in facts.items() if value is not None})
    return found


def _action(bundle: Bundle, row: dict[str, Any], names: list[str], inputs: list[dict[str, str]]) -> dict[str, Any]:
    name = f"{row['case_id']}.a{row['attempt']}"
    folder = bundle.relative(bundle.row_folder(name)) + "/"
    action: dict[str, Any] = {
        "@id": f"#{name}",
        "@type": "CreateAction",
        "name": name,
        "instrument": {"@id": "#autoresearch"},
        "object": inputs,
        "result": [{"@id": each} for each in names if each.startswith(folder)],
        "startTime": row.get("started_at"),
        "endTime": row.get("finished_at"),
        "actionStatus": {"@id": STATUS[row["status"]]},
    }
    action["error"] = row.get("failure_class") or row.get("skip_reason")
    return {key: value for key, value in action.items() if value is not None}
