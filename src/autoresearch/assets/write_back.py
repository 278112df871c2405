"""Changing ``data.yaml`` without losing what a person wrote into it (formal-case.md 16, "Write-back").

Read, change and replace happen under a lock on ``data.yaml.lock``, so that two processes that register at once both
survive. Comments, order and quotes stay; the file before the last change is ``data.yaml.bak``.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autoresearch.assets.registry import HERE, SECTIONS, Discovered, Entry, Location, load_registry, parse_registry
from autoresearch.assets.settings import read_yaml
from autoresearch.errors import InfrastructureError, InputError, require
from autoresearch.files import atomic_write_bytes, replacing

LOCK_SECONDS = 60.0
NO_WRAP = 1 << 20


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold ``<path>.lock`` alone. Raises ``InfrastructureError`` when another process keeps it for a minute."""
    import fcntl

    lock = path.with_name(f"{path.name}.lock")
    with lock.open("ab") as handle:
        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if time.monotonic() > deadline:
                    raise InfrastructureError(
                        f"{lock} is held by another process for {LOCK_SECONDS:.0f} s; wait for it, then run this again"
                    ) from error
                time.sleep(0.02)
        yield


@contextmanager
def editing(path: Path) -> Iterator[Any]:
    """The file as a mapping that keeps its comments; what the block changed is written at its end.

    Nothing is written when nothing changed, when the block raises, or when the result is no valid registry. Raises
    ``InputError`` where there is no such file: it is never created silently.
    """
    if not path.is_file():
        raise InputError(
            f"{path} is not there, so nothing can be registered in it; copy data.example.yaml to it and edit it"
        )
    path = path.resolve()
    util = require("ruamel.yaml.util", "assets")
    with locked(path):
        load_registry(path)
        before = path.read_bytes()
        text = before.decode("utf-8-sig")
        writer = require("ruamel.yaml", "assets").YAML()
        writer.preserve_quotes = True
        writer.width = NO_WRAP
        content, indent, offset = util.load_yaml_guess_indent(text, yaml=writer)
        writer.indent(mapping=2, sequence=max(indent or 2, (offset or 0) + 2), offset=offset or 0)
        unchanged = _dump(writer, content)
        yield content
        after = _dump(writer, content)
        if after == unchanged:
            return
        with replacing(path) as scratch:
            scratch.write_text(after, encoding="utf-8")
            parse_registry(read_yaml(scratch), path.name)
            atomic_write_bytes(path.with_name(f"{path.name}.bak"), before)


def _dump(yaml: Any, content: Any) -> str:
    buffer = io.StringIO()
    yaml.dump(content, buffer)
    return buffer.getvalue()


def _set(mapping: Any, key: str, value: Any) -> None:
    """Change a key, or add it; never after a comment that stands behind the last key, which belongs to what follows."""
    if key not in mapping and mapping and list(mapping)[-1] in mapping.ca.items:
        mapping.insert(len(mapping) - 1, key, value)
    else:
        mapping[key] = value


def _below(mapping: Any, key: str) -> Any:
    """The mapping at ``key``, made where there is none."""
    if mapping.get(key) is None:
        _set(mapping, key, require("ruamel.yaml.comments", "assets").CommentedMap())
    return mapping[key]


def set_location(path: Path, section: str, key: str, server: str, location: Location) -> None:
    """Write the place of an entry on a server. Keys that are None leave the file; others keep their lines.

    Raises ``InputError`` when the entry is gone, as ``editing`` else.
    """
    with editing(path) as content:
        entry = ((content.get("assets") or {}).get(section) or {}).get(key)
        if entry is None:
            raise InputError(f"{path}: assets.{section}.{key} is no longer there; add the entry, then run this again")
        parent, name = (entry, HERE) if server == HERE else (_below(entry, "remotes"), server)
        _update(_below(parent, name), location.model_dump(mode="json"))


def _update(mapping: Any, values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        if value is None:
            mapping.pop(name, None)
        elif str(mapping.get(name)) != str(value):
            _set(mapping, name, value)


def add_entry(path: Path, key: str, entry: Entry) -> None:
    """Add an entry below its section. Raises ``InputError`` (V107) for a canonical id that another entry has, and for
    a key that is taken."""
    section = next(name for name, kind in SECTIONS.items() if kind == entry.kind)
    with editing(path) as content:
        entries = _below(_below(content, "assets"), section)
        if key in entries:
            raise InputError(f"{path}: assets.{section}.{key} exists; give another key")
        made = require("ruamel.yaml.comments", "assets").CommentedMap()
        _update(made, entry.model_dump(mode="json", exclude_defaults=True, exclude_none=True))
        _set(entries, key, made)


def record_discovered(path: Path, server: str, found: Sequence[Discovered]) -> int:
    """Bring ``discovered_large_assets`` up to date for one server; the number of new paths.

    A path that was known keeps its status unless that was ``stale``; one that is not found again becomes ``stale``, and
    one that was ignored stays ignored. Other servers' findings are left alone.
    """
    fresh = {each.path: each for each in found}
    with editing(path) as content:
        if content.get("discovered_large_assets") is None:
            _set(content, "discovered_large_assets", require("ruamel.yaml.comments", "assets").CommentedSeq())
        listed = content["discovered_large_assets"]
        if not listed and hasattr(listed, "fa"):
            listed.fa.set_block_style()
        for item in listed:
            if item["server"] != server:
                continue
            known = fresh.pop(item["path"], None)
            status = item.get("status", "discovered")
            if known is None:
                status = status if status == "ignored" else "stale"
                _update(item, {"status": status})
            else:
                status = "discovered" if status == "stale" else status
                _update(item, {**known.model_dump(mode="json", exclude={"evidence"}), "status": status})
        for each in sorted(fresh.values(), key=lambda one: one.path):
            listed.append(_plain(each.model_dump(mode="json")))
    return len(fresh)


def _plain(values: Mapping[str, Any]) -> Any:
    made = require("ruamel.yaml.comments", "assets").CommentedMap()
    for name, value in values.items():
        made[name] = _plain(value) if isinstance(value, dict) else value
    return made


def mark_discovered(path: Path, server: str, place: str, status: str) -> None:
    """Give a discovered folder another status, where it is listed."""
    with editing(path) as content:
        for item in content.get("discovered_large_assets") or ():
            if item["server"] == server and item["path"] == place:
                _update(item, {"status": status})
