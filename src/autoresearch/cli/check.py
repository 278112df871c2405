"""``autoresearch check``: is everything there that a run needs (formal-case.md 2)."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import App

from autoresearch.cli.outcome import Outcome
from autoresearch.progress import event

if TYPE_CHECKING:
    from autoresearch.hosts.check_result import CheckResult
    from autoresearch.hosts.config import Config, Server
    from autoresearch.hosts.protocol import Host

app = App(name="check", help="Is everything there that a run needs.")
WATCH_SECONDS = 2.0


@contextmanager
def runner_archive() -> Iterator[Path]:
    """The runner, built for as long as the block lasts."""
    from autoresearch.runner.build import build_runner

    with tempfile.TemporaryDirectory() as folder:
        yield build_runner(Path(folder))[0]


def _outcome(result: CheckResult) -> Outcome:
    return Outcome(result.as_dict(), 0 if result.ok else 1)


def _servers(config: Config, server: str | None, every: bool) -> list[Server]:
    if server is not None:
        return [config.server(server)]
    return config.candidates() if every else config.candidates()[:1]


def _on_hosts(name: str, servers: list[Server], look: Callable[[Host, Server, str, Path], CheckResult]) -> CheckResult:
    """``look(host, server, runner there, archive here)`` on each server, merged; one that cannot be opened has
    failed."""
    from autoresearch.errors import AutoResearchError
    from autoresearch.hosts import open_host
    from autoresearch.hosts.check_result import CheckResult, merge
    from autoresearch.hosts.rows import ensure_runner

    found = []
    with runner_archive() as archive:
        for server in servers:
            began = time.monotonic()
            try:
                with open_host(server) as host:
                    result = look(host, server, ensure_runner(host, archive), archive)
            except AutoResearchError as error:
                findings = tuple(item.as_dict() for item in error.findings)
                elapsed = int((time.monotonic() - began) * 1000)
                result = CheckResult(name, "fail", error.message, {}, findings, elapsed)
            found.append(CheckResult(**{**vars(result), "id": server.name}))
    return merge(name, found)


def _hardware(config: Config, servers: list[Server]) -> CheckResult:
    from autoresearch.hosts.host_checks import check_hardware

    return _on_hosts("hardware", servers, lambda host, server, runner, _: check_hardware(host, server, runner))


def _network(config: Config, servers: list[Server]) -> CheckResult:
    from autoresearch.hosts.network_checks import check_network

    return _on_hosts(
        "network", servers, lambda host, _, runner, archive: check_network(config, host, runner, str(archive))
    )


def _reach(config: Config, servers: list[Server]) -> CheckResult:
    from autoresearch.hosts.network_checks import check_reach

    return _on_hosts("reach", servers, lambda host, _, runner, __: check_reach(config, host, runner))


def _stack(config: Config, servers: list[Server]) -> CheckResult:
    from autoresearch.cases.config import CaseConfig
    from autoresearch.cli.verl_case.stack_gate import check_gate, needs_gate
    from autoresearch.hosts.check_result import merge
    from autoresearch.hosts.host_checks import check_hardware, devices_of
    from autoresearch.hosts.stack_checks import check_stack

    def look(host: Host, server: Server, runner: str, archive: Path) -> CheckResult:
        hardware = check_hardware(host, server, runner)
        if not hardware.ok:
            return hardware
        accelerator, devices = hardware.data["accelerator"], devices_of(hardware)
        found = check_stack(host, server, runner, accelerator, devices)
        if not (isinstance(config, CaseConfig) and needs_gate(config, host, server, found)):
            return found
        return merge("stack", [found, check_gate(config, host, server, archive, found, accelerator, devices)])

    return _on_hosts("stack", servers, look)


def _config(path: Path | None) -> tuple[Config | None, CheckResult]:
    from autoresearch.assets.registry import open_registry
    from autoresearch.cases.config import load_case
    from autoresearch.errors import AutoResearchError
    from autoresearch.hosts.check_result import CheckResult
    from autoresearch.hosts.config import find_config

    began = time.monotonic()
    try:
        place = find_config(path)
        config: Config = load_case(path)
        registry = open_registry(None, place)
    except AutoResearchError as error:
        findings = tuple(item.as_dict() for item in error.findings)
        return None, CheckResult("config", "fail", error.message, {}, findings)
    unset = []
    for reference in config.secrets():
        try:
            reference.resolve()
        except AutoResearchError:
            unset.append(str(reference))
    data: dict[str, Any] = {
        "file": str(place) if place is not None else None,
        "data_file": str(registry.read_from) if registry.read_from is not None else None,
        "servers": [each.name for each in config.candidates()],
        "secrets": [str(each) for each in config.secrets()],
        "unset": unset,
    }
    elapsed = int((time.monotonic() - began) * 1000)
    if unset:
        message = f"{', '.join(unset)} cannot be looked up here; store it with autoresearch config secret"
        return config, CheckResult("config", "fail", message, data, (), elapsed)
    what = str(place) if place is not None else "no file, the defaults"
    return config, CheckResult("config", "ok", f"{what}: servers {', '.join(data['servers'])}", data, (), elapsed)


def _loaded(path: Path | None) -> Config:
    from autoresearch.hosts.config import load

    return load(path)


@app.command(name="config")
def config_command(*, config: Path | None = None) -> Outcome:
    """Are the config and the data.yaml beside it right, and can the secrets be looked up. No secret is shown.

    Example: autoresearch check config --config config/config.yaml

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    """
    return _outcome(_config(config)[1])


@app.command(name="services")
def services_command(*, config: Path | None = None) -> Outcome:
    """Are W&B, Prometheus, Pushgateway and Grafana up. A service that is down is a warning: live views only.

    Example: autoresearch check services

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the default ports.
    """
    from autoresearch.hosts.local_services import check_services

    found = check_services(_loaded(config).services)
    return Outcome(found, 0 if found["ok"] else 1)


@app.command(name="hardware")
def hardware_command(
    *, config: Path | None = None, server: str | None = None, all: bool = False, watch: bool = False
) -> Outcome:
    """Devices, memory, holders, driver and firmware of a server; nothing is computed on them.

    Example: autoresearch check hardware --server npu-a --watch

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    server
        Name of a server of the config; the first by default.
    all
        Every server of the config.
    watch
        Look every two seconds and report on stderr, until Ctrl-C; the last look is the result.
    """
    known = _loaded(config)
    servers = _servers(known, server, all)
    result = _hardware(known, servers)
    try:
        while watch:
            event("hardware", result.message, "info" if result.ok else "error", devices=result.data)
            time.sleep(WATCH_SECONDS)
            result = _hardware(known, servers)
    except KeyboardInterrupt:
        return Outcome(result.as_dict(), 130)
    return _outcome(result)


@app.command(name="network")
def network_command(*, config: Path | None = None, server: str | None = None) -> Outcome:
    """Which hubs are reached from here and from the server, directly and through the proxy.

    Example: autoresearch check network --server npu-a

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    server
        Name of a server of the config; the first by default.
    """
    known = _loaded(config)
    return _outcome(_network(known, _servers(known, server, False)))


@app.command(name="reach")
def reach_command(*, config: Path | None = None, server: str | None = None) -> Outcome:
    """Do reverse tunnels reach W&B and Pushgateway from the server. What does not is a warning: live views only.

    Example: autoresearch check reach --server npu-a

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    server
        Name of a server of the config; the first by default.
    """
    known = _loaded(config)
    return _outcome(_reach(known, _servers(known, server, False)))


@app.command(name="stack")
def stack_command(*, config: Path | None = None, server: str | None = None) -> Outcome:
    """Container or Python of the server, the versions in it, and one real operation on every device.

    Where the config's case is a field task, our code is sent to the server and `gate host` asked there.

    Example: autoresearch check stack --server npu-a

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    server
        Name of a server of the config; the first by default.
    """
    from autoresearch.cases.config import load_case

    known = load_case(config)
    return _outcome(_stack(known, _servers(known, server, False)))


@app.command(name="all")
def all_command(*, config: Path | None = None, server: str | None = None) -> Outcome:
    """Config, services, hardware, network, reach and stack, in this order. A failed config skips the rest.

    Example: autoresearch check all --server npu-a

    Parameters
    ----------
    config
        The config file; by default $AUTORESEARCH_CONFIG, then ./config/config.yaml, then the defaults: this machine.
    server
        Name of a server of the config; the first by default.
    """
    from autoresearch.hosts.check_result import CheckResult, merge
    from autoresearch.hosts.local_services import check_services

    known, first = _config(config)
    results = [first]
    if known is not None and first.ok:
        servers = _servers(known, server, False)
        steps: list[Callable[[], CheckResult]] = [
            lambda: CheckResult.from_dict(check_services(known.services)),
            *(lambda step=step: step(known, servers) for step in (_hardware, _network, _reach, _stack)),
        ]
        for step in steps:
            results.append(step())
            event("check", results[-1].message, "info" if results[-1].ok else "error", id=results[-1].id)
    return _outcome(merge("all", results))
