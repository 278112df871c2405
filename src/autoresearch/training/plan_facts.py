"""What a plan looks at before it decides: release, model, verdicts, interpreter, machine. The rim of the planning.

Deciding is in ``sft_checks`` and ``rl_checks``, over these frozen facts. Nothing here imports torch or verl; the child
process of ``probe`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from autoresearch.errors import AutoResearchError, InputError, MissingPackageError
from autoresearch.files import tree_sha256
from autoresearch.training.environment import free_disk_bytes, interpreter, memory_bytes, versions
from autoresearch.training.model_folder import OTHER_TYPES, ModelFolder, read_model_folder
from autoresearch.training.plan import ATTEMPT, MODEL_EXCLUDE, Check, check
from autoresearch.training.probe import Probe, ask
from autoresearch.training.verdict_match import Demand, value_at
from autoresearch.verdict import Verdict, machine_name, read_verdicts

if TYPE_CHECKING:
    from autoresearch.releases.release import Release

SFT_FAMILIES = ("trajectory", "three-message", "sft-mixture")
RL_FAMILIES = ("rl-cascade",)
VERL_VERSION = "0.9.1"
STACK = ("torch", "verl", "transformers")


@dataclass(frozen=True)
class ReleaseFacts:
    """A release as a plan sees it."""

    path: Path
    family: str
    report_sha256: str
    files: Mapping[str, str]
    header: Mapping[str, object]
    thinking: bool
    rows: Mapping[str, int]
    input_hashes: Mapping[str, str]
    """Role (canonical, grading …) -> sha256 of what the release was made from."""
    think_source: str
    gap_gate: str
    problems: tuple[str, ...]
    """Why the release does not verify now; empty when it does."""


@dataclass(frozen=True)
class CommonFacts:
    """Facts that SFT and RL share."""

    release: ReleaseFacts
    model: ModelFolder
    model_tree: str
    probe: Probe
    verdicts: tuple[tuple[Path, Verdict], ...]
    versions: Mapping[str, str]
    machine: str
    memory_total: int
    """Bytes of main memory; 0 when unknown."""
    disk_free: int
    run_taken: bool
    render_problem: str
    """Why the first rows do not render (T005); empty when they do."""


def read_release(path: Path) -> ReleaseFacts:
    """Read and verify a release: hashes and validator. Raises ``InputError`` when it is no release."""
    from autoresearch.releases.release import Release

    release = Release(path)
    report = release.report
    problems = [item.message() for item in release.verify()]
    if not problems:
        problems.extend(_validator_problems(release))
    return ReleaseFacts(
        path=path.resolve(),
        family=release.family,
        report_sha256=release.report_sha256,
        files=release.files,
        header=release.header.without_split(),
        thinking=release.header.enable_thinking,
        rows={split: item.rows for split, item in report.splits.items()},
        input_hashes={item.role: item.sha256 for item in report.inputs},
        think_source=report.think.source if report.think else "none",
        gap_gate=report.label_gap_gate.status,
        problems=tuple(problems),
    )


def _validator_problems(release: Release) -> list[str]:
    from autoresearch.releases.validate import validate

    report = validate(release.path)
    if report["valid"]:
        return []
    codes = sorted({str(item["code"]) for item in report["findings"] if item.get("severity") == "error"})
    return [f"the validator finds {', '.join(codes) or 'errors'}"]


def read_verdict_folder(folder: Path | None) -> tuple[tuple[Path, Verdict], ...]:
    """All verdicts of ``--verdicts``; none without the flag. Raises ``InputError`` when the folder is absent."""
    if folder is None:
        return ()
    if not folder.is_dir():
        raise InputError(f"--verdicts {folder}: no such folder")
    return tuple(read_verdicts(folder))


def render_problem(release: ReleaseFacts, model: Path) -> str:
    """Render the first row of each class with the model's template (T005); the reason it fails, or an empty text."""
    from autoresearch.training.rendering import first_rows_problem

    try:
        return first_rows_problem(release.path, release.family, model)
    except AutoResearchError as error:
        return error.message


def require_stack() -> None:
    """Raise ``MissingPackageError`` with the line that installs what is absent; imports nothing."""
    for name in STACK:
        if find_spec(name) is None:
            raise MissingPackageError(name, "train")


