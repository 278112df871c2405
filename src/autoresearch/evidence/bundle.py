"""A bundle as its readers see it: the manifest, and paths found through ``artifact_layout`` (formal-case.md 9.3)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from autoresearch.errors import InputError
from autoresearch.evidence.layout import MANIFEST
from autoresearch.evidence.manifest import Manifest
from autoresearch.files import read_json, strict_json_loads


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Objects of a JSON-lines file; ``[]`` when it is absent. A line that cannot be read is left out."""
    if not path.is_file():
        return []
    found = []
    for line in path.read_bytes().split(b"\n"):
        try:
            content = strict_json_loads(line.decode("utf-8")) if line.strip() else None
        except ValueError:
            content = _lenient(line)
        if isinstance(content, dict):
            found.append(content)
    return found


def _lenient(line: bytes) -> Any:
    """verl's logger writes NaN and Infinity; they are read as floats here and judged by whoever uses them."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


class Bundle:
    """An existing bundle folder. Raises ``InputError`` (exit 2) when the folder holds no readable manifest."""

    def __init__(self, root: Path) -> None:
        self.root = root
        try:
            self.manifest = Manifest.model_validate(read_json(root / MANIFEST))
        except (OSError, ValueError, ValidationError) as error:
            first = str(error).splitlines()[0]
            raise InputError(
                f"{root} is no bundle: {MANIFEST}: {first}; give the folder that holds {MANIFEST}"
            ) from error

    def name(self, artifact: str) -> str:
        """The relative path of an artefact. Raises ``InputError`` when the layout does not name it."""
        try:
            return self.manifest.artifact_layout.artifacts[artifact]
        except KeyError as error:
            raise InputError(f"{self.root / MANIFEST}: artifact_layout names no {artifact!r}") from error

    def path(self, artifact: str) -> Path:
        """Where an artefact lies; it need not exist."""
        return self.root / self.name(artifact)

    def row_folder(self, row: str) -> Path:
        """Folder of an attempt's files."""
        return self.path("row_files") / row

    def log_folder(self, row: str) -> Path:
        """Folder of an attempt's logs."""
        return self.path("row_logs") / row

    def relative(self, path: Path) -> str:
        """A path inside the bundle as relative POSIX path."""
        return path.relative_to(self.root).as_posix()

    def json(self, path: Path) -> Any:
        """A JSON document of the bundle, or None when it is absent or unreadable (the checks name unreadable ones)."""
        try:
            return read_json(path)
        except (OSError, ValueError):
            return None

    def rows(self) -> list[str]:
        """Names of the attempts, in the order of the manifest."""
        return [row.row for row in self.manifest.rows]
