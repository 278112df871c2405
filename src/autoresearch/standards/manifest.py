"""The grading manifest: which grading standard, by hash, belongs to which dataset (data-line.md 3.7)."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from autoresearch.files import sha256_file
from autoresearch.standards.loading import Strict, load, refuse

REMEDY = 'a manifest is {"datasets": {"<ds>": {"path": "grading.json", "sha256": "<64 hex>"}}}'


class ManifestEntry(Strict):
    """One grading file and its sha256."""

    path: str = Field(min_length=1)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class GradingManifest(Strict):
    """Dataset -> grading file. Paths are relative to the manifest's folder, or absolute."""

    datasets: dict[str, ManifestEntry] = Field(min_length=1)

    @classmethod
    def from_path(cls, path: str | Path) -> GradingManifest:
        """Load a manifest and check that each file exists and has its hash; ``InputError`` F037."""
        path = Path(path)
        manifest = load(path, "F037", cls.model_validate, REMEDY)
        for name, entry in manifest.datasets.items():
            grading = path.parent / entry.path
            if not grading.is_file():
                raise refuse(
                    "F037", path, f"datasets.{name}.path: {entry.path} does not exist", "give the grading file's path"
                )
            if sha256_file(grading) != entry.sha256:
                raise refuse(
                    "F037", path, f"datasets.{name}.sha256 is not that of {entry.path}", "write the file's sha256sum"
                )
        return manifest

    def grading_path(self, manifest: Path, dataset: str) -> Path:
        """The grading file of ``dataset``; ``KeyError`` if it is not in the manifest."""
        return Path(manifest).parent / self.datasets[dataset].path
