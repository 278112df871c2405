"""The counts that `expected.json` pins, computed with the program's own rooms: `python expected.py --write`."""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from autoresearch.fields import canonical, preprocess, split
from autoresearch.files import read_records, write_json
from autoresearch.releases.trajectories import assign
from autoresearch.standards.text import contains_code
from autoresearch.task.assets import TaskAssets

HERE = Path(__file__).resolve().parent
SPLITS = ("train", "val", "test")
SEED = 42


def _class_counts(records: list[dict[str, Any]], assets: TaskAssets) -> dict[str, Any]:
    """Trajectory classes by the search policy and recall of the gold, on the records that a release takes."""
    names = ("field_name", "table_name", "field_description", "table_description")
    used = [
        record
        for record in records
        if record["split"]
        and record["data_level"]
        and not any(contains_code(record["metadata"][name], record["target"]["category_id"]) for name in names)
    ]
    queries = [tuple(record["metadata"][name] for name in names[:3]) for record in used]
    ranked = assets.index.rank_many(queries, [record["target"]["category_id"] for record in used])
    counts: dict[str, Counter[str]] = {name: Counter() for name in SPLITS}
    for record, found in zip(used, ranked, strict=True):
        counts[record["split"]][assign("search", record["id"], found).trajectory_class] += 1
    recalled = sum(found.rank is not None and found.rank <= 5 for found in ranked)
    return {
        "class_counts": {name: dict(sorted(counts[name].items())) for name in SPLITS},
        "gold_recall_at_5": round(recalled / len(used), 4),
    }


def count(folder: Path) -> dict[str, Any]:
    """Preprocess, build, and split three ways in a scratch folder; return what the example promises."""
    assets = TaskAssets.from_paths(
        folder / "assets/registries/steel.registry.json",
        folder / "assets/corpora/steel.corpus.json",
        folder / "config/steel.task.json",
        folder / "standards/steel.grading.json",
    )
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        read = preprocess.preprocess(
            folder / "raw/steel.xlsx",
            folder / "assets/mappings/steel.mapping.json",
            scratch / "processed/steel/all.json",
            "steel",
        )
        splits: dict[str, Any] = {}
        for kind in ("random", "group", "cluster"):
            built = canonical.build(
                scratch / "processed",
                scratch / kind,
                folder / "config/datasets.json",
                folder / "assets/registries",
                ["steel"],
                corpus_dir=folder / "assets/corpora",
            )["steel"]
            plan = split.Plan(split_type=kind, seed=SEED)
            report = split.split(scratch / kind, ["steel"], plan)["steel"].model_dump(mode="json")
            records = read_records(scratch / kind / "steel/all.json")
            leakage = report["leakage"]
            splits[kind] = {
                "sizes": report["sizes"],
                "gaps": [report["coverage"]["category_gaps"], report["coverage"]["level_gaps"]],
                "tables_seen_share": {part: leakage[part]["tables_seen_share"] for part in ("val", "test")},
                "exact_rows": {part: leakage[part]["exact"]["rows"] for part in ("val", "test")},
                "near_rows": {part: leakage[part]["near"]["rows"] for part in ("val", "test")},
                **_class_counts(records, assets),
            }
    return {
        "seed": SEED,
        "ledger": read.ledger.model_dump(),
        "labeled": read.labeled,
        "unlabeled": read.unlabeled,
        "missing_descriptions": read.missing["field_description"],
        "levels": read.levels,
        "findings": {item.code: item.count for item in read.findings},
        "statuses": built.status_counts,
        "leaves": len(assets.registry),
        "leaves_with_two_levels": [item.category_id for item in built.leaves_with_two_levels],
        "level_lookup_baseline": round(built.level_lookup_baseline or 0.0, 4),
        "splits": splits,
    }


def awkward(folder: Path) -> dict[str, Any]:
    """Each awkward case by its id: what it shows, and the code or status by which it is seen."""
    cases = yaml.safe_load((folder / "vocab/awkward.yaml").read_text(encoding="utf-8"))["awkward"]
    kept = ("table", "name", "finding", "status", "shows")
    return {case["id"]: {key: case[key] for key in kept if key in case} for case in cases}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write expected.json")
    arguments = parser.parse_args()
    found = {**count(HERE), "awkward": awkward(HERE)}
    if arguments.write:
        write_json(HERE / "expected.json", found)
    else:
        print(found)


if __name__ == "__main__":
    main()
