"""Names: the examples of formal-case.md 11.1 to the letter, uniqueness and characters by property."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoresearch.cases.names import (
    LEGAL,
    RUN_ID,
    CaseNumbers,
    NameFacts,
    case_id,
    check_run_id,
    display_name,
    group_name,
    model_slug,
    row_name,
    run_id,
    scratch_folder,
    token_text,
    wandb_id,
)
from autoresearch.errors import InputError

CREATED = datetime(2026, 6, 22, 14, 50, 1, tzinfo=UTC)
VALIDATION = NameFacts("Qwen/Qwen3.5-2B", "grpo", "validation", False, "ascend", False, CREATED)
TRAINING = replace(VALIDATION, mode="training")
NODE = CaseNumbers(8, 64, 4, 64, 1, 1024, 2048)


def test_the_display_name_is_the_example_of_the_text() -> None:
    numbers = CaseNumbers(1, 1, 4, 1, 1, 1024, 16384)
    expected = "Qwen35-2B-GRPO-1Kto16K-260622d-145001s-valonly-sync-noignoreeos"
    assert display_name(VALIDATION, numbers, "sync") == expected
    assert display_name(VALIDATION, numbers, "sync", attempt=2) == expected + "-a2"


def test_case_ids_are_those_of_the_text() -> None:
    assert case_id(VALIDATION, CaseNumbers(1, 1, 4, 1, 1, 1024, 16384), "async") == "async-1024-16384"
    assert case_id(TRAINING, NODE, "sync") == "train-8npu-sync-bs64-n4-mini64-micro1-1024-2048"
    sft = replace(TRAINING, algorithm="sft", field=True, accelerator="nvidia")
    assert case_id(sft, NODE, None) == "train-8gpu-bs64-mini64-micro1-2048"


def test_training_names_say_devices_and_sizes_and_field_tasks_say_so() -> None:
    assert display_name(TRAINING, NODE, "sync") == (
        "Qwen35-2B-GRPO-1Kto2K-260622d-145001s-train-sync-8npu-bs64-n4-mini64-micro1-noignoreeos"
    )
    field = replace(TRAINING, algorithm="rloo", field=True, accelerator="cpu", model_id="/models/tiny one")
    assert display_name(field, CaseNumbers(1, 2, 4, 2, 1, 700, 320), "sync") == (
        "tiny-one-RLOO-700to320-260622d-145001s-train-field-sync-1cpu-bs2-n4-mini2-micro1-noignoreeos"
    )


def test_a_run_is_named_by_its_largest_length_and_its_modes() -> None:
    name = run_id(VALIDATION, input_tokens=1024, output_tokens=[2048, 16384], modes=["sync", "async"], devices=8)
    assert name == "Qwen35-2B-GRPO-1Kto16K-260622d-145001s-valonly-modes-sync-async-noignoreeos"
    one = run_id(TRAINING, input_tokens=1024, output_tokens=[2048], modes=["sync"], devices=8)
    assert one == "Qwen35-2B-GRPO-1Kto2K-260622d-145001s-train-sync-8npu-noignoreeos"


def test_a_taken_run_id_gets_a_number() -> None:
    def name(*taken: str) -> str:
        return run_id(VALIDATION, input_tokens=1, output_tokens=[2], modes=["sync"], devices=1, taken=taken)

    first = name()
    assert [name(first), name(first, first + "-r2")] == [first + "-r2", first + "-r3"]


def test_the_time_in_names_is_utc_whatever_the_zone_of_the_instant() -> None:
    east = replace(VALIDATION, created=CREATED.astimezone(timezone(timedelta(hours=8))))
    assert display_name(east, NODE, "sync") == display_name(VALIDATION, NODE, "sync")


@pytest.mark.parametrize(
    ("model", "slug"),
    [
        ("Qwen/Qwen3.5-35B-A3B", "Qwen35-35B-A3B"),
        ("/models/my  model__v2/", "my-model-v2"),
        ("模型", "model"),
    ],
)
def test_model_slugs(model: str, slug: str) -> None:
    assert model_slug(model) == slug


def test_lengths_are_shortened_only_where_they_are_whole() -> None:
    assert [token_text(tokens) for tokens in (1024, 16384, 1000, 1536)] == ["1K", "16K", "1000", "1536"]


def test_ids_of_attempts() -> None:
    row = row_name("async-1024-16384", 2)
    assert row == "async-1024-16384.a2"
    assert re.fullmatch("[0-9a-f]{12}", wandb_id("run", row)) and wandb_id("run", row) != wandb_id("run2", row)
    assert re.fullmatch("/tmp/ar-[0-9a-f]{10}", scratch_folder("run", row))
    assert group_name("run") == "run"


@pytest.mark.parametrize("given_id", ["", "-a", "a/b", "a b", "名", "a" * 121])
def test_a_run_id_that_cannot_be_a_folder_is_refused(given_id: str) -> None:
    with pytest.raises(InputError, match="--run-id"):
        check_run_id(given_id)


SIZES = st.integers(1, 99999)
NUMBERS = st.builds(CaseNumbers, SIZES, SIZES, SIZES, SIZES, SIZES, SIZES, SIZES)
FACTS = st.builds(
    NameFacts,
    st.text(max_size=200),
    st.sampled_from(["grpo", "rloo"]),
    st.just("training"),
    st.booleans(),
    st.sampled_from(["ascend", "nvidia", "cpu"]),
    st.booleans(),
    st.datetimes(datetime(2020, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),
)
MODES = st.sampled_from(["sync", "async"])


@given(FACTS, st.lists(st.tuples(NUMBERS, MODES, st.integers(1, 99)), min_size=1, max_size=20, unique=True))
def test_names_are_legal_and_tell_different_cases_apart(
    facts: NameFacts, cases: list[tuple[CaseNumbers, str, int]]
) -> None:
    rows = {row_name(case_id(facts, numbers, mode), attempt) for numbers, mode, attempt in cases}
    shown = {display_name(facts, numbers, mode, attempt) for numbers, mode, attempt in cases}
    assert len(rows) == len(shown) == len(cases)
    for name in shown | {case_id(facts, numbers, mode) for numbers, mode, _ in cases}:
        assert LEGAL.match(name), name


@given(FACTS, st.lists(SIZES, min_size=1, max_size=4), st.integers(1, 64), st.integers(0, 12))
def test_run_ids_can_be_folders_even_after_collisions(
    facts: NameFacts, outputs: list[int], devices: int, collisions: int
) -> None:
    taken: list[str] = []
    for _ in range(collisions + 1):
        made = run_id(
            facts, input_tokens=1024, output_tokens=outputs, modes=["sync", "async"], devices=devices, taken=taken
        )
        assert RUN_ID.match(made) and made not in taken
        taken.append(made)
