"""Files: strict JSON, record files, hashes, atomic writes and publishing. Standard library only: the runner carries it.

Formats are those of the data-line specification, section 3.0: UTF-8, non-ASCII kept, newline at the end, documents
indented by two spaces, record files one record a line. Hashes are sha256 in lower-case hex.
"""

from __future__ import annotations

import gc
import hashlib
import json
import math
import os
import re
import shutil
import signal
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

BUFFER_BYTES = 1 << 20
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


@contextmanager
def without_collector() -> Iterator[None]:
    """Pause the collector of reference cycles while many records are made: they hold none, and looking at all of them
    again and again takes a third of the time. Reference counts free them as always.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while a few files are put in place, so that none or all of them are, and let it through then.

    Only the main thread is ever interrupted; in another one this does nothing.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    caught: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if caught:
        signal.raise_signal(signal.SIGINT)


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise ValueError(f"the key {twice!r} stands twice")
    return out


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"the number {text[:20]} is beyond a double")
    return number


_STRICT = json.JSONDecoder(object_pairs_hook=_no_repeats, parse_constant=_no_constant, parse_float=_finite)


def strict_json_loads(text: str) -> Any:
    """Parse JSON; a byte-order mark is skipped.

    ``ValueError`` also for what cannot be written again as it was read: a repeated key, ``NaN``, ``Infinity``, a number
    beyond a double, half a surrogate pair.
    """
    try:
        text.encode("utf-8")
        parsed = _STRICT.decode(text.lstrip("\ufeff"))
        if _SURROGATE_ESCAPE.search(text):
            json.dumps(parsed, ensure_ascii=False).encode("utf-8")
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except UnicodeEncodeError as error:
        raise ValueError("a text holds half a surrogate pair") from error
    return parsed


def read_json(path: Path) -> Any:
    """Parse a JSON file strictly. Raises ``ValueError`` with the path in the message, ``OSError`` when unreadable."""
    try:
        return strict_json_loads(Path(path).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 at byte {error.start}") from error
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def json_writer(items: str, keys: str) -> Callable[[Any], str]:
    """A function from values to JSON text with these separators, key order and non-ASCII kept.

    ``json.dumps`` and ``JSONEncoder.encode`` build their encoder in every call; this one is built once.
    """
    encoder = json.JSONEncoder(ensure_ascii=False, separators=(items, keys))
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return encoder.encode
    escape = json.encoder.encode_basestring  # type: ignore[attr-defined]
    write = make(None, encoder.default, escape, None, keys, items, False, False, True)
    return lambda obj: "".join(write(obj, 0))


def json_text(obj: Any) -> str:
    """A document: two-space indent, non-ASCII kept, newline at the end."""
    return json.dumps(obj, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def compact_json(obj: Any) -> str:
    """The form of which content digests are taken: sorted keys, no white space, non-ASCII kept."""
    return json.dumps(obj, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def content_digest(obj: Any) -> str:
    """sha256 of ``compact_json``: independent of layout and key order."""
    return sha256_text(compact_json(obj))


def sha256_bytes(data: bytes) -> str:
    """sha256 of bytes, hex."""
    return hashlib.sha256(data).hexdigest()


def sha256_text(text: str) -> str:
    """sha256 of the UTF-8 bytes of a text, hex."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def sha256_file(path: Path) -> str:
    """sha256 of a file, read in blocks."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as handle:
        while True:
            block = handle.read(BUFFER_BYTES)
            if not block:
                return digest.hexdigest()
            digest.update(block)


def walk_tree(root: Path) -> tuple[list[str], list[str]]:
    """Relative POSIX paths of all regular files below ``root``, and of all links, which are not followed; sorted.
    Nothing where ``root`` is no folder; ``OSError`` for a folder that cannot be read.
    """
    files, links = [], []
    folders = [("", str(root))] if Path(root).is_dir() else []
    while folders:
        prefix, folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                name = prefix + entry.name
                if entry.is_symlink():
                    links.append(name)
                elif entry.is_dir():
                    folders.append((f"{name}/", entry.path))
                elif entry.is_file():
                    files.append(name)
    return sorted(files), sorted(links)


def tree_files(root: Path, exclude: Iterable[str] = ()) -> list[str]:
    """Relative POSIX paths of all regular files below ``root``, sorted; a link anywhere is a ``ValueError``."""
    files, links = walk_tree(root)
    if links:
        raise ValueError(f"{Path(root) / links[0]} is a link; a hashed tree holds files only")
    left_out = set(exclude)
    return [name for name in files if name not in left_out]


def tree_sha256(root: Path, exclude: Iterable[str] = ()) -> str:
    """Tree hash of design.md section 3: sha256 over the lines ``<sha256>  <relative path>`` of all regular files."""
    root = Path(root)
    lines = "".join(f"{sha256_file(root / name)}  {name}\n" for name in tree_files(root, exclude))
    return sha256_text(lines)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A scratch file beside ``path`` for the block to write; it replaces ``path`` at the end, or is removed."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=str(path.parent), prefix=f".{path.name}.")
    os.close(descriptor)
    try:
        yield Path(name)
        with Path(name).open("rb") as handle:
            os.fsync(handle.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def atomic_write_bytes(path: Path, data: bytes) -> None:
    """Write beside the target, flush to disk, then replace. Parent folders are made."""
    with replacing(path) as scratch:
        scratch.write_bytes(data)


def atomic_write_text(path: Path, text: str) -> None:
    """``atomic_write_bytes`` of a UTF-8 text."""
    atomic_write_bytes(path, text.encode("utf-8"))


def create_text(path: Path, text: str) -> None:
    """Create a file that must not be there: exclusive, and whole from the moment on at which it has its name.

    Raises ``FileExistsError``. A file system without hard links gets a plain exclusive create.
    """
    descriptor, name = tempfile.mkstemp(dir=str(path.parent), prefix=f".{path.name}.")
    scratch = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(text.encode("utf-8"))
            handle.flush()
            os.fsync(handle.fileno())
        scratch.chmod(0o644)
        try:
            os.link(name, str(path))
        except FileExistsError:
            raise
        except OSError:
            with path.open("xb") as handle:
                handle.write(text.encode("utf-8"))
    finally:
        scratch.unlink()


def write_json(path: Path, obj: Any) -> None:
    """Write a document atomically."""
    atomic_write_text(path, json_text(obj))


def write_records(path: Path, records: Iterable[dict[str, Any]]) -> int:
    """Write a record file (a JSON array, one record a line) atomically; returns the number of records."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=str(path.parent), prefix=f".{path.name}.")
    count = 0
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as handle:
            handle.write("[\n")
            for record in records:
                handle.write(",\n" if count else "")
                handle.write(json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
                count += 1
            handle.write("\n]\n" if count else "]\n")
            handle.flush()
            os.fsync(handle.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return count


def read_records(path: Path) -> list[dict[str, Any]]:
    """Read a record file in any JSON layout. Raises ``ValueError`` when it is not an array."""
    data = read_json(path)
    if not isinstance(data, list):
        raise ValueError(f"{path}: a record file is a JSON array, this is {type(data).__name__}")
    return data


def stream_records(path: Path) -> Iterator[Any]:
    """The records of a record file one by one; only one is in memory where each stands on its own line.

    A file of another layout is read whole. Raises as ``read_records``, at the latest after the last record.
    """
    given = 0
    with Path(path).open("rb") as handle:
        if handle.readline().removeprefix(b"\xef\xbb\xbf").strip() == b"[":
            for line in handle:
                text = line.strip()
                if not text.startswith(b"{"):
                    break
                try:
                    record = strict_json_loads(text.removesuffix(b",").decode("utf-8"))
                except ValueError:
                    break
                yield record
                given += 1
                if not text.endswith(b","):
                    if handle.readline().strip() == b"]" and not handle.read().strip():
                        return
                    break
    yield from read_records(path)[given:]


STAGING = re.compile(r"\..+\.staging-\w+")


def is_staging(folder: Path) -> bool:
    """Whether a folder has the name of a staging folder: a killed process leaves one, which nobody published."""
    return STAGING.fullmatch(Path(folder).resolve().name) is not None


@contextmanager
def staging(target: Path, clear: Callable[[], None] | None = None) -> Iterator[Path]:
    """Yield a hidden sibling folder that becomes ``target`` by one rename when the block ends without error.

    An existing target that is not an empty folder is a ``FileExistsError`` (checked before and at the rename, so that
    of two processes one succeeds), unless ``clear`` is given: it empties the target just before the rename. The
    staging folder is gone on every other way out.
    """
    target = Path(target)
    if clear is None and target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise FileExistsError(f"{target} exists and is not empty")
    target.parent.mkdir(parents=True, exist_ok=True)
    with interrupts_held():
        folder = Path(tempfile.mkdtemp(dir=str(target.parent), prefix=f".{target.name}.staging-"))
        folder.chmod(0o755)
    try:
        yield folder
        with interrupts_held():
            if clear is not None:
                clear()
            try:
                folder.rename(target)  # replaces an empty folder, fails on one that is not
            except OSError as error:
                raise FileExistsError(f"{target} exists and is not empty") from error
    finally:
        if folder.exists():
            shutil.rmtree(str(folder), ignore_errors=True)
