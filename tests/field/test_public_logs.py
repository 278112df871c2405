"""Every public log and data set parses to values checked by hand, or is refused with its reason."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from autoresearch.cases.geo3k_data import prepared_row, schema, source_files
from autoresearch.errors import InputError
from autoresearch.training.stage_times import rl_throughput, step_times
from autoresearch.training.steps import Parsed, Record, count_steps, parse_log

LOGS = Path(__file__).resolve().parents[3] / "shared" / "data" / "logs"
pytestmark = [pytest.mark.field, pytest.mark.skipif(not LOGS.is_dir(), reason="the public files are not here")]
NEWEST_RL, NEWEST_SFT = "verl-0.9.1-rloo-vllm-h200.log", "verl-0.9.1-sft-h200.log"
OLDEST, MIDDLE = "verl_oldest_qwen2.5-0.5b_ppo_gsm8k.head.log", "verl_mid_deepseek7b_grpo_gsm8k.head.log"
RECENT = "verl_recent_qwen2-7b_gpg_math.head.log"
POINTER, GSM8K = "full_hh_rlhf_rm_test.parquet", "gsm8k_test.parquet"


def read(name: str) -> Parsed:
    """The parsed log, in which no line is cut and no number is missing."""
    found = parse_log((LOGS / name).read_bytes())
    assert found.notices == () and not any(record.truncated for record in found.records)
    return found


def holds(record: Record, line: int, **values: float) -> None:
    """The record stands in that line, and has these values; the keys' ``/`` is written ``__``."""
    named = {key.replace("__", "/"): value for key, value in values.items()}
    assert (record.line, {key: record.data[key] for key in named}) == (line, named)


def test_no_file_is_left_out() -> None:
    assert {path.name for path in LOGS.iterdir()} == {NEWEST_RL, NEWEST_SFT, OLDEST, MIDDLE, RECENT, POINTER, GSM8K}


def test_the_rl_log_of_verl_0_9_1_has_three_steps_with_numpy_values() -> None:
    found = read(NEWEST_RL)
    assert (found.dialect, [record.step for record in found.records]) == (3, [1, 2, 3])
    assert {len(record.data) for record in found.records} == {90}
    first, second, third = found.records
    holds(first, 1041, actor__grad_norm=0.01396013330668211, actor__pg_loss=-0.009563057596096769)
    holds(
        second,
        1044,
        actor__grad_norm=0.0072670853696763515,
        response_length__mean=221.125,
        perf__total_num_tokens=12964,
    )
    holds(third, 1047, actor__grad_norm=0.004837037529796362, training__global_step=3, timing_s__gen=4.110610940000015)
    assert first.data["training/off_policy/trajectory_staleness_worst/max"] == 0, "np.int64(0)"
    assert count_steps(found.records, "rl").completed == 3
    rate = rl_throughput(found.records, 1)
    assert (rate.steps, rate.tokens, rate.notices) == (2, 12964 + 13066, ())
    assert rate.per_device == pytest.approx(26030 / (9.556360007 + 8.374905565))
    times = step_times(first, 3)
    stages = 14.124533623 + 2.165131424 + 0.037066591 + 3.398995408 + 0.259074493
    assert times.remainder == pytest.approx(37.337480133 - stages), "the start-up of the first step is shown"


def test_the_sft_log_of_verl_0_9_1_has_six_steps_behind_progress_bars_and_a_validation() -> None:
    found = read(NEWEST_SFT)
    assert (found.dialect, [record.step for record in found.records]) == (3, [1, 2, 3, 4, 5, 6, 6])
    losses = [record.data.get("train/loss") for record in found.records]
    assert losses == [
        12.95944881439209,
        10.662397384643555,
        5.951161861419678,
        2.57334566116333,
        2.33503794670105,
        2.0418343544006348,
        None,
    ]
    assert sum(record.data.get("train/global_tokens") or 0 for record in found.records) == 686991
    assert found.records[-1].data == {"val/loss": 1.6714855432510376} and found.records[0].line == 17
    steps = count_steps(found.records, "sft")
    assert (steps.completed, steps.accepted, steps.repeated) == (6, (1, 2, 3, 4, 5, 6), ())


