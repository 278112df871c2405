"""``merge.json``: what a merged model is, and the registry, grading and tools it is bound to (training.md 5.8, 9)."""

from __future__ import annotations

import statistics
from collections import Counter
from pathlib import Path
from typing import Any, Literal

from autoresearch.files import read_json, sha256_text, tree_files
from autoresearch.training.checkpoints import Checkpoint
from autoresearch.training.model_folder import read_template
from autoresearch.training.outcome import read_result
from autoresearch.training.plan import MODEL_EXCLUDE, Frozen, Plan

FORMAT: Literal["autoresearch-merge-v1"] = "autoresearch-merge-v1"


class BaseModelName(Frozen):
    """The folder that training started from."""

    name: str
    tree_sha256: str


class ParentModel(Frozen):
    """The merged model that training started from, where it was one."""

    step: int
    tree_sha256: str


class TrainedRelease(Frozen):
    """The release that the model was trained on."""

    name: str
    family: str
    report_sha256: str


class TrainCounts(Frozen):
    """Train rows by category and level; the median is null where rows have no search margin."""

    rows: int
    categories: dict[str, int]
    levels: dict[str, int]
    median_search_margin: float | None


class MergeRecord(Frozen):
    """``merge.json``. What an evaluation or prediction uses must agree with its hashes."""

    format: Literal["autoresearch-merge-v1"]
    checkpoint: str
    """Relative to the run folder."""
    step: int
    kind: Literal["sft", "rl"]
    algorithm: Literal["sft", "rloo", "grpo"]
    purpose: Literal["formal", "practice", "smoke"]
    run_status: str
    plan_sha256: str
    base: BaseModelName
    parent: ParentModel | None
    ranks: int
    dtype: str
    tree_sha256: str
    """Of the model folder without this file."""
    files: int
    bytes: int
    release: TrainedRelease
    release_header: dict[str, Any]
    registry_sha256: str
    corpus_sha256: str
    grading_sha256: str | None
    tools_sha256: str | None
    enable_thinking: bool
    template_sha256: str
    tokenizer_sha256: str
    train_counts: TrainCounts
    answer_weight: int | float
    lora: int
    max_logit_difference: float
    tiny: bool
    versions: dict[str, str]


def train_counts(plan: Plan) -> dict[str, Any]:
    """Train rows by category and by level, and the median search margin (None where rows have none)."""
    from autoresearch.releases.release import Release

    table = Release(Path(plan.paths["release"])).split_rows("train")
    names = set(table.column_names)
    if "ground_truth" in names:
        categories = table.column("ground_truth").to_pylist()
        levels = table.column("ground_truth_level").to_pylist() if "ground_truth_level" in names else []
    else:
        categories = [row["ground_truth"] for row in table.column("reward_model").to_pylist()]
        levels = [row.get("ground_truth_level") for row in table.column("extra_info").to_pylist()]
    margins = (
        [value for value in table.column("search_margin").to_pylist() if value is not None]
        if "search_margin" in names
        else []
    )
    return {
        "rows": table.num_rows,
        "categories": dict(sorted(Counter(map(str, categories)).items())),
        "levels": dict(sorted(Counter(str(level) for level in levels if level is not None).items())),
        "median_search_margin": round(statistics.median(margins), 4) if margins else None,
    }


def merge_record(
    run: Path,
    plan: Plan,
    plan_sha256: str,
    checkpoint: Checkpoint,
    folder: Path,
    dtype: str,
    tree: str,
    difference: float,
    counts: dict[str, Any],
) -> dict[str, Any]:
    """The content of ``merge.json``. It lies beside the tree hash, not in it."""
    header = dict(plan.release_header)
    parent = Path(plan.paths["model"]) / "merge.json"
    before = read_json(parent) if parent.is_file() else None
    if counts["median_search_margin"] is None and before is not None:
        counts = {**counts, "median_search_margin": before["train_counts"]["median_search_margin"]}
    files = tree_files(folder, MODEL_EXCLUDE)
    result = read_result(run)
    content = {
        "format": FORMAT,
        "checkpoint": checkpoint.folder.relative_to(run).as_posix(),
        "step": checkpoint.step,
        "kind": plan.kind,
        "algorithm": plan.algorithm,
        "purpose": plan.purpose,
        "run_status": result.status if result is not None else "unfinished",
        "plan_sha256": plan_sha256,
        "base": {"name": Path(plan.paths["model"]).name, "tree_sha256": plan.settings["model_tree"]},
        "parent": None if before is None else {"step": before["step"], "tree_sha256": before["tree_sha256"]},
        "ranks": checkpoint.ranks,
        "dtype": dtype,
        "tree_sha256": tree,
        "files": len(files),
        "bytes": sum((folder / name).stat().st_size for name in files),
        "release": {
            "name": Path(plan.paths["release"]).name,
            "family": header["family"],
            "report_sha256": _input_hash(plan, "release/export_report.json"),
        },
        "release_header": header,
        "registry_sha256": header["registry_sha256"],
        "corpus_sha256": header["corpus_sha256"],
        "grading_sha256": header["grading_sha256"],
        "tools_sha256": header["tools_sha256"],
        "enable_thinking": plan.thinking,
        "template_sha256": sha256_text(read_template(folder)),
        "tokenizer_sha256": plan.tokenizer_sha256,
        "train_counts": counts,
        "answer_weight": plan.settings.get("answer_weight", before["answer_weight"] if before else 1),
        "lora": plan.settings.get("lora", 0),
        "max_logit_difference": difference,
        "tiny": bool(plan.settings.get("tiny")),
        "versions": plan.versions,
    }
    return MergeRecord.model_validate(content).model_dump(mode="json")


def _input_hash(plan: Plan, role: str) -> str:
    return next(item.sha256 for item in plan.inputs if item.role == role)
