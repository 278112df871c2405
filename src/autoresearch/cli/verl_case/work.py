"""From a call, a server and its inputs to the ``Work`` of the run loop: names, matrix, locks, rows' settings."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from autoresearch.cases.attempt import Pace
from autoresearch.cases.classify import group_of
from autoresearch.cases.events import RunOpened
from autoresearch.cases.git_rules import Tree, fork_of, push_trees
from autoresearch.cases.judge import judge
from autoresearch.cases.lock_files import PROVENANCE
from autoresearch.cases.matrix import Matrix
from autoresearch.cases.names import NameFacts, run_id
from autoresearch.cases.overrides import Places
from autoresearch.cases.planned import MatrixFacts
from autoresearch.cases.specs import RowSettings
from autoresearch.cases.task_matrix import TaskMatrix
from autoresearch.cases.tasks import FieldTask, Task
from autoresearch.cases.work import Work
from autoresearch.cli.verl_case.call import CaseRun, work_folder
from autoresearch.cli.verl_case.host import SPARE_BYTES, HostFacts
from autoresearch.cli.verl_case.inputs import Inputs, copy_plan
from autoresearch.cli.verl_case.locks import config_lock, own_state, provenance_lock, public_server
from autoresearch.cli.verl_case.prepared import Prepared, prepare_host, present_paths, reuse_facts
from autoresearch.cli.verl_case.sender import Sender, deliver
from autoresearch.cli.verl_case.sources import dependency_trees, mount_sources, with_sources
from autoresearch.errors import InfrastructureError
from autoresearch.evidence.provenance import observe_trees
from autoresearch.evidence.secrets import find_token_shapes
from autoresearch.evidence.writer import taken_error
from autoresearch.files import read_json, sha256_file, write_json
from autoresearch.findings import Finding
from autoresearch.hosts.network_checks import address
from autoresearch.hosts.protocol import Host
from autoresearch.verdict import write_verdict


def _names(call: CaseRun, facts: HostFacts, inputs: Inputs, created: datetime) -> NameFacts:
    case = call.config.verl_case
    return NameFacts(
        model_id=inputs.model_id if case.is_field else case.model_id,
        algorithm=case.algorithm,
        mode=case.mode,
        field=case.is_field,
        accelerator=facts.accelerator,
        ignore_eos=case.ignore_eos,
        created=created,
    )


def _run_id(call: CaseRun, names: NameFacts, task: Task, facts: HostFacts) -> str:
    """The given one, or the built one that is free."""
    if call.options.run_id is not None:
        return call.options.run_id
    case = call.config.verl_case
    outputs = case.output_tokens if case.mode == "validation" else case.ladder_outputs
    if isinstance(task, FieldTask) and not case.stated("output_tokens") and case.ladder.output_tokens is None:
        limits = task.plan.plan.limits
        outputs = (limits.get("max_response", limits.get("max_length", 0)),)
    found = {path.name for path in call.root.glob("*")} if call.root.is_dir() else set()
    taken = found | {name[1:].removesuffix(".partial") for name in found if name.endswith(".partial")}
    return run_id(
        names,
        input_tokens=task.traits(facts.accelerator).input_tokens,
        output_tokens=outputs,
        modes=case.inference_modes if case.mode == "validation" else case.ladder_modes,
        devices=len(facts.devices),
        taken=taken,
    )


def make_work(call: CaseRun, host: Host, task: Task, facts: HostFacts, inputs: Inputs, created: datetime) -> Work:
    """Everything that the loop needs; nothing is written here but below the run's own work folder."""
    config, options, case = call.config, call.options, call.config.verl_case
    names = _names(call, facts, inputs, created)
    run = _run_id(call, names, task, facts)
    call.result.run_id = run
    folder = work_folder(call.root, run)
    created_at = created.strftime("%Y-%m-%dT%H:%M:%SZ")
    server = config.server(facts.server)
    trees = dependency_trees(call)
    sources = mount_sources(call, Sender(call, host))
    inputs = with_sources(inputs, sources, container=server.container == "docker")
    tell_findings(call, [item for each in sources for item in each.findings])
    matrix_facts = MatrixFacts(
        case=case,
        accelerator=facts.accelerator,
        devices=facts.devices,
        cores=facts.cores,
        model=inputs.model,
        data=inputs.data,
        run_id=run,
        names=names,
        device_memory=facts.device_memory,
    )
    places = Places(
        run_id=run,
        attempt=1,
        row="",
        hf_home=f"{host.workdir}/autoresearch/hf_cache",
        display_name="",
        python="python3" if server.container == "docker" else host.python,
        model=inputs.model_path,
        train_file=inputs.train_file,
        val_file=inputs.val_file,
        plan_paths=inputs.plan_paths,
        plan_sha256=inputs.plan_sha256,
        python_path=inputs.python_path,
        server_env=dict(server.env),
    )
    plan = {"path": inputs.plan["path"], "sha256": inputs.plan["sha256"]} if inputs.plan else None
    matrix = TaskMatrix(task, matrix_facts, places, plan)
    provenance: dict[str, Any] = {}
    beside: dict[str, list[Path]] = {}
    if not options.dry_run:
        # A row that verl would refuse is refused before anything is sent, asked, written or pushed.
        first = TaskMatrix(task, matrix_facts, places, plan).first()
        if not options.collect_only:
            deliver(call, host, inputs.to_send)
        prepared = prepare_host(call, host, task, facts, inputs, run, first)
        claim(call, folder, created, facts)
        provenance, beside = _sources(call, facts, task, folder, run, created_at, trees, inputs, prepared)
    work = base_work(call, host, facts, inputs, run, created, matrix)
    reused = case.reuse_container
    opened = replace(work.opened, settings={**work.opened.settings, "container_reused": reused})
    rows = replace(work.rows, reuse=reused)
    return replace(work, opened=opened, rows=rows, provenance=provenance, beside=beside)


