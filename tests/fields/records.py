"""Processed and canonical records for the tests of this room."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from autoresearch.fields.processed import record_id
from autoresearch.files import write_json, write_records

LEAVES = ("订单", "库存", "炉次", "成分", "工资", "合同")
LEVELS = ("L1", "L2", "L3", "L4")


def processed(
    field: str, *, table: str = "T", database: str = "DB", dataset: str = "steel", **texts: str
) -> dict[str, Any]:
    """A processed record; name metadata, level texts or ``data_level`` to set them."""
    metadata = {
        "database_name": database,
        "database_description": "",
        "table_name": table,
        "table_description": texts.pop("table_description", ""),
        "field_name": field,
        "field_description": texts.pop("field_description", ""),
        "field_type": "STRING",
    }
    level = texts.pop("data_level", "")
    labels = {name: texts.pop(name, "") for name in ("level_1", "level_2", "level_3", "level_4")}
    assert not texts
    return {
        "id": record_id(dataset, database, table, field),
        "key": field.lower(),
        "label_status": "labeled" if any(labels.values()) else "unlabeled",
        "metadata": metadata,
        "classification": labels,
        "data_level": level,
        "label_notes": None,
        "rewritten_from": None,
        "cleaned_from": None,
    }


def standards(folder: Path, *, strategy: str = "code", **config: Any) -> dict[str, Path]:
    """Write registry, corpus and dataset config of ``LEAVES``; returns the arguments of ``canonical.build``."""
    if strategy == "code":
        items = [
            {"category_id": f"A{index}", "name": name, "code": f"A{index}", "path": ["经营", name]}
            for index, name in enumerate(LEAVES, 1)
        ]
    else:
        items = [{"category_id": f"steel:经营...{name}", "name": name, "path": ["经营", name]} for name in LEAVES]
    write_json(folder / "std" / "steel.registry.json", {"categories": items})
    write_json(folder / "std" / "steel.corpus.json", {"categories": items})
    write_json(folder / "datasets.json", {"datasets": {"steel": {"id_strategy": strategy, **config}}})
    return {
        "processed_dir": folder / "processed",
        "canonical_dir": folder / "canonical",
        "config_file": folder / "datasets.json",
        "registry_dir": folder / "std",
        "corpus_dir": folder / "std",
    }


def write_processed(folder: Path, records: list[Any], dataset: str = "steel") -> None:
    """Write ``processed/<dataset>/all.json``."""
    write_records(folder / "processed" / dataset / "all.json", records)


def canonical(record: dict[str, Any], leaf: str | None, dataset: str = "steel") -> dict[str, Any]:
    """A canonical record that resolved to ``leaf``, or an unlabelled one."""
    target = None
    if leaf is not None:
        target = {"leaf_level": "level_4", "leaf_name": leaf, "category_id": leaf, "category_path": [leaf]}
    status = "unlabeled" if leaf is None else "resolved"
    return {
        **record,
        "schema_version": 2,
        "dataset": dataset,
        "path_mask": [False, False, False, leaf is not None],
        "leaf": {"field": "level_4", "value": leaf or ""},
        "resolution": {"status": status, "category_id": leaf, "reason": ""},
        "resolution_status": status,
        "target": target,
        "split": None,
        "split_exclusion_reason": None,
    }


def many(count: int, *, tables: int = 20, seed: int = 1, words: int = 60) -> list[dict[str, Any]]:
    """Resolved records in ``tables`` tables, with descriptions drawn from ``words`` words so that some are alike."""
    draw = random.Random(seed)
    out = []
    for index in range(count):
        leaf = draw.choice(LEAVES)
        described = "".join(f"词{draw.randrange(words)}" for _ in range(4))
        record = processed(
            f"F{index:05d}",
            table=f"T{draw.randrange(tables):03d}",
            level_4=leaf,
            data_level=draw.choice(LEVELS),
            field_description=described,
            table_description="表",
        )
        out.append(canonical(record, leaf))
    return out


def line(record: Any) -> str:
    """A record as its line of a record file."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
