"""The two standards and what is derived from them: registry, corpus, mapping, dataset and task config."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbook import write_json

HEADERS = {
    "库名": "database_name",
    "库描述": "database_description",
    "表名": "table_name",
    "表描述": "table_description",
    "字段名": "field_name",
    "字段描述": "field_description",
    "字段类型": "field_type",
    "一级分类": "level_1",
    "二级分类": "level_2",
    "三级分类": "level_3",
    "四级分类": "level_4",
    "级别": "data_level",
}
NATIVE_FOUR = ["field_name", "table_name", "field_description", "table_description"]


@dataclass(frozen=True)
class LeafText:
    """One leaf with the texts that the corpus may show."""

    code: str
    name: str
    description: str
    descriptions: Sequence[str] = ()
    examples: Sequence[str] = ()


def write_standard(out: Path, groups: Mapping[str, Any], leaves: Sequence[LeafText], levels: Mapping[str, str]) -> None:
    """Write standards/, assets/ and config/ below `out` for these leaves, in their order."""
    names = {letter: group["name"] for letter, group in groups["groups"].items()}

    def path(leaf: LeafText) -> list[str]:
        return [names[leaf.code[0]], leaf.name] if groups["groups"][leaf.code[0]]["path"] else []

    rows = [(leaf, {"name": leaf.name, "description": leaf.description, "path": path(leaf)}) for leaf in leaves]
    further = {leaf.code: {"descriptions": list(leaf.descriptions), "examples": list(leaf.examples)} for leaf in leaves}
    write_json(
        out / "standards/steel.classification.json",
        {
            "name": groups["standard"]["name"],
            "version": groups["standard"]["version"],
            "groups": names,
            "categories": [{"code": leaf.code, **text, **further[leaf.code]} for leaf, text in rows],
        },
    )
    write_json(
        out / "standards/steel.grading.json",
        {"levels": list(levels), "descriptions": list(levels.values()), "gt_field": "data_level"},
    )
    write_json(
        out / "assets/registries/steel.registry.json",
        {
            "groups": names,
            "standard": dict(groups["standard"]),
            "categories": [{"category_id": leaf.code, **text, "code": leaf.code} for leaf, text in rows],
        },
    )
    write_json(
        out / "assets/corpora/steel.corpus.json",
        {
            "categories": [
                {"category_id": leaf.code, **text, **further[leaf.code], "code": leaf.code} for leaf, text in rows
            ]
        },
    )
    write_json(out / "assets/mappings/steel.mapping.json", HEADERS)
    write_json(
        out / "config/datasets.json", {"datasets": {"steel": {"id_strategy": "code", "placeholder_labels": ["——"]}}}
    )
    write_json(out / "config/steel.task.json", {"metadata_fields": NATIVE_FOUR, "task_name": "steel_classification"})
