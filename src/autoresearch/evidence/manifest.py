"""``manifest.json`` of a bundle (formal-case.md 9.3): what it is, how the experiment ended, and where everything
lies."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from autoresearch.evidence.layout import ARTIFACTS, FOLDERS, LAYOUT_VERSION, SECTIONS


def _relative(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or "\\" in path or ":" in parts[0] or ".." in parts or "." in path.split("/"):
        raise ValueError(f"{path!r} is not a relative POSIX path inside the bundle")
    return path


RelativePath = Annotated[str, AfterValidator(_relative)]
"""A relative POSIX path that stays inside the bundle."""
State = Literal["open", "complete", "partial"]


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Experiment(_Form):
    """Whether the experiment reached what it was for, and how its rows ended."""

    ok: bool
    rows: int
    passed: int
    failed: int
    skipped: int


class ArtifactLayout(_Form):
    """The only truth about paths; readers hard-code no folder name."""

    version: int = LAYOUT_VERSION
    sections: dict[str, RelativePath] = dict(SECTIONS)
    artifacts: dict[str, RelativePath] = {**ARTIFACTS, **FOLDERS}


class HashedPath(_Form):
    """A file with its sha256."""

    path: RelativePath
    sha256: str


class ManifestRow(_Form):
    """One attempt: its name, how it ended, and its folder."""

    row: str
    status: Literal["passed", "failed", "skipped"]
    path: RelativePath


class Live(_Form):
    """Counters of live views; they never decide anything."""

    pushes_ok: int = 0
    pushes_failed: int = 0
    wandb_synced: int = 0


class FileCount(_Form):
    """Number and bytes of all files but the manifest itself, ``SHA256SUMS`` and its signature."""

    count: int
    bytes: int


class Manifest(_Form):
    """The bundle's first file: written when the bundle is opened and replaced atomically after each step."""

    schema_version: Literal[1] = 1
    kind: Literal["verl-case", "smoke", "quickstart"]
    bundle_version: Literal[1] = 1
    state: State
    run_id: str
    task: str
    mode: Literal["training", "validation"]
    trainer_val_only: bool
    label: Literal["practice", "smoke"] | None = None
    """What the results may not be taken for more than; null for formal runs."""
    started_at: str | None
    finished_at: str | None
    server: str
    accelerator: Literal["cpu", "gpu", "npu", "ascend", "nvidia"]
    synthetic_hardware: bool
    experiment: Experiment | None = None
    artifact_layout: ArtifactLayout = ArtifactLayout()
    locks: list[HashedPath] = []
    rows: list[ManifestRow] = []
    live: Live = Live()
    merged_from: list[str] = []
    files: FileCount | None = None
    skipped: int = 0
