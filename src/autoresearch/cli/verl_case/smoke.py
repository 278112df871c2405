"""``run smoke``: the way of a formal case with the device operation in a trainer's place (formal-case.md 20.3)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from autoresearch.cases.names import check_run_id
from autoresearch.cases.planned import DataFacts, ModelFacts
from autoresearch.cases.smoke import TASK, SmokeMatrix
from autoresearch.cases.work import Work
from autoresearch.cli.verl_case.call import CaseRun, work_folder
from autoresearch.cli.verl_case.host import HostFacts, find_host
from autoresearch.cli.verl_case.inputs import Inputs
from autoresearch.cli.verl_case.locks import config_lock, provenance_lock
from autoresearch.cli.verl_case.run import run_work
from autoresearch.cli.verl_case.work import base_work, claim
from autoresearch.files import sha256_file
from autoresearch.hosts import open_host
from autoresearch.hosts.protocol import Host
from autoresearch.hosts.rows import ensure_runner


def run_smoke(call: CaseRun, seconds: int) -> int:
    """Run it to a sealed bundle of kind ``smoke``; the exit code of 2.2."""
    options, result = call.options, call.result
    created = datetime.now(UTC).replace(microsecond=0)
    run = check_run_id(options.run_id or f"smoke-{created:%y%m%d}d-{created:%H%M%S}s")
    result.run_id = run
    call.free(run)
    with result.step("readiness") as step:
        facts = find_host(call.config, options.server, call.archive, skip=False, dry_run=False)
        if facts.readiness.get("severity") == "warn":
            step.warn(str(facts.readiness.get("message")))
        result.findings += list(facts.readiness.get("findings") or [])
    with open_host(call.config.server(facts.server)) as host:
        return run_work(call, host, lambda: smoke_work(call, host, facts, run, created, seconds))


def smoke_work(call: CaseRun, host: Host, facts: HostFacts, run: str, created: datetime, seconds: int) -> Work:
    """The work of a smoke run."""
    created_at = created.strftime("%Y-%m-%dT%H:%M:%SZ")
    server = call.config.server(facts.server)
    container = server.container == "docker"
    runner = ensure_runner(host, call.archive)
    python = "python3" if container else host.python
    matrix = SmokeMatrix(run, facts.accelerator, facts.devices, python, runner, seconds, dict(server.env))
    inputs = Inputs(ModelFacts(), DataFacts(0, 0), "", read_only=(runner,) if container else ())
    folder = work_folder(call.root, run)
    claim(call, folder, created, facts)
    provenance, beside = provenance_lock(facts, run, created_at, folder / "beside", [], [])
    work = base_work(call, host, facts, inputs, run, created, matrix)
    shown = {"task": TASK, "mode": "validation"}
    lock = config_lock(call.config, facts, inputs, run, created_at, sha256_file(call.archive))
    lock |= {**shown, "trainer_val_only": True, "case": {"seconds": seconds}, "ladder": None, "seeds": {}}
    return replace(
        work,
        opened=replace(work.opened, kind="smoke", task=TASK, mode="validation"),
        rows=replace(work.rows, task=TASK, facts={"mode": "validation", "trainer_val_only": True}),
        lock=lock,
        provenance=provenance,
        beside={"provenance": beside},
        max_attempts=1,
    )
