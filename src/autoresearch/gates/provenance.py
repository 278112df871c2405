"""``gate provenance``: from a merged model back to audited data, everything checked live (training.md 8.5).

One lineage for trajectory and three-message releases, and for models that are themselves made by RL (``parent``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import autoresearch
from autoresearch.errors import InputError, RefusedError
from autoresearch.files import read_json, sha256_bytes, sha256_file, tree_files, tree_sha256
from autoresearch.gates.git_read import git, git_text, patch_of
from autoresearch.task.conflict_report import check_bundle
from autoresearch.training.outcome import RunResult, attempt_folders, read_result
from autoresearch.training.plan import MODEL_EXCLUDE, Plan, read_plan
from autoresearch.training.plan_facts import ReleaseFacts, conflict_demand, read_release
from autoresearch.training.verdict_match import Demand, match
from autoresearch.verdict import Verdict, make_verdict, read_verdicts, write_verdict


@dataclass(frozen=True)
class ProvenanceOptions:
    """Flags of ``gate provenance``; ``verdicts`` defaults to the copies that the run keeps."""

    run: Path
    model: Path
    audit: Path
    out: Path
    verdicts: Path | None = None
    commit: str | None = None


class Link(NamedTuple):
    """One link of the chain, checked now."""

    id: str
    passed: bool
    value: str
    rule: str


@dataclass(frozen=True)
class Lineage:
    """What was read for the check."""

    plan: Plan
    plan_sha256: str
    result: RunResult | None
    merge: Mapping[str, Any]
    model_tree: str
    release: ReleaseFacts | None
    base_tree: str | None
    audit: Mapping[str, Any]
    audit_sha256: str
    audit_problems: tuple[str, ...]
    manifest_gradings: tuple[str, ...]
    verdicts: tuple[tuple[Path, Verdict], ...]
    environment: Mapping[str, Any] | None
    source: Mapping[str, Any]


def source_state(commit: str | None) -> dict[str, Any]:
    """Commit and dirtiness of the tree that holds this package; the installed version where it is no git tree."""
    folder = Path(autoresearch.__file__).resolve().parent
    head = git_text(folder, "rev-parse", "HEAD")
    tracked = head is not None and git(folder, "ls-files", "--error-unmatch", "__init__.py") is not None
    if not tracked or head is None:
        return {"kind": "installed", "version": autoresearch.__version__, "commit": None, "asked": commit}
    difference = patch_of(Path(git_text(folder, "rev-parse", "--show-toplevel") or folder))
    return {
        "kind": "git",
        "version": autoresearch.__version__,
        "commit": head,
        "asked": commit,
        "dirty": bool(difference),
        "diff_sha256": sha256_bytes(difference) if difference else None,
    }


def read_lineage(options: ProvenanceOptions) -> Lineage:
    """Read everything from the run back to the release. Raises ``InputError`` for what cannot be read at all."""
    plan, digest = read_plan(options.run / "plan.json")
    record = options.model / "merge.json"
    if not record.is_file():
        raise InputError(f"{options.model} has no merge.json; give the folder that `train merge` wrote")
    audit = read_json(options.audit)
    if not isinstance(audit, dict):
        raise InputError(f"{options.audit} is no audit report")
    release = Path(plan.paths["release"])
    base = Path(plan.paths["model"])
    attempts = attempt_folders(options.run)
    environment = attempts[-1] / "environment.json" if attempts else None
    folder = options.verdicts or options.run / "verdicts"
    return Lineage(
        plan=plan,
        plan_sha256=digest,
        result=read_result(options.run),
        merge=read_json(record),
        model_tree=tree_sha256(options.model, MODEL_EXCLUDE),
        release=read_release(release) if release.is_dir() else None,
        base_tree=tree_sha256(base, MODEL_EXCLUDE) if base.is_dir() else None,
        audit=audit,
        audit_sha256=sha256_file(options.audit),
        audit_problems=tuple(item.message() for item in check_bundle(audit)),
        manifest_gradings=manifest_gradings(release),
        verdicts=tuple(read_verdicts(folder)),
        environment=read_json(environment) if environment is not None and environment.is_file() else None,
        source=source_state(options.commit),
    )


def links(lineage: Lineage) -> list[Link]:
    """Every link of 8.5: pure."""
    plan, result, merge, release = lineage.plan, lineage.result, lineage.merge, lineage.release
    header = plan.release_header
    inputs = {item.role: item.sha256 for item in plan.inputs}
    grading = header.get("grading_sha256")
    report = inputs.get("release/export_report.json", "")
    budget = Demand("token_budget", places={"judged.release.report_sha256": report})
    step = merge.get("step")
    conflict_text = "no release"
    conflict = False
    if release is not None:
        found, conflict_text = match(lineage.verdicts, conflict_demand(release))
        conflict = found is not None
    budget_found, budget_text = match(lineage.verdicts, budget)
    audited = audited_gradings(lineage.audit)
    commit = lineage.source.get("asked")
    return [
        Link(
            "trained",
            result is not None and result.status == "trained" and result.purpose != "smoke",
            "no result" if result is None else f"{result.status}, purpose {result.purpose}",
            "result.json says trained, purpose is not smoke",
        ),
        Link(
            "plan",
            result is not None and result.plan_sha256 == lineage.plan_sha256 == merge.get("plan_sha256"),
            lineage.plan_sha256[:16],
            "result and merge name this plan",
        ),
        Link(
            "merge",
            merge.get("tree_sha256") == lineage.model_tree
            and merge.get("checkpoint") == f"checkpoints/global_step_{step}",
            f"step {step}, tree {lineage.model_tree[:16]}",
            "merge.json names a checkpoint of the run, and its tree hash is that of the model now",
        ),
        Link(
            "release",
            release is not None
            and not release.problems
            and release.report_sha256 == report
            and all(inputs.get(f"release/{name}") == digest for name, digest in release.files.items()),
            "gone" if release is None else "; ".join(release.problems) or release.report_sha256[:16],
            "report and files hash as in the plan, and the validator passes now",
        ),
        Link(
            "label_gap",
            release is not None and release.gap_gate == "passed",
            "gone" if release is None else release.gap_gate,
            "the label-gap gate passed with no waiver",
        ),
        Link(
            "conflict",
            conflict,
            conflict_text,
            "a passed conflict verdict of the canonical file and grading",
        ),
        Link("token_budget", budget_found is not None, budget_text, "a passed token_budget verdict of this release"),
        Link(
            "audit",
            not lineage.audit_problems and _audit_named(lineage),
            "; ".join(lineage.audit_problems[:3]) or f"passed, sha256 {lineage.audit_sha256[:16]}",
            "the audit holds together, passed, and is the one that the conflict verdict names",
        ),
        Link(
            "grading",
            grading is None or {*audited, *lineage.manifest_gradings} == {grading},
            f"release {str(grading)[:12]}, audit {', '.join(item[:12] for item in audited) or 'none'}",
            "one grading standard in release, audit and, for a mixture, manifest",
        ),
        Link(
            "base",
            lineage.base_tree is not None and lineage.base_tree == inputs.get("model"),
            "gone" if lineage.base_tree is None else lineage.base_tree[:16],
            "the start model has the tree hash of the plan",
        ),
        Link(
            "environment",
            lineage.environment is not None and lineage.environment.get("versions") == plan.versions,
            "none" if lineage.environment is None else "recorded",
            "the attempt's environment is recorded, with the versions of the plan",
        ),
        Link(
            "source",
            commit is None or commit == lineage.source.get("commit"),
            str(lineage.source.get("commit") or lineage.source.get("version")),
            "the commit is the one that was asked for" if commit else "commit and dirtiness are recorded",
        ),
    ]


def audited_gradings(audit: Mapping[str, Any]) -> list[str]:
    """Grading standards of an audit report or bundle, distinct and sorted."""
    reports = audit.get("datasets", {"": audit}).values()
    return sorted({str(item["grading_standard_sha256"]) for item in reports if "grading_standard_sha256" in item})


def manifest_gradings(release: Path) -> tuple[str, ...]:
    """Grading standards that a mixture's manifest names; none for other releases."""
    path = release / "assets" / "grading-manifest.json"
    if not path.is_file():
        return ()
    return tuple(sorted({str(item["sha256"]) for item in read_json(path)["datasets"].values()}))


