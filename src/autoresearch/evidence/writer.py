"""The general writer of bundles (formal-case.md 9.1): opens a hidden folder, takes files in, seals it by one rename.

It knows layout, manifest, skipped files and checksums, and nothing about what a run means; ``quickstart.py`` maps a
run onto it.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from autoresearch.errors import RefusedError
from autoresearch.evidence.bundle import Bundle
from autoresearch.evidence.checksums import write_checksums
from autoresearch.evidence.layout import MANIFEST, SECTIONS, UNLISTED
from autoresearch.evidence.manifest import FileCount, Manifest
from autoresearch.files import atomic_write_text, json_text, tree_files, write_json
from autoresearch.findings import Finding, finding

LARGEST_FILE_BYTES = 2 << 30


def partial_path(target: Path) -> Path:
    """The hidden sibling in which a bundle lives until it is sealed."""
    return target.parent / f".{target.name}.partial"


def taken_error(taken: Path) -> RefusedError:
    """V601 for a bundle, or an unfinished one, that exists."""
    found = finding(
        "V601",
        place=str(taken),
        value="exists",
        rule="a bundle is written once and never written into again",
        remedy="choose another folder, or move this one away",
    )
    return RefusedError(found.message(), [found])


class BundleWriter:
    """Writes one bundle. Raises ``RefusedError`` (V601) when the target, or an unfinished one of that name, exists.

    ``resume`` replaces an unfinished folder: everything in it is copied or derived, so nothing is lost with it.
    """

    def __init__(self, target: Path, manifest: Manifest, *, resume: bool = False) -> None:
        self.target = target
        self.root = partial_path(target)
        if target.exists() or (self.root.exists() and not resume):
            raise taken_error(target if target.exists() else self.root)
        if self.root.exists():
            make_writable(self.root)
            shutil.rmtree(self.root)
        try:
            self.root.mkdir(parents=True)
        except FileExistsError as error:  # two runs of one name began at once
            raise taken_error(self.root) from error
        for folder in SECTIONS.values():
            (self.root / folder).mkdir()
        self.skipped: list[dict[str, Any]] = []
        self.manifest = manifest
        self.save_manifest()

    @classmethod
    def reopen(cls, target: Path) -> BundleWriter:
        """Go on with an unfinished folder as it is. Raises ``InputError`` when there is none, ``RefusedError`` (V601)
        when it was sealed.
        """
        if target.exists():
            raise taken_error(target)
        writer = cls.__new__(cls)
        writer.target, writer.root = target, partial_path(target)
        bundle = Bundle(writer.root)
        writer.manifest = bundle.manifest
        writer.skipped = bundle.json(bundle.path("skipped")) or []
        return writer

    def bundle(self) -> Bundle:
        """The unfinished bundle as a reader sees it."""
        return Bundle(self.root)

    def save_manifest(self, **changes: Any) -> None:
        """Replace ``manifest.json`` atomically, with the changed keys."""
        self.manifest = Manifest.model_validate({**self.manifest.model_dump(), **changes})
        write_json(self.root / MANIFEST, self.manifest.model_dump(mode="json"))

    def skip(self, path: str, size: int | None, reason: str) -> None:
        """List a file that is not in the bundle: its path there (or in the run), its bytes if it exists, and why."""
        self.skipped.append({"path": path, "bytes": size, "reason": reason})

    def put_file(self, source: Path | None, name: str, why_absent: str = "not written by this run") -> bool:
        """Copy one file; an absent, linked, unreadable or oversized one is listed as skipped. Returns whether it is
        inside.
        """
        if source is None or not source.is_file():
            self.skip(name, None, why_absent)
            return False
        size = source.stat().st_size
        if source.is_symlink():
            self.skip(name, size, "a link")
            return False
        if size > LARGEST_FILE_BYTES and source.suffix != ".log":
            self.skip(name, size, "larger than 2 GiB")
            return False
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(source, target)
        except PermissionError as error:
            self.skip(name, size, f"unreadable: {error.strerror}")
            return False
        return True

    def forget_skipped(self, prefix: str) -> None:
        """Drop what was listed below a path: the files come again."""
        self.skipped = [each for each in self.skipped if not each["path"].startswith(prefix)]

    def take_file(self, source: Path, name: str) -> bool:
        """Move one file in; a link, an unreadable or an oversized one is listed as skipped. Returns whether it is
        inside. May be repeated: a file that is inside already is not asked for again.
        """
        target = self.root / name
        if source == target:
            return True
        if source.is_symlink() or not source.is_file():
            self.skip(name, None, "a link" if source.is_symlink() else "no regular file")
            return False
        size = source.stat().st_size
        if size > LARGEST_FILE_BYTES and source.suffix != ".log":
            self.skip(name, size, "larger than 2 GiB")
            return False
        if not os.access(source, os.R_OK):
            self.skip(name, size, "unreadable")
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(source, target)
        return True

    def put_tree(self, source: Path | None, name: str, why_absent: str = "not written by this run") -> int:
        """Copy all files of a folder; returns their number. An absent or empty folder is listed as skipped."""
        files = sorted(path for path in source.rglob("*") if path.is_file()) if source is not None else []
        if source is None or not files:
            self.skip(name, None, why_absent)
            return 0
        return sum(self.put_file(path, f"{name}/{path.relative_to(source).as_posix()}") for path in files)

    def put_text(self, name: str, text: str, *, executable: bool = False) -> None:
        """Write a text file."""
        atomic_write_text(self.root / name, text)
        if executable:
            (self.root / name).chmod(0o755)

    def put_json(self, name: str, content: Any) -> None:
        """Write a JSON document."""
        self.put_text(name, json_text(content))

    def put_lines(self, name: str, lines: Iterable[Mapping[str, Any]]) -> None:
        """Write JSON lines."""
        text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines)
        self.put_text(name, text)

    def seal(self, verify: Callable[[Path], list[Finding]]) -> Path:
        """Write skipped files, file count and checksums, verify, rename, make read-only. Returns the published folder.

        Raises ``RefusedError`` with the findings when the verification finds an error; the unfinished folder stays for
        inspection.
        """
        listed = [name for name in tree_files(self.root, exclude=UNLISTED) if name != MANIFEST]
        size = sum((self.root / name).stat().st_size for name in listed)
        self.save_manifest(files=FileCount(count=len(listed), bytes=size).model_dump())
        write_checksums(self.root)
        found = [each for each in verify(self.root) if each.severity == "error"]
        if found:
            message = "\n".join(each.message() for each in found[:10])
            raise RefusedError(
                f"the bundle is not sealed, {len(found)} findings; it lies in {self.root}\n{message}", found
            )
        self.root.rename(self.target)
        make_read_only(self.target)
        return self.target


def make_read_only(root: Path) -> None:
    """Take the write permission from every file and folder below and including ``root``."""
    for path in [*root.rglob("*"), root]:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)


def make_writable(root: Path) -> None:
    """Give the owner the write permission back, folders first."""
    for path in [root, *sorted(root.rglob("*"))]:
        if not path.is_symlink():
            path.chmod(stat.S_IMODE(path.stat().st_mode) | 0o200)
