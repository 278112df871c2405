"""Which server can really run the rows: candidates in order, the first that qualifies (formal-case.md 2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autoresearch.errors import AutoResearchError, RefusedError
from autoresearch.findings import Finding, finding
from autoresearch.hosts import open_host
from autoresearch.hosts.check_result import CheckResult, merge
from autoresearch.hosts.config import Config, Server
from autoresearch.hosts.host_checks import check_basics, check_hardware, devices_of
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.hosts.rows import end_stale, ensure_runner
from autoresearch.hosts.stack_checks import check_stack


@dataclass(frozen=True)
class Need:
    """What the rows need of a server. ``devices`` None: all that are detected (``device_source: detected``)."""

    archive: Path
    """The runner archive on this machine."""
    devices: Sequence[RowDevice] | None = None
    bytes: int = 0
    """Free space: assets that are missing there and 20 GiB, or as configured."""
    skip: bool = False
    """``--skip-readiness``: host key, workdir and versions are looked at, nothing else (V111)."""


@dataclass(frozen=True)
class Candidate:
    """A server and what its readiness said."""

    server: Server
    result: CheckResult
    accelerator: str
    devices: tuple[RowDevice, ...]
    """The devices that rows may use."""


def check_candidate(host: Host, server: Server, need: Need) -> Candidate:
    """Readiness of one open host: basics, devices that are there and free, container and device operation.

    What earlier rows left running after their supervisor was lost is ended first (6.5), unless readiness is skipped.
    """
    results = [check_basics(host, 0 if need.skip else need.bytes)]
    accelerator, devices = "cpu", tuple(need.devices or ())
    if results[0].ok:
        runner = ensure_runner(host, need.archive)
        results += [] if need.skip else _stale(host, runner)
        hardware = check_hardware(host, server, runner, need.devices, must_be_free=not need.skip)
        accelerator = str(hardware.data.get("accelerator", "cpu"))
        if need.devices is None:
            devices = tuple(devices_of(hardware))
        results.append(_skipped(server.name) if need.skip else hardware)
        if results[-1].ok:
            results.append(check_stack(host, server, runner, accelerator, devices, operate=not need.skip))
    return Candidate(server, merge("readiness", results), accelerator, devices)


def _stale(host: Host, runner: str) -> list[CheckResult]:
    """What was ended of earlier rows without a supervisor; nothing is told where there was nothing."""
    done = end_stale(host, runner)
    if not done["rows"]:
        return []
    pids = ", ".join(str(pid) for pid in [*done["terminated"], *done["killed"]])
    message = f"ended pid {pids or 'none'}: left by {', '.join(done['rows'])}, whose supervisor is gone"
    return [CheckResult("stale", "warn", message, done)]


def _skipped(place: str) -> CheckResult:
    item = finding(
        "V111",
        place=place,
        rule="devices, holders and the device operation were not looked at",
        remedy="run again without --skip-readiness before the figures are used",
    )
    return CheckResult("hardware", "warn", item.message(), {}, (item.as_dict(),))


def find_ready(config: Config, name: str | None, need: Need) -> Candidate:
    """The named server, else the first of the config that qualifies.

    Raises ``RefusedError`` with each server's reasons when none does.
    """
    servers = [config.server(name)] if name is not None else config.candidates()
    reasons: list[str] = []
    findings: list[Finding] = []
    for server in servers:
        try:
            with open_host(server) as host:
                found = check_candidate(host, server, need)
        except AutoResearchError as error:
            reasons.append(f"{server.name}: {error.message}")
            findings.extend(error.findings)
            continue
        if found.result.ok:
            return found
        reasons.append(f"{server.name}: {found.result.message}")
        findings.extend(Finding(**each) for each in found.result.findings)
    raise RefusedError("no server can run the case:\n" + "\n".join(reasons), findings)