def test_the_middle_dialect_has_no_prefix_and_its_validation_lies_inside_the_step() -> None:
    found = read(MIDDLE)
    assert (found.dialect, [record.step for record in found.records]) == (2, list(range(1, 250)))
    holds(found.records[0], 4, actor__grad_norm=0.269, actor__ppo_kl=0.0, mfu__actor=0.151, timing_s__step=121.889)
    assert found.records[0].data["Tokens/Sec/GPU"] == 1448.439
    holds(found.records[248], 460, actor__pg_loss=0.018, critic__score__mean=0.958, timing_s__gen=46.1)
    validated = [record.step for record in found.records if "val/test_score/openai/gsm8k" in record.data]
    assert validated == list(range(10, 250, 10))
    tenth = found.records[9]
    holds(tenth, 25, val__test_score__openai__gsm8k=0.648, timing_s__testing=34.917, timing_s__step=129.690)
    inside = 55.606 + 6.257 + 6.541 + 0.743 + 25.539 + 34.917
    assert step_times(tenth, found.dialect).remainder == pytest.approx(129.690 - inside)
    assert count_steps(found.records, "rl").completed == 0, "it names no training/global_step: no row of a case"


def test_the_oldest_dialect_begins_at_step_0_and_its_times_have_another_name() -> None:
    found = read(OLDEST)
    assert (found.dialect, [record.step for record in found.records]) == (1, list(range(99)))
    holds(found.records[0], 251, timing__gen=18.859, critic__vpred_mean=-1.928, actor__grad_norm=8.138)
    holds(found.records[98], 460, timing__gen=17.880, critic__vf_loss=0.092, actor__pg_loss=0.016)
    assert found.records[1].data["critic/lr(1e-4)"] == 0.1, "a key keeps its brackets"
    times = step_times(found.records[0], 1)
    assert {each.stage: each.seconds for each in times.stages} == {
        "rollout": 18.859,
        "ref_logp": 5.501,
        "values": 5.664,
        "advantage": 0.058,
        "critic_update": 16.185,
        "update": 20.611,
    }
    assert (times.total, times.remainder) == (None, None), "it logs no total"
    assert count_steps(found.records, "rl").completed == 0


def test_the_recent_dialect_begins_with_a_validation_that_is_no_step() -> None:
    found = read(RECENT)
    assert (found.dialect, [record.step for record in found.records]) == (2, list(range(60)))
    assert found.records[0].line == 401 and found.records[0].data == {
        "val-core/openai/gsm8k/reward/mean@1": 0.221,
        "val-core/DigitalLearningGmbH/MATH-lighteval/reward/mean@1": 0.514,
    }
    holds(found.records[1], 402, actor__grad_norm=0.322, critic__score__mean=0.433, perf__throughput=1036.956)
    holds(found.records[59], 460, actor__grad_norm=0.132, training__epoch=4, perf__total_num_tokens=1650220)
    assert count_steps(found.records, "rl").completed == 59
    fifth = step_times(found.records[5], found.dialect)
    inside = 61.335 + 1.392 + 32.343 + 0.181 + 130.470 + 137.958  # generate_sequences and reshard lie in gen
    assert fifth.remainder == pytest.approx(363.940 - inside) and fifth.notices == ()
    assert {each.key for each in fifth.stages if each.detail} == {"generate_sequences", "reshard"}
    assert [record.step for record in found.records if step_times(record, found.dialect).notices] == []


def test_a_pointer_of_git_lfs_is_no_data_set() -> None:
    with pytest.raises(InputError, match="Git LFS pointer, .*run git lfs pull"):
        source_files(LOGS, "full_hh")


def test_a_math_data_set_has_verls_columns_and_is_refused_as_geometry_for_its_missing_pictures() -> None:
    (path,) = source_files(LOGS, "gsm8k")
    table = pq.read_table(path)
    assert table.num_rows == 1319
    ours = schema()
    assert [name for name in ours.names if name not in table.column_names] == ["images"]
    for name in ("data_source", "ability"):
        assert table.schema.field(name).type == ours.field(name).type
    rows = table.to_pylist()
    assert [row["extra_info"]["index"] for row in rows] == list(range(1319))
    assert (rows[0]["reward_model"], {row["data_source"] for row in rows}) == (
        {"ground_truth": "18", "style": "rule"},
        {"openai/gsm8k"},
    )
    assert {role for row in rows for message in row["prompt"] for role in [message["role"]]} == {"user"}
    with pytest.raises(InputError, match="test row 0: has no image"):
        prepared_row(rows[0], "test", 0)
