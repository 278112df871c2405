"""A plan as a field case uses it: loaded, its inputs and verdicts hashed again, its own checks run on changed numbers.

The plan's files lie on this machine (formal-case.md 4.1); torch and verl are not needed here. What only the host can
tell (kernels, free disk, rendering) was judged when the plan was made and is judged again by the host's own gate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.cases.planned import DataFacts, ModelFacts, PlannedRow, model_facts
from autoresearch.errors import InputError, RefusedError
from autoresearch.files import read_json
from autoresearch.findings import Finding, finding
from autoresearch.training.model_folder import read_model_folder
from autoresearch.training.plan import Check, Plan, changed_inputs, read_plan
from autoresearch.training.plan_facts import CommonFacts, read_release
from autoresearch.training.probe import Probe
from autoresearch.training.rl_checks import RlFacts, RlOptions, resolve_rl, rl_checks
from autoresearch.training.rl_plan import read_rl_facts
from autoresearch.training.rl_verdicts import rl_demands, verdict_checks
from autoresearch.training.sft_checks import SftOptions, demands, resolve, sft_checks
from autoresearch.training.verdict_match import match_all
from autoresearch.verdict import Verdict, read_verdict

PLENTY_OF_DISK = 1 << 62
"""Free space is a matter of readiness on the host, not of the plan's machine."""


@dataclass(frozen=True)
class FieldPlan:
    """A plan that may be used, with what its checks need."""

    folder: Path
    plan: Plan
    sha256: str
    common: CommonFacts
    rl: RlFacts | None
    """None for an SFT plan."""

    @property
    def data(self) -> DataFacts:
        """Rows of the release; nothing is filtered by length, because a plan refuses rows that are too long."""
        rows = self.common.release.rows
        return DataFacts(train_rows=rows.get("train", 0), val_rows=rows.get("val", 0))

    @property
    def model(self) -> ModelFacts:
        """The start model for the arithmetic."""
        config = read_json(self.common.model.path / "config.json")
        return model_facts(config, self.common.model.parameters)

    def checks(self, row: PlannedRow) -> list[Finding]:
        """The plan's own checks with the row's numbers (T-codes of training.md); only those that fail."""
        found = _sft(self, row) if self.rl is None else _rl(self, self.rl, row)
        return [
            finding(item.id, place=row.case_id, value=item.value, rule=item.rule, remedy=item.remedy, severity=severity)
            for item in found
            if not item.passed and (severity := item.severity)
        ]


def load_plan(folder: Path) -> FieldPlan:
    """Load a plan and check that everything it demands is still what it was.

    Raises ``InputError`` for what is no plan, ``RefusedError`` when an input changed, a verdict is gone, did not pass,
    or speaks of other files than those that are about to be used.
    """
    path = folder / "plan.json"
    if not path.is_file():
        raise InputError(f"plan: {folder} holds no plan.json; make it with `autoresearch train … --dry-run`")
    plan, digest = read_plan(path)
    changed = changed_inputs(plan)
    if changed:
        raise RefusedError(f"{path}: inputs changed since the plan was made:\n" + "\n".join(changed))
    verdicts = tuple((Path(item.path), _verdict(item.path, item.sha256)) for item in plan.verdicts)
    common = _common(plan, verdicts)
    rl = read_rl_facts(_rl_options(plan), common) if plan.kind == "rl" else None
    made = FieldPlan(folder, plan, digest, common, rl)
    _require_verdicts(made)
    return made


def _verdict(path: str, digest: str) -> Verdict:
    if not Path(path).is_file():
        raise RefusedError(f"{path}: a verdict that the plan demands is gone; run the gate again, and make a new plan")
    verdict = read_verdict(Path(path))
    if verdict.sha256_of_self_without_this_key != digest:
        raise RefusedError(f"{path}: this is not the verdict that the plan was made with; make the plan again")
    if not verdict.passed:
        raise RefusedError(f"{path}: the {verdict.gate} verdict does not say passed")
    return verdict


def _common(plan: Plan, verdicts: tuple[tuple[Path, Verdict], ...]) -> CommonFacts:
    host = next((verdict for _, verdict in verdicts if verdict.gate == "host"), None)
    kernels = any(item.id == "T009" and item.passed for item in plan.checks)
    return CommonFacts(
        release=read_release(Path(plan.paths["release"])),
        model=read_model_folder(Path(plan.paths["model"])),
        model_tree=str(plan.settings.get("model_tree", "")),
        probe=Probe(
            entry_point=True,
            plugin_state="loaded",
            seams=(),
            flash_attention=plan.settings.get("attention") == "flash_attention_2",
            linear_attention=kernels,
            verl=plan.versions.get("verl", ""),
        ),
        verdicts=verdicts,
        versions=plan.versions,
        machine=host.machine if host else "",
        memory_total=0,
        disk_free=PLENTY_OF_DISK,
        run_taken=False,
        render_problem="",
    )


def _require_verdicts(made: FieldPlan) -> None:
    if made.rl is None:
        options = _sft_options(made.plan)
        wanted = demands(options, made.common, resolve(options, made.common))
    else:
        wanted = rl_demands(_rl_options(made.plan), made.rl)
    _, missing = match_all(made.common.verdicts, wanted)
    if missing:
        told = "\n".join(f"{gate}: {why}" for gate, why in sorted(missing.items()))
        raise RefusedError(f"{made.folder}: a verdict does not fit what is about to be used:\n{told}")


def _options(plan: Plan, fields: Sequence[str], changes: dict[str, Any]) -> dict[str, Any]:
    stated = {key: value for key, value in plan.settings.items() if key in fields}
    places = {role: Path(plan.paths[role]) for role in ("release", "model", "run")}
    return {**stated, **places, **changes}


def _rl_options(plan: Plan, **changes: Any) -> RlOptions:
    return RlOptions.model_validate(_options(plan, list(RlOptions.model_fields), changes))


def _sft_options(plan: Plan, **changes: Any) -> SftOptions:
    return SftOptions.model_validate(_options(plan, list(SftOptions.model_fields), changes))


def _per_node(row: PlannedRow) -> int:
    return max(1, len(row.devices))


def _rl(made: FieldPlan, facts: RlFacts, row: PlannedRow) -> list[Check]:
    numbers = row.numbers
    options = _rl_options(
        made.plan,
        prompts=numbers.B,
        mini=numbers.m,
        micro=numbers.u,
        gpus=_per_node(row),
        steps=max(1, numbers.S),
        epochs=row.epochs,
        max_prompt=row.input_tokens,
        max_response=row.output_tokens,
        max_samples=row.train_max_samples,
        val_samples=row.val_max_samples,
        val_before=row.validates,
        eval_every=0,
        save_every=None,
    )
    known = facts
    resolved = resolve_rl(options, known)
    _, missing = match_all(known.common.verdicts, rl_demands(options, known))
    return rl_checks(options, known, resolved, missing) + verdict_checks(options, known, resolved, missing)


def _sft(made: FieldPlan, row: PlannedRow) -> list[Check]:
    numbers = row.numbers
    options = _sft_options(
        made.plan,
        batch=numbers.B,
        micro_batch=numbers.u,
        gpus=_per_node(row),
        steps=numbers.S,
        epochs=row.epochs,
        max_length=row.output_tokens,
        eval_every=0,
        save_every=None,
    )
    resolved = resolve(options, made.common)
    _, missing = match_all(made.common.verdicts, demands(options, made.common, resolved))
    return sft_checks(options, made.common, resolved, missing)
