"""What rows read, and where it lies on the host: a plan's release and model, or a registered model and dataset.

On this machine a plan's folders are used where they are; on another host they are sent under their hash, with the plan
and its verdicts, and hashed there again (formal-case.md 4.1).
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.cli.verl_case.sender import Sender, Sent
from autoresearch.files import tree_sha256
from autoresearch.training.plan import MODEL_EXCLUDE

if TYPE_CHECKING:
    from autoresearch.cases.field_plan import FieldPlan
    from autoresearch.cases.planned import DataFacts, ModelFacts
    from autoresearch.cli.verl_case.call import CaseRun
    from autoresearch.hosts.protocol import Host

SENT_ROLES = ("release", "model")
PLAN_FILES = ("plan.json", "plan.sha256", "loop.yaml", "tools.yaml")


@dataclass(frozen=True)
class Inputs:
    """Facts for the matrix, paths for the rows, entries for the lock."""

    model: ModelFacts
    data: DataFacts
    model_id: str
    model_path: str = ""
    train_file: str = ""
    val_file: str = ""
    plan_paths: dict[str, str] = field(default_factory=dict)
    plan_sha256: str = ""
    python_path: tuple[str, ...] = ()
    """Folders of the host that go before what its Python has: our code, mounted sources."""
    read_only: tuple[str, ...] = ()
    assets: tuple[dict[str, Any], ...] = ()
    to_send: tuple[Sent, ...] = ()
    prompt: dict[str, Any] = field(default_factory=dict)
    reward: dict[str, Any] = field(default_factory=dict)
    plan: dict[str, Any] | None = None


def field_inputs(call: CaseRun, host: Host, plan: FieldPlan) -> Inputs:
    """The inputs of a field task, and what has to be sent for them."""
    own = plan.plan
    container = call.config.server(host.name).container == "docker"
    here = host.kind == "local"
    sender = Sender(call, host)
    put = sender.stays if here else partial(sender.send, exclude=MODEL_EXCLUDE)
    sent = {role: put(role, Path(own.paths[role]), _tree_hash(plan, role)) for role in SENT_ROLES}
    if not here:
        folder, verdicts = copy_plan(plan, sender.scratch)
        verdicts.rename(folder / verdicts.name)
        sent["plan"] = sender.send("plan", folder, tree_sha256(folder))
    if container or not here:
        sent["code"] = sender.send_code()
    return Inputs(
        model=plan.model,
        data=plan.data,
        model_id=Path(own.paths["model"]).name,
        plan_paths={} if here else {role: sent[role].path for role in SENT_ROLES},
        plan_sha256=plan.sha256,
        python_path=(sent["code"].path,) if "code" in sent else (),
        read_only=tuple(each.path for role, each in sent.items() if role != "plan") if container else (),
        assets=tuple(each.entry for each in sent.values()),
        to_send=tuple(sent.values()),
        prompt={
            "chat_template_sha256": own.template_sha256,
            "tokenizer_sha256": own.tokenizer_sha256,
            "enable_thinking": own.thinking,
        },
        reward={"name": own.settings.get("reward", own.algorithm)},
        plan={
            "path": "4-config/plan/plan.json",
            "sha256": plan.sha256,
            "algorithm": own.algorithm,
            "purpose": own.purpose,
            "seed": own.settings["seed"],
        },
    )


def _tree_hash(plan: FieldPlan, role: str) -> str:
    """As the plan has it, or as its files are: they were hashed when the plan was loaded."""
    if role == "model":
        return str(plan.plan.settings["model_tree"])
    return tree_sha256(Path(plan.plan.paths[role]), MODEL_EXCLUDE)


def copy_plan(plan: FieldPlan, folder: Path) -> tuple[Path, Path]:
    """Copies of the plan's files and of its verdicts, in folders whose names say what they are."""
    target, verdicts = folder / "plan", folder / "verdicts"
    for place in (target, verdicts):
        place.mkdir(parents=True, exist_ok=True)
    for name in PLAN_FILES:
        if (plan.folder / name).is_file():
            shutil.copyfile(plan.folder / name, target / name)
    for item in plan.plan.verdicts:
        shutil.copyfile(item.path, verdicts / Path(item.path).name)
    return target, verdicts
