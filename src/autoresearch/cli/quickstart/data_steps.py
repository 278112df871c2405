"""The data part of the quickstart: spreadsheet -> processed -> canonical -> split -> audit -> releases."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.cli.quickstart.settings import QuickstartSettings
from autoresearch.errors import RefusedError
from autoresearch.fields import canonical, preprocess, split
from autoresearch.files import sha256_file, write_json
from autoresearch.releases import mixture, pairs_export, trajectory_export
from autoresearch.releases.inputs import ExportInputs
from autoresearch.task import conflicts


@dataclass(frozen=True)
class DataPaths:
    """Where the data part reads and writes."""

    example: Path
    root: Path
    dataset: str

    @property
    def canonical(self) -> Path:
        """The canonical records."""
        return self.root / "canonical" / self.dataset / "all.json"

    @property
    def registry(self) -> Path:
        """The example's registry."""
        return self.example / "assets" / "registries" / f"{self.dataset}.registry.json"

    @property
    def corpus(self) -> Path:
        """The example's corpus."""
        return self.example / "assets" / "corpora" / f"{self.dataset}.corpus.json"

    @property
    def mapping(self) -> Path:
        """The example's column mapping."""
        return self.example / "assets" / "mappings" / f"{self.dataset}.mapping.json"

    @property
    def grading(self) -> Path:
        """The example's grading standard."""
        return self.example / "standards" / f"{self.dataset}.grading.json"

    @property
    def classification(self) -> Path:
        """The example's classification standard."""
        return self.example / "standards" / f"{self.dataset}.classification.json"

    @property
    def audit(self) -> Path:
        """The report of the conflict audit."""
        return self.root / "audits" / "prompt.json"

    def release(self, name: str) -> Path:
        """A release folder: trajectory, pairs or cascade."""
        return self.root / "releases" / name

    def reports(self) -> dict[str, Path]:
        """Name -> file of every report that the data part leaves."""
        folder = self.canonical.parent
        return {
            "preprocess_report.json": self.root / "processed" / self.dataset / "preprocess_report.json",
            "resolution_report.json": folder / "resolution_report.json",
            "split_report.json": folder / "split_report.json",
            "prompt_audit.json": self.audit,
            **{
                f"{name}.export_report.json": self.release(name) / "export_report.json"
                for name in ("trajectory", "pairs", "cascade")
            },
        }


def read_fields(paths: DataPaths) -> dict[str, Any]:
    """Spreadsheet -> processed records."""
    report = preprocess.preprocess(
        paths.example / "raw" / f"{paths.dataset}.xlsx",
        paths.mapping,
        paths.root / "processed" / paths.dataset / "all.json",
        paths.dataset,
        grading_config=paths.grading,
        overwrite=True,
    )
    return {"ledger": report.ledger.model_dump(), "labeled": report.labeled, "unlabeled": report.unlabeled}


def resolve_and_split(paths: DataPaths, settings: QuickstartSettings, split_type: str) -> dict[str, Any]:
    """Processed -> canonical records with a leaf each, then train, val and test."""
    built = canonical.build(
        paths.root / "processed",
        paths.root / "canonical",
        paths.example / "config" / "datasets.json",
        paths.registry.parent,
        [paths.dataset],
        corpus_dir=paths.corpus.parent,
        overwrite=True,
    )[paths.dataset]
    train, val, test = settings.split_ratios if split_type == "group" else (0.8, 0.1, 0.1)
    plan = split.Plan(
        split_type="group" if split_type == "group" else "random",
        train_ratio=train,
        val_ratio=val,
        test_ratio=test,
        seed=settings.seed,
    )
    report = split.split(paths.root / "canonical", [paths.dataset], plan, overwrite=True)[paths.dataset]
    return {
        "statuses": built.status_counts,
        "level_lookup_baseline": built.level_lookup_baseline,
        "sizes": report.sizes,
        "split_type": split_type,
    }


def audit(paths: DataPaths, verdict: Path) -> dict[str, Any]:
    """The conflict audit, as a report and as the verdict of the gate ``conflict``."""
    verdict.unlink(missing_ok=True)
    report, exit_code = conflicts.audit(
        canonical={paths.dataset: paths.canonical},
        classification={paths.dataset: paths.classification},
        grading={paths.dataset: paths.grading},
        split="all",
        registry=paths.registry,
        bundle=True,
        report=paths.audit,
        verdict=verdict,
        overwrite=True,
    )
    if exit_code:
        raise RefusedError(f"quickstart: the example has {report['conflict_keys']} prompt conflicts; see {paths.audit}")
    return {"status": report["status"], "conflict_keys": report["conflict_keys"]}


def publish_releases(paths: DataPaths, settings: QuickstartSettings) -> dict[str, Any]:
    """Canonical records -> a trajectory release for SFT, pairs, and the cascade release for episodes."""
    inputs = ExportInputs(
        canonical=paths.canonical,
        registry=paths.registry,
        corpus=paths.corpus,
        task_config=paths.example / "config" / f"{paths.dataset}.task.json",
        grading_config=paths.grading,
        dataset=paths.dataset,
    )
    for name in ("trajectory", "pairs", "cascade"):
        shutil.rmtree(paths.release(name), ignore_errors=True)  # of a step that was interrupted
    options = trajectory_export.TrajectoryOptions(
        enable_thinking=False, class_policy="hash" if settings.class_policy == "hash" else "search"
    )
    trajectory = trajectory_export.assemble(inputs, paths.release("trajectory"), options)
    pairs_export.export(inputs, paths.release("pairs"), enable_thinking=False)
    manifest = paths.root / "grading-manifest.json"
    shutil.copyfile(paths.grading, paths.root / "grading.json")
    entry = {"path": "grading.json", "sha256": sha256_file(paths.grading)}
    write_json(manifest, {"datasets": {paths.dataset: entry}})
    cascade = mixture.build(
        "rl-cascade",
        mixture.MixtureInputs(dataset=paths.dataset, source=paths.release("pairs"), grading_manifest=manifest),
        paths.release("cascade"),
    )
    return {
        "trajectory_rows": {name: part["rows"] for name, part in trajectory["splits"].items()},
        "cascade_rows": {name: part["rows"] for name, part in cascade["splits"].items()},
        "class_shares": trajectory["class_report"]["splits"],
    }
