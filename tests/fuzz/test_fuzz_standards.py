"""Any file as mapping, registry, corpus, grading standard, task or dataset config: a checked object or one refusal."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fuzzing import ANY_TEXT, batches, fuzz, json_texts, json_values, put, refused
from hypothesis import given, note
from hypothesis import strategies as st

from autoresearch.standards.corpus import Corpus
from autoresearch.standards.datasets import load_datasets
from autoresearch.standards.grading import GradingConfig
from autoresearch.standards.mapping import TARGETS, ColumnMapping
from autoresearch.standards.registry import LeafRegistry
from autoresearch.standards.task_config import METADATA_FIELDS, TaskConfig

WORDS = st.sampled_from(
    [
        "categories",
        "category_id",
        "name",
        "description",
        "path",
        "code",
        "groups",
        "standard",
        "version",
        "descriptions",
        "examples",
        "levels",
        "gt_field",
        "data_level",
        "metadata_fields",
        "task_name",
        "datasets",
        "dataset",
        "leaf_level",
        "level_1",
        "level_4",
        "id_strategy",
        "A",
        "B",
        "A1",
        "L1",
        "L2",
    ]
)
ANYTHING = json_values(WORDS)


def object_of(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with these keys, each of them mostly of the right kind and sometimes anything or absent."""
    kept = {key: st.one_of(value, value, value, ANYTHING) for key, value in fields.items()}
    required = st.fixed_dictionaries({}, optional=kept)
    return st.one_of(st.fixed_dictionaries(kept), required)


TEXTS = st.one_of(WORDS, ANY_TEXT)
MAPPINGS = st.one_of(
    st.dictionaries(TEXTS, st.sampled_from(TARGETS), max_size=8),
    st.dictionaries(TEXTS, st.sampled_from(TARGETS), max_size=4).map(lambda columns: {**columns, "F": "field_name"}),
    ANYTHING,
)
LEAVES = st.one_of(
    object_of(
        category_id=TEXTS, name=TEXTS, description=TEXTS, path=st.lists(TEXTS, max_size=3), code=st.none() | TEXTS
    ),
    TEXTS,
)
LEAF_LISTS = st.one_of(
    st.lists(LEAVES, min_size=3, max_size=8),
    st.lists(TEXTS, min_size=5, max_size=9, unique=True),
    st.lists(ANYTHING, max_size=6),
)
REGISTRIES = st.one_of(
    LEAF_LISTS,
    object_of(categories=LEAF_LISTS, groups=st.dictionaries(TEXTS, TEXTS, max_size=3), standard=ANYTHING),
    ANYTHING,
)
CORPUS_ITEMS = object_of(
    category_id=TEXTS,
    name=TEXTS,
    description=TEXTS,
    descriptions=st.lists(TEXTS, max_size=2),
    path=st.lists(TEXTS, max_size=2),
    examples=st.lists(TEXTS, max_size=2),
    code=st.none() | TEXTS,
)
CORPORA = st.one_of(
    st.lists(CORPUS_ITEMS, max_size=6), object_of(categories=st.lists(CORPUS_ITEMS, max_size=6)), ANYTHING
)
GRADINGS = st.one_of(
    object_of(levels=st.lists(TEXTS, min_size=1, max_size=4), descriptions=st.lists(TEXTS, max_size=4), gt_field=TEXTS),
    st.lists(TEXTS, min_size=1, max_size=4).map(lambda levels: {"levels": levels}),
    ANYTHING,
)
TASKS = st.one_of(
    st.lists(st.sampled_from(METADATA_FIELDS), min_size=1, unique=True).map(lambda names: {"metadata_fields": names}),
    object_of(metadata_fields=st.lists(st.sampled_from(METADATA_FIELDS), max_size=5), task_name=TEXTS),
    ANYTHING,
)
CONFIGS = object_of(
    dataset=st.sampled_from(["steel", "a1", "A", ""]),
    leaf_level=st.sampled_from(["level_4", "level_3", "x"]),
    id_strategy=st.sampled_from(["path", "code", "x"]),
    path_fields=st.lists(st.sampled_from(["level_1", "level_3", "level_4"]), max_size=3),
    identity_fields=st.lists(st.sampled_from(["level_1", "level_4"]), max_size=2),
    registry_source=st.none() | TEXTS,
)
GOOD_CONFIGS = st.fixed_dictionaries(
    {},
    optional={
        "id_strategy": st.sampled_from(["path", "code"]),
        "placeholder_labels": st.lists(TEXTS, max_size=2),
        "registry_source": st.sampled_from(["other", "b"]),
        "identity_fields": st.just(["level_1", "level_4"]),
    },
)
DATASETS = st.one_of(
    st.dictionaries(st.sampled_from(["steel", "a_1"]), st.none() | GOOD_CONFIGS, max_size=2).map(
        lambda configs: {"datasets": configs}
    ),
    st.lists(GOOD_CONFIGS.map(lambda config: {"dataset": "steel", **config}) | CONFIGS, max_size=2),
    object_of(
        datasets=st.one_of(
            st.lists(CONFIGS, max_size=2), st.dictionaries(st.just("steel") | TEXTS, CONFIGS | st.none(), max_size=2)
        )
    ),
    ANYTHING,
)


