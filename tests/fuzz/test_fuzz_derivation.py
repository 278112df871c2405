"""Any text as a classification standard, as JSON, YAML or CSV: categories with names, or one refusal (3.7)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fuzzing import ANY_TEXT, batches, fuzz, json_texts, json_values, put, refused
from hypothesis import given, note
from hypothesis import strategies as st

from autoresearch.fields.standard_formats import load_standard

WORDS = st.sampled_from(
    [
        "categories",
        "code",
        "name",
        "path",
        "fides_key",
        "parent_key",
        "category",
        "a",
        "a.b",
        "A1:x",
        "a-b",
        "null",
        "~",
    ]
)
KEYS = st.lists(st.sampled_from(["a", "a.b", "a.c", "a.b.c", "d", "all"]), min_size=1, max_size=6, unique=True)
TAXONOMIES = KEYS.map(
    lambda keys: {
        "t": [{"fides_key": key, "name": f"n{key}", "parent_key": key.rpartition(".")[0] or None} for key in keys]
    }
)
DICTIONARIES = st.dictionaries(
    st.one_of(WORDS, ANY_TEXT),
    st.sampled_from(["A1:x", "A2：y", "a-b-c", "x", "-", "a--b", ""]).map(
        lambda text: {"category": text, "class": "1级"}
    ),
    min_size=1,
    max_size=5,
)
OURS = st.lists(st.sampled_from(["甲", "乙", ""]), min_size=1, max_size=4).map(
    lambda names: {"categories": [{"name": name, "code": f"A{number}"} for number, name in enumerate(names)]}
)
OBJECTS = st.one_of(TAXONOMIES, DICTIONARIES, OURS, json_values(WORDS))
LINES = st.lists(
    st.sampled_from(
        ["t:", "- fides_key: a", "  name: n", "  parent_key: ~", "- &x a", "- *x", "<<: *x", "? [a]", "!!int x"]
    ),
    max_size=6,
).map("\n".join)


@pytest.mark.parametrize("suffix", [".json", ".yml", ".csv"])
def test_any_text_is_a_standard_with_named_classes_or_one_refusal(tmp_path: Path, suffix: str) -> None:
    met = {True: 0, False: 0}
    head = "fides_key,name,parent_key\na,A,\na.b,B,a\n" if suffix == ".csv" else ""

    @fuzz(100, batched=True, share=3)
    @given(
        texts=batches(
            st.one_of(OBJECTS.map(json.dumps), json_texts(OBJECTS), LINES, ANY_TEXT).map(lambda text: head + text)
        )
    )
    def run(texts: list[str]) -> None:
        for text in texts:
            note(text)
            made, message = refused(lambda text=text: load_standard(put(tmp_path / f"a{suffix}", text)))  # type: ignore[misc]
            met[made is not None] += 1
            if made is None:
                assert "\n" not in message
            else:
                assert all(item.name.strip() and "".join(item.path) is not None for item in made.categories)
                assert made.categories

    run()
    print(f"{suffix}: {met[True]} read, {met[False]} refused")
    assert min(met.values()) > 0, met
