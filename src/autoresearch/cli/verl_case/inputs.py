"""What rows read, and where it lies on the host: a plan's release and model, or a registered model and dataset.

On this machine a plan's folders are used where they are; on another host they are sent under their hash and hashed
there again (formal-case.md 4.1).
"""

from __future__ import annotations

import importlib.metadata
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import RefusedError

if TYPE_CHECKING:
    from autoresearch.cases.field_plan import FieldPlan
    from autoresearch.cases.planned import DataFacts, ModelFacts
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
    code: str | None = None
    read_only: tuple[str, ...] = ()
    assets: tuple[dict[str, Any], ...] = ()
    prompt: dict[str, Any] = field(default_factory=dict)
    reward: dict[str, Any] = field(default_factory=dict)
    plan: dict[str, Any] | None = None


def field_inputs(host: Host, plan: FieldPlan, *, container: bool, dry_run: bool) -> Inputs:
    """The inputs of a field task. Raises ``RefusedError`` (V108) when what arrived on the host is another tree."""
    own = plan.plan
    hashes = {role: _tree_hash(plan, role) for role in SENT_ROLES}
    here = host.kind == "local"
    paths = {role: own.paths[role] for role in SENT_ROLES}
    code = None
    if not here:
        root = f"{host.workdir}/autoresearch/inputs"
        paths = {role: f"{root}/{role}-{hashes[role][:16]}" for role in SENT_ROLES}
        code = f"{root}/code-{importlib.metadata.version('autoresearch')}"
        if not dry_run:
            _send(host, plan, paths, hashes)
            code = send_code(host, root)
    assets = tuple(
        {
            "role": role,
            "place": "local" if here else f"remotes.{host.name}",
            "path": paths[role],
            "tree_sha256": hashes[role],
            **_size(Path(own.paths[role])),
        }
        for role in SENT_ROLES
    )
    return Inputs(
        model=plan.model,
        data=plan.data,
        model_id=Path(own.paths["model"]).name,
        plan_paths={} if here else paths,
        plan_sha256=plan.sha256,
        code=code,
        read_only=tuple(paths.values()) + ((code,) if code else ()) if container else (),
        assets=assets,
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
    if role == "model":
        return str(plan.plan.settings.get("model_tree") or "")
    from autoresearch.files import tree_sha256

    return tree_sha256(Path(plan.plan.paths[role]))


def _size(folder: Path) -> dict[str, int]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {"files": len(files), "bytes": sum(path.stat().st_size for path in files)}


def _send(host: Host, plan: FieldPlan, paths: dict[str, str], hashes: dict[str, str]) -> None:
    for role in SENT_ROLES:
        host.put(Path(plan.plan.paths[role]), paths[role])  # every file is compared by hash where it arrives
        if not hashes[role]:
            raise RefusedError(f"{plan.folder}: the plan states no tree hash of its {role}; make the plan again")


def send_code(host: Host, root: str) -> str:
    """Send this version as an unpacked wheel: the package and its ``dist-info``, which shows the plug-in to verl."""
    import tempfile

    import autoresearch

    distribution = importlib.metadata.distribution("autoresearch")
    name = f"autoresearch-{distribution.version}.dist-info"
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "code"
        source = Path(autoresearch.__file__).parent
        shutil.copytree(source, tree / "autoresearch", ignore=shutil.ignore_patterns("__pycache__"))
        (tree / name).mkdir()
        for part in ("METADATA", "entry_points.txt", "WHEEL"):
            text = distribution.read_text(part)
            if text is not None:
                (tree / name / part).write_text(text, encoding="utf-8")
        from autoresearch.files import tree_sha256

        target = f"{root}/code-{tree_sha256(tree)[:16]}"
        host.put(tree, target)
    return target


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