def tell_findings(call: CaseRun, found: Sequence[Finding]) -> None:
    """Findings that stop nothing, in the result."""
    call.result.findings += [item.as_dict() for item in found]
    call.result.warnings += [item.message() for item in found]


def base_work(
    call: CaseRun, host: Host, facts: HostFacts, inputs: Inputs, run: str, created: datetime, matrix: Matrix
) -> Work:
    """The work of a run but for its provenance."""
    config, options, case = call.config, call.options, call.config.verl_case
    created_at = created.strftime("%Y-%m-%dT%H:%M:%SZ")
    return Work(
        opened=RunOpened(
            run_id=run,
            created_at=created_at,
            kind="verl-case",
            task=case.task,
            mode=case.mode,
            server=public_server(config, facts),
            accelerator=facts.accelerator,
            settings=_settings(call, inputs),
            readiness=facts.readiness,
            resumed=options.continues,
        ),
        matrix=matrix,
        rows=_row_settings(call, host, facts, inputs, run),
        folder=work_folder(call.root, run),
        archive=call.archive,
        lock=config_lock(config, facts, inputs, run, created_at, sha256_file(call.archive)),
        provenance={},
        judge=judge,
        group_of=group_of,
        retry_on=frozenset(case.retry.on),
        max_attempts=case.retry.max_attempts,
        need_bytes=SPARE_BYTES if not options.skip_readiness else 0,
        observe=partial(_observe, call),
        pace=Pace(),
        rerun=options.rerun,
        collect_only=options.collect_only,
    )


def claim(call: CaseRun, folder: Path, created: datetime, facts: HostFacts) -> None:
    """Take the run's work folder, ``run.json`` in it from its first moment on: a run that is killed right after it can
    be continued. Raises ``RefusedError`` (V601) when another run has it.
    """
    if call.options.continues and folder.exists():
        return
    waiting = folder.with_name(f"{folder.name}.{os.getpid()}")
    waiting.mkdir(parents=True)
    try:
        write_json(waiting / "run.json", {"created_at": created.isoformat(), "host": facts.as_dict()})
        _rename(waiting, folder)
    finally:
        shutil.rmtree(waiting, ignore_errors=True)


def _rename(waiting: Path, folder: Path) -> None:
    """Of two that rename, the second finds a folder that is not empty."""
    try:
        waiting.rename(folder)
    except OSError:
        if folder.exists():
            raise taken_error(folder) from None
        raise


