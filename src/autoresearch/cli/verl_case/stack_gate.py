"""``check stack`` of a field case: our code is sent, and ``gate host`` is asked with it (formal-case.md 4.1)."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autoresearch.cases.config import CaseConfig
from autoresearch.cli.verl_case.call import CaseRun
from autoresearch.cli.verl_case.options import CaseOptions
from autoresearch.cli.verl_case.result import Result
from autoresearch.cli.verl_case.sender import Sender, deliver
from autoresearch.errors import InputError
from autoresearch.hosts.check_result import CheckResult, Severity, checked
from autoresearch.hosts.config import Server
from autoresearch.hosts.containers import probe_paths
from autoresearch.hosts.host_gate import RowPython, ask_host_gate
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.row_spec import RowDevice
from autoresearch.training.plan import read_plan


def needs_gate(config: CaseConfig, host: Host, server: Server, stack: CheckResult) -> bool:
    """Rows of the config's plan would run elsewhere than where its own host verdict was made, in what is there."""
    there = host.kind != "local" if server.container == "none" else stack.data.get("image") is not None
    return config.verl_case.is_field and stack.ok and there


def check_gate(
    config: CaseConfig, host: Host, server: Server, archive: Path, stack: CheckResult, accelerator: str, devices: Any
) -> CheckResult:
    """The gate's answer as a check; V312 where it failed. Our code is sent; no model is, nothing of the case is."""
    return checked("gate", lambda: _ask(config, host, server, archive, stack, accelerator, devices))


def _ask(
    config: CaseConfig,
    host: Host,
    server: Server,
    archive: Path,
    stack: CheckResult,
    accelerator: Any,
    devices: Sequence[RowDevice],
) -> tuple[Severity, str, dict[str, Any], Sequence[Any]]:
    path = Path(str(config.verl_case.plan)).expanduser() / "plan.json"
    if not path.is_file():
        raise InputError(f"plan: {path} is not there; make it with `autoresearch train … --dry-run`")
    plan, _ = read_plan(path)
    call = CaseRun(CaseOptions(), config, Result(), archive)
    sent = Sender(call, host).send_code()
    deliver(call, host, [sent])
    code = sent.path
    container = server.container == "docker"
    ascend = container and accelerator == "ascend"
    row = RowPython(
        accelerator=accelerator,
        devices=devices,
        python="python3" if container else host.python,
        python_path=(code,),
        read_only=(code,),
        image=str(stack.data["image"]) if container else None,
        present=frozenset(path for path in probe_paths() if ascend and host.run(["test", "-e", path]).ok),
    )
    with tempfile.TemporaryDirectory() as scratch:
        verdict = ask_host_gate(host, row, plan.kind, plan.engine, Path(scratch))
    return "ok", f"gate host: {verdict.status}", {"verdict": verdict.model_dump(mode="json")}, ()
