"""Which routes lead where: hubs from here and from a host, directly and by proxy; our services from a host
(formal-case.md 2, capabilities 4 and 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from autoresearch.errors import AutoResearchError
from autoresearch.findings import Finding, finding
from autoresearch.hosts.check_result import CheckResult, checked
from autoresearch.hosts.config import Config
from autoresearch.hosts.host_checks import Answer, ask_runner
from autoresearch.hosts.local import LocalHost
from autoresearch.hosts.protocol import Host, Tunnel

TARGETS = {
    "modelscope": "https://www.modelscope.cn",
    "huggingface": "https://huggingface.co",
    "github": "https://github.com",
}
HUBS = ("modelscope", "huggingface")


def address(url: str) -> tuple[str, int]:
    """Host and port of a URL."""
    parts = urlsplit(url)
    return str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)


def moved(tunnel: Tunnel, place: str) -> list[Finding]:
    """``V311`` when a tunnel got another port than the wanted one."""
    if tunnel.remote_port == tunnel.wanted_port:
        return []
    return [
        finding(
            "V311",
            place=f"{place}, {tunnel.name}",
            value=str(tunnel.remote_port),
            rule=f"is the port that was free, {tunnel.wanted_port} is in use there",
            remedy="nothing: rows are told the port that was taken",
        )
    ]


def check_network(
    config: Config, host: Host, runner: str, local_runner: str, targets: Mapping[str, str] = TARGETS
) -> CheckResult:
    """(here, host) x (direct, proxy) x target. A hub that no route reaches from the host is a warning; no hub at all
    from either place is a failure. ``local_runner`` is the archive on this machine."""
    return checked("network", lambda: _network(config, host, runner, local_runner, targets))


def _network(config: Config, host: Host, runner: str, local_runner: str, targets: Mapping[str, str]) -> Answer:
    wanted: dict[str, str] = {name: targets[name] for name in config.network.targets}
    proxy = config.network.proxy_url
    findings: list[Finding] = []
    here = LocalHost("here", ".")
    routes = {"here/direct": _routes(here, local_runner, wanted, None)}
    if proxy:
        routes["here/proxy"] = _routes(here, local_runner, wanted, proxy)
    if host.kind == "ssh":
        routes["host/direct"] = _routes(host, runner, wanted, None)
        if proxy:
            tunnel = host.forward("proxy", address(proxy), config.network.remote_proxy_port)
            findings += moved(tunnel, host.name)
            routes["host/proxy"] = _routes(host, runner, wanted, f"http://127.0.0.1:{tunnel.remote_port}")
    reached = {name: sorted(route for route, found in routes.items() if found[name]["ok"]) for name in wanted}
    data = {"routes": routes, "reached": reached}
    hubs = [name for name in wanted if name in HUBS]
    lost = [name for name, by in reached.items() if not by]
    if hubs and not any(reached[name] for name in hubs):
        return "fail", f"no route reaches {' or '.join(hubs)}; assets must be there already, or use --offline", data, ()
    if lost:
        return "warn", f"no route reaches {', '.join(lost)}", data, findings
    return "warn" if findings else "ok", "; ".join(f"{name}: {by[0]}" for name, by in reached.items()), data, findings


def _routes(host: Host, runner: str, wanted: Mapping[str, str], proxy: str | None) -> dict[str, Any]:
    words = ["inventory", "reach", *wanted.values(), *(["--proxy", proxy] if proxy else [])]
    try:
        answers = ask_runner(host, runner, *words)
    except AutoResearchError as error:
        nothing = {"ok": False, "status": None, "error": error.message, "elapsed_ms": 0}
        answers = dict.fromkeys(wanted.values(), nothing)
    return {name: answers[url] for name, url in wanted.items()}


def check_reach(config: Config, host: Host, runner: str) -> CheckResult:
    """Do W&B and Pushgateway answer on the host's loopback through the reverse tunnels? Live views only: what does not
    is a warning."""
    return checked("reach", lambda: _reach(config, host, runner))


def _reach(config: Config, host: Host, runner: str) -> Answer:
    services = config.services
    wanted = {
        "wandb": (services.wandb.url, services.wandb.remote_port, "/ready"),
        "pushgateway": (services.pushgateway.url, services.pushgateway.remote_port, "/-/healthy"),
    }
    findings: list[Finding] = []
    seen: dict[str, str] = {}
    for name, (url, port, health) in wanted.items():
        tunnel = host.forward(name, address(url), port)
        if host.kind == "ssh":
            findings += moved(tunnel, host.name)
        seen[name] = f"http://127.0.0.1:{tunnel.remote_port}{health}"
    answers = ask_runner(host, runner, "inventory", "reach", *seen.values())
    data = {name: {"url": url, **answers[url]} for name, url in seen.items()}
    down = [name for name, found in data.items() if not found["ok"]]
    if down:
        reasons = "; ".join(f"{name}: {data[name]['error'] or data[name]['status']}" for name in down)
        return "warn", f"{host.name} does not reach {reasons}; live views of it stay empty", data, findings
    return "warn" if findings else "ok", f"{host.name} reaches {' and '.join(data)}", data, findings
