"""What state a row is in, from what was seen of it: a pure function (formal-case.md 6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

STALL_SECONDS = 60.0
RECONNECT_WINDOW_SECONDS = 3600.0
Name = Literal["not_started", "running", "stalled", "finished", "supervisor_lost", "unknown", "ssh_lost"]


@dataclass(frozen=True)
class Seen:
    """One look at a row's folder. The host's clocks only; nothing of this machine's."""

    reachable: bool
    result: dict[str, Any] | None = None
    heartbeat: dict[str, Any] | None = None
    owner: dict[str, Any] | None = None
    boot_id: str | None = None
    mono_ms: int | None = None
    """The host's monotonic clock when the files were read."""
    supervisor_ticks: int | None = None
    """Start ticks of the process that has the supervisor's pid now; None when there is none, or only a zombie."""
    unreachable_seconds: float = 0.0
    """How long the host has not answered, by this machine's clock."""
    still_seconds: float = 0.0
    """How long this process has looked at the same heartbeat, its own sleep left out; 0 when that is not known."""


@dataclass(frozen=True)
class State:
    """The state and the facts that progress lines, limits and classes need."""

    name: Name
    seen: Seen
    reason: str = ""
    elapsed_seconds: float | None = None
    """Since the supervisor started, by the host's monotonic clock."""
    heartbeat_age_seconds: float | None = None
    log_age_seconds: float | None = None
    step: int = 0
    outer_limit_hit: bool = False

    @property
    def over(self) -> bool:
        """Nothing more will come from the host by itself."""
        return self.name in ("finished", "supervisor_lost", "ssh_lost")


def supervisor_alive(seen: Seen) -> bool:
    """Pid, start ticks and boot id agree."""
    owner = seen.owner
    return (
        owner is not None
        and seen.boot_id is not None
        and owner.get("boot_id") == seen.boot_id
        and seen.supervisor_ticks is not None
        and owner.get("start_ticks") == seen.supervisor_ticks
    )


def decide(
    seen: Seen, *, inner_timeout: float, outer_timeout: float, window: float = RECONNECT_WINDOW_SECONDS
) -> State:
    """The table of 6.3. Limits and ``window`` (how long an unreachable host is waited for) are seconds."""
    if not seen.reachable:
        if seen.unreachable_seconds > outer_timeout + window:
            return State("ssh_lost", seen, f"no answer for {seen.unreachable_seconds:.0f} s")
        return State("unknown", seen, f"no answer for {seen.unreachable_seconds:.0f} s; it is tried again")
    beat, owner = seen.heartbeat or {}, seen.owner or {}
    step = _whole(beat.get("step"))
    if seen.result is not None:
        return State("finished", seen, step=_whole(seen.result.get("last_step")) or step)
    if seen.owner is None:
        return State("not_started", seen, "no owner.json")
    same_boot = owner.get("boot_id") == seen.boot_id
    elapsed = _seconds(seen.mono_ms, owner.get("started_mono_ms")) if same_boot else None
    age = _seconds(seen.mono_ms, beat.get("mono_ms")) if same_boot else None
    log_age = _seconds(seen.mono_ms, beat.get("last_log_mono_ms")) if same_boot else None
    facts: dict[str, Any] = {
        "elapsed_seconds": elapsed,
        "heartbeat_age_seconds": age,
        "log_age_seconds": log_age,
        "step": step,
    }
    if not supervisor_alive(seen):
        why = "the host was restarted" if not same_boot else "the supervisor is gone and left no result"
        return State("supervisor_lost", seen, why, **facts)
    since = age if age is not None else elapsed
    stalled = since is not None and since > STALL_SECONDS
    # The host's uptime counts its sleep. A host that has just woken shows an old heartbeat and a late clock; its next
    # heartbeat tells the time of the row, and a supervisor that gives none is watched for a while first.
    believed = not stalled or seen.still_seconds > STALL_SECONDS
    facts["outer_limit_hit"] = believed and elapsed is not None and elapsed > outer_timeout
    if stalled:
        return State(
            "stalled", seen, f"V331 row-stalled: no heartbeat for {since:.0f} s, the supervisor is alive", **facts
        )
    return State("running", seen, **facts)


def _seconds(now_ms: int | None, then_ms: Any) -> float | None:
    """Never below 0: the clock is looked at before the files, which a supervisor may write in between."""
    return max(0, now_ms - then_ms) / 1000 if now_ms is not None and isinstance(then_ms, int) else None


def _whole(value: Any) -> int:
    return value if type(value) is int else 0
