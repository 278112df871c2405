"""A plan: the resolved, hashed description of one launch (training.md 5.3, 5.9). Imports without torch.

``train … --dry-run`` writes ``plan.json`` and ``plan.sha256`` and starts nothing; running executes exactly that file.
Two tokens in argv and environment are filled in at launch, because no plan can know them: ``{attempt}`` (the attempt's
number, two digits) and ``{plan_sha256}``. Equal inputs give equal bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import atomic_write_bytes, json_text, read_json, sha256_bytes, sha256_file, tree_sha256
from autoresearch.findings import CODES, finding

Purpose = Literal["formal", "practice", "smoke"]
ATTEMPT = "{attempt}"
PLAN_SHA256 = "{plan_sha256}"
PLAIN_VALUE = re.compile(r"^[A-Za-z0-9_./:@+-]+$")
VARIABLE_KEYS = ("batch", "mini", "micro", "devices", "nodes", "samples", "steps", "lengths", "logger", "outputs")
"""What a formal case may change, and nothing else (training.md 5.3)."""
MODEL_EXCLUDE = ("merge.json",)
"""Lies beside the tree hash of a model, not in it (training.md 5.8)."""


class Frozen(BaseModel):
    """Base of the models of this file: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Check(Frozen):
    """One check of a plan. ``severity`` warning never stops a launch."""

    id: str
    passed: bool
    value: str
    rule: str
    remedy: str = ""
    severity: Literal["error", "warning", "note"] = "error"


class PlanInput(Frozen):
    """A file or folder that the launch reads; ``kind`` tree is hashed as a tree."""

    role: str
    path: str
    kind: Literal["file", "tree"]
    sha256: str


class PlanVerdict(Frozen):
    """A verdict that allows the launch, with the values that were matched."""

    gate: str
    path: str
    sha256: str
    """The verdict's own hash; its file is also among the plan's inputs."""
    passed: bool
    matched: dict[str, str]


class Plan(Frozen):
    """One launch of verl, resolved."""

    format: Literal["autoresearch-plan-v1"] = "autoresearch-plan-v1"
    kind: Literal["sft", "rl"]
    algorithm: Literal["sft", "rloo", "grpo"]
    purpose: Purpose
    device: Literal["cpu", "cuda", "npu"]
    engine: str
    """Rollout engine; empty for SFT."""
    steps: int
    argv: tuple[str, ...]
    environment: dict[str, str]
    paths: dict[str, str]
    """Role (run, release, model, verdicts) -> absolute path as used in argv; only these prefixes may be exchanged."""
    inputs: tuple[PlanInput, ...]
    release_header: dict[str, Any]
    thinking: bool
    template_sha256: str
    tokenizer_sha256: str
    verdicts: tuple[PlanVerdict, ...]
    checks: tuple[Check, ...]
    limits: dict[str, int]
    """Token limits: max_length, or max_prompt and max_response."""
    settings: dict[str, Any]
    """Every flag as resolved, and facts such as the tree hash of the start model."""
    overrides: dict[str, str]
    """What ``--override`` added."""
    variable: dict[str, Any]
    """Keys of ``VARIABLE_KEYS`` with their values."""
    versions: dict[str, str]

    @field_validator("variable")
    @classmethod
    def _known_keys(cls, value: dict[str, Any]) -> dict[str, Any]:
        unknown = sorted(set(value) - set(VARIABLE_KEYS))
        if unknown:
            raise ValueError(f"not variable: {', '.join(unknown)}")
        return value


def check(
    code: str,
    passed: bool,
    value: object,
    rule: str,
    remedy: str = "",
    severity: Literal["error", "warning", "note"] | None = None,
) -> Check:
    """Build a check; its severity is that of the finding code."""
    return Check(
        id=code, passed=passed, value=str(value), rule=rule, remedy=remedy, severity=severity or CODES[code][1]
    )


def require_passed(checks: Iterable[Check], what: str) -> None:
    """Raise ``RefusedError`` with one finding for each failed check that is an error."""
    failed = [item for item in checks if not item.passed and item.severity == "error"]
    if failed:
        found = [finding(item.id, place=what, value=item.value, rule=item.rule, remedy=item.remedy) for item in failed]
        raise RefusedError("\n".join(item.message() for item in found), found)


