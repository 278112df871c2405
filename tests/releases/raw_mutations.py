"""Changes of bytes and files that nobody seals again: the hashes of the report must find each of them (R006)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autoresearch.files import tree_files

FLIPS = 6


@dataclass(frozen=True)
class RawMutation:
    """One change of the files of a folder; ``file`` is what R006 must name."""

    what: str
    file: str
    apply: Callable[[Path], None]


def raw_mutations(folder: Path, seed: str) -> Iterator[RawMutation]:
    """Each file of a release flipped, cut, lengthened, emptied, removed, replaced, renamed and doubled."""
    draw = random.Random(seed)
    names = [name for name in tree_files(folder) if name != "export_report.json"]
    for number, name in enumerate(names):
        size = (folder / name).stat().st_size
        for _ in range(FLIPS):
            place, bit = draw.randrange(size), 1 << draw.randrange(8)
            yield RawMutation("flip", name, _edit(name, lambda data, at=place, by=bit: _flipped(data, at, by)))
        for count in (1, size // 2):
            yield RawMutation("cut", name, _edit(name, lambda data, left=size - count: data[:left]))
        yield RawMutation("longer", name, _edit(name, lambda data: data + b"\n"))
        yield RawMutation("empty", name, _edit(name, lambda data: b""))
        yield RawMutation("gone", name, lambda at, name=name: (at / name).unlink())
        other = (folder / names[number - 1]).read_bytes()
        yield RawMutation("other", name, _edit(name, lambda data, other=other: other))
        yield RawMutation("renamed", name, lambda at, name=name: _renamed(at / name))
        for extra in (f"{name}.bak", f"assets/validation-{number}.json", f"more/{number}.txt"):
            yield RawMutation("more", extra, lambda at, extra=extra: _written(at / extra))


def _edit(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / name
        path.write_bytes(change(path.read_bytes()))

    return edit


def _flipped(data: bytes, place: int, bit: int) -> bytes:
    changed = bytearray(data)
    changed[place] ^= bit
    return bytes(changed)


def _renamed(path: Path) -> None:
    path.rename(path.with_name(f"x-{path.name}"))


def _written(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("x", encoding="utf-8")
