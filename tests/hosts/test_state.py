"""The table of states (formal-case.md 6.3): every line of it, without a host."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from autoresearch.hosts.state import Seen, decide

OWNER = {"supervisor_pid": 7, "start_ticks": 100, "boot_id": "b", "started_mono_ms": 1_000_000}
BEAT = {"seq": 5, "mono_ms": 1_050_000, "step": 2, "last_log_mono_ms": 1_040_000}
ALIVE = Seen(True, None, BEAT, OWNER, "b", 1_052_000, 100)
LIMITS: dict[str, Any] = {"inner_timeout": 100.0, "outer_timeout": 300.0}


def test_a_row_with_a_fresh_heartbeat_is_running_and_its_ages_come_from_the_clock_of_the_host() -> None:
    state = decide(ALIVE, **LIMITS)
    assert (state.name, state.step, state.over) == ("running", 2, False)
    assert (state.elapsed_seconds, state.heartbeat_age_seconds, state.log_age_seconds) == (52.0, 2.0, 12.0)
    assert not state.outer_limit_hit


def test_a_result_is_the_end_whatever_else_is_seen() -> None:
    for seen in (replace(ALIVE, result={"last_step": 3}), Seen(True, result={"last_step": 3})):
        state = decide(seen, **LIMITS)
        assert (state.name, state.step, state.over) == ("finished", 3, True)


def test_a_still_heartbeat_with_a_living_supervisor_is_stalled_and_not_over() -> None:
    state = decide(replace(ALIVE, mono_ms=1_050_000 + 61_000), **LIMITS)
    assert (state.name, state.over) == ("stalled", False) and state.reason.startswith("V331")
    assert decide(replace(ALIVE, mono_ms=1_050_000 + 59_000), **LIMITS).name == "running"


def test_a_supervisor_that_never_beat_is_stalled_after_a_minute_too() -> None:
    seen = replace(ALIVE, heartbeat=None, mono_ms=1_000_000 + 61_000)
    assert decide(seen, **LIMITS).name == "stalled"


@pytest.mark.parametrize(
    "change", [{"supervisor_ticks": None}, {"supervisor_ticks": 101}, {"boot_id": "after"}, {"boot_id": None}]
)
def test_a_supervisor_whose_pid_ticks_or_boot_do_not_agree_is_lost(change: dict[str, Any]) -> None:
    state = decide(replace(ALIVE, **change), **LIMITS)
    assert (state.name, state.over) == ("supervisor_lost", True)


def test_after_a_reboot_no_age_is_told_from_the_old_clock() -> None:
    state = decide(replace(ALIVE, boot_id="after", mono_ms=5_000), **LIMITS)
    assert "restarted" in state.reason and state.elapsed_seconds is None and not state.outer_limit_hit


def test_an_unreachable_host_is_unknown_until_outer_limit_and_window_are_over() -> None:
    assert decide(Seen(False, unreachable_seconds=3899.0), **LIMITS).name == "unknown"
    assert not decide(Seen(False, unreachable_seconds=3899.0), **LIMITS).over
    assert decide(Seen(False, unreachable_seconds=3901.0), **LIMITS).name == "ssh_lost"


def test_the_outer_limit_is_measured_by_the_clock_of_the_host() -> None:
    beat = {**BEAT, "mono_ms": 1_301_000}
    assert decide(replace(ALIVE, heartbeat=beat, mono_ms=1_301_000), **LIMITS).outer_limit_hit
    assert not decide(replace(ALIVE, heartbeat=beat, mono_ms=1_299_000), **LIMITS).outer_limit_hit


def test_fault_4_a_host_that_slept_an_hour_itself_is_late_until_its_next_heartbeat_and_no_limit_fires() -> None:
    woken = replace(ALIVE, mono_ms=1_050_000 + 3_600_000)
    assert not decide(woken, **LIMITS).outer_limit_hit
    assert decide(replace(woken, still_seconds=61.0), **LIMITS).outer_limit_hit, "a supervisor that hangs is ended"
    beat = {**BEAT, "seq": 6, "mono_ms": 1_052_000}
    assert decide(replace(ALIVE, heartbeat=beat, mono_ms=1_053_000), **LIMITS).name == "running"


def test_a_folder_without_owner_was_not_started() -> None:
    assert decide(Seen(True, boot_id="b", mono_ms=1), **LIMITS).name == "not_started"