def gather(release: Path, model: Path, run: Path, verdicts: Path | None, environment: Mapping[str, str]) -> CommonFacts:
    """Read everything that both kinds of plan need; the interpreter is asked last, with the launch's ``environment``.

    Raises ``InputError`` for what cannot be read at all, ``MissingPackageError`` without the training stack.
    """
    require_stack()
    facts = read_release(release)
    folder = read_model_folder(model)
    judged = read_verdict_folder(verdicts)
    fixed = {key: value for key, value in environment.items() if ATTEMPT not in value}
    return CommonFacts(
        release=facts,
        model=folder,
        model_tree=tree_sha256(folder.path, MODEL_EXCLUDE),
        probe=ask(interpreter(), fixed),
        verdicts=judged,
        versions=versions(),
        machine=machine_name(),
        memory_total=memory_bytes()[0],
        disk_free=free_disk_bytes(run),
        run_taken=run.exists() and any(run.iterdir()),
        render_problem="" if facts.problems else render_problem(facts, folder.path),
    )


def device_memory(facts: CommonFacts, device: str) -> int:
    """Bytes that the memory estimate is held against: main memory on the processor, else what the host verdict found
    on its first device; 0 when unknown.
    """
    if device == "cpu":
        return facts.memory_total
    for _, verdict in facts.verdicts:
        if verdict.gate == "host" and value_at(verdict, "settings.device") == device:
            found = value_at(verdict, "numbers.device.memory_bytes")
            if found is not None and found.isdecimal():
                return int(found)
    return 0


def common_checks(facts: CommonFacts, purpose: str, families: tuple[str, ...]) -> list[Check]:
    """T001 to T005: engine, plug-in, release, model, rendering."""
    probe, release, model = facts.probe, facts.release, facts.model
    formal = purpose == "formal"
    release_ok = (
        not release.problems
        and release.family in families
        and (not formal or (release.think_source != "mock" and release.gap_gate == "passed"))
    )
    release_value = "; ".join(release.problems[:3]) or (
        f"family {release.family}, thoughts {release.think_source}, label gaps {release.gap_gate}"
    )
    type_known = model.model_type.startswith("qwen3_5") or model.model_type in OTHER_TYPES
    return [
        check(
            "T001",
            probe.verl == VERL_VERSION and not probe.seams and not probe.trl,
            "; ".join(
                [f"verl {probe.verl or 'absent'}", *probe.seams[:5], *([f"trl {probe.trl}"] if probe.trl else [])]
            ),
            f"verl {VERL_VERSION} with every seam unchanged, and no trl that verl cannot import from",
            "install the tested set: pip install 'autoresearch[train]' -c constraints/cpu.txt",
        ),
        check(
            "T002",
            probe.entry_point and probe.plugin_state == "loaded",
            f"entry point {'visible' if probe.entry_point else 'not visible'}, plug-in {probe.plugin_state}",
            "the interpreter that runs sees the plug-in and loads it",
            "install autoresearch into that interpreter's environment",
        ),
        check(
            "T003",
            release_ok,
            release_value,
            f"the release verifies now, is one of {', '.join(families)}"
            + ("; formal: no mock thoughts, label gaps passed" if formal else ""),
            "export it again, or give another --purpose for mock thoughts",
        ),
        check(
            "T004",
            type_known and not (formal and model.tiny),
            f"{model.model_type or 'no model_type'}, {model.parameters} parameters, "
            f"template {model.template_sha256[:12]}" + (", tiny" if model.tiny else ""),
            "config, every shard, tokenizer, template; a known model type"
            + ("; formal: no tiny model" if formal else ""),
        ),
        check(
            "T005",
            not facts.render_problem,
            facts.render_problem or "the first row of each class renders",
            "the template renders the first row of each class with the explicit switch; boundaries hold (4.2)",
        ),
    ]


def conflict_demand(release: ReleaseFacts) -> Demand:
    """The conflict verdict that fits a release: it judged the same canonical file and grading standard (8.2)."""
    hashes = {"canonical file": release.input_hashes.get("canonical", "none")}
    if release.header.get("grading_sha256"):
        hashes["grading standard"] = str(release.header["grading_sha256"])
    return Demand("conflict", hashes=hashes)


def budget_demand(facts: CommonFacts, places: Mapping[str, str]) -> Demand:
    """The token-budget verdict that fits: same release, template and tokenizer, and the given limits (T006)."""
    return Demand(
        "token_budget",
        places={
            "judged.release.report_sha256": facts.release.report_sha256,
            **places,
        },
        hashes={
            "chat template": facts.model.template_sha256,
            "tokenizer": facts.model.tokenizer_sha256,
        },
    )


def host_demand(facts: CommonFacts, use: str, device: str, engine: str = "") -> Demand:
    """The host verdict that fits: this machine and verl, asked for this use (``sft``, ``rl``), device and engine."""
    return Demand(
        "host",
        places={
            "settings.for": use,
            "settings.device": device,
            **({"settings.engine": engine} if engine else {}),
            "machine": facts.machine,
            "versions.verl": facts.versions.get("verl", ""),
            "versions.torch": facts.versions.get("torch", ""),
        },
    )
