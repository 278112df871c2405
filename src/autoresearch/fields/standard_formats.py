"""Classification standards as ``--derive-from`` reads them: which formats there are, and how each is recognised
(data-line.md 3.7).

A format is recognised by its structure alone, never by a file's name:

* an object (JSON, YAML) with ``categories``, or a sheet with a column ``name``: our own format;
* an object with one key that holds an array of ``{fides_key, name, parent_key, …}``, or a sheet with these columns: a
taxonomy of dotted keys. Every key is a class that may be answered, as data are labelled with upper classes too;
* an object whose every value is ``{category, …}``: a flat dictionary from description to class. ``A1-1:name`` is code
and name, ``a-b-c`` is a path.

Everything else is refused (F031).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from pydantic import Field, ValidationError

from autoresearch.errors import InputError, raise_if_errors
from autoresearch.fields.sheet import open_table
from autoresearch.files import read_json
from autoresearch.findings import FindingCounter, finding
from autoresearch.standards.loading import Lenient, first_problem
from autoresearch.standards.mapping import LEVEL_FIELDS, header_form

SHEET_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".csv", ".tsv")
YAML_SUFFIXES = (".yml", ".yaml")
EXAMPLE_SEPARATOR = re.compile(r"[；\n]")
CODE_AND_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9.\-]*)[:：](.+)", re.DOTALL)
KEY_COLUMNS = ("fides_key", "name", "parent_key")
REMEDY = (
    'a classification standard is {"categories": [{"code", "name", "path", "description", "examples"}]}, '
    "a sheet with the columns code, name, level_1 to level_4, description, examples, a taxonomy of fides_key, name and "
    'parent_key, or a dictionary {"description": {"category": "A1-1:name" or "class-class-name"}}'
)


class StandardCategory(Lenient):
    """One class of a classification standard."""

    name: str = Field(min_length=1)
    code: str | None = None
    path: tuple[str, ...] = ()
    description: str = ""
    descriptions: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


class ClassificationStandard(Lenient):
    """A classification standard as ``--derive-from`` reads it; the audit takes it as opaque bytes."""

    name: str = ""
    version: str = ""
    groups: dict[str, str] = Field(default_factory=dict)
    categories: tuple[StandardCategory, ...] = Field(min_length=1)


class KeyedClass(Lenient):
    """One row of a taxonomy of dotted keys; the class above ``a.b`` is ``a``."""

    fides_key: str = Field(min_length=1)
    name: str | None = None
    description: str | None = None
    parent_key: str | None = None
    version_deprecated: str | None = None


class DescribedClass(Lenient):
    """One value of a flat dictionary; its key is the description. A level in it (``class``) is left to the grading
    standard.
    """

    category: str = Field(min_length=1)
    ref: str = ""


def refuse(path: Path, problem: str, code: str = "F031", remedy: str = REMEDY) -> NoReturn:
    """Raise ``InputError`` with one finding about a standard that cannot be used."""
    item = finding(code, place=path.name, rule=problem, remedy=remedy)
    raise InputError(f"build: {item.message()}.", [item])


def load_standard(path: Path) -> ClassificationStandard:
    """Read a standard in one of the declared formats. Raises ``InputError``: F031, or the codes of a sheet."""
    sheet = path.suffix.lower() in SHEET_SUFFIXES
    try:
        return _from_sheet(path) if sheet else _from_object(_read(path))
    except OSError as error:
        refuse(path, f"cannot be read ({error.strerror or error})", remedy="give the path of an existing file")
    except ValidationError as error:
        refuse(path, first_problem(error))
    except ValueError as error:
        refuse(path, str(error).removeprefix(f"{path}: "))


def _read(path: Path) -> Any:
    if path.suffix.lower() not in YAML_SUFFIXES:
        return read_json(path)
    import yaml

    try:
        return yaml.load(path.read_text(encoding="utf-8-sig"), Loader=_strict_yaml())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise ValueError(f"not YAML{place}: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ValueError(f"not YAML: {' '.join(str(error).split())}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _strict_yaml() -> type[Any]:
    """Of scalars only ``null`` is told from text (``2.0.0``, ``no`` and ``1`` are texts); a repeated key, an alias and
    a tag are errors.
    """
    import yaml

    refused = yaml.constructor.ConstructorError
    null = "tag:yaml.org,2002:null"
    known = {null, *(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))}

    class Strict(yaml.SafeLoader):  # type: ignore[misc]
        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise refused(None, None, "an alias is not allowed", self.peek_event().start_mark)
            return super().compose_node(parent, index)

        def construct_object(self, node: Any, deep: bool = False) -> Any:
            if node.tag not in known:
                raise refused(None, None, f"the tag {node.tag!r} is not allowed", node.start_mark)
            return super().construct_object(node, deep)

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            seen: set[str] = set()
            for key, _ in node.value:
                if not isinstance(key, yaml.ScalarNode) or key.value in seen:
                    raise refused(None, None, "a key stands twice or is no text", key.start_mark)
                seen.add(key.value)
            found: dict[Any, Any] = super().construct_mapping(node, deep)
            return found

    Strict.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in pairs if tag == null]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return Strict


def _from_object(content: Any) -> ClassificationStandard:
    if not isinstance(content, dict) or not content:
        raise ValueError("holds no object with classes")
    if "categories" in content:
        return ClassificationStandard.model_validate(content)
    values = list(content.values())
    rows = values[0] if len(values) == 1 else None
    if isinstance(rows, list) and rows and all(_has(row, KEY_COLUMNS) for row in rows):
        return _from_keys(KeyedClass.model_validate({key: _text(row[key]) for key in row}) for row in rows)
    if isinstance(rows, list) and rows and all(_has(row, ("fides_key", "collections")) for row in rows):
        raise ValueError(
            "holds data sets with labelled fields, not the classes of a standard; write the fields as a sheet and read "
            "it with data preprocess"
        )
    if all(_has(value, ("category",)) for value in values):
        return _from_dictionary({text: DescribedClass.model_validate(value) for text, value in content.items()})
    raise ValueError("is none of the formats of a classification standard")


def _has(value: Any, keys: Iterable[str]) -> bool:
    return isinstance(value, dict) and all(key in value for key in keys)


def _text(value: Any) -> Any:
    """A sheet writes an absent text as an empty one."""
    return None if value == "" else value


def _from_sheet(path: Path) -> ClassificationStandard:
    table = open_table(path)
    wrong = FindingCounter()
    wrong.extend(table.notes)
    raise_if_errors(wrong, "build")
    columns: dict[str, str] = {}
    for header in table.headers:
        name = header_form(header.text).lower()
        if name and name in columns:
            raise ValueError(f"the column {name!r} stands twice")
        columns[name] = f"c{header.column}"
    rows = [
        {name: str(row[column]).strip() for name, column in columns.items()}
        for row in table.frame.iter_rows(named=True)
    ]
    if all(name in columns for name in KEY_COLUMNS):
        return _from_keys(
            KeyedClass.model_validate({name: _text(text) for name, text in row.items()})
            for row in rows
            if any(row.values())
        )
    if "name" not in columns:
        raise ValueError("there is no column 'name'")
    items = []
    for texts in (row for row in rows if row["name"]):
        examples = [part.strip() for part in EXAMPLE_SEPARATOR.split(texts.get("examples", "")) if part.strip()]
        item = StandardCategory(
            name=texts["name"],
            code=texts.get("code") or None,
            path=tuple(texts[name] for name in LEVEL_FIELDS if texts.get(name)),
            description=texts.get("description", ""),
            examples=tuple(examples),
        )
        items.append(item)
    if not items:
        raise ValueError("holds no category")
    return ClassificationStandard(categories=tuple(items))


def _from_keys(rows: Iterable[KeyedClass]) -> ClassificationStandard:
    """A taxonomy: the key is the code, the names along the dots are the path. Deprecated classes are left out.

    A sheet may have one row for the whole taxonomy: no class stands under its key by dots, though some name it as
    their parent. Raises ``ValueError`` where a parent is another than the key's.
    """
    by_key: dict[str, KeyedClass] = {}
    for row in rows:
        if row.fides_key in by_key:
            raise ValueError(f"the key {row.fides_key!r} stands twice")
        if not all(row.fides_key.split(".")):
            raise ValueError(f"the key {row.fides_key!r} has an empty part")
        by_key[row.fides_key] = row
    above = {key: key.rpartition(".")[0] for key in by_key}
    roots = {row.parent_key for key, row in by_key.items() if row.parent_key and not above[key]}
    if len(roots) > 1:
        raise ValueError(f"two names for the whole: {', '.join(sorted(map(repr, roots)))}")
    for key, row in by_key.items():
        if above[key] and (row.parent_key != above[key] or above[key] not in by_key):
            raise ValueError(f"{key!r} stands under {row.parent_key!r}, by its dots under {above[key]!r}")
    items = []
    for key, row in by_key.items():
        if key in roots or row.version_deprecated:
            continue
        parts = key.split(".")
        line = [by_key[".".join(parts[:size])] for size in range(1, len(parts) + 1)]
        names = tuple(step.name or step.fides_key.rpartition(".")[2] for step in line)
        items.append(StandardCategory(name=names[-1], code=key, path=names, description=row.description or ""))
    if not items:
        raise ValueError("holds no class in use")
    return ClassificationStandard(categories=tuple(items))


def _from_dictionary(entries: Mapping[str, DescribedClass]) -> ClassificationStandard:
    """A flat dictionary: entries of one class become one category, the first description first."""
    merged: dict[str, list[str]] = {}
    for text, entry in entries.items():
        merged.setdefault(entry.category, []).append(text)
    items = []
    for category, (first, *others) in merged.items():
        coded = CODE_AND_NAME.fullmatch(category)
        steps = (coded.group(2).strip(),) if coded else tuple(part.strip() for part in category.split("-"))
        if not all(steps):
            raise ValueError(f"the class {category!r} has an empty part")
        item = StandardCategory(
            name=steps[-1],
            code=coded.group(1) if coded else None,
            path=() if coded else steps,
            description=first,
            descriptions=tuple(others),
        )
        items.append(item)
    names = {entry.ref for entry in entries.values()}
    return ClassificationStandard(name=names.pop() if len(names) == 1 else "", categories=tuple(items))
