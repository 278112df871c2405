"""``data.yaml``: models and datasets, and the places that hold them (formal-case.md 3.3).

The same weights on several machines are one entry; a status belongs to a place (``local`` or ``remotes.<server>``),
never to the entry. Only ``assets`` commands and the asset step of a run write the file (``write_back``).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from autoresearch.assets.settings import Settings, build_settings, public_url, read_yaml, require_settings
from autoresearch.errors import InputError
from autoresearch.findings import finding

FILE_NAME = "data.yaml"
EXAMPLE_NAME = "data.example.yaml"
HERE = "local"
"""Name of this machine as a place."""
GB = 10**9
Hub = Literal["modelscope", "huggingface"]
Kind = Literal["model", "dataset"]
Status = Literal["planned", "downloading", "ready", "missing", "stale"]
SECTIONS: dict[str, Kind] = {"models": "model", "datasets": "dataset"}
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
RepoId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]+)?$")]
Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,95}$")]


def _time(value: Any) -> Any:
    """YAML reads an unquoted time as one; the model keeps the text with ``Z``."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if value.tzinfo else f"{value.isoformat()}Z"
    return value


def _no_repeats(value: tuple[Hub, ...]) -> tuple[Hub, ...]:
    if not value or len(set(value)) != len(value):
        raise ValueError("name each hub once, at least one")
    return value


