"""Each invariant of formal-case.md 5.1 refuses what breaks it and names the nearest legal value."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_cases import QWEN, geo3k_traits, matrix_facts, verl_case

from autoresearch.cases.ladder import training_rows, validation_rows
from autoresearch.cases.planned import PlannedRow
from autoresearch.cases.row_checks import check_names, check_row, memory_need, require_legal
from autoresearch.cases.shapes import Shape, build_row
from autoresearch.errors import RefusedError


def row(**keys: Any) -> PlannedRow:
    """A legal row: eight devices, B 64, n 4, m 64, u 1."""
    case = verl_case(**keys)
    facts = matrix_facts(case)
    return build_row(facts, geo3k_traits(case), Shape("node", facts.devices, 64, 64, 1, "sync", 2048))


def numbers(made: PlannedRow, **changes: int) -> PlannedRow:
    return made.model_copy(update={"numbers": made.numbers.model_copy(update=changes)})


def engine(made: PlannedRow, **changes: Any) -> PlannedRow:
    return made.model_copy(update={"engine": made.engine.model_copy(update=changes)})


def codes(made: PlannedRow) -> list[str]:
    return [item.code for item in check_row(made)]


def remedy(made: PlannedRow, code: str) -> str:
    return next(item.remedy for item in check_row(made) if item.code == code)


def test_the_row_that_the_others_are_changed_from_is_legal() -> None:
    assert codes(row()) == [] and row().numbers.B == 64


def test_with_one_prompt_a_mini_batch_on_eight_cards_two_is_the_nearest() -> None:
    made = numbers(row(), m=1, B=8)
    assert "V204" in codes(made)
    assert remedy(made, "V204") == "the nearest legal m is 2"


@pytest.mark.parametrize(
    ("changes", "code", "says"),
    [
        ({"n": 1, "N": 999}, "V201", "nearest legal group_size is 2"),
        ({"m": 48}, "V202", "nearest legal m is 64"),
        ({"m": 0}, "V202", "nearest legal m is 2"),
        ({"u": 3}, "V205", "nearest legal micro_batches value is 4"),
        ({"B": 63, "m": 63, "n": 3, "W": 7}, "V205", "nearest legal B above is 64"),
        ({"N": 191}, "V206", "train_samples of at least 192"),
        ({"TP": 3}, "V207", "nearest legal tensor_parallel is 4"),
        ({"TP": 16}, "V207", "nearest legal tensor_parallel is 8"),
        ({"W": 5}, "V208", "legal number of agent workers is 8"),
    ],
)
def test_numbers_that_break_an_invariant(changes: dict[str, int], code: str, says: str) -> None:
    made = numbers(row(), **changes)
    assert code in codes(made)
    assert says in remedy(made, code)


@pytest.mark.parametrize(
    ("changes", "code", "says"),
    [
        ({"max_model_len": 3072}, "V209", "nearest legal value is 3073"),
        ({"max_num_batched_tokens": 2048}, "V209", "nearest legal value is 3073"),
        ({"chunked_prefill": True, "max_num_batched_tokens": 512}, "V209", "nearest legal value is 528"),
        ({"log_prob_micro": 3}, "V205", "nearest legal value is 4"),
        ({"ref_strategy": "fsdp2"}, "V214", "one strategy"),
        ({"actor_dynamic": True}, "V214", ""),
        ({"rollout": "hf"}, "V214", "use vllm"),
        ({"rollout": "transformers"}, "V214", "use vllm"),
        ({"critic_warmup": 1}, "V214", "nearest legal value is 0"),
    ],
)
def test_engine_settings_that_break_an_invariant(changes: dict[str, Any], code: str, says: str) -> None:
    made = engine(row(), **changes)
    assert code in codes(made)
    assert says in remedy(made, code)


def test_a_dynamic_batch_must_hold_the_longest_sample() -> None:
    dynamic = {"actor_dynamic": True, "ref_dynamic": True, "rollout_dynamic": True}
    assert codes(engine(row(), **dynamic)) == []
    assert codes(engine(row(), **dynamic, token_limit=3000, log_prob_token_limit=3000)) == ["V210", "V210"]


def test_lengths_beyond_the_models_positions() -> None:
    made = row().model_copy(update={"model": QWEN.model_copy(update={"max_positions": 2048})})
    assert codes(made) == ["V209"] and "at most 1024" in remedy(made, "V209")


@pytest.mark.parametrize("changes", [{"inner_timeout": 30, "outer_timeout": 330}, {"outer_timeout": 7200}])
def test_timeouts_in_the_wrong_order(changes: dict[str, int]) -> None:
    assert codes(row().model_copy(update=changes)) == ["V211"]


def test_an_sft_row_has_its_own_arithmetic() -> None:
    made = row().model_copy(update={"kind": "sft"})
    made = engine(made, rollout="")
    assert codes(made) == []
    assert "nearest legal B above is 16" in remedy(numbers(made, B=12), "V212")
    assert "nearest legal micro_batches value is 4" in remedy(numbers(made, u=3), "V212")
    assert codes(numbers(made, N=100)) == ["V212"]


def test_names_and_socket_paths() -> None:
    assert codes(row().model_copy(update={"case_id": "a b"})) == ["V213"]
    assert codes(row().model_copy(update={"display_name": "x" * 129})) == ["V213"]
    assert codes(row().model_copy(update={"scratch": "/tmp/" + "x" * 39})) == ["V215"]
    assert codes(row().model_copy(update={"scratch": "/tmp/" + "x" * 38})) == []
    twice = check_names([row(), row()])
    assert [item.code for item in twice] == ["V213", "V213"] and twice[0].value == "2 times"


def test_too_little_memory_is_a_warning() -> None:
    large = row().model_copy(update={"model": QWEN.model_copy(update={"parameters": 35_000_000_000})})
    assert codes(large) == ["V216"] and check_row(large)[0].severity == "warning"
    assert memory_need(numbers(large, D=4)) == 16 * 35_000_000_000 // 4
    validation = large.model_copy(update={"mode": "validation"})
    assert memory_need(validation) > 2 * 35_000_000_000
    assert [item.code for item in require_legal([large])] == ["V216"]


def test_one_illegal_row_refuses_all_with_every_message() -> None:
    case = verl_case(group_size=1)
    with pytest.raises(RefusedError) as error:
        require_legal(training_rows(matrix_facts(case), geo3k_traits(case)))
    assert [item.code for item in error.value.findings] == ["V201"] * 4
    assert error.value.exit_code == 2 and "the nearest legal group_size is 2" in error.value.message


def test_workers_divide_the_batch_and_the_validation_samples() -> None:
    case = verl_case(mode="validation", val_samples=12)
    made = validation_rows(matrix_facts(case), geo3k_traits(case))[0]
    assert (made.numbers.B, made.numbers.V, made.numbers.W) == (8, 12, 4)
    few = validation_rows(matrix_facts(case, cores=6), geo3k_traits(case))[0]
    assert few.numbers.W == 1


SMALL = st.integers(1, 64)


@settings(deadline=None)
@given(SMALL, SMALL, st.integers(2, 9), SMALL, st.integers(1, 12))
def test_the_nearest_legal_value_is_legal(batch: int, mini: int, group: int, micro: int, devices: int) -> None:
    """Values that a remedy names are taken one after another until no arithmetic is left to refuse."""
    made = numbers(row(), D=devices, B=batch, m=mini, n=group, u=micro, N=10_000, W=1, TP=1)
    places = {"m": "m", "micro_batches value": "u", "B above": "B", "take B =": "B"}
    for _ in range(6):
        found = [item for item in check_row(made) if item.code in ("V202", "V204", "V205")]
        if not found:
            return
        named = re.search(
            r"(?:nearest legal )?\b(m|micro_batches value|B above|take B =)(?: is)? (\d+)$", found[0].remedy
        )
        if named is None:
            assert found[0].remedy.startswith(("raise B", "the nearest legal value")), found[0].remedy
            return
        made = numbers(made, **{places[named.group(1)]: int(named.group(2))})
    raise AssertionError("the remedies lead in a circle")
