"""``autoresearch config``: the JSON Schemas of all file formats, and whether a file of the user's own is valid
(data-line.md 3.0.6, 7.6).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from autoresearch.cli.outcome import Outcome
from autoresearch.errors import InputError

app = App(name="config", help="Check standards and configs, and export the schemas of all formats.")

Kind = Literal["registry", "corpus", "classification", "grading", "task", "datasets", "mapping", "manifest"]


@app.command
def schemas(*, out: Annotated[Path, Parameter(name=["--out", "--output-dir"])]) -> Outcome:
    """Write the JSON Schema of every file format as NAME.json.

    Example: autoresearch config schemas --out docs/schemas
    """
    from autoresearch.cli.formats import write_schemas

    return Outcome({"output": str(out), **write_schemas(out)})


@app.command
def validate(*files: Path, kind: Kind | None = None) -> Outcome:
    """Say of each file whether it is valid: registry, corpus, classification and grading standard, task, datasets,
    mapping, manifest; exit 1 if one is not.

    A registry and a corpus given together are checked against each other.

    Example: autoresearch config validate steel.registry.json steel.corpus.json steel.grading.json
    """
    from autoresearch.cli.input_files import judge_files, summary

    if not files:
        raise InputError("validate: give at least one file")
    judged = judge_files(files, kind)
    for item in judged:
        if item.error is not None:
            print(f"validate: {item.path}: {item.error.message}", file=sys.stderr)
    found = summary(judged)
    return Outcome(dict(found), 0 if found["valid"] else 1)
