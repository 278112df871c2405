"""``--reuse-container NAME``: the one way into a running container, after it was found to fit (formal-case.md 6.4)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from autoresearch.errors import InfrastructureError, RefusedError
from autoresearch.findings import Finding, finding
from autoresearch.hosts.containers import DOCKER, ContainerPlan, judge_reuse
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.stack_checks import TORCH_NAMES, visibility

OPERATION_SECONDS = 300.0


@dataclass(frozen=True)
class Reused:
    """What lock and report record of it."""

    id: str
    image: str
    mounts: tuple[str, ...]
    """``source:destination``."""
    started_at: str
    finding: Finding
    """V334."""


def check_reuse(host: Host, plan: ContainerPlan, name: str, runner: str) -> Reused:
    """Verify that the running container fits the row and computes on its devices; enter nothing else.

    Raises ``RefusedError`` with every reason why not.
    """
    done = host.run([DOCKER, "inspect", "--type", "container", name])
    if not done.ok:
        raise _unfit(host, name, f"is no container there: {done.stderr.strip()[-200:]}")
    found = _first(host, done.stdout)
    image = host.run([DOCKER, "image", "inspect", plan.image])
    image_id = str(_first(host, image.stdout).get("Id")) if image.ok else f"not on {host.name}"
    top = host.run([DOCKER, "top", name])
    processes = max(0, len(top.stdout.strip().splitlines()) - 1)
    reasons = judge_reuse(plan, found, image_id, processes)
    if not reasons:
        reasons = _operate(host, plan, name, runner)
    if reasons:
        raise _unfit(host, name, f"does not fit: {'; '.join(reasons)}")
    mounts = tuple(f"{each.get('Source')}:{each.get('Destination')}" for each in found.get("Mounts", []))
    started = str(found.get("State", {}).get("StartedAt", ""))
    item = finding(
        "V334",
        place=host.name,
        value=name,
        rule=f"is a container of the user's, started {started}; it was entered by --reuse-container",
        remedy="leave the flag out for figures that others shall repeat",
    )
    return Reused(str(found["Id"]), str(found.get("Image")), mounts, started, item)


def require_same(host: Host, name: str, identity: str | None) -> None:
    """A continued run goes on in the container that it began in. Raises ``RefusedError`` (V337) for another."""
    done = host.run([DOCKER, "inspect", "--type", "container", name])
    found = str(_first(host, done.stdout).get("Id")) if done.ok else "gone"
    if found != identity:
        raise _unfit(host, name, f"is {found[:12]}, the run began in {(identity or 'no container of the user')[:12]}")


def _unfit(host: Host, name: str, rule: str) -> RefusedError:
    remedy = "start one with the image, mounts and devices of the config, or leave --reuse-container out"
    item = finding("V337", place=f"--reuse-container on {host.name}", value=name, rule=rule, remedy=remedy)
    return RefusedError(item.message(), [item])


def _first(host: Host, text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)[0]
    except (ValueError, IndexError) as error:
        raise InfrastructureError(f"{host.name}: docker inspect answered no list") from error
    return dict(content)


def _operate(host: Host, plan: ContainerPlan, name: str, runner: str) -> list[str]:
    shown = [word for pair in visibility(plan.accelerator, plan.devices).items() for word in ("--env", "=".join(pair))]
    argv = [DOCKER, "exec", *shown, name, "python3", runner, "device-op", TORCH_NAMES[plan.accelerator]]
    done = host.run(argv, timeout=OPERATION_SECONDS)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    answer = json.loads(lines[-1]) if lines else {}
    if answer.get("ok"):
        return []
    last = (done.stderr.strip().splitlines() or [f"exit code {done.exit_code}"])[-1]
    return [f"the device operation failed inside: {answer.get('error') or last}"]
