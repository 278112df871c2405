"""Releases of the eight-leaf steel fixture, a tiny model, and verdicts that fit them: what a real launch needs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.files import sha256_file, tree_sha256, write_json
from autoresearch.training.environment import versions
from autoresearch.training.loop_settings import loop_settings
from autoresearch.training.model_folder import read_model_folder
from autoresearch.training.outcome import RunResult
from autoresearch.training.plan import Plan, write_plan
from autoresearch.training.rl_checks import RlOptions
from autoresearch.training.sft_checks import SftOptions
from autoresearch.verdict import make_verdict, write_verdict

FIXTURE = Path(__file__).parents[1] / "fixtures" / "steel_mini"
MAX_LENGTH = 4096
TRAINED_STEPS = 80
"""SFT steps after which the tiny model answers some train prompts rightly and others not."""


class SftWorld:
    """Releases, tiny model and verdicts, made once; each plan is a run folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sft, self.rl = export_releases(root)
        self.base = build_tiny(self.sft, root / "base")
        write_verdicts(root / "verdicts", self.sft, self.base, "sft", longest_completion=90)

    def plan(self, name: str, **changes: Any) -> tuple[Plan, Path]:
        """A written plan and its run folder; eight steps on one rank unless changed."""
        run = self.root / name
        ranks = changes.get("gpus", 1)
        values: dict[str, Any] = {
            "device": "cpu",
            "steps": 8,
            "batch": 4,
            "micro_batch": 4 // ranks,
            "lr": 5e-3,
            "warmup": 0.0,
            "scheduler": "constant",
            "answer_weight": 1,
            "save_every": 2,
            "keep": 0,
            "eval_every": 4,
            "purpose": "practice",
            "verdicts": self.root / "verdicts",
        }
        from autoresearch.training.sft_plan import plan_sft

        options = SftOptions(release=self.sft, model=self.base, run=run, **{**values, **changes})
        plan = plan_sft(options)
        write_plan(plan, run)
        return plan, run


@dataclass(frozen=True)
class Trained:
    """The one trained model that tests share: its run, the run's result, the merged folder, verdicts for RL."""

    world: SftWorld
    run: Path
    result: RunResult
    model: Path
    verdicts: Path

    def options(self, run: Path, algorithm: str, **changes: Any) -> RlOptions:
        """Flags of a small RL run of the trained model."""
        values: dict[str, Any] = {
            "algorithm": algorithm,
            "release": self.world.rl,
            "model": self.model,
            "run": run,
            "device": "cpu",
            "engine": "transformers",
            "n": 4,
            "prompts": 5,
            "micro": 5,
            "steps": 2,
            "lr": 1e-3,
            "kl_coef": 0.0,
            "entropy_coef": 0.001,
            "val_before": False,
            "purpose": "practice",
            "verdicts": self.verdicts,
        }
        return RlOptions(**{**values, **changes})


