"""A small steel company's task, complete and in memory: eight leaves, two groups, both forms of scope key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autoresearch.files import write_json
from autoresearch.task.assets import TaskAssets

LEAVES: list[dict[str, Any]] = [
    {"category_id": "demo:B2-1", "name": "铁水成分", "description": "铁水中碳硅锰磷硫的化学成分", "code": "B2-1"},
    {"category_id": "demo:B2-10", "name": "炉号信息", "description": "转炉炼钢的炉次与炉号", "code": "B2-10"},
    {"category_id": "demo:B2-1-3", "name": "出钢温度", "description": "出钢时测得的温度", "code": "B2-1-3"},
    {"category_id": "demo:B3-1", "name": "轧制规格", "description": "轧制产品的厚度与宽度", "code": "B3-1"},
    {
        "category_id": "demo:A1-1",
        "name": "员工联系方式",
        "description": "员工的手机号码与地址",
        "path": ["管理数据", "人事", "员工联系方式"],
        "code": "A1-1",
    },
    {
        "category_id": "demo:A1-2",
        "name": "员工薪酬",
        "description": "员工的工资与奖金",
        "path": ["管理数据", "人事", "员工薪酬"],
        "code": "A1-2",
    },
    {
        "category_id": "demo:A2-1",
        "name": "合同",
        "description": "采购合同的编号和金额",
        "path": ["管理数据", "采购", "合同"],
        "code": "A2-1",
    },
    {
        "category_id": "demo:A3-1",
        "name": "合同",
        "description": "销售合同的编号和客户，见B2-1。",
        "path": ["管理数据", "销售", "合同"],
        "code": "A3-1",
    },
]
FIELDS = ("field_name", "table_name", "field_description", "table_description")


def corpus_items() -> list[dict[str, Any]]:
    """The corpus of ``LEAVES``: each with one further description and two examples."""
    return [
        {
            **{key: leaf[key] for key in ("category_id", "name", "description")},
            "descriptions": [f"{leaf['name']}的说明"],
            "examples": [f"{leaf['name']}例一", f"{leaf['name']}例二", "LUHAO"] if leaf["code"] == "B2-10" else [],
        }
        for leaf in LEAVES
    ]


def write_assets(
    folder: Path, leaves: list[dict[str, Any]] = LEAVES, corpus: list[dict[str, Any]] | None = None
) -> Path:
    """Write an ``assets/`` folder as a release holds it."""
    write_json(folder / "registry.json", {"categories": leaves, "groups": {"B": "生产数据"}})
    write_json(folder / "corpus.json", {"categories": corpus_items() if corpus is None else corpus})
    write_json(folder / "task.json", {"metadata_fields": list(FIELDS)})
    write_json(folder / "grading.json", {"levels": ["L1", "L2", "L3"], "descriptions": ["公开", "内部", "敏感"]})
    return folder


@pytest.fixture(scope="session")
def assets(tmp_path_factory: pytest.TempPathFactory) -> TaskAssets:
    """The task's assets, loaded from files once."""
    return TaskAssets.load(write_assets(tmp_path_factory.mktemp("assets")))