Time = Annotated[str, BeforeValidator(_time), Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
Priority = Annotated[tuple[Hub, ...], AfterValidator(_no_repeats)]


class Defaults(Settings):
    """What holds for every entry."""

    local_root: str = "~/autoresearch-data"
    local_asset_limit_gb: Annotated[float, Field(ge=0)] = 5
    """In 10^9 bytes. Larger assets are neither stored nor staged on this machine."""
    proxy_url: Annotated[str, AfterValidator(public_url)] = "http://127.0.0.1:7890"
    """Empty: no proxy. User and password are dropped."""
    source_priority: Priority = ("modelscope", "huggingface")
    remote_root: Annotated[str, Field(pattern=r"^/")] = "/srv/autoresearch-assets"


class Source(Settings):
    """An asset on a hub."""

    id: RepoId
    revision: str | None = None
    """Branch, tag or commit; default: the hub's own default branch. What is fetched is always a commit."""


class Location(Settings):
    """One place that holds, or will hold, an asset."""

    path: str
    """Absolute there; ``~`` is allowed on this machine."""
    status: Status = "planned"
    revision: str | None = None
    """The hub's commit that the files are equal to, where one is known."""
    source: Literal["modelscope", "huggingface", "found"] | None = None
    """The hub of ``revision``; ``found`` for files that were there and equal no commit that was asked."""
    tree_sha256: Sha256 | None = None
    verified_at: Time | None = None

    @model_validator(mode="after")
    def _absolute(self) -> Self:
        if not self.path.startswith(("/", "~")):
            raise ValueError(f"path {self.path!r} is relative; a place has an absolute path")
        return self


class Entry(Settings):
    """One model or dataset."""

    kind: Kind
    canonical_id: RepoId
    display_name: str | None = None
    parameter_count_b: Annotated[float, Field(gt=0)] | None = None
    active_parameter_count_b: Annotated[float, Field(gt=0)] | None = None
    size_gb: Annotated[float, Field(ge=0)] | None = None
    """Of all files, in 10^9 bytes; the hub is asked before a download."""
    storage_policy: Literal["local_if_within_limit", "remote_preferred", "remote_only"] = "local_if_within_limit"
    source_priority: Priority | None = None
    sources: dict[Hub, Source] = Field(default_factory=dict)
    local: Location | None = None
    remotes: dict[str, Location] = Field(default_factory=dict)
    """Server name -> place."""

    @model_validator(mode="after")
    def _remotes_are_elsewhere(self) -> Self:
        if HERE in self.remotes:
            raise ValueError(f"remotes.{HERE}: this machine's place is the key {HERE}")
        for server, place in self.remotes.items():
            if not place.path.startswith("/"):
                raise ValueError(f"remotes.{server}.path {place.path!r}: a path on a server begins with /")
        return self

    def location(self, server: str) -> Location | None:
        """The place of that server; ``local`` is this machine. Chosen by name only."""
        return self.local if server == HERE else self.remotes.get(server)

    def locations(self) -> Iterator[tuple[str, Location]]:
        """(server, place), this machine first."""
        if self.local is not None:
            yield HERE, self.local
        yield from self.remotes.items()

    def folder_name(self) -> str:
        """``org__name``: the last part of the paths that are chosen for it."""
        return self.canonical_id.replace("/", "__")


class Assets(Settings):
    """The entries by their keys."""

    models: dict[Key, Entry] = Field(default_factory=dict)
    datasets: dict[Key, Entry] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _kinds(self) -> Self:
        for section, kind in SECTIONS.items():
            for key, entry in getattr(self, section).items():
                if entry.kind != kind:
                    raise ValueError(f"{section}.{key} has kind {entry.kind}; move it or write kind: {kind}")
        return self


class Discovered(Settings):
    """A large folder that discovery saw and nobody registered yet: never used."""

    server: str
    path: str
    size_gb: float
    kind_guess: Kind
    name_guess: str
    evidence: dict[str, Any]
    """``index, config, safetensors, parquet, arrow, jsonl, bin, samples[]``."""
    status: Literal["discovered", "verified", "ignored", "stale"] = "discovered"
    scanned_at: Time


class Registry(Settings):
    """The whole file."""

    version: Literal[1] = 1
    defaults: Defaults = Defaults()
    assets: Assets = Assets()
    discovered_large_assets: tuple[Discovered, ...] = ()

    def entries(self) -> Iterator[tuple[str, str, Entry]]:
        """(section, key, entry), models first."""
        for section in SECTIONS:
            for key, entry in getattr(self.assets, section).items():
                yield section, key, entry

    def find(self, name: str, place: str = FILE_NAME) -> tuple[str, str, Entry]:
        """(section, key, entry) of a key or a canonical id. Raises ``InputError`` (V104) with the nearest names."""
        for section, key, entry in self.entries():
            if name in (key, entry.canonical_id):
                return section, key, entry
        known = [text for _, key, entry in self.entries() for text in (key, entry.canonical_id)]
        near = difflib.get_close_matches(name, known, n=2, cutoff=0.5)
        remedy = f"did you mean {' or '.join(near)}? Else" if near else "if it is right,"
        item = finding(
            "V104",
            place=place,
            value=name,
            rule="is no entry there",
            remedy=f"{remedy} add it below assets: with its kind, canonical_id and sources",
        )
        raise InputError(item.message(), [item])

    def missing_bytes(self, names: Iterable[str], server: str) -> int:
        """How much is yet to come to a server, by ``size_gb``: 0 for what is ready there and for an unknown size."""
        entries = [self.find(name)[2] for name in names]
        places = [(entry, entry.location(server)) for entry in entries]
        lacking = [entry for entry, place in places if place is None or place.status != "ready"]
        return int(sum(entry.size_gb or 0 for entry in lacking) * GB)

    def priority(self, entry: Entry) -> tuple[Hub, ...]:
        """The hubs to ask, in order: only those that the entry has a source on."""
        return tuple(hub for hub in entry.source_priority or self.defaults.source_priority if hub in entry.sources)

    def path_for(self, entry: Entry, server: str) -> str:
        """Where the asset lies, or is to lie, on that server; absolute except for ``~`` on this machine."""
        place = entry.location(server)
        if place is not None:
            return place.path
        root = self.defaults.local_root if server == HERE else self.defaults.remote_root
        return f"{root.rstrip('/')}/{entry.kind}s/{entry.folder_name()}"


@dataclass(frozen=True)
class RegistryFile:
    """The registry as it was read, and what it was read from."""

    registry: Registry
    path: Path
    """``data.yaml``, whether it exists or not: what is written back to."""
    read_from: Path | None
    """The file that was read: ``path``, the example beside it, or None."""

    @property
    def is_example(self) -> bool:
        """True when there is no ``data.yaml``; whoever uses the registry says so."""
        return self.read_from != self.path

    def note(self) -> str | None:
        """What to tell the user when it was not ``data.yaml`` that was read."""
        if not self.is_example:
            return None
        read = f"{self.read_from} was read" if self.read_from else "no entries are known"
        return f"{self.path} is not there: {read}; nothing is created, copy the example to {self.path.name} to register"


def parse_registry(content: Mapping[str, Any], place: str) -> Registry:
    """The registry in a parsed file; ``place`` begins every message. Raises ``InputError`` (V101, V107)."""
    registry = build_settings(Registry, content, place)
    seen: dict[str, str] = {}
    for section, key, entry in registry.entries():
        where = f"assets.{section}.{key}"
        if entry.canonical_id in seen:
            item = finding(
                "V107",
                place=f"{place}, {where}",
                value=entry.canonical_id,
                rule=f"is the canonical_id of {seen[entry.canonical_id]} already",
                remedy="keep one entry; name other machines' copies in its remotes",
            )
            raise InputError(item.message(), [item])
        seen[entry.canonical_id] = where
    return registry


def load_registry(path: Path) -> Registry:
    """Read one file. Raises ``InputError``."""
    return parse_registry(read_yaml(path), path.name)


def open_registry(data_config: Path | None = None, config: Path | None = None) -> RegistryFile:
    """``data_config``, else ``data.yaml`` beside ``config``, else ``./config/data.yaml``.

    Where it is missing, ``data.example.yaml`` beside it is read; where that is missing too, the registry is empty.
    Raises ``InputError``, V112 for a ``data_config`` that does not exist.
    """
    if data_config is not None:
        require_settings(data_config, "--data-config")
        return RegistryFile(load_registry(data_config), data_config, data_config)
    path = (config.parent if config is not None else Path("config")) / FILE_NAME
    for candidate in (path, path.with_name(EXAMPLE_NAME)):
        if candidate.is_file():
            return RegistryFile(load_registry(candidate), path, candidate)
    return RegistryFile(Registry(), path, None)
