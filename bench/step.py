"""One step of the data line in a process of its own: prints its seconds and the peak of its memory as JSON.

``make`` writes the inputs below ``--root`` first; the other steps build on one another in the order of ``STEPS``.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import best, peak_bytes
from worlds import DATASET, FIELDS, MAPPING, World

from autoresearch.fields import canonical, leakage, preprocess, split


class Steps:
    """The steps over one root folder; a method is named like its step."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.records = root / "canonical" / DATASET / "all.json"

    def preprocess(self) -> object:
        """CSV to processed records."""
        output = self.root / "processed" / DATASET
        return preprocess.preprocess(self.root / "fields.csv", MAPPING, output, DATASET, overwrite=True)

    def build(self) -> object:
        """Processed to canonical records."""
        folders = (self.root / "processed", self.root / "canonical", self.root / "datasets.json")
        return canonical.build(*folders, self.root / "registries", [DATASET], overwrite=True)

    def split_random(self) -> object:
        """Split by strata."""
        return split.split(self.records.parent.parent, [DATASET], split.Plan(), overwrite=True)

    def split_group(self) -> object:
        """Split by table."""
        return split.split(self.records.parent.parent, [DATASET], split.Plan(split_type="group"), overwrite=True)

    def leakage(self) -> object:
        """Rows and tables that train holds too."""
        return leakage.leakage_report({DATASET: self.records}, self.root / "leakage.json", overwrite=True)

    def audit(self) -> object:
        """Prompts with two answers."""
        from autoresearch.task.conflicts import audit

        grading = self.root / "grading.json"
        files: dict[str, Any] = {"canonical": {DATASET: self.records}, "classification": {DATASET: grading}}
        return audit(**files, grading={DATASET: grading}, split="all", report=self.root / "audit.json", overwrite=True)

    def sft_export(self) -> object:
        """Three messages, with their validation."""
        from autoresearch.releases import three_message

        return three_message.export(self._inputs(), self._output("three"))

    def sft_assemble(self) -> object:
        """Trajectories with mock thoughts, with their validation."""
        from autoresearch.releases import trajectory_export

        return trajectory_export.assemble(self._inputs(), self._output("trajectories"))

    def rl_export(self) -> object:
        """Pairs, with their validation."""
        from autoresearch.releases import pairs_export

        return pairs_export.export(self._inputs(), self._output("pairs"))

    def sft_validate(self) -> object:
        """The validator alone, on trajectories."""
        from autoresearch.releases.validate import validate

        return validate(self.root / "releases" / "trajectories")

    def _inputs(self) -> Any:
        from autoresearch.releases.inputs import ExportInputs

        return ExportInputs(
            canonical=self.records,
            registry=self.root / "registries" / f"{DATASET}.registry.json",
            corpus=self.root / "corpora" / f"{DATASET}.corpus.json",
            metadata_fields=FIELDS,
            grading_config=self.root / "grading.json",
            allow_any_label_gap=True,
        )

    def _output(self, name: str) -> Path:
        folder = self.root / "releases" / name
        shutil.rmtree(folder, ignore_errors=True)
        return folder


def import_releases() -> None:
    """Import what the exporters import when they are called, so that the time of a step is that of its records."""
    import pyarrow as pa

    from autoresearch.releases import pairs_export, three_message, trajectory_export, validate  # noqa: F401

    pa.array([""])  # looks for pandas


LINE = ("preprocess", "build", "split_random", "split_group", "leakage", "audit")
RELEASES = ("sft_export", "sft_assemble", "rl_export", "sft_validate")
STEPS = (*LINE, *RELEASES)


def main() -> None:
    """Run one step and print its cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("make", *STEPS))
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=100_000, help="fields of `make`")
    parser.add_argument("--leaves", type=int, default=233, help="leaves of `make`")
    parser.add_argument("--repeats", type=int, default=1)
    given = parser.parse_args()
    given.root.mkdir(parents=True, exist_ok=True)
    if given.step in RELEASES:
        import_releases()
    action: Callable[[], object]
    if given.step == "make":
        world = World(given.rows, given.leaves)
        world.write_standards(given.root)

        def action() -> object:
            return world.write_csv(given.root / "fields.csv")
    else:
        action = getattr(Steps(given.root), given.step)
    cost = best(action, given.repeats)
    print(json.dumps({"step": given.step, **cost._asdict(), "peak_bytes": peak_bytes()}))


if __name__ == "__main__":
    main()
