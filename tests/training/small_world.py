"""Releases of the eight-leaf steel fixture, a tiny model, and verdicts that fit them: what a real launch needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autoresearch.files import sha256_file, tree_sha256, write_json
from autoresearch.training.environment import versions
from autoresearch.training.loop_settings import loop_settings
from autoresearch.training.model_folder import read_model_folder
from autoresearch.verdict import make_verdict, write_verdict

FIXTURE = Path(__file__).parents[1] / "fixtures" / "steel_mini"
MAX_LENGTH = 4096


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
