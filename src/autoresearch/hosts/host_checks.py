"""Checks of one open host: can rows be run there at all, which devices it has, who holds them (formal-case.md 2.4)."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from autoresearch.errors import InfrastructureError
from autoresearch.findings import Finding, finding
from autoresearch.hosts.check_result import CheckResult, Severity, checked
from autoresearch.hosts.config import Server
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.hosts.rows import runner_command

OLDEST_PYTHON = (3, 8)
GIB = 1 << 30
SKEW_SECONDS = 1.0
QUESTION_SECONDS = 120.0
Answer = tuple[Severity, str, dict[str, Any], Sequence[Finding]]


def ask_runner(host: Host, runner: str, *words: str, timeout: float = QUESTION_SECONDS) -> dict[str, Any]:
    """The JSON answer of a role of the runner on the host. Raises ``InfrastructureError`` with its last line."""
    done = host.run(runner_command(host, runner, *words), timeout=timeout)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.exit_code}"])[-1]
        raise InfrastructureError(f"{host.name}: the runner gave no answer to {' '.join(words)}: {last}")
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def clock_offset(host: Host) -> tuple[float, float]:
    """Seconds that the host's wall clock is ahead of this machine's, and half the time of the question."""
    began, before = time.monotonic(), time.time()
    done = host.run(["date", "+%s.%N"])
    took = time.monotonic() - began
    try:
        there = float(done.stdout)
    except ValueError as error:
        raise InfrastructureError(f"{host.name}: date answered {done.stdout[:40]!r}") from error
    return there - (before + took / 2), took / 2


def check_basics(host: Host, needed_bytes: int = 0) -> CheckResult:
    """Python >= 3.8, a work folder that can be written, enough space, and a clock that agrees (V430)."""
    return checked("basics", lambda: _basics(host, needed_bytes))


def _basics(host: Host, needed_bytes: int) -> Answer:
    done = host.run([host.python, "--version"])
    words = (done.stdout or done.stderr).split()
    version = words[1] if done.ok and len(words) > 1 else None
    numbers = tuple(int(part) for part in (version or "").split(".")[:2] if part.isdigit())
    data: dict[str, Any] = {"python": version}
    if numbers < OLDEST_PYTHON:
        return "fail", f"python3 is {version or 'absent'}, the runner needs 3.8 or newer; install one there", data, ()
    probe = f"{host.workdir}/autoresearch/.writable"
    made = host.run(["mkdir", "-p", f"{host.workdir}/autoresearch"])
    written = host.run(["touch", probe]) if made.ok else made
    host.run(["rm", "-f", probe])
    if not written.ok:
        reason = written.stderr.strip()
        return "fail", f"workdir {host.workdir} cannot be written: {reason}; use another workdir", data, ()
    free = host.free_space(host.workdir)
    offset, uncertainty = clock_offset(host)
    data.update(
        workdir=host.workdir,
        free_bytes=free,
        needed_bytes=needed_bytes,
        clock_offset_ms=round(offset * 1000),
        clock_uncertainty_ms=round(uncertainty * 1000),
    )
    if free < needed_bytes:
        lacks = f"{free / GIB:.1f} GiB are free in {host.workdir}, {needed_bytes / GIB:.1f} GiB are needed"
        return "fail", f"{lacks}; free space or use another workdir", data, ()
    if abs(offset) > SKEW_SECONDS + uncertainty:
        item = finding(
            "V430",
            place=f"host {host.name}",
            value=f"{offset:+.1f} s",
            rule="off from this machine's clock",
            remedy="let both follow a time server; durations are right all the same",
        )
        return "warn", item.message(), data, (item,)
    return "ok", f"Python {version}, {free / GIB:.1f} GiB free", data, ()


def device_name(accelerator: str, device: dict[str, Any]) -> str:
    """How a device is told: its UUID on NVIDIA, ``id:chip`` on Ascend."""
    return str(device.get("uuid") or device["id"]) if accelerator == "nvidia" else f"{device['id']}:{device['chip']}"


def compare_devices(
    accelerator: str, detected: Sequence[dict[str, Any]], wanted: Sequence[RowDevice], place: str
) -> list[Finding]:
    """``V110`` when a wanted device is not there, with both lists; by (id, chip) on Ascend and by UUID on NVIDIA."""
    have = {device_name(accelerator, device) for device in detected}
    asked = _names(accelerator, detected, wanted)
    if set(asked) <= have:
        return []
    found = ", ".join(sorted(have)) or "none"
    item = finding(
        "V110",
        place=place,
        value=", ".join(asked),
        rule=f"are the devices of the config, the host has {found}",
        remedy="name devices that are there, or write devices: auto",
    )
    return [item]


def devices_of(hardware: CheckResult) -> list[RowDevice]:
    """The devices that ``check_hardware`` found, as rows name them; none on a processor."""
    if hardware.data.get("accelerator", "cpu") == "cpu":
        return []
    return [RowDevice(id=each["id"], chip=each["chip"], uuid=each["uuid"]) for each in hardware.data["devices"]]


def _names(accelerator: str, detected: Sequence[dict[str, Any]], wanted: Sequence[RowDevice]) -> list[str]:
    """How the wanted devices are named among the detected; a number of a card stands for its UUID."""
    asked = [device_name(accelerator, device.model_dump()) for device in wanted]
    if accelerator != "nvidia":
        return asked
    numbers = {str(device["id"]): device_name(accelerator, device) for device in detected}
    return [numbers.get(name, name) for name in asked]


def check_hardware(
    host: Host, server: Server, runner: str, wanted: Sequence[RowDevice] | None = None, *, must_be_free: bool = False
) -> CheckResult:
    """Devices, memory, holders, driver and firmware of a host. ``wanted`` None: all that are there.

    Fails when the accelerator or a wanted device is not there or the tool does not answer; a wanted device that is held
    is a warning (V333), or a failure with ``must_be_free``.
    """
    return checked("hardware", lambda: _hardware(host, server, runner, wanted, must_be_free))


def _hardware(
    host: Host, server: Server, runner: str, wanted: Sequence[RowDevice] | None, must_be_free: bool
) -> Answer:
    data = ask_runner(host, runner, "inventory", "hardware")
    kind = data["accelerator"]
    if server.accelerator not in ("auto", "cpu", kind):
        detail = data["error"] or f"the tools of {server.accelerator} are not on the PATH"
        return "fail", f"{host.name} should have {server.accelerator} devices and shows {kind}: {detail}", data, ()
    if server.accelerator == "cpu" or kind == "cpu":
        data["accelerator"] = "cpu"
        return "ok", f"no accelerator is used, {data['cores']} processor cores", data, ()
    if data["error"] and not data["devices"]:
        return "fail", f"{host.name}: {data['error']}", data, ()
    findings = compare_devices(kind, data["devices"], wanted or [], host.name)
    if findings:
        return "fail", findings[0].message(), data, findings
    names = set(_names(kind, data["devices"], wanted or []))
    held = [each for each in data["holders"] if not names or each["device"] in names]
    findings = [_held(host.name, each, must_be_free) for each in held]
    count = f"{len(data['devices'])} devices"
    if findings:
        return "fail" if must_be_free else "warn", findings[0].message(), data, findings
    if data["unparsed_lines"]:
        return "warn", f"{count}; {data['unparsed_lines']} lines of the tool were not understood", data, ()
    return "ok", f"{count}, all free, driver {data['driver'] or 'unknown'}", data, ()


def _held(place: str, holder: dict[str, Any], must_be_free: bool) -> Finding:
    memory = f", {holder['memory_mib']} MiB" if holder["memory_mib"] is not None else ""
    return finding(
        "V333",
        place=f"{place}, device {holder['device']}",
        value=f"{holder['command']} (pid {holder['pid']}, user {holder['user']}{memory})",
        rule="holds the device",
        remedy="end it yourself if it may end, or use other devices",
        severity="error" if must_be_free else None,
    )
