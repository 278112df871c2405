"""What is asked of the chosen host once everything that rows read lies there, before anything is locked: does a named
container fit (6.4), and does the host gate pass in the rows' own environment (4.1).
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch import progress
from autoresearch.cases.tasks import FieldTask, Task
from autoresearch.hosts.containers import ContainerPlan, probe_paths
from autoresearch.hosts.host_gate import RowPython, ask_host_gate, gates_folder
from autoresearch.hosts.reuse import Reused, check_reuse, require_same
from autoresearch.hosts.rows import ensure_runner, run_folder

if TYPE_CHECKING:
    from autoresearch.cases.matrix import Case
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.cli.verl_case.host import HostFacts
    from autoresearch.cli.verl_case.inputs import Inputs
    from autoresearch.hosts.config import Server
    from autoresearch.hosts.protocol import Host
    from autoresearch.verdict import Verdict


@dataclass(frozen=True)
class Prepared:
    """What the host answered. None: it was not asked."""

    reused: Reused | None = None
    gate: Verdict | None = None


def present_paths(host: Host, server: Server, facts: HostFacts) -> frozenset[str]:
    """Which of the driver's paths the host has; asked only where containers need them."""
    if server.container != "docker" or facts.accelerator != "ascend":
        return frozenset()
    return frozenset(path for path in probe_paths() if host.run(["test", "-e", path]).ok)


def prepare_host(
    call: CaseRun, host: Host, task: Task, facts: HostFacts, inputs: Inputs, run: str, cases: Sequence[Case]
) -> Prepared:
    """Ask it. A continued run was asked before: only its container must still be the one that it was.

    Raises ``RefusedError``: V337 for a container that does not fit, V312 for a gate that failed.
    """
    server = call.config.server(facts.server)
    elsewhere = host.kind != "local" or server.container == "docker"
    gated = isinstance(task, FieldTask) and elsewhere and not (call.options.continues or call.options.skip_readiness)
    written = {path for case in cases for path in case.scratch} | ({gates_folder(host)} if gated else set())
    reused = _reused(call, host, server, facts, inputs, run, sorted(written))
    if reused is not None:
        call.result.findings.append(reused.finding.as_dict())
        call.result.warnings.append(reused.finding.message())
    if not gated or not isinstance(task, FieldTask):
        return Prepared(reused)
    return Prepared(reused, _gate(call, host, task, server, facts, inputs))


def _reused(
    call: CaseRun, host: Host, server: Server, facts: HostFacts, inputs: Inputs, run: str, written: Sequence[str]
) -> Reused | None:
    name = call.config.verl_case.reuse_container
    if name is None:
        return None
    if call.options.continues:
        require_same(host, name, call.locked_container(run))
        return None
    plan = ContainerPlan(
        run_id=run,
        row="",
        folder=f"{run_folder(host, run)}/rows",
        image=str(facts.image),
        accelerator=facts.accelerator,
        devices=facts.devices,
        argv=(),
        env={},
        read_only=(*inputs.read_only, *server.mounts),
        scratch=written,
    )
    return check_reuse(host, plan, name, ensure_runner(host, call.archive))


def _gate(call: CaseRun, host: Host, task: FieldTask, server: Server, facts: HostFacts, inputs: Inputs) -> Verdict:
    own = task.plan.plan
    container = server.container == "docker"
    row = RowPython(
        accelerator=facts.accelerator,
        devices=facts.devices,
        python="python3" if container else host.python,
        python_path=inputs.python_path,
        read_only=(*inputs.read_only, *server.mounts),
        image=facts.image if container else None,
        reuse=call.config.verl_case.reuse_container,
        present=present_paths(host, server, facts),
    )
    progress.event("readiness", f"gate host on {host.name}")
    model = inputs.plan_paths.get("model", own.paths["model"])
    with tempfile.TemporaryDirectory() as scratch:
        return ask_host_gate(host, row, own.kind, own.engine, Path(scratch), model)


def reuse_facts(prepared: Prepared, name: str | None) -> dict[str, Any] | None:
    """The reused container for the provenance lock."""
    found = prepared.reused
    if found is None or name is None:
        return None
    return {
        "name": name,
        "id": found.id,
        "image": found.image,
        "mounts": list(found.mounts),
        "started_at": found.started_at,
    }
