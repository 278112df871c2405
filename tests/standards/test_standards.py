"""The standards' formats: loading one is validating it (data-line.md 3.1, 3.4-3.7)."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from autoresearch.errors import InputError
from autoresearch.standards.corpus import Corpus, load_corpus_categories
from autoresearch.standards.datasets import load_datasets
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.manifest import GradingManifest
from autoresearch.standards.mapping import ColumnMapping
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import TaskConfig
from autoresearch.standards.text import comparison_form, contains_code, control_token, redact_codes

LEAVES: list[dict[str, Any]] = [
    {"category_id": f"B{k}-1", "name": f"名{k}", "path": ["甲", f"名{k}"], "code": f"B{k}-1"} for k in range(1, 7)
]


def put(path: Path, obj: Any) -> Path:
    path.write_text(obj if isinstance(obj, str) else json.dumps(obj, ensure_ascii=False), encoding="utf-8")
    return path


def test_registry_order_defines_choice_ids_and_lookups_agree(tmp_path: Path) -> None:
    registry = LeafRegistry.from_path(put(tmp_path / "r.json", {"categories": LEAVES}))
    assert [registry.choice_id(leaf.category_id) for leaf in registry.leaves] == ["1", "2", "3", "4", "5", "6"]
    assert registry.by_choice("3") == registry.leaf("B3-1") == registry.by_display_name("名3")
    for bad in ("0", "7", "03", "+3", "３", "", "x", "9" * 30):
        assert registry.by_choice(bad) is None
    assert registry.get("nope") is None


def test_registry_digest_ignores_layout_and_changes_with_order(tmp_path: Path) -> None:
    first = LeafRegistry.from_path(put(tmp_path / "a.json", {"categories": LEAVES}))
    layout = json.dumps([{key: leaf[key] for key in reversed(leaf)} for leaf in LEAVES], indent=7)
    assert LeafRegistry.from_path(put(tmp_path / "b.json", layout)).digest == first.digest
    assert LeafRegistry.from_obj(LEAVES[::-1]).digest != first.digest


def test_display_name_is_the_shortest_unique_suffix_of_the_path() -> None:
    leaves = [*LEAVES, {"category_id": "x", "name": "名1", "path": ["乙", "名1"]}]
    registry = LeafRegistry.from_obj(leaves)
    assert registry.display_name("B1-1") == "甲 / 名1"
    assert registry.display_name("x") == "乙 / 名1"
    assert registry.display_name("B2-1") == "名2"


@pytest.mark.parametrize(
    ("obj", "words"),
    [
        (LEAVES[:4], "at least 5"),
        ([*LEAVES, LEAVES[0]], "stands twice"),
        ([*LEAVES, {**LEAVES[0], "category_id": "other"}], "F034"),
        ({"leaves": []}, "categories"),
        ([*LEAVES, {"name": "no id"}], "category_id"),
        ('{"categories": [], "categories": []}', "twice"),
    ],
)
def test_a_registry_that_cannot_be_used_is_refused_with_its_code(tmp_path: Path, obj: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        LeafRegistry.from_path(put(tmp_path / "r.json", obj))
    assert words in str(caught.value)
    assert caught.value.findings[0].code == ("F034" if words == "F034" else "F031")


def test_corpus_refuses_a_plain_string_where_a_list_belongs_and_must_cover_the_registry(tmp_path: Path) -> None:
    items = [{"category_id": leaf["category_id"], "name": leaf["name"]} for leaf in LEAVES]
    path = put(tmp_path / "c.json", {"dataset": "ignored", "categories": items})
    registry = LeafRegistry.from_obj(LEAVES)
    Corpus.from_path(path).require_equal(registry)
    assert [item.category_id for item in load_corpus_categories(path)] == [leaf["category_id"] for leaf in LEAVES]
    with pytest.raises(InputError, match="F033"):
        Corpus.from_path(put(tmp_path / "d.json", items[1:])).require_cover(registry)
    with pytest.raises(InputError, match="F033"):
        Corpus.from_path(put(tmp_path / "e.json", [*items, {"category_id": "z", "name": "z"}])).require_equal(registry)
    with pytest.raises(InputError, match="F032"):
        Corpus.from_path(put(tmp_path / "f.json", [{**items[0], "examples": "one"}]))


def test_grading_digest_is_that_of_the_bytes_and_unknown_keys_are_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "g.json", {"levels": ["L1", "L2"], "descriptions": ["公开", "内部"]})
    grading = GradingConfig.from_path(path)
    assert grading.digest == hashlib.sha256(path.read_bytes()).hexdigest()
    assert grading.rank("L2") == 1
    assert grading.rubric_pairs() == [["L1", "公开"], ["L2", "内部"]]
    for bad in (
        {"levels": []},
        {"levels": ["L1", "L1"]},
        {"levels": ["L1"], "x": 1},
        {"levels": ["L1"], "descriptions": ["a", "b"]},
        {"levels": ["L1"], "a key\nof two lines": 1},
    ):
        with pytest.raises(InputError, match="F035") as caught:
            GradingConfig.from_path(put(tmp_path / "bad.json", bad))
        assert "\n" not in caught.value.message


def test_task_fields_are_known_unique_and_replaced_by_the_command_line(tmp_path: Path) -> None:
    task = TaskConfig.from_path(
        put(tmp_path / "t.json", {"metadata_fields": ["field_name"], "task_name": "n", "more": 1})
    )
    assert task.with_fields(["table_name", "field_name"]).metadata_fields == ("table_name", "field_name")
    assert task.with_fields(["field_type"]).task_name == "n"
    for bad in (
        {},
        {"metadata_fields": []},
        {"metadata_fields": ["a"]},
        {"metadata_fields": ["field_name", "field_name"]},
    ):
        with pytest.raises(InputError, match="F036"):
            TaskConfig.from_path(put(tmp_path / "bad.json", bad))


@pytest.mark.parametrize(
    "bad",
    [{}, [], {"a": "field_name", "b": "field_name"}, {"a": "table_name"}, {"a": "nope"}, {" ": "field_name"}, {"a": 1}],
)
def test_a_mapping_that_cannot_be_used_is_refused_with_f006(tmp_path: Path, bad: Any) -> None:
    with pytest.raises(InputError, match="F006"):
        ColumnMapping.from_path(put(tmp_path / "m.json", bad))


def test_mapping_headers_are_trimmed_and_compared_by_nfkc(tmp_path: Path) -> None:
    mapping = ColumnMapping.from_path(put(tmp_path / "m.json", {" ＮＡＭＥ ": "field_name"}))
    assert mapping.columns == {"NAME": "field_name"}


def test_dataset_configs_load_from_object_and_array_and_refuse_contradictions(tmp_path: Path) -> None:
    by_object = load_datasets(put(tmp_path / "a.json", {"datasets": {"steel": {"id_strategy": "code"}}}))
    by_array = load_datasets(put(tmp_path / "b.json", [{"dataset": "steel", "id_strategy": "code"}]))
    assert by_object == by_array
    assert by_object["steel"].identity == ("level_1", "level_2", "level_3", "level_4")
    for bad in (
        {"datasets": {}},
        {"datasets": {"Steel": {}}},
        {"datasets": {"steel": {"leaf_level": "level_9"}}},
        {"datasets": {"steel": {"registry_source": "steel"}}},
        {"datasets": {"steel": {"unknown": 1}}},
        [{"dataset": "a"}, {"dataset": "a"}],
    ):
        with pytest.raises(InputError, match="F030"):
            load_datasets(put(tmp_path / "bad.json", bad))


def test_manifest_checks_that_the_file_exists_and_has_its_hash(tmp_path: Path) -> None:
    grading = put(tmp_path / "grading.json", {"levels": ["L1"]})
    entry = {"path": "grading.json", "sha256": hashlib.sha256(grading.read_bytes()).hexdigest()}
    path = put(tmp_path / "manifest.json", {"datasets": {"steel": entry}})
    assert GradingManifest.from_path(path).grading_path(path, "steel") == grading
    grading.write_text('{"levels": ["L2"]}')
    with pytest.raises(InputError, match="F037.*sha256"):
        GradingManifest.from_path(path)
    with pytest.raises(InputError, match="F037.*does not exist"):
        GradingManifest.from_path(put(path, {"datasets": {"steel": {**entry, "path": "gone.json"}}}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("B5-2-10", False),
        ("B5-2-1-3", False),
        ("XB5-2-1", False),
        ("A-B5-2-1", False),
        ("（B5-2-1）", True),
        ("见B5-2-1。", True),
        ("B5-2-1", True),
        ("B5-2-1.", True),
    ],
)
def test_codes_are_found_at_boundaries_only(text: str, found: bool) -> None:
    assert contains_code(text, "B5-2-1") is found
    assert ("[redacted-id]" in redact_codes(text, ["B5-2-1"])) is found


def test_short_and_numeric_codes_are_not_searched_for() -> None:
    assert not contains_code("A1", "A1")
    assert not contains_code("1234", "1234")


def test_redaction_takes_the_longest_code_first() -> None:
    assert redact_codes("B2-10 B2-1", ["B2-1", "B2-10"]) == "[redacted-id] [redacted-id]"


@pytest.mark.parametrize("text", ["<|im_start|>", "a</think>b", "<tool_call>", "<function=x>", "<parameter=y>"])
def test_control_tokens_are_recognised(text: str) -> None:
    assert control_token(text) is not None
    assert control_token("a < b | c > d") is None


def test_comparison_form_folds_width_case_and_space() -> None:
    assert comparison_form(" ＡＢ\u3000 c ") == "ab c"