def _settings(call: CaseRun, inputs: Inputs) -> dict[str, Any]:
    """What the page's head and the live chapter say."""
    case, services = call.config.verl_case, call.config.services
    return {
        "language": call.language,
        "purpose": inputs.plan["purpose"] if inputs.plan else None,
        "readiness_skipped": call.options.skip_readiness,
        "container_reused": None,
        "wandb_project": case.wandb_project,
        "wandb_mode": case.wandb_mode,
        "overrides": call.options.overrides(),
        "urls": {name: getattr(services, name).url for name in ("wandb", "prometheus", "pushgateway", "grafana")},
    }


def _row_settings(call: CaseRun, host: Host, facts: HostFacts, inputs: Inputs, run: str) -> RowSettings:
    case, server = call.config.verl_case, call.config.server(facts.server)
    container = server.container == "docker"
    return RowSettings(
        run_id=run,
        server=server.name,
        task=case.task,
        accelerator=facts.accelerator,
        wandb_project=case.wandb_project,
        image=facts.image if container else None,
        read_only=(*inputs.read_only, *server.mounts),
        present=present_paths(host, server, facts),
        interval_seconds=case.telemetry.interval_seconds,
        host_samples=case.telemetry.host,
        push_url=_gateway(call, host) if case.telemetry.push and not call.options.dry_run else None,
        facts={
            "mode": case.mode,
            "trainer_val_only": case.trainer_val_only,
            "purpose": inputs.plan["purpose"] if inputs.plan else None,
            "plan_sha256": inputs.plan_sha256 or None,
        },
    )


def _gateway(call: CaseRun, host: Host) -> str | None:
    """The Pushgateway as the host sees it; None, with a warning, where no tunnel can be opened."""
    service = call.config.services.pushgateway
    try:
        tunnel = host.forward("pushgateway", address(service.url), service.remote_port)
    except InfrastructureError as error:
        call.result.warnings.append(f"no tunnel to pushgateway: {error.message}; live views stay empty")
        return None
    return f"http://127.0.0.1:{tunnel.remote_port or tunnel.wanted_port}"


def _observe(call: CaseRun) -> dict[str, Any]:
    """The state of all trees after the run."""
    trees = {tree.name: tree.path for tree in dependency_trees(call)}
    return {"repositories": [own_state().repository.model_dump(mode="json"), *observe_trees(trees)]}


def _sources(
    call: CaseRun,
    facts: HostFacts,
    task: Task,
    folder: Path,
    run: str,
    created_at: str,
    trees: list[Tree],
    inputs: Inputs,
    prepared: Prepared,
) -> tuple[dict[str, Any], dict[str, list[Path]]]:
    """Provenance and the files beside the locks; a continued run finds its own again."""
    beside = folder / "beside"
    made = folder / "locks" / PROVENANCE
    config_files = list(copy_plan(task.plan, beside)[:1]) if isinstance(task, FieldTask) else []
    if made.is_file():
        kept = [path for path in sorted(beside.glob("*")) if path.name in ("verdicts", "diffs", "packages.txt")]
        return read_json(made), {"config": config_files, "provenance": kept}
    pushed: list[dict[str, Any]] = []
    if call.options.allow_git_push:
        owner, own = call.config.verl_case.github_owner, own_state().repository
        ours = [Tree("autoresearch", Path(__file__).parent, fork_of(owner, own.upstream_url))]
        wanted = [*(ours if own.commit_sha else []), *trees]
        pushed = [each.as_dict() for each in push_trees(wanted, run, find_token_shapes)]
    reused = reuse_facts(prepared, call.config.verl_case.reuse_container)
    content, files = provenance_lock(
        facts, run, created_at, beside, trees, pushed, assets=inputs.assets, more={"reused_container": reused}
    )
    if prepared.gate is not None:
        write_verdict(beside / "verdicts" / f"host-on-{facts.server}.json", prepared.gate)
    if isinstance(task, FieldTask):
        files.append(beside / "verdicts")
    return content, {"config": config_files, "provenance": files}
