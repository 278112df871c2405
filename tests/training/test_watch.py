"""What a run shows becomes one trouble: markers, numbers, stalls (training.md 5.5)."""

from __future__ import annotations

import pytest

from autoresearch.training.steps import Record
from autoresearch.training.watch import ENDING_SECONDS, GRACE_SECONDS, STALL_SECONDS, Watch, last_frame

TRACE = b"""[rank0]: Traceback (most recent call last):
[rank0]:   File "/x/trainer.py", line 12, in fit
[rank0]:     step()
[rank0]:   File "/x/dataset.py", line 7, in read
[rank0]:     raise InputError("row 3")
[rank0]: autoresearch.errors.InputError: row 3
Traceback (most recent call last):
  File "/x/run.py", line 1, in launch_agent
torch.distributed.ChildFailedError: a child failed
"""


def step(number: int, loss: float | None = 1.0) -> Record:
    return Record(number, {"train/loss": loss, "train/grad_norm": 1.0}, "metrics", number)


def test_a_quiet_run_has_no_trouble() -> None:
    watch = Watch("sft", 0.0, 9)
    watch.see_log(b"INFO loading\nstep:1 - train/loss:1.0\n", 1.0)
    watch.see_records([step(1)], 1.0)
    assert watch.trouble(2.0) is None and watch.at_exit(0) is None


def test_a_traceback_is_given_time_to_end() -> None:
    watch = Watch("sft", 0.0, 9)
    watch.see_log(TRACE[:60], 1.0)
    assert watch.trouble(1.0 + GRACE_SECONDS / 2) is None
    watch.see_log(TRACE[60:], 1.1)
    trouble = watch.trouble(1.0 + GRACE_SECONDS)
    assert trouble is not None and trouble.kind == "crash"
    assert trouble.text == "autoresearch.errors.InputError: row 3 (/x/dataset.py:7 in read)"


def test_a_traceback_after_the_last_step_leaves_time_to_end() -> None:
    for last, grace in ((8, GRACE_SECONDS), (9, ENDING_SECONDS)):
        watch = Watch("sft", 0.0, 9)
        watch.see_log(TRACE, 1.0)
        watch.see_records([step(number) for number in range(1, last + 1)], 1.0)
        assert watch.trouble(0.9 + grace) is None
        trouble = watch.trouble(1.0 + grace)
        assert trouble is not None and trouble.kind == "crash"


def test_a_traceback_of_a_process_that_ends_well_is_no_trouble() -> None:
    watch = Watch("rl", 0.0, 9)
    watch.see_log(TRACE, 1.0)
    assert watch.at_exit(0) is None


def test_a_marker_cut_between_two_reads_is_found() -> None:
    text = b"x" * 100 + b"torch.OutOfMemoryError: CUDA out of memory\n"
    for cut in range(101, len(text)):
        watch = Watch("sft", 0.0, 9)
        watch.see_log(text[:cut], 1.0)
        watch.see_log(text[cut:], 1.0)
        trouble = watch.trouble(1.0)
        assert trouble is not None and trouble.kind == "oom"


@pytest.mark.parametrize("text", [b"a room to zoom, a bloom\n", b"OOM killer documentation\n", b"Error: none\n"])
def test_other_words_are_no_trouble(text: bytes) -> None:
    watch = Watch("sft", 0.0, 9)
    watch.see_log(text, 1.0)
    assert watch.trouble(100.0) is None


def test_a_skipped_update_is_not_finite() -> None:
    watch = Watch("rl", 0.0, 9)
    watch.see_log(b"WARN: rank 0 grad_norm is not finite: nan\n", 1.0)
    trouble = watch.trouble(1.0)
    assert trouble is not None and trouble.kind == "nonfinite" and "rank 0" in trouble.text


def test_a_loss_of_null_is_not_finite() -> None:
    watch = Watch("sft", 0.0, 9)
    watch.see_records([step(1), step(2, None)], 1.0)
    assert watch.trouble(1.0) == ("nonfinite", "step 2: train/loss is not finite")


def test_a_validation_without_numbers_is_no_trouble() -> None:
    watch = Watch("sft", 0.0, 9)
    watch.see_records([Record(1, {"val/loss": None}, "metrics", 1)], 1.0)
    assert watch.trouble(1.0) is None


def test_stalled_only_after_the_first_step_and_by_the_median() -> None:
    watch = Watch("sft", 0.0, 9)
    assert watch.trouble(10 * STALL_SECONDS) is None
    for number in range(1, 4):
        watch.see_records([step(number)], number * 100.0)
    assert watch.stall_limit() == 2000.0
    assert watch.trouble(300.0 + 2000.0) is None
    trouble = watch.trouble(300.0 + 2000.1)
    assert trouble is not None and trouble.kind == "stalled"


@pytest.mark.parametrize(("code", "kind"), [(-9, "oom"), (137, "oom"), (1, "crash"), (-15, "crash")])
def test_the_exit_code_alone_is_a_trouble(code: int, kind: str) -> None:
    trouble = Watch("sft", 0.0, 9).at_exit(code)
    assert trouble is not None and trouble.kind == kind


def test_a_chained_exception_is_followed_to_its_end() -> None:
    text = b"""Traceback (most recent call last):
  File "/a.py", line 1, in one
KeyError: 'x'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/b.py", line 2, in two
ValueError: no x
"""
    assert last_frame(text) == "ValueError: no x (/b.py:2 in two)"


def test_an_unfinished_traceback_still_names_its_frame() -> None:
    assert last_frame(b'Traceback (most recent call last):\n  File "/a.py", line 1, in one\n') == "/a.py:1 in one"
    assert last_frame(b"AUTORESEARCH-PLUGIN-FAILED\n") == "a traceback without a frame"
