"""Every artefact of the data line over a few made fields: run as a program it prints the sha256 of each file.

``python whole_line.py ROOT ORDER``: ``ORDER`` is ``given``, ``reversed`` or the seed of a shuffle of the rows.
"""

from __future__ import annotations

import csv
import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

from autoresearch.fields import canonical, leakage, preprocess, split
from autoresearch.fields.ddl import import_ddl
from autoresearch.files import sha256_file, tree_files, write_json
from autoresearch.releases import mixture, pairs_export, three_message, trajectory_export
from autoresearch.releases.collect import collect
from autoresearch.releases.inputs import ExportInputs
from autoresearch.releases.stats import stats
from autoresearch.releases.trajectory_export import TrajectoryOptions
from autoresearch.releases.validate import validate
from autoresearch.standards.mapping import ColumnMapping
from autoresearch.task.conflicts import audit

NAME = "steel"
TARGETS = [
    "database_name",
    "table_name",
    "table_description",
    "field_name",
    "field_description",
    "field_type",
    "level_4",
    "data_level",
]
FIELDS = ["field_name", "table_name", "field_description", "table_description"]
WORDS = [
    "炉号",
    "钢种",
    "温度",
    "订单",
    "班次",
    "轧制",
    "成分",
    "重量",
    "库存",
    "质量",
    "设备",
    "能耗",
    "检修",
    "合同",
    "人员",
    "计划",
]
SHORT = [
    "HEAT",
    "GRADE",
    "TEMP",
    "ORDER",
    "SHIFT",
    "ROLL",
    "CHEM",
    "WGT",
    "STOCK",
    "QLTY",
    "EQPT",
    "POWER",
    "REPAIR",
    "DEAL",
    "STAFF",
    "PLAN",
]
LEAVES, ROWS = 10, 150


def standards(root: Path) -> None:
    """Registry, corpus, grading standard, dataset config."""
    leaves = [
        {
            "category_id": f"{NAME}:{WORDS[place]}管理",
            "name": f"{WORDS[place]}管理",
            "path": ["生产" if place % 2 else "经营"],
            "code": f"B{place + 1}-{place + 3}",
            "description": f"记录{WORDS[place]}和{WORDS[place + 3]}的数据",
        }
        for place in range(LEAVES)
    ]
    corpus = [{**leaf, "descriptions": ["补充说明"], "examples": [f"{WORDS[n]}编号"]} for n, leaf in enumerate(leaves)]
    write_json(root / "assets" / f"{NAME}.registry.json", {"categories": leaves})
    write_json(root / "assets" / f"{NAME}.corpus.json", {"categories": corpus})
    write_json(
        root / "assets" / "grading.json", {"levels": ["L1", "L2", "L3"], "descriptions": ["公开", "内部", "敏感"]}
    )
    write_json(root / "assets" / "datasets.json", {"datasets": {NAME: {"identity_fields": ["level_4"]}}})
    entry = {"path": "grading.json", "sha256": sha256_file(root / "assets" / "grading.json")}
    write_json(root / "assets" / "manifest.json", {"datasets": {NAME: entry}})


def rows() -> list[list[str]]:
    """Different fields; some unlabelled, some without a level, some near-copies in another database."""
    draw = random.Random(11)
    found = []
    for number in range(ROWS):
        leaf = number % LEAVES
        said = "" if number % 9 == 4 else f"{WORDS[leaf]}{draw.choice(WORDS)}的{draw.choice(WORDS)}"
        name = f"{SHORT[leaf]}_{draw.choice(SHORT)}_{number // 2}"
        label = "" if number % 17 == 16 else f"{WORDS[leaf]}管理"
        level = "" if not label or number % 23 == 22 else f"L{leaf % 3 + 1}"
        table = f"T_{number // 10}"
        found.append([f"DB{number % 2}", table, f"{WORDS[number // 10]}表", name, said, "VARCHAR(8)", label, level])
    return found