def train_mini(world: SftWorld) -> Trained:
    """Train through verl, merge, and write the verdicts that RL of the merged model asks for."""
    from autoresearch.training.launch import run_plan
    from autoresearch.training.merge import merge_run

    _, run = world.plan("trained", steps=TRAINED_STEPS, save_every=TRAINED_STEPS // 2, eval_every=TRAINED_STEPS // 2)
    result = run_plan(run / "plan.json")
    model, verdicts = run / "merged", world.root / "rl-verdicts"
    merge_run(run, model)
    write_verdicts(verdicts, world.rl, model, "rl", longest_prompt=2048, longest_completion=320)
    write_model_verdicts(verdicts, world.rl, model)
    return Trained(world, run, result, model, verdicts)


def export_releases(out: Path) -> tuple[Path, Path]:
    """The trajectory release without thinking, and the cascade of the same records."""
    from autoresearch.releases import mixture, pairs_export, trajectory_export
    from autoresearch.releases.inputs import ExportInputs

    inputs = ExportInputs(
        FIXTURE / "canonical.json",
        FIXTURE / "registry.json",
        FIXTURE / "corpus.json",
        task_config=FIXTURE / "task.json",
        grading_config=FIXTURE / "grading.json",
    )
    options = trajectory_export.TrajectoryOptions(class_policy="hash", enable_thinking=False)
    trajectory_export.assemble(inputs, out / "sft", options)
    pairs_export.export(inputs, out / "pairs", **_pairs_without_thinking(pairs_export))
    grading = {"path": str(FIXTURE / "grading.json"), "sha256": sha256_file(FIXTURE / "grading.json")}
    write_json(out / "manifest.json", {"datasets": {"steelmini": grading}})
    mixture.build("rl-cascade", mixture.MixtureInputs("steelmini", out / "pairs", out / "manifest.json"), out / "rl")
    return out / "sft", out / "rl"


def _pairs_without_thinking(module: Any) -> dict[str, Any]:
    return {"enable_thinking": False}


def build_tiny(release: Path, out: Path, preset: str = "mini", seed: int = 1) -> Path:
    """A tokenizer from the release's rendered train rows, and a fresh model."""
    from autoresearch.releases.release import Release
    from autoresearch.training import tiny

    rows = Release(release).records("train")
    texts = ["\n".join([row["tools"], *(message["content"] or "" for message in row["messages"])]) for row in rows]
    tiny.build_tokenizer(texts, out, style="line")
    tiny.build_model(out, preset, seed=seed)  # type: ignore[arg-type]  # presets are literals there
    return out


def write_verdicts(folder: Path, release: Path, model: Path, use: str, **limits: Any) -> None:
    """Verdicts of conflict, token budget and host for one release and model; RL also needs ``write_model_verdicts``."""
    from autoresearch.releases.release import Release

    opened, facts = Release(release), read_model_folder(model)
    canonical = next(item.sha256 for item in opened.report.inputs if item.role == "canonical")
    common: dict[str, Any] = {"passed": True, "status": "passed", "rule": "made for a test", "versions": versions()}
    if not (folder / "conflict.json").exists():
        judged = {
            "canonical": {"name": "canonical.json", "sha256": canonical},
            "grading_standard": {"name": "grading.json", "sha256": opened.header.grading_sha256},
        }
        write_verdict(folder / "conflict.json", make_verdict(gate="conflict", judged=judged, **common))
    write_verdict(
        folder / f"budget-{use}.json",
        make_verdict(
            gate="token_budget",
            judged={
                "release": opened.identity(),
                "template": {"name": "chat_template.jinja", "sha256": facts.template_sha256},
                "tokenizer": {"name": "tokenizer.json", "sha256": facts.tokenizer_sha256},
            },
            settings={"max_length": MAX_LENGTH},
            numbers=limits,
            **common,
        ),
    )
    settings = {"for": use, "device": "cpu", "engine": "transformers"}
    write_verdict(folder / f"host-{use}.json", make_verdict(gate="host", settings=settings, **common))


def write_model_verdicts(folder: Path, release: Path, model: Path) -> None:
    """Rollout and provenance verdicts of a merged model."""
    from autoresearch.releases.release import Release

    opened, facts = Release(release), read_model_folder(model)
    judged_model = {
        "name": model.name,
        "tree_sha256": tree_sha256(model, ("merge.json",)),
        "template_sha256": facts.template_sha256,
    }
    common: dict[str, Any] = {"passed": True, "status": "passed", "rule": "made for a test", "versions": versions()}
    write_verdict(
        folder / "rollout.json",
        make_verdict(
            gate="rollout",
            judged={
                "model": judged_model,
                "release": opened.identity(),
                "tools_sha256": opened.header.tools_sha256,
            },
            settings={
                "enable_thinking": opened.header.enable_thinking,
                "engine": "transformers",
                "loop": loop_settings(opened.header.enable_thinking),
            },
            numbers={"mixed_group_share": {"4": {"share": 0.5}}, "above_baseline": True},
            **common,
        ),
    )
    write_verdict(
        folder / "provenance.json",
        make_verdict(gate="provenance", judged={"model": judged_model}, settings={"purpose": "practice"}, **common),
    )