UNIQUE = st.lists(
    st.text(min_size=1, max_size=5).map(lambda text: f"A{text}"), min_size=5, max_size=7, unique_by=str.strip
)
GOOD = {
    "mapping": st.lists(TEXTS.map(lambda text: f"h{text}"), min_size=1, max_size=5, unique=True).map(
        lambda headers: dict(zip(headers, ("field_name", *TARGETS[:4]), strict=False))
    ),
    "registry": UNIQUE.map(
        lambda ids: {
            "categories": [
                {"category_id": key, "name": f"n{key}", "path": ["p", f"n{key}"], "code": None} for key in ids
            ],
            "groups": {"A": "甲"},
        }
    ),
    "corpus": UNIQUE.map(
        lambda ids: {"categories": [{"category_id": key, "name": key, "examples": [key], "path": []} for key in ids]}
    ),
    "grading": UNIQUE.map(lambda levels: {"levels": levels, "descriptions": levels, "gt_field": "data_level"}),
    "task": st.just({"metadata_fields": ["field_name", "table_name"], "task_name": "t"}),
    "datasets": GOOD_CONFIGS.map(lambda config: {"datasets": {"steel": config, "b_1": None}}),
}
"""Files as they should be, of which the mutants differ in a place or two."""


def check_mapping(made: ColumnMapping) -> None:
    assert "field_name" in made.columns.values()
    assert len(set(made.columns.values())) == len(made.columns)
    assert set(made.columns.values()) <= set(TARGETS)


def check_registry(made: LeafRegistry) -> None:
    assert len(made) >= 5
    assert all(isinstance(text, str) for pair in (*made.groups.items(), *made.standard.items()) for text in pair)
    for number, leaf in enumerate(made.leaves, start=1):
        assert made.by_choice(str(number)) is leaf
        assert made.by_display_name(made.display_name(leaf.category_id)) is leaf
    again = LeafRegistry.from_obj(json.loads(json.dumps(made.as_obj())))
    assert again.digest == made.digest


def check_corpus(made: Corpus) -> None:
    items = list(made)
    assert all(made.get(item.category_id) is item and item.name for item in items)
    assert Corpus.from_categories(reversed(items)).digest == made.digest


def check_grading(made: GradingConfig) -> None:
    assert [made.rank(level) for level in made.levels] == list(range(len(made.levels)))
    assert len(made.rubric_pairs()) == len(made.levels) > 0


def check_task(made: TaskConfig) -> None:
    assert len(set(made.metadata_fields)) == len(made.metadata_fields) > 0


def check_datasets(made: dict[str, Any]) -> None:
    assert made
    assert all(config.leaf_level in config.identity for config in made.values())


@pytest.mark.parametrize(
    ("load", "name", "values", "check", "code"),
    [
        pytest.param(ColumnMapping.from_path, "mapping", MAPPINGS, check_mapping, "F006", id="mapping"),
        pytest.param(LeafRegistry.from_path, "registry", REGISTRIES, check_registry, "F031", id="registry"),
        pytest.param(Corpus.from_path, "corpus", CORPORA, check_corpus, "F032", id="corpus"),
        pytest.param(GradingConfig.from_path, "grading", GRADINGS, check_grading, "F035", id="grading"),
        pytest.param(TaskConfig.from_path, "task", TASKS, check_task, "F036", id="task"),
        pytest.param(load_datasets, "datasets", DATASETS, check_datasets, "F030", id="datasets"),
    ],
)
def test_any_text_is_a_checked_standard_or_one_refusal_with_its_code(
    tmp_path: Path,
    load: Callable[[Path], Any],
    name: str,
    values: st.SearchStrategy[Any],
    check: Callable[[Any], None],
    code: str,
) -> None:
    met = {True: 0, False: 0}

    @fuzz(120, batched=True)
    @given(texts=batches(st.one_of(json_texts(values), GOOD[name].map(json.dumps))))
    def run(texts: list[str]) -> None:
        for text in texts:
            note(text)
            made, message = refused(lambda text=text: load(put(tmp_path / "file.json", text)))  # type: ignore[misc]
            met[made is not None] += 1
            if made is not None:
                check(made)
            else:
                assert message.startswith((code, "F034")), message
                assert "\n" not in message

    run()
    print(f"{code}: {met[True]} accepted, {met[False]} refused")
    assert min(met.values()) > 0, met


@fuzz(share=10)
@given(data=st.binary(max_size=40))
def test_any_bytes_are_refused_with_the_code_of_the_format(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(data)
    for load, code in ((ColumnMapping.from_path, "F006"), (LeafRegistry.from_path, "F031")):
        made, message = refused(lambda load=load: load(path))  # type: ignore[misc]
        assert made is None
        assert message.startswith(code)