def _audit_named(lineage: Lineage) -> bool:
    return any(
        verdict.gate == "conflict" and verdict.judged.get("audit", {}).get("sha256") == lineage.audit_sha256
        for _, verdict in lineage.verdicts
    )


def gate_provenance(options: ProvenanceOptions) -> Verdict:
    """Check the chain and write the verdict, also of a broken one. Raises ``RefusedError`` when ``out`` exists."""
    if options.out.exists():
        raise RefusedError(f"{options.out} exists; a verdict is never overwritten: give another --out")
    lineage = read_lineage(options)
    verdict = provenance_verdict(options, lineage, links(lineage))
    write_verdict(options.out, verdict)
    return verdict


def provenance_verdict(options: ProvenanceOptions, lineage: Lineage, chain: list[Link]) -> Verdict:
    """The reference: what was checked and where it lies, relative to the verdict."""
    broken = [item for item in chain if not item.passed]
    plan, merge = lineage.plan, lineage.merge
    names = tree_files(options.model, MODEL_EXCLUDE)
    here = options.out.parent.resolve()

    def place(path: Path) -> dict[str, str]:
        return {"name": path.name, "path": Path(os.path.relpath(path.resolve(), here)).as_posix()}

    judged: dict[str, Any] = {
        "model": {
            **place(options.model.resolve()),
            "tree_sha256": lineage.model_tree,
            "files": {name: sha256_file(options.model / name) for name in names},
            "bytes": sum((options.model / name).stat().st_size for name in names),
        },
        "merge": {**place(options.model / "merge.json"), "sha256": sha256_file(options.model / "merge.json")},
        "plan": {**place(options.run / "plan.json"), "sha256": lineage.plan_sha256},
        "audit": {**place(options.audit), "sha256": lineage.audit_sha256},
        "base": {**place(Path(plan.paths["model"])), "tree_sha256": lineage.base_tree or ""},
    }
    if (options.run / "result.json").is_file():
        judged["result"] = {**place(options.run / "result.json"), "sha256": sha256_file(options.run / "result.json")}
    if lineage.release is not None:
        judged["release"] = {
            **place(lineage.release.path),
            "report_sha256": lineage.release.report_sha256,
            "files": dict(lineage.release.files),
        }
    for path, verdict in lineage.verdicts:
        if verdict.gate in ("conflict", "token_budget"):
            judged[f"verdict:{path.stem}"] = {**place(path), "sha256": sha256_file(path)}
    return make_verdict(
        gate="provenance",
        passed=not broken,
        status="passed" if not broken else "broken: " + ", ".join(item.id for item in broken),
        rule="every link from the model back to the audited records holds now",
        numbers={
            "links": {"numerator": len(chain) - len(broken), "denominator": len(chain)},
            "table": [item._asdict() for item in chain],
        },
        judged=judged,
        settings={
            "purpose": plan.purpose,
            "kind": plan.kind,
            "algorithm": plan.algorithm,
            "step": merge.get("step"),
            "steps": plan.steps,
            "enable_thinking": plan.thinking,
            "template_sha256": merge.get("template_sha256"),
            "tokenizer_sha256": merge.get("tokenizer_sha256"),
            "answer_weight": merge.get("answer_weight"),
            "lora": merge.get("lora"),
            "parent": merge.get("parent"),
            "source": dict(lineage.source),
        },
        versions=plan.versions,
    )
