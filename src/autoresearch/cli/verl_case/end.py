"""The end of a run: what the bundle holds already, sealing, the result, and what stays on the host."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

from autoresearch import progress
from autoresearch.cases.attempt import Over
from autoresearch.cases.attempt_facts import SEEN
from autoresearch.cases.events import RowFiles
from autoresearch.cases.names import check_run_id
from autoresearch.cases.work import Ending
from autoresearch.cli.verl_case.call import CaseRun
from autoresearch.errors import AutoResearchError, InfrastructureError
from autoresearch.evidence.case_bundle import CaseBundle
from autoresearch.evidence.case_files import ABSENT, TUNNEL
from autoresearch.files import read_json
from autoresearch.hosts.protocol import Host, Left

WHOLE = ("supervisor_lost", "launcher_error")
"""States of an attempt that leaves no ``result.json`` and is over all the same."""
SYNTHETIC = "the hardware was a fake: its programs mark themselves synthetic, and a run on a fake Ascend is never ok"


def held_row(bundle: CaseBundle, row: str) -> Over | None:
    """An attempt that the partial bundle holds whole, with what had stayed on the host."""
    reader = bundle.writer.bundle()
    files = RowFiles(reader.row_folder(row), reader.log_folder(row))
    seen = files.folder / SEEN
    state = str(read_json(seen).get("state")) if seen.is_file() else ""
    if not (files.folder / "row.json").is_file():
        return None
    if not (files.folder / "result.json").is_file() and state not in WHOLE:
        return None
    prefix = f"{reader.relative(files.folder)}/"
    left = tuple(
        Left(each["path"].removeprefix(prefix), each.get("bytes"), each["reason"])
        for each in bundle.writer.skipped
        if each["path"].startswith(prefix) and each["reason"] != ABSENT
    )
    tunnel = files.folder / TUNNEL
    known = cast("Mapping[str, Any]", read_json(tunnel)) if tunnel.is_file() else {}
    return Over(state or "finished", files, left, known)


def finish(call: CaseRun, bundle: CaseBundle, ending: Ending) -> int:
    """Seal what is to be sealed and fill in the result; the exit code."""
    options, result = call.options, call.result
    run = str(result.run_id)
    with result.step("collect") as step:
        if ending.state == "unreachable":
            step.fail(ending.message or "the host does not answer")
    rows = bundle.writer.manifest.live.model_dump()
    result.take_live(rows, len(bundle.writer.manifest.rows))
    if ending.state == "finished" or options.seal:
        seal_bundle(call, bundle)
    else:
        again = f"autoresearch run verl-case --run-id {run}"
        if options.config is not None:
            again += f" --config {options.config}"
        result.more["next"] = [f"{again} --resume", f"{again} --collect-only --seal"]
        result.warnings.append(f"the bundle stays open in {bundle.root}")
        progress.event("run", ending.message or "not finished", "warning", next=result.more["next"])
    if ending.state == "interrupted" and not options.collect_only:
        return 130
    return 0 if result.experiment.get("ok") and result.evidence["ok"] else 1


def seal_bundle(call: CaseRun, bundle: CaseBundle) -> None:
    """Render, seal, verify; a failure is the step's diagnosis and leaves the partial folder."""
    from autoresearch.evidence.case_seal import seal
    from autoresearch.evidence.wandb_sync import sync_runs
    from autoresearch.report.check import check_page
    from autoresearch.report.render import render_page

    result = call.result

    def render(root: Path, out: Path) -> None:
        with result.step("report"):
            render_page(root, out, call.language)

    case = call.config.verl_case
    upload = partial(sync_runs, url=call.config.services.wandb.url, project=case.wandb_project)
    sync = upload if case.wandb_mode == "online" else None
    secrets = []
    for reference in call.config.secrets():
        with contextlib.suppress(AutoResearchError):
            secrets.append(reference.resolve())
    try:
        with result.step("seal"):
            sealed = seal(bundle, render=render, check=check_page, secrets=secrets, sync=sync)
    except AutoResearchError as error:
        result.take(error)
        result.warnings.append(f"not sealed; the bundle stays open in {bundle.root}")
        return
    result.bundle, result.bundle_state = str(sealed.path), sealed.state
    result.evidence = {"ok": sealed.ok, "verified": True}
    result.findings += [item.as_dict() for item in sealed.findings]
    manifest = bundle.writer.manifest
    result.take_live(manifest.live.model_dump(), len(manifest.rows))
    ok = bool(manifest.experiment and manifest.experiment.ok)
    if manifest.synthetic_hardware and result.experiment.get("ok") and not ok:
        result.steps["rows"].fail(SYNTHETIC)
    result.experiment = {**result.experiment, "ok": ok}


def leave_host(call: CaseRun, host: Host, run: str, ok: bool, unfinished: str) -> None:
    """``keep_remote``: the run's work folder on the host after sealing. ``unfinished`` says why a row may still be
    running in it, or is empty.
    """
    from autoresearch.hosts.rows import run_folder

    keep = call.config.verl_case.keep_remote
    if keep == "always" or (keep == "on_failure" and not ok):
        return
    if unfinished:
        call.result.warnings.append(f"the run's folder stays on {host.name}: {unfinished}; remove it when that is over")
        return
    try:
        done = host.run(["rm", "-rf", "--", run_folder(host, check_run_id(run))])
    except InfrastructureError as error:
        call.result.warnings.append(f"the run's folder stays on {host.name}: {error.message}")
        return
    if not done.ok:
        call.result.warnings.append(f"the run's folder stays on {host.name}: {done.stderr.strip()[-200:]}")