def hydra_value(value: object) -> str:
    """One value in hydra's override grammar; texts with other than plain characters are quoted."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{hydra_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(hydra_value(item) for item in value) + "]"
    text = str(value)
    if text in (ATTEMPT, PLAN_SHA256) or (PLAIN_VALUE.match(text) and not _reads_as_other(text)):
        return text
    escaped = re.sub(r"(\\*)'", lambda match: match.group(1) * 2 + "\\'", text)
    trailing = len(escaped) - len(escaped.rstrip("\\"))
    return f"'{escaped}{chr(92) * trailing}'"


def _reads_as_other(text: str) -> bool:
    """True for a text that hydra would read as a number, a truth value or null."""
    if text.lower() in ("true", "false", "null", "none"):
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


def hydra_overrides(values: Mapping[str, object]) -> list[str]:
    """``key=value`` arguments in the order given; a key may carry hydra's ``+``."""
    return [f"{key}={hydra_value(value)}" for key, value in values.items()]


def merge_user_overrides(fixed: Mapping[str, object], given: Sequence[str]) -> dict[str, str]:
    """Check ``--override K=V`` against the plan's keys. Raises ``InputError`` for a fixed key or a malformed item."""
    taken = {key.lstrip("+") for key in fixed}
    accepted: dict[str, str] = {}
    for item in given:
        key, equals, value = item.partition("=")
        if not equals or not key:
            raise InputError(f"--override {item!r} is not KEY=VALUE")
        plain = key.lstrip("+")
        if any(plain == name or name.startswith(plain + ".") or plain.startswith(name + ".") for name in taken):
            raise InputError(f"--override {plain}: the plan fixes this key; use the flag that sets it, if there is one")
        accepted[key] = value
    return accepted


def file_input(role: str, path: Path) -> PlanInput:
    """An input that is one file, hashed now."""
    return PlanInput(role=role, path=str(path), kind="file", sha256=sha256_file(path))


def tree_input(role: str, path: Path) -> PlanInput:
    """An input that is a folder, hashed now; ``merge.json`` is left out."""
    return PlanInput(role=role, path=str(path), kind="tree", sha256=tree_sha256(path, MODEL_EXCLUDE))


def changed_inputs(plan: Plan) -> list[str]:
    """Inputs whose bytes are no longer those of the plan, each as one sentence."""
    changed = []
    for item in plan.inputs:
        path = Path(item.path)
        if not path.exists():
            changed.append(f"{item.role}: {path} is gone")
            continue
        found = sha256_file(path) if item.kind == "file" else tree_sha256(path, MODEL_EXCLUDE)
        if found != item.sha256:
            changed.append(f"{item.role}: {path} has sha256 {found[:12]}…, the plan was made with {item.sha256[:12]}…")
    return changed


def plan_bytes(plan: Plan) -> bytes:
    """The bytes that ``write_plan`` writes."""
    return json_text(plan.model_dump(mode="json")).encode("utf-8")


def write_plan(plan: Plan, run: Path) -> str:
    """Write ``plan.json`` and ``plan.sha256`` into the run folder; returns the sha256 of the plan's bytes."""
    content = plan_bytes(plan)
    atomic_write_bytes(run / "plan.json", content)
    digest = sha256_bytes(content)
    (run / "plan.sha256").write_text(f"{digest}  plan.json\n", encoding="utf-8")
    return digest


def read_plan(path: Path) -> tuple[Plan, str]:
    """Read a plan and check it against the ``plan.sha256`` beside it. Raises ``InputError`` or ``RefusedError``."""
    try:
        digest = sha256_file(path)
        plan = Plan.model_validate(read_json(path))
    except (OSError, ValueError, ValidationError) as error:
        raise InputError(f"{path} is not a readable plan: {str(error).splitlines()[0]}") from error
    recorded = path.with_name("plan.sha256")
    if not recorded.is_file():
        raise RefusedError(f"{recorded} is missing; make the plan again with --dry-run")
    wanted = recorded.read_text(encoding="utf-8").split()[:1]
    if wanted != [digest]:
        raise RefusedError(f"{path} was changed after it was written: its sha256 is {digest}; make the plan again")
    return plan, digest


def fill_in(text: str, *, attempt: int, digest: str) -> str:
    """Replace the two launch tokens in one argument or environment value."""
    return text.replace(ATTEMPT, f"{attempt:02d}").replace(PLAN_SHA256, digest)
