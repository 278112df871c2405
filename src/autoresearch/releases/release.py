"""A published release, read: header, rows, assets, hashes, and whether its bytes are still those published."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from autoresearch.errors import InputError
from autoresearch.files import is_staging, sha256_file, tree_files
from autoresearch.findings import Finding, finding
from autoresearch.releases.header import SPLITS, ReleaseHeader, read_header
from autoresearch.releases.report import REPORT_NAME, ExportReport, read_report
from autoresearch.releases.values import rows_of

if TYPE_CHECKING:
    from autoresearch.task.assets import TaskAssets


class Release:
    """A release folder. Opening it reads the report and the train header only; raises ``InputError`` when that
    fails.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        refuse_unpublished(self.path)
        try:
            self.report: ExportReport = read_report(self.path)
            self.header: ReleaseHeader = read_header(self.path / "train.parquet")
        except FileNotFoundError as error:
            name = Path(error.filename or "").name
            raise InputError(
                f"{self.path} is not a release: {name} is absent; give the folder that an export published"
            ) from error
        except (OSError, ValueError) as error:
            raise InputError(f"{self.path} is not a readable release: {error}") from error

    @property
    def family(self) -> str:
        """``three-message``, ``trajectory``, ``rl-pairs``, ``sft-mixture`` or ``rl-cascade``."""
        return self.header.family

    @property
    def files(self) -> dict[str, str]:
        """Relative POSIX path -> sha256 as the report has them."""
        return dict(self.report.release.files)

    @cached_property
    def report_sha256(self) -> str:
        """sha256 of the report file: names the release, since it holds the hashes of all others."""
        return sha256_file(self.path / REPORT_NAME)

    def parquet(self, split: str) -> Path:
        """The parquet file of a split."""
        if split not in SPLITS:
            raise InputError(f"split {split!r} is not one of {', '.join(SPLITS)}")
        return self.path / f"{split}.parquet"

    def split_rows(self, split: str) -> pa.Table:
        """All rows of a split as one Arrow table."""
        with pq.ParquetFile(self.parquet(split)) as file:  # read_table would load pandas first
            return file.read()

    def records(self, split: str) -> list[dict[str, Any]]:
        """All rows of a split as dictionaries, nested values as plain Python ones."""
        return rows_of(self.split_rows(split))

    def assets(self) -> TaskAssets:
        """Registry, corpus, task and grading that the release keeps."""
        from autoresearch.task.assets import TaskAssets

        return TaskAssets.load(self.path / "assets")

    def verify(self) -> list[Finding]:
        """Findings R006 of files whose bytes or presence differ from the report; empty when the folder is as
        published.
        """
        return verify_files(self.path, self.files)

    def identity(self) -> dict[str, Any]:
        """The form in which a verdict or plan names this release: ``{name, report_sha256, files}``."""
        return {"name": self.path.name, "report_sha256": self.report_sha256, "files": self.files}


def refuse_unpublished(folder: Path) -> None:
    """Raise ``InputError`` unless ``folder`` is a folder, and not the staging folder that a killed export left."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such release folder")
    if is_staging(folder):
        raise InputError(f"{folder} was never published: an export was killed there; remove it and export again")


def verify_files(folder: Path, files: dict[str, str]) -> list[Finding]:
    """R006: every named file is there with its sha256, and nothing else but ``validation*.json`` at the top (7.1.4)."""
    found: list[Finding] = []
    try:
        present = tree_files(folder, exclude=(REPORT_NAME,))
    except ValueError as error:
        return [finding("R006", place=folder.name, rule=str(error))]
    for name, sha256 in sorted(files.items()):
        if not inside(name):
            continue  # R009 speaks of it
        if name not in present:
            found.append(finding("R006", place=name, rule="is absent", remedy="restore the published folder"))
        elif sha256_file(folder / name) != sha256:
            found.append(finding("R006", place=name, rule="has other bytes than were published", remedy="export again"))
    for name in present:
        if name not in files and not is_validation_report(name):
            found.append(finding("R006", place=name, rule="does not belong to the release", remedy="remove it"))
    return found


def is_validation_report(name: str) -> bool:
    """``validation*.json`` at the top of a release: put there by a user, part of no release."""
    return "/" not in name and name.startswith("validation") and name.endswith(".json")


def inside(name: str) -> bool:
    """Whether a stored path is relative, POSIX and does not leave the folder."""
    path = PurePosixPath(name)
    return (
        bool(name)
        and not path.is_absolute()
        and ".." not in path.parts
        and "\\" not in name
        and ":" not in path.parts[0]
    )
