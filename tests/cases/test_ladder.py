"""Matrix and ladder: worked examples of the text, and every derived row legal by property (formal-case.md 5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_cases import QWEN, geo3k_traits, matrix_facts, verl_case

from autoresearch.cases.ladder import (
    MEMORY,
    Outcome,
    bisect_finding,
    bisect_row,
    candidates,
    early_stop_finding,
    early_stopped,
    experiment_ok,
    promoted_rows,
    training_rows,
    validation_rows,
)
from autoresearch.cases.planned import DataFacts, MatrixFacts, ModelFacts, PlannedRow, model_facts
from autoresearch.cases.row_checks import check_names, check_row
from autoresearch.cases.shapes import Traits

PLENTY = DataFacts(train_rows=100_000, val_rows=1000)


def training(**keys: Any) -> tuple[MatrixFacts, Traits, list[PlannedRow]]:
    case = verl_case(**keys)
    facts, traits = matrix_facts(case, data=PLENTY), geo3k_traits(case)
    return facts, traits, training_rows(facts, traits)


def outcome(row: PlannedRow, status: str = "passed", rate: float = 100.0, **changes: Any) -> Outcome:
    group = MEMORY if status == "failed" else None
    values: dict[str, Any] = {"group": group, "tokens_per_second_per_device": rate, "measured_steps": 2}
    return Outcome(row, status, **{**values, **changes})  # type: ignore[arg-type]  # tests pass literals


def batches(rows: list[PlannedRow]) -> list[int]:
    return [row.numbers.B for row in rows]


def test_the_validation_matrix_is_lengths_outside_and_modes_inside() -> None:
    case = verl_case(mode="validation")
    rows = validation_rows(matrix_facts(case), geo3k_traits(case))
    assert [row.case_id for row in rows] == [
        f"{mode}-1024-{output}" for output in (2048, 4096, 8192, 16384) for mode in ("sync", "async")
    ]
    assert {row.numbers.S for row in rows} == {0} and {row.numbers.V for row in rows} == {64}
    assert not [item for row in rows for item in check_row(row)]


def test_the_training_ladder_starts_at_one_prompt_on_one_device() -> None:
    _, _, rows = training()
    assert [row.case_id for row in rows] == [
        f"train-1npu-sync-bs{batch}-n4-mini{batch}-micro1-1024-2048" for batch in (1, 2, 4, 8)
    ]
    assert {row.stage for row in rows} == {"single"}
    assert not [item for row in rows for item in check_row(row)]


def test_one_card_with_eight_prompts_needs_twenty_four_samples() -> None:
    _, _, rows = training()
    last = rows[-1]
    assert (last.numbers.B, last.numbers.m, last.numbers.n, last.numbers.S) == (8, 8, 4, 3)
    assert last.numbers.N == last.train_max_samples == 24


def test_eight_cards_with_eight_prompts_each() -> None:
    facts, traits, rows = training()
    node = promoted_rows(facts, traits, [outcome(rows[-1])])[-1]
    numbers = node.numbers
    assert (numbers.D, numbers.B, numbers.m, numbers.m * numbers.n, numbers.N) == (8, 64, 64, 256, 192)
    assert numbers.W == 8 and not check_row(node)


def test_async_rows_take_one_batch_more() -> None:
    _, _, rows = training(inference_modes=["async"])
    assert [row.numbers.N for row in rows] == [4, 8, 16, 32]


def test_samples_beyond_the_length_filter_are_not_counted() -> None:
    case = verl_case()
    data = DataFacts(train_rows=30, val_rows=10, train_overlong=(0, 5, 23, 29))
    row = training_rows(matrix_facts(case, data=data), geo3k_traits(case))[-1]
    assert (row.numbers.N, row.train_max_samples, row.epochs) == (24, 27, 1)


def test_few_samples_are_gone_through_again_unless_a_number_was_stated() -> None:
    data = DataFacts(train_rows=10, val_rows=10)
    case = verl_case()
    row = training_rows(matrix_facts(case, data=data), geo3k_traits(case))[-1]
    assert (row.numbers.N, row.epochs) == (10, 3) and not check_row(row)
    stated = verl_case(train_samples=20)
    row = training_rows(matrix_facts(stated), geo3k_traits(stated))[-1]
    assert [item.code for item in check_row(row)] == ["V206"]


def test_axes_of_mini_and_micro_batches_leave_out_what_does_not_divide() -> None:
    _, _, rows = training(ladder={"mini_batch": [2, 4], "micro_batches": [1, 8]})
    assert [(row.numbers.B, row.numbers.m, row.numbers.u) for row in rows] == [
        (2, 2, 1), (4, 2, 1), (8, 2, 1), (2, 2, 8), (4, 2, 8), (8, 2, 8),
        (4, 4, 1), (8, 4, 1), (4, 4, 8), (8, 4, 8),
    ]  # fmt: skip
    _, _, rows = training(ladder={"micro_batches": [3]})
    assert [item.code for row in rows for item in check_row(row)] == ["V205", "V205"], "kept once, to be refused"


def test_without_a_single_stage_the_ladder_runs_on_all_devices() -> None:
    facts, traits, rows = training(ladder={"skip_single": True, "skip_reason": "35B fits no single card"})
    assert batches(rows) == [8, 16, 32, 64] and {row.stage for row in rows} == {"node"}
    assert promoted_rows(facts, traits, [outcome(row) for row in rows]) == []


def test_two_memory_failures_in_a_row_stop_the_larger_batches() -> None:
    _, _, rows = training(ladder={"batch_sizes": [1, 2, 4, 8, 16], "stop_after_memory_failures": 2})

    def stopped(*statuses: tuple[str, str | None]) -> list[int]:
        outcomes = {
            row.case_id: Outcome(row, status, group)  # type: ignore[arg-type]  # tests pass literals
            for row, (status, group) in zip(rows, statuses, strict=False)
        }
        names = early_stopped(rows, outcomes, 2)
        return [row.numbers.B for row in rows if row.case_id in names]

    passed, memory, other = ("passed", None), ("failed", MEMORY), ("failed", "engine")
    assert stopped(passed, memory, memory) == [8, 16]
    assert stopped(passed, memory, passed, memory) == []
    assert stopped(other, other, other) == []
    assert stopped(memory, other, memory) == []


def test_an_early_stop_and_a_bisection_are_told() -> None:
    facts, traits, rows = training()
    item = early_stop_finding(rows[3].case_id, 2)
    assert (item.code, item.place) == ("V220", rows[3].case_id)
    made = bisect_row(facts, traits, [outcome(rows[2]), outcome(rows[3], "failed")])
    assert made is not None
    found = bisect_finding(made.case_id, made.numbers.B, made.derived_from)
    assert found.code == "V221" and rows[2].case_id in found.rule and rows[3].case_id in found.rule


def test_bisection_takes_the_middle_rounded_down_until_its_limit() -> None:
    facts, traits, rows = training(ladder={"batch_sizes": [1, 2, 4, 8, 16], "bisect_limit": 3})
    outcomes = [outcome(row) for row in rows[:4]] + [outcome(rows[4], "failed")]
    asked = []
    while (row := bisect_row(facts, traits, outcomes)) is not None:
        assert row.stage == "bisect" and not check_row(row)
        assert row.derived_from[1] in {each.row.case_id for each in outcomes}
        asked.append(row.numbers.B)
        outcomes.append(outcome(row, "passed" if row.numbers.B < 12 else "failed"))
    assert asked == [12, 10, 11]


def test_bisection_needs_a_passed_and_a_memory_failed_batch() -> None:
    facts, traits, rows = training()
    assert bisect_row(facts, traits, [outcome(rows[3], "failed")]) is None
    assert bisect_row(facts, traits, [outcome(rows[1]), outcome(rows[2], "failed", group="engine")]) is None
    assert bisect_row(facts, traits, [outcome(rows[0]), outcome(rows[1], "failed")]) is None, "nothing in between"


def test_bisection_on_all_devices_moves_by_whole_devices() -> None:
    facts, traits, rows = training(ladder={"skip_single": True, "skip_reason": "large"})
    row = bisect_row(facts, traits, [outcome(rows[2]), outcome(rows[3], "failed")])
    assert row is not None and row.numbers.B == 48 and row.numbers.D == 8


def test_candidates_are_ordered_by_rate_then_batch_then_id_and_exclude_the_doubtful() -> None:
    _, _, rows = training(ladder={"batch_sizes": [1, 2, 4, 8, 16]})
    given_rows = [
        outcome(rows[0], rate=90),
        outcome(rows[1], rate=100),
        outcome(rows[2], rate=100),
        outcome(rows[3], rate=500, measured_steps=1),
        outcome(rows[4], rate=500, memory_warning=True),
    ]
    assert [each.row.numbers.B for each in candidates(given_rows)] == [4, 2, 1]
    retried = [replace(given_rows[2], cause="retry:ssh_lost"), outcome(rows[1], "failed")]
    assert candidates(retried) == []


def test_promotion_keeps_sizes_per_device_and_derives_the_mini_batch_again() -> None:
    facts, traits, rows = training(ladder={"batch_sizes": [1, 2, 4, 8], "mini_batch": [1], "micro_batches": [2]})
    best = next(row for row in rows if row.numbers.B == 4)
    node = promoted_rows(facts, traits, [outcome(best)])
    assert [(row.numbers.B, row.numbers.m, row.numbers.u) for row in node] == [
        (8, 8, 2), (16, 8, 2), (32, 8, 2), (64, 8, 2),
    ]  # fmt: skip
    assert all(row.derived_from == (best.case_id,) and not check_row(row) for row in node)


def test_a_bisected_candidate_adds_its_own_size() -> None:
    facts, traits, rows = training()
    six = bisect_row(facts, traits, [outcome(rows[2]), outcome(rows[3], "failed")])
    assert six is not None
    node = promoted_rows(facts, traits, [outcome(rows[2], rate=10), outcome(six, rate=20)])
    assert [row.numbers.B // 8 for row in node] == [1, 2, 4, 6, 8]


def test_no_promotion_when_the_first_stage_held_all_devices() -> None:
    case = verl_case()
    facts, traits = matrix_facts(case, devices=1), geo3k_traits(case)
    assert promoted_rows(facts, traits, [outcome(row) for row in training_rows(facts, traits)]) == []


def test_what_a_whole_experiment_is() -> None:
    facts, traits, rows = training()
    node = promoted_rows(facts, traits, [outcome(rows[0])])
    every = [*rows, *node]
    assert experiment_ok("training", every, [rows[0].case_id, node[0].case_id], node_planned=True)
    assert not experiment_ok("training", every, [rows[0].case_id], node_planned=True)
    assert not experiment_ok("training", rows, [], node_planned=False)
    assert experiment_ok("training", rows, [rows[3].case_id], node_planned=False)
    assert experiment_ok("validation", rows, [row.case_id for row in rows], node_planned=False)
    assert not experiment_ok("validation", rows, [rows[0].case_id], node_planned=False)


def test_facts_of_a_hybrid_model_are_read_from_its_config() -> None:
    config = {
        "model_type": "qwen3_5",
        "text_config": {
            "num_hidden_layers": 4,
            "layer_types": ["linear_attention"] * 3 + ["full_attention"],
            "num_attention_heads": 8,
            "num_key_value_heads": 2,
            "head_dim": 256,
            "hidden_size": 2048,
            "max_position_embeddings": 262144,
            "linear_num_key_heads": 16,
            "linear_key_head_dim": 128,
            "linear_num_value_heads": 16,
            "linear_value_head_dim": 128,
            "linear_conv_kernel_dim": 4,
        },
    }
    facts = model_facts(config, 2_000_000_000)
    page = 16 * 128 * 128 * 4 + (2 * 16 * 128 + 16 * 128) * 3 * 2
    assert facts.attention_layers == 1 and facts.block_tokens % 16 == 0
    assert (facts.block_tokens - 16) * 2048 < page <= facts.block_tokens * 2048
    dense = model_facts({"model_type": "qwen3", "num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64}, 1)
    assert (dense.block_tokens, dense.kv_heads, dense.head_dim, dense.attention_layers) == (0, 4, 16, 2)


SIZES = st.sets(st.integers(2, 24), max_size=4).map(lambda found: [1, *sorted(found)])
CASES = st.fixed_dictionaries(
    {
        "group_size": st.integers(2, 16),
        "training_steps": st.integers(3, 9),
        "input_tokens": st.integers(1, 4096),
        "output_tokens": st.sets(st.integers(1, 20000), min_size=1, max_size=3).map(sorted),
        "inference_modes": st.sampled_from([["sync"], ["async"], ["sync", "async"]]),
        "val_samples": st.integers(1, 100),
        "padding_removal": st.sampled_from(["auto", "on", "off"]),
        "dynamic_batch": st.sampled_from(["auto", "on", "off"]),
        "profile": st.sampled_from(["auto", "fsdp", "fsdp2"]),
        "ladder": st.fixed_dictionaries({"batch_sizes": SIZES, "promote": st.integers(0, 3)}),
    }
)


@settings(max_examples=60, deadline=None)
@given(
    CASES,
    st.integers(1, 16),
    st.integers(1, 256),
    st.sampled_from(["ascend", "nvidia", "cpu"]),
    st.booleans(),
    st.sampled_from(["batch", "own"]),
    st.data(),
)
def test_every_derived_row_satisfies_the_invariants(
    keys: dict[str, Any], devices: int, cores: int, accelerator: Any, skip: bool, mini: str, data: st.DataObject
) -> None:
    ladder = {**keys["ladder"], "skip_single": skip, "skip_reason": "test" if skip else None}
    if mini == "own":
        ladder["mini_batch"] = sorted(data.draw(st.sets(st.sampled_from(ladder["batch_sizes"]), min_size=1)))
        # powers of the group size divide every share of a mini-batch
        ladder["micro_batches"] = [1, keys["group_size"]]
    case = verl_case(**{**keys, "ladder": ladder})
    model = data.draw(st.sampled_from([QWEN, ModelFacts(model_type="qwen3", parameters=1)]))
    facts = matrix_facts(
        case, accelerator=accelerator, devices=devices, cores=cores, model=model, data=PLENTY, device_memory=0
    )
    traits = geo3k_traits(case, accelerator)
    rows = training_rows(facts, traits)
    outcomes = [
        outcome(row, data.draw(st.sampled_from(["passed", "failed"])), rate=data.draw(st.floats(1, 1e4)))
        for row in rows
    ]
    for _ in range(3):
        row = bisect_row(facts, traits, outcomes)
        if row is None:
            break
        outcomes.append(outcome(row, data.draw(st.sampled_from(["passed", "failed"]))))
        rows.append(row)
    rows += promoted_rows(facts, traits, outcomes)
    validation = verl_case(**{**keys, "mode": "validation"})
    rows += validation_rows(replace(facts, case=validation, names=facts.names), traits)
    assert [item.message() for row in rows for item in check_row(row)] == []
    assert not check_names([row for row in rows if row.mode == "training"])


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_bisect_limit_is_kept(limit: int) -> None:
    facts, traits, rows = training(ladder={"batch_sizes": [1, 24], "bisect_limit": limit})
    outcomes = [outcome(rows[0]), outcome(rows[1], "failed")]
    while (row := bisect_row(facts, traits, outcomes)) is not None:
        outcomes.append(outcome(row))
    assert len(outcomes) == 2 + limit