def sheet(path: Path, order: str) -> None:
    """The rows as CSV in the order that is asked for."""
    lines = rows()
    if order == "reversed":
        lines.reverse()
    elif order != "given":
        random.Random(int(order)).shuffle(lines)
    with path.open("w", encoding="utf-8", newline="") as handle:
        table = csv.writer(handle)
        table.writerow(TARGETS)
        table.writerows(lines)


def records(root: Path, order: str) -> Path:
    """CSV to split canonical records, in all three ways; the last one, random, stays."""
    sheet(root / "fields.csv", order)
    mapping = ColumnMapping({name: name for name in TARGETS})
    preprocess.preprocess(root / "fields.csv", mapping, root / "processed" / NAME, NAME)
    folders = (root / "processed", root / "canonical", root / "assets" / "datasets.json", root / "assets")
    canonical.build(*folders, [NAME])
    for kind in ("group", "cluster", "random"):
        split.split(root / "canonical", [NAME], split.Plan(split_type=kind), overwrite=True)  # type: ignore[arg-type]
        shutil.copytree(root / "canonical" / NAME, root / "splits" / kind)
    return root / "canonical" / NAME / "all.json"


def line(root: Path, order: str = "given") -> dict[str, str]:
    """Make everything below ``root``; file → sha256."""
    root.mkdir(parents=True, exist_ok=True)
    standards(root)
    done, assets, out = records(root, order), root / "assets", root / "releases"
    leakage.leakage_report({NAME: done}, root / "leakage.json")
    grading = {NAME: assets / "grading.json"}
    audit({NAME: done}, grading, grading, "all", report=root / "audit.json")
    inputs = ExportInputs(
        done,
        assets / f"{NAME}.registry.json",
        assets / f"{NAME}.corpus.json",
        metadata_fields=FIELDS,
        grading_config=assets / "grading.json",
    )
    three_message.export(inputs, out / "three")
    pairs_export.export(inputs, out / "pairs")
    trajectory_export.assemble(inputs, out / "mock")
    trajectory_export.assemble(inputs, out / "hash", TrajectoryOptions(enable_thinking=False, class_policy="hash"))
    collect(inputs, out / "collected")
    trajectory_export.assemble(inputs, out / "filled", TrajectoryOptions(think_source=f"file:{filled(out)}"))
    for family, source in (("sft", "three"), ("rl-cascade", "pairs")):
        mixture.build(family, mixture.MixtureInputs(NAME, out / source, assets / "manifest.json"), out / family)
    for name in ("three", "pairs", "filled", "sft", "rl-cascade"):
        write_json(root / "validations" / f"{name}.json", validate(out / name))
    write_json(root / "stats.json", stats(out / "filled"))
    import_ddl([ddl(root)], root / "imported", NAME)
    return {name: sha256_file(root / name) for name in tree_files(root)}


def filled(out: Path) -> Path:
    """The collected shards with thoughts in them."""
    (out / "thoughts").mkdir()
    for shard in sorted((out / "collected").glob("think-*.jsonl")):
        samples: list[dict[str, Any]] = [json.loads(text) for text in shard.read_text(encoding="utf-8").splitlines()]
        for sample in samples:
            sample["think"] = "名称和描述都指向这一类。"
            sample["tool_think"] = ["先查一下目录。"] * len(sample["tool_calls"])
        lines = "".join(json.dumps(sample, ensure_ascii=False) + "\n" for sample in samples)
        (out / "thoughts" / shard.name).write_text(lines, encoding="utf-8", newline="\n")
    return out / "thoughts"


def ddl(root: Path) -> Path:
    """Two tables and a data statement."""
    text = "CREATE TABLE a.t (x int COMMENT '炉号', y varchar(3));\nINSERT INTO a.t VALUES (1, 'z');\n"
    (root / "schema.sql").write_text(text + "CREATE TABLE u (v date) COMMENT='班次';\n", encoding="utf-8", newline="\n")
    return root / "schema.sql"


if __name__ == "__main__":
    print(json.dumps(line(Path(sys.argv[1]), sys.argv[2])))
