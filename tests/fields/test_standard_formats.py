"""The formats of a classification standard: recognised by structure, refused with one message (data-line 3.7)."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from test_derivation import arguments

from autoresearch.errors import InputError
from autoresearch.fields.canonical import build
from autoresearch.fields.standard_formats import load_standard
from autoresearch.files import read_json, write_json
from autoresearch.standards.registry import LeafRegistry

KEYS = ["sys", "sys.log", "user", "user.contact", "user.contact.mail", "user.old"]
ROWS: list[dict[str, Any]] = [
    {
        "fides_key": key,
        "name": f"Class {key.rpartition('.')[2]}",
        "description": f"about {key}",
        "parent_key": key.rpartition(".")[0] or None,
        "version_deprecated": "2.1" if key == "user.old" else None,
    }
    for key in KEYS
]
YAML_ROWS = "".join(
    f"- fides_key: {row['fides_key']}\n  name: {row['name']}\n  description: {row['description']}\n"
    f"  parent_key: {row['parent_key'] or 'null'}\n  version_deprecated: {row['version_deprecated'] or '~'}\n"
    for row in ROWS
)


def write_taxonomy(folder: Path, suffix: str) -> Path:
    """``ROWS`` in one of the three formats; the sheet has a row for the whole taxonomy, as they have."""
    path = folder / f"standard{suffix}"
    if suffix == ".json":
        write_json(path, {"taxonomy": ROWS})
    elif suffix == ".yml":
        path.write_text(f"taxonomy:\n{YAML_ROWS}", encoding="utf-8")
    else:
        with path.open("w", encoding="utf-8", newline="") as handle:
            writer = csv.DictWriter(handle, list(ROWS[0]))
            writer.writeheader()
            writer.writerow({"fides_key": "taxonomy", "name": "All"})
            writer.writerows({**row, "parent_key": row["parent_key"] or "taxonomy"} for row in ROWS)
    return path


def test_a_taxonomy_gives_one_registry_whatever_its_format(tmp_path: Path) -> None:
    digests = set()
    for suffix in (".json", ".yml", ".csv"):
        folder = tmp_path / suffix[1:]
        build(**{**arguments(folder, "code"), "derive_from": write_taxonomy(folder, suffix)})
        registry = LeafRegistry.from_path(folder / "std" / "steel.registry.json")
        digests.add(registry.digest)
        assert [leaf.category_id for leaf in registry.leaves] == KEYS[:-1]  # the deprecated class is left out
        assert registry.leaf("user.contact.mail").path == ("Class user", "Class contact", "Class mail")
        assert registry.leaf("user.contact.mail").description == "about user.contact.mail"
    assert len(digests) == 1


DICTIONARY = {
    "甲的说明": {"category": "A1-1:甲", "class": "内部", "ref": "标准"},
    "乙的说明": {"category": "A1-2：乙", "class": "内部", "ref": "标准"},
    "乙的又一说明": {"category": "A1-2：乙", "class": "敏感", "ref": "标准"},
}
PATHS = {f"说明{index}": {"category": f"业务-合约-类{index}", "class": "l级"} for index in range(5)}


def test_a_flat_dictionary_gives_codes_or_paths_and_merges_what_is_one_class(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", DICTIONARY)
    standard = load_standard(tmp_path / "a.json")
    assert standard.name == "标准"
    assert [(item.code, item.name, item.path, item.description, item.descriptions) for item in standard.categories] == [
        ("A1-1", "甲", (), "甲的说明", ()),
        ("A1-2", "乙", (), "乙的说明", ("乙的又一说明",)),
    ]
    write_json(tmp_path / "b.json", PATHS)
    standard = load_standard(tmp_path / "b.json")
    assert [(item.code, item.path) for item in standard.categories[:1]] == [(None, ("业务", "合约", "类0"))]
    assert standard.name == ""


def test_paths_of_a_dictionary_become_ids_of_the_path_strategy(tmp_path: Path) -> None:
    given = arguments(tmp_path, "path")
    write_json(tmp_path / "standard.json", PATHS)
    build(**given)
    [first, *_] = read_json(tmp_path / "std" / "steel.registry.json")["categories"]
    assert first["category_id"] == "steel:业务.合约..类0"


def test_our_own_format_may_be_written_as_yaml(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("version: 2.0\ncategories:\n- {code: 1e3, name: no, path: [甲]}\n- {code: ~, name: 乙}\n", "utf-8")
    standard = load_standard(path)
    assert standard.version == "2.0"
    assert [(item.code, item.name) for item in standard.categories] == [("1e3", "no"), (None, "乙")]


def taxonomy(**changes: Any) -> dict[str, Any]:
    return {"taxonomy": [{**ROWS[0], **changes}, *ROWS[1:]]}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ([1], "no object"),
        ({}, "no object"),
        ({"x": 1}, "none of the formats"),
        ({"a": {"category": "A1:x"}, "b": {"class": "1"}}, "none of the formats"),
        ({"a": {"category": ""}}, "category"),
        ({"a": {"category": "业务--类"}}, "empty part"),
        ({"dataset": [{"fides_key": "a", "collections": []}]}, "labelled fields, not the classes"),
        (taxonomy(fides_key="user"), "'user' stands twice"),
        (taxonomy(fides_key="sys..a"), "'sys..a' has an empty part"),
        (taxonomy(fides_key="sys2"), "'sys.log' stands under 'sys'"),
        (taxonomy(parent_key="all"), "sys"),
        ({"taxonomy": [{**row, "version_deprecated": "2"} for row in ROWS]}, "no class in use"),
        ({"categories": []}, "categories"),
    ],
)
def test_what_is_no_standard_is_refused_with_one_message(tmp_path: Path, content: Any, told: str) -> None:
    if told == "sys":  # a second name for the whole
        content["taxonomy"].append({**ROWS[0], "fides_key": "more", "parent_key": "everything"})
        told = "two names for the whole: 'all', 'everything'"
    write_json(tmp_path / "a.json", content)
    with pytest.raises(InputError) as caught:
        load_standard(tmp_path / "a.json")
    assert [item.code for item in caught.value.findings] == ["F031"]
    assert told in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a:\n  * b: 1\n", "line 2, column 4"),
        ("a: 1\na: 2\n", "a key stands twice or is no text"),
        ("a: &x {category: y}\nb: *x\n", "an alias is not allowed"),
        ("a: !!python/name:os.system x\n", "is not allowed"),
        ("? [a]\n: b\n", "no text"),
        ("\x00", "not YAML"),
        ("[" * 5000, "not YAML|nested too deeply"),
        ("", "no object"),
    ],
)
def test_yaml_that_says_two_things_is_refused_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "a.yml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told) as caught:
        load_standard(tmp_path / "a.yml")
    assert [item.code for item in caught.value.findings] == ["F031"]
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("code,name,Name\nA1,甲,乙\n", "F031", "'name' stands twice"),
        ("code,title\nA1,甲\n", "F031", "no column 'name'"),
        ("code,name\nA1,\n", "F031", "no category"),
        ("code,name\nA1,甲,乙\n", "F028", "line 2"),
    ],
)
def test_a_sheet_that_says_two_things_or_nothing_is_refused(tmp_path: Path, text: str, code: str, told: str) -> None:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told) as caught:
        load_standard(tmp_path / "a.csv")
    assert [item.code for item in caught.value.findings] == [code]


def test_a_dictionary_whose_names_clash_is_refused_as_such(tmp_path: Path) -> None:
    given = arguments(tmp_path, "code")
    entries = {f"说明{index}": {"category": f"A{index}-1:{'基本信息' if index < 2 else index}"} for index in range(6)}
    write_json(tmp_path / "standard.json", entries)
    with pytest.raises(InputError, match="F034.*A0-1.*基本信息"):
        build(**given)
    assert not (tmp_path / "std").exists()
