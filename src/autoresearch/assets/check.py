"""Is an asset whole, and is it what it was: sizes, index, hashes (formal-case.md 16, "Hashes", "Readiness").

The runner on the machine lists and hashes; what was hashed before and has the same size, time and inode is not read
again. A model is judged by the one function of T004 (``training.model_folder``); of a model on another machine only
the small files and the headers of its shards are brought here.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from threading import Event, Thread
from typing import Any, NamedTuple

from autoresearch.assets.machine import Machine
from autoresearch.assets.registry import Kind
from autoresearch.errors import AutoResearchError, InfrastructureError
from autoresearch.files import strict_json_loads
from autoresearch.progress import event
from autoresearch.training.model_folder import ModelFolder, read_model_folder

HASH_SECONDS = 24 * 3600.0
LOOK_SECONDS = 5.0
SMALL_FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "tiny.json")
SMALL_BYTES = 1 << 27
INDEX_SUFFIX = ".index.json"
SHARD_SUFFIX = ".safetensors"
NAMED = 5


class File(NamedTuple):
    """One file of an asset."""

    path: str
    bytes: int | None
    sha256: str | None


class Problem(NamedTuple):
    """What is wrong with a file, or with the whole (path empty)."""

    path: str
    what: str


@dataclass(frozen=True)
class Tree:
    """A folder as the runner saw it."""

    path: str
    tree_sha256: str
    bytes: int
    hashed: int
    """Files that were read; the others were remembered."""
    files: tuple[File, ...]
    spoiled: tuple[Problem, ...]
    """Zero-byte files, Git LFS pointers, HTML pages."""


def look_at_tree(machine: Machine, path: str, *, fresh: bool = False) -> Tree | None:
    """Hash a folder on its machine; None where there is none, or an empty one. ``fresh`` trusts no memory.

    Raises ``InfrastructureError`` with the runner's words, for a link or a file that cannot be read.
    """
    if not machine.place.run(["test", "-d", path]).ok:
        return None
    progress = machine.state("hash-progress.json")
    words = ["inventory", "tree", path, "--progress", progress]
    if not fresh:
        words += ["--memory", machine.state("hashes.json")]
    with _watched(machine, progress, path):
        answer = machine.ask(*words, timeout=HASH_SECONDS)
    if not answer["files"]:
        return None
    return Tree(
        path=path,
        tree_sha256=answer["tree_sha256"],
        bytes=answer["bytes"],
        hashed=answer["hashed"],
        files=tuple(File(item["path"], item["bytes"], item["sha256"]) for item in answer["entries"]),
        spoiled=tuple(Problem(item["path"], item["what"]) for item in answer["spoiled"]),
    )


@contextmanager
def _watched(machine: Machine, progress: str, path: str) -> Iterator[None]:
    """Report what the runner writes into its progress file while the block waits for it."""
    over = Event()

    def watch() -> None:
        last = machine.place.read_small(progress, 4096)
        while not over.wait(LOOK_SECONDS):
            try:
                seen = machine.place.read_small(progress, 4096)
                if seen and seen != last:
                    last = seen
                    event("assets", f"hashing {path} on {machine.server}", **strict_json_loads(seen.decode()))
            except (AutoResearchError, ValueError):
                continue

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def compare(wanted: Sequence[File], tree: Tree) -> tuple[list[Problem], list[str]]:
    """Problems of a tree against what a hub lists, and the paths whose hash the hub does not give (first seen here).

    A file of zero bytes is one if the hub says so.
    """
    there = {file.path: file for file in tree.files}
    listed = {file.path: file for file in wanted}
    problems = [Problem(path, "is missing") for path in listed if path not in there]
    problems += [Problem(path, "is no file of the commit") for path in there if path not in listed]
    first_seen = []
    for path in sorted(set(listed) & set(there)):
        hub, here = listed[path], there[path]
        if hub.bytes is not None and hub.bytes != here.bytes:
            problems.append(Problem(path, f"has {here.bytes} bytes, the hub says {hub.bytes}"))
        elif hub.sha256 is None:
            first_seen.append(path)
        elif hub.sha256 != here.sha256:
            problems.append(Problem(path, f"has sha256 {(here.sha256 or '')[:12]}, the hub says {hub.sha256[:12]}"))
    empty = {file.path for file in wanted if file.bytes == 0}
    problems += [Problem(path, f"is {what}") for path, what in tree.spoiled if path not in empty]
    return problems, first_seen


def judge_content(machine: Machine, kind: Kind, tree: Tree) -> tuple[list[Problem], ModelFolder | None]:
    """Problems of an asset by itself: spoiled files, and for a model what T004 says; the model's facts."""
    problems = [Problem(path, f"is {what}") for path, what in tree.spoiled]
    if kind != "model" or problems:
        return problems, None
    try:
        return [], read_model(machine, tree)
    except (AutoResearchError, ValueError, KeyError) as error:
        text = error.message if isinstance(error, AutoResearchError) else f"{tree.path}: {error}"
        return [Problem("", text)], None


def read_model(machine: Machine, tree: Tree) -> ModelFolder:
    """``read_model_folder`` of a model anywhere. Raises ``InputError`` as it does."""
    if machine.here:
        return read_model_folder(Path(tree.path))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / PurePosixPath(tree.path).name
        _outline(machine, tree, folder)
        try:
            found = read_model_folder(folder)
        except AutoResearchError as error:
            error.message = error.message.replace(str(folder), f"{machine.server}:{tree.path}")
            raise
        return ModelFolder(**{**vars(found), "path": Path(tree.path)})


def _outline(machine: Machine, tree: Tree, folder: Path) -> None:
    """The model's small files, and its shards as headers with a hole behind them: their sizes without their weights."""
    for file in tree.files:
        name, target = file.path, folder / file.path
        small = name in SMALL_FILES or ("/" not in name and name.endswith(INDEX_SUFFIX))
        if not small and not name.endswith(SHARD_SUFFIX):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if small:
            target.write_bytes(_read(machine, f"{tree.path}/{name}", SMALL_BYTES))
            continue
        size = int(file.bytes or 0)
        start = _read(machine, f"{tree.path}/{name}", 8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if 8 + length <= min(size, SMALL_BYTES):
            start = _read(machine, f"{tree.path}/{name}", 8 + length)
        with target.open("wb") as handle:
            handle.write(start)
            handle.truncate(size)


def _read(machine: Machine, path: str, limit: int) -> bytes:
    data = machine.place.read_small(path, limit)
    if data is None:
        raise InfrastructureError(f"{machine.server}:{path} cannot be read")
    return data


def tell(problems: Sequence[Problem]) -> str:
    """The first problems in one line, and how many there are."""
    shown = [f"{problem.path} {problem.what}".strip() for problem in problems[:NAMED]]
    more = len(problems) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")


def facts(tree: Tree) -> dict[str, Any]:
    """What a lock or a log keeps of a tree."""
    return {"path": tree.path, "tree_sha256": tree.tree_sha256, "bytes": tree.bytes, "files": len(tree.files)}
