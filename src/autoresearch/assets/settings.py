"""Reading the user's YAML settings: strict keys, near misses named, secrets as references (formal-case.md 3).

``config.yaml`` (``hosts/config.py``, ``cases/config.py``) and ``data.yaml`` (``assets/registry.py``) are read by the
one function here. A key that does not exist is ``V101 unknown-key`` with the nearest legal one; a literal where a
secret belongs is ``V102 literal-secret``, and the literal is never repeated in a message.
"""

from __future__ import annotations

import difflib
import os
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin
from urllib.parse import urlsplit, urlunsplit

import yaml
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from autoresearch.errors import InputError, require
from autoresearch.findings import Finding, finding

REFERENCE = re.compile(r"^<(keyring|env):([A-Za-z0-9_.@/-]{1,120})>$")
UNFILLED = re.compile(r"^\s*<fill in: .*>\s*$")
"""What ``config init`` writes where only the user knows the value."""
KEYRING_SERVICE = "autoresearch"
Model = TypeVar("Model", bound=BaseModel)


class Settings(BaseModel):
    """Base of the parts of a settings file: frozen, unknown keys refused, texts trimmed."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class SecretRef:
    """``<keyring:NAME>`` or ``<env:VAR>``: where a secret is, never the secret itself."""

    __slots__ = ("kind", "name")

    def __init__(self, text: str) -> None:
        match = REFERENCE.match(text)
        if match is None:
            raise ValueError("a secret is written as <keyring:NAME> or <env:VAR>")
        self.kind, self.name = match.groups()

    def __str__(self) -> str:
        return f"<{self.kind}:{self.name}>"

    def __repr__(self) -> str:
        return f"SecretRef('{self}')"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretRef) and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(str(self))

    def resolve(self) -> str:
        """The secret itself, looked up now; not to be stored. Raises ``InputError`` when it is not there."""
        value = self._keyring() if self.kind == "keyring" else os.environ.get(self.name)
        if not value:
            how = f"autoresearch config secret {self.name}" if self.kind == "keyring" else f"export {self.name}=…"
            raise InputError(f"the secret {self} is not there: set it with `{how}`")
        return value

    def _keyring(self) -> str | None:
        keyring = require("keyring", "hosts")
        try:
            found = keyring.get_password(KEYRING_SERVICE, self.name)
        except keyring.errors.KeyringError as error:
            raise InputError(f"the system keyring does not answer ({error}); use <env:VAR> instead") from error
        return None if found is None else str(found)

    @classmethod
    def _parse(cls, value: Any) -> SecretRef:
        if isinstance(value, SecretRef):
            return value
        if isinstance(value, str) and REFERENCE.match(value):
            return cls(value)
        raise PydanticCustomError("literal_secret", "a secret is written as <keyring:NAME> or <env:VAR>")

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            cls._parse, serialization=core_schema.plain_serializer_function_ser_schema(str)
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, _: CoreSchema, __: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "string", "pattern": REFERENCE.pattern}


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """Safe YAML that refuses a repeated key."""


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)  # type: ignore[no-untyped-call]
        if key in seen:
            raise yaml.MarkedYAMLError(problem=f"the key {key!r} stands twice", problem_mark=key_node.start_mark)
        seen.add(key)
    built: dict[Any, Any] = loader.construct_mapping(node, deep=True)
    return built


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping of a YAML file; an empty file is an empty mapping. Raises ``InputError`` with file and line."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8-sig"), Loader=_Loader)
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror or error}); give the path of the file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark is not None else ""
        raise InputError(f"{path}{place}: {getattr(error, 'problem', None) or error}") from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise InputError(f"{path}: the file is a {type(content).__name__}, it must be a mapping of keys")
    return content


def require_settings(path: Path, place: str) -> Path:
    """The path of a settings file that somebody named. Raises ``InputError`` (V112) when it is no file."""
    if not path.is_file():
        item = finding(
            "V112",
            place=place,
            value=str(path),
            rule="is not there" if not path.exists() else "is no file",
            remedy="give the path of the file, or write one with autoresearch config init",
        )
        raise InputError(item.message(), [item])
    return path


def build_settings(model: type[Model], content: Any, place: str) -> Model:
    """The settings in a parsed mapping; ``place`` (a file name) begins every message. Raises ``InputError``."""
    empty = [_unfilled(item, where, place) for where, item in unfilled_places(content)]
    if empty:
        raise InputError("\n".join(item.message() for item in empty), empty)
    try:
        return model.model_validate(content)
    except ValidationError as error:
        found = [_problem(model, item, place) for item in error.errors()]
        findings = [item for item in found if isinstance(item, Finding)]
        messages = [item.message() if isinstance(item, Finding) else item for item in found]
        raise InputError("\n".join(messages), findings) from None  # the cause would show the values


def unfilled_places(content: Any, above: tuple[int | str, ...] = ()) -> Iterator[tuple[str, str]]:
    """(place, text) of every value that ``config init`` left to be filled in."""
    if isinstance(content, str) and UNFILLED.match(content):
        yield _dotted(above), content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield from unfilled_places(value, (*above, str(key)))
    elif isinstance(content, list | tuple):
        for number, value in enumerate(content):
            yield from unfilled_places(value, (*above, number))


def _unfilled(text: str, where: str, place: str) -> Finding:
    return finding(
        "V113",
        place=f"{place}, {where}",
        value=text,
        rule="stands where config init left the value to you",
        remedy="write the value in its place",
    )


def _problem(model: type[BaseModel], item: Any, place: str) -> Finding | str:
    where = _dotted(item["loc"])
    if item["type"] == "extra_forbidden":
        key = str(item["loc"][-1])
        legal = sorted(_legal_keys(model, item["loc"][:-1]))
        near = difflib.get_close_matches(key, legal, n=1, cutoff=0.6)
        remedy = f"write {near[0]}" if near else "legal are " + ", ".join(legal)
        return finding("V101", place=f"{place}, {where}", value=key, rule="is no key here", remedy=remedy)
    if item["type"] == "literal_secret":
        remedy = "store it with `autoresearch config secret NAME` and write <keyring:NAME>, or write <env:VAR>"
        rule = "a literal secret is refused (it is not shown here)"
        return finding("V102", place=f"{place}, {where}", rule=rule, remedy=remedy)
    given = item["input"]
    value = f": {given!r}" if isinstance(given, str | int | float) and _harmless(str(given)) else ""
    return f"{place}, {where}{value}: {item['msg'].removeprefix('Value error, ')}"


def _harmless(text: str) -> bool:
    """Short, and no URL with a user and a password in it."""
    return len(text) <= 120 and "@" not in text


def _dotted(parts: tuple[int | str, ...]) -> str:
    text = ""
    for part in parts:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text or "the file"


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) in (list, dict, tuple, Union, types.UnionType) or get_args(annotation):
        for inner in get_args(annotation):
            yield from _models_in(inner)


def _legal_keys(model: type[BaseModel], parts: tuple[int | str, ...]) -> set[str]:
    """Field names of the models that stand at ``parts`` below ``model``; keys of a mapping are passed over."""
    here = [model]
    for part in parts:
        deeper = [
            inner
            for each in here
            if isinstance(part, str) and part in each.model_fields
            for inner in _models_in(each.model_fields[part].annotation)
        ]
        here = deeper or here
    return {field.alias or name for each in here for name, field in each.model_fields.items()}


def secret_refs(settings: Any) -> Iterator[SecretRef]:
    """Every reference in settings, so that what they resolve to can be searched for before a bundle is sealed."""
    if isinstance(settings, SecretRef):
        yield settings
    elif isinstance(settings, BaseModel):
        for name in type(settings).model_fields:
            yield from secret_refs(getattr(settings, name))
    elif isinstance(settings, dict):
        for value in settings.values():
            yield from secret_refs(value)
    elif isinstance(settings, list | tuple):
        for value in settings:
            yield from secret_refs(value)


def public_url(url: str) -> str:
    """The URL without user and password: the form that may be recorded."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
