"""A formal case from its flags to its bundle: the rooms connected (formal-case.md 1, "Wiring between rooms")."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from autoresearch.cases.interrupts import Interrupts
from autoresearch.cases.lock_files import CONFIG, PROVENANCE, write_lock
from autoresearch.cases.names import check_run_id
from autoresearch.cases.run import Run
from autoresearch.cases.task_matrix import TaskMatrix
from autoresearch.cases.tasks import FieldTask, Task, open_task
from autoresearch.cases.work import Ending, Work
from autoresearch.cli.verl_case.call import CaseRun, work_folder
from autoresearch.cli.verl_case.end import finish, held_row, leave_host
from autoresearch.cli.verl_case.host import HostFacts, find_host
from autoresearch.cli.verl_case.inputs import Inputs, field_inputs
from autoresearch.cli.verl_case.locks import provenance_lock
from autoresearch.cli.verl_case.result import Result
from autoresearch.cli.verl_case.sources import dependency_trees
from autoresearch.cli.verl_case.work import make_work
from autoresearch.errors import AutoResearchError
from autoresearch.evidence.case_bundle import CaseBundle
from autoresearch.evidence.writer import partial_path
from autoresearch.hosts import open_host
from autoresearch.hosts.protocol import Host

ASSET_LOG = "3-raw-logs/assets.log.jsonl"
GEO3K = "geo3k-grpo"


def prepare_and_run(call: CaseRun) -> int:
    """Run, continue, collect or show a formal case; the exit code of 2.2.

    Raises ``AutoResearchError`` for everything that is refused before the first row.
    """
    options, result = call.options, call.result
    if options.run_id is not None:
        result.run_id = check_run_id(options.run_id)
        if not options.continues:
            call.free(options.run_id)
    with result.step("readiness") as step:
        task = open_task(call.config.verl_case)
        saved = call.saved()
        if saved is not None:
            facts, created = saved
        else:
            skip, dry = options.skip_readiness, options.dry_run
            facts = find_host(call.config, options.server, call.archive, skip=skip, dry_run=dry)
            created = datetime.now(UTC).replace(microsecond=0)
        if not options.dry_run:  # what a dry run did not look at is no finding
            if facts.readiness.get("severity") == "warn":
                step.warn(str(facts.readiness.get("message")))
            result.findings += list(facts.readiness.get("findings") or [])
    server = call.config.server(facts.server)
    with open_host(server) as host:
        with result.step("assets"):
            inputs = case_inputs(call, host, task)
        if options.dry_run:
            with result.step("lock"):
                return show(call, host, make_work(call, host, task, facts, inputs, created), facts)
        return run_work(call, host, lambda: make_work(call, host, task, facts, inputs, created))


def run_work(call: CaseRun, host: Host, make: Callable[[], Work]) -> int:
    """Locks, rows, bundle of the work that ``make`` prepares; the exit code."""
    result = call.result
    bundle, interrupts = CaseBundle(call.root), Interrupts()
    try:
        with result.step("lock"):
            work = _with_grades(_with_held(make(), bundle), bundle, interrupts)
            run = Run(host, work, bundle, interrupts)
            with interrupts:
                run.begin()
    except AutoResearchError as error:
        _forget(call, error)
        raise
    result.bundle, result.bundle_state = str(bundle.root), "open"
    if call.asset_log.is_file():
        bundle.writer.put_file(call.asset_log, ASSET_LOG)
    with result.step("rows") as step, interrupts:
        ending = run.go()
        _told(result, ending, step.fail)
    code = finish(call, bundle, ending)
    if code in (0, 1) and bundle.writer.target.exists():
        leave_host(call, host, work.opened.run_id, code == 0, "" if ending.state == "finished" else str(ending.message))
        shutil.rmtree(work.folder, ignore_errors=True)
    return code


def _forget(call: CaseRun, error: AutoResearchError) -> None:
    """A new run that was refused before it was opened leaves nothing behind; another's folder is not touched."""
    run = call.result.run_id
    taken = any(item.code == "V601" for item in error.findings)
    if run is None or call.options.continues or taken or partial_path(call.root / run).exists():
        return
    shutil.rmtree(work_folder(call.root, run), ignore_errors=True)
    for folder in (call.root, call.root.parent):
        with contextlib.suppress(OSError):
            folder.rmdir()  # only where it is empty


def _told(result: Result, ending: Ending, fail: Callable[[str], None]) -> None:
    result.experiment = dict(ending.experiment)
    result.findings += [item.as_dict() for item in ending.findings]
    if ending.message is not None:
        fail(ending.message)
    elif not ending.experiment["ok"]:
        fail(str(ending.experiment.get("first_failure") or "no case passed that had to"))


def case_inputs(call: CaseRun, host: Host, task: Task) -> Inputs:
    """What the rows read, ready on the host."""
    if isinstance(task, FieldTask):
        return field_inputs(call, host, task.plan)
    from autoresearch.cli.verl_case.geo3k import geo3k_inputs

    return geo3k_inputs(call, host)


def _with_held(work: Work, bundle: CaseBundle) -> Work:
    """Rows of a continued run whose files the bundle has are not brought again."""
    if not work.opened.resumed:
        return work
    return replace(work, held=partial(held_row, bundle))


def _with_grades(work: Work, bundle: CaseBundle, interrupts: Interrupts) -> Work:
    """A run of geometry3k that ends by itself grades its dumps again."""
    if work.opened.task != GEO3K:
        return work
    from autoresearch.cli.verl_case.geo3k import with_grades

    def observe() -> Mapping[str, Any]:
        return work.observe() if interrupts.count else with_grades(bundle, work.observe)

    return replace(work, observe=observe)


def show(call: CaseRun, host: Host, work: Work, facts: HostFacts) -> int:
    """``--dry-run``: both locks into a temporary folder, and every row."""
    cases, entries = Run(host, work, lambda event: None, Interrupts()).derive()
    folder = Path(tempfile.mkdtemp(prefix="autoresearch-locks-"))
    opened, assets = work.opened, work.lock["assets"]
    content, _ = provenance_lock(
        facts, opened.run_id, opened.created_at, folder / "beside", dependency_trees(call), [], assets=assets
    )
    locks = [
        write_lock(folder / CONFIG, {**work.lock, "rows": [entry.as_dict() for entry in entries]}),
        write_lock(folder / PROVENANCE, content),
    ]
    matrix = cast("TaskMatrix", work.matrix)
    call.result.more.update(
        dry_run=True,
        locks=[{"path": str(lock.path), "sha256": lock.sha256} for lock in locks],
        rows=[
            {
                **entry.as_dict(),
                "display_name": matrix.command(case, 1, "").display_name,
                "checks": [item.as_dict() for item in matrix.warnings[case.case_id]],
            }
            for case, entry in zip(cases, entries, strict=True)
        ],
    )
    call.result.evidence = {"ok": True, "verified": False}
    return 0
