"""The quickstart's run as a bundle (formal-case.md 9.8): which file of the run becomes which file of the bundle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from autoresearch.evidence import derived, provenance, restore
from autoresearch.evidence.attempts import RunFolder, put_run_files
from autoresearch.evidence.crate import crate_metadata
from autoresearch.evidence.layout import ARTIFACTS, CASE_ARTIFACTS, FOLDERS, SECTIONS
from autoresearch.evidence.locks import ConfigLock, LockRow, ProvenanceLock, Repository, write_lock
from autoresearch.evidence.manifest import ArtifactLayout, HashedPath, Manifest
from autoresearch.evidence.numbers import write_report_data
from autoresearch.evidence.secrets import redact_environment
from autoresearch.evidence.verify import verify_bundle
from autoresearch.evidence.writer import BundleWriter

SERVER = "local"
NO_WANDB = "W&B was not used: the quickstart writes verl's metrics file and console log only"


@dataclass(frozen=True)
class QuickstartRun:
    """Everything that the quickstart leaves, as paths. What is absent is listed in the bundle, never invented."""

    run_id: str
    sft: Path
    """SFT run folder (training.md 5.9)."""
    rl: Path | None
    """RL run folder; None when RL was not started, then ``rl_skip_reason`` says why."""
    verdicts: Path
    """Folder of verdict files."""
    rl_skip_reason: str | None = None
    data_reports: Mapping[str, Path] = field(default_factory=dict)
    """Name in the bundle -> file: split report, audit, release reports, token budgets."""
    evaluation: Mapping[str, Path] = field(default_factory=dict)
    """Name in the bundle -> file: before.json, after.json, before-greedy.json, after-greedy.json, compare.json,
    compare-greedy.json, baseline.json, probes.json."""
    transcripts: Mapping[str, Path] = field(default_factory=dict)
    """Name of an evaluation (before, after, …) -> folder of its transcript files. Without an entry the folder
    ``<report>-transcripts`` beside the report is taken."""
    sheet: Path | None = None
    """The labelled sheet."""
    result: Path | None = None
    """The quickstart's own result JSON."""
    progress: Path | None = None
    """Progress lines of the whole run."""
    orchestration_log: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Sizes of the run (rows, steps, samples …), for the lock."""
    seeds: Mapping[str, int | None] = field(default_factory=dict)
    enable_thinking: bool = False
    started_at: str | None = None
    """UTC with ``Z``."""
    finished_at: str | None = None
    label: Literal["practice", "smoke"] | None = "practice"


def lock_row(case_id: str, run: RunFolder | None) -> LockRow:
    """The planned case of a run folder: numbers, command and plan hash, from its ``plan.json``."""
    if run is None or run.plan is None:
        return LockRow(case_id=case_id, stage="single", numbers={"S": None}, argv=[], env={})
    plan = run.plan
    settings, variable = plan.get("settings", {}), plan.get("variable", {})
    nodes = int(variable.get("nodes") or 1)
    numbers = {
        "D": int(variable.get("devices") or 1) * nodes,
        "B": variable.get("batch"),
        "n": settings.get("n"),
        "m": variable.get("mini"),
        "u": variable.get("micro"),
        "S": plan.get("steps"),
        "N": nodes,
        "W": None,
        "TP": settings.get("tp"),
    }
    return LockRow(
        case_id=case_id,
        stage="single",
        numbers={name: value if isinstance(value, (int, float)) else None for name, value in numbers.items()},
        argv=[str(each) for each in plan.get("argv", [])],
        env=redact_environment(plan.get("environment", {})),
        plan={"path": f"{FOLDERS['plans']}/{case_id}.a1/plan.json", "sha256": run.plan_sha256},
    )


def _locks(run: QuickstartRun, folders: Mapping[str, RunFolder | None], writer: BundleWriter) -> None:
    sft, rl = folders["sft"], folders["rl"]
    plan = (rl.plan if rl else None) or (sft.plan if sft else None) or {}
    package = Path(provenance.__file__).parent.parent / "__init__.py"
    source = provenance.source_state(package, "autoresearch", f"{FOLDERS['diffs']}/autoresearch.patch")
    if source.patch is not None:
        (writer.root / FOLDERS["diffs"]).mkdir(exist_ok=True)
        (writer.root / FOLDERS["diffs"] / "autoresearch.patch").write_bytes(source.patch)
    packages = provenance.packages_text()
    written = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    writer.put_text(ARTIFACTS["packages"], packages)
    algorithm = str(plan.get("algorithm") or "rloo")
    config = ConfigLock(
        run_id=run.run_id,
        created_at=written,
        task=f"field-{algorithm if algorithm != 'sft' else 'rloo'}",
        mode="training",
        trainer_val_only=False,
        server={"name": SERVER, "accelerator": "cpu", "container": "none", "image": None},
        case=dict(run.settings),
        assets=_assets(sft),
        prompt={"chat_template_sha256": plan.get("template_sha256"), "enable_thinking": run.enable_thinking},
        reward={"name": "both exact: 1, else 0", "sha256": None},
        plan={name: folder.plan_sha256 for name, folder in folders.items() if folder is not None},
        seeds=dict(run.seeds),
        rows=[lock_row(case_id, folder) for case_id, folder in folders.items()],
        autoresearch={"version": provenance.own_version(), "runner_sha256": None},
    )
    repositories: list[Repository] = [source.repository]
    for name in ("verl", "torch", "transformers", "ray"):
        found = provenance.installed_distribution(name)
        if found is not None:
            repositories.append(found)
    used = ProvenanceLock(
        run_id=run.run_id,
        created_at=written,
        repositories=repositories,
        environment=provenance.environment(packages),
    )
    locks = []
    for artifact, lock in (("config_lock", config), ("provenance_lock", used)):
        digest = write_lock(writer.root / ARTIFACTS[artifact], lock)
        locks.append(HashedPath(path=ARTIFACTS[artifact], sha256=digest).model_dump())
    layout = writer.manifest.artifact_layout.model_dump()
    if source.patch is None:  # an unmodified tree has no differences to keep
        del layout["artifacts"]["diffs"]
    writer.save_manifest(locks=locks, task=config.task, artifact_layout=layout)


def _assets(sft: RunFolder | None) -> list[dict[str, Any]]:
    """What the runs read, from the plan's own inputs: role and hash; the path is the machine's."""
    inputs = (sft.plan or {}).get("inputs", []) if sft else []
    return [
        {"canonical_id": each.get("role"), "place": "local", "path": each.get("path"), "sha256": each.get("sha256")}
        for each in inputs
        if isinstance(each, dict)
    ]


def _put_reports(run: QuickstartRun, writer: BundleWriter) -> None:
    for path in sorted(run.verdicts.glob("*.json")):
        writer.put_file(path, f"{FOLDERS['verdicts']}/{path.name}")
    for name, path in sorted(run.data_reports.items()):
        writer.put_file(path, f"{FOLDERS['data_reports']}/{name}")
    for name, path in sorted(run.evaluation.items()):
        writer.put_file(path, f"{FOLDERS['evaluation']}/{name}")
    for name, folder in sorted(transcript_folders(run).items()):
        writer.put_tree(folder, f"{FOLDERS['evaluation']}/{name}-transcripts")
    writer.put_file(run.result, f"{FOLDERS['evaluation']}/quickstart-result.json")
    logs = SECTIONS["raw_logs"]
    writer.put_file(run.orchestration_log, f"{logs}/{run.run_id}-orchestration.log")
    writer.put_file(run.progress, f"{logs}/progress.jsonl")
    writer.put_json(
        ARTIFACTS["wandb_runs"],
        {"schema_version": 1, "project": None, "entity": None, "restore_command": None, "source_runs": []},
    )
    writer.put_text(f"{SECTIONS['wandb']}/README.md", f"# W&B\n\n{NO_WANDB}. The curves are in `6-rows/steps.jsonl`.\n")
    writer.skip(f"{SECTIONS['wandb']}/rebuild-wandb.sh", None, NO_WANDB)


def transcript_folders(run: QuickstartRun) -> dict[str, Path]:
    """Evaluation name -> folder of its transcripts: those given, else those that lie beside the reports."""
    beside = {
        name.removesuffix(".json"): path.with_name(f"{path.stem}-transcripts") for name, path in run.evaluation.items()
    }
    return {**{name: folder for name, folder in beside.items() if folder.is_dir()}, **run.transcripts}


def _layout(run: QuickstartRun) -> ArtifactLayout:
    more = {"telemetry_latest": CASE_ARTIFACTS["telemetry_latest"]}
    if run.sheet:
        more["labelled_sheet"] = f"{SECTIONS['report']}/{run.sheet.name}"
    return ArtifactLayout(artifacts={**ARTIFACTS, **FOLDERS, **more})


def write_quickstart_bundle(
    run: QuickstartRun,
    target: Path,
    *,
    render: Callable[[Path, Path], None],
    check: Callable[[Path], Mapping[str, Any]],
    resume: bool = False,
) -> Path:
    """Write, verify and publish the bundle of a quickstart run; returns its folder.

    ``render(bundle, out)`` writes the page and ``check(bundle)`` returns the content of ``check.json``; ``report/``
    comes after this room, so both are handed in. ``resume`` replaces an unfinished bundle. Raises ``RefusedError``
    when ``target`` exists or the verification fails.
    """
    folders = {"sft": RunFolder.read(run.sft), "rl": RunFolder.read(run.rl) if run.rl else None}
    manifest = Manifest(
        kind="quickstart",
        state="open",
        run_id=run.run_id,
        task="field-rloo",
        mode="training",
        trainer_val_only=False,
        label=run.label,
        started_at=run.started_at,
        finished_at=run.finished_at,
        server=SERVER,
        accelerator="cpu",
        synthetic_hardware=False,
        artifact_layout=_layout(run),
    )
    writer = BundleWriter(target, manifest, resume=resume)
    _locks(run, folders, writer)
    rows = put_run_files(writer, folders, run.rl_skip_reason)
    _put_reports(run, writer)
    if run.sheet is not None:
        writer.put_file(run.sheet, f"{SECTIONS['report']}/{run.sheet.name}")
    else:
        writer.skip(f"{SECTIONS['report']}/labelled.xlsx", None, "no labelled sheet was made")
    writer.save_manifest(rows=rows)
    derived.write_observed(writer)
    derived.write_derived(writer)
    restore.write_restore(writer)
    writer.put_json(ARTIFACTS["skipped"], writer.skipped)
    writer.save_manifest(skipped=len(writer.skipped), state=derived.bundle_state(writer.bundle()))
    write_report_data(writer.bundle())
    render(writer.root, writer.root / ARTIFACTS["report"])
    writer.put_json(ARTIFACTS["report_check"], check(writer.root))
    writer.put_json(ARTIFACTS["crate"], crate_metadata(writer.bundle()))
    return writer.seal(verify_bundle)
