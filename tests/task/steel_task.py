"""A small steel company's task, complete and in memory: eight leaves, two groups, both forms of scope key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autoresearch.files import write_json
from autoresearch.task import prompts
from autoresearch.task.assets import TaskAssets
from autoresearch.task.tools import ToolBox, tools_json

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


METADATA = {
    "field_name": "LUHAO",
    "table_name": "T_HEAT",
    "field_description": "炉号",
    "table_description": "炉次表",
}
Call = tuple[str, dict[str, Any]]
SEARCH_CALL: Call = (
    "search_categories",
    {"field_name": "LUHAO", "table_name": "T_HEAT", "field_description": "炉号"},
)
SHAPES: dict[str, list[Call]] = {
    "direct": [],
    "single_tool": [SEARCH_CALL],
    "multi_tool": [
        SEARCH_CALL,
        ("get_category_details", {"choice_ids": ["2", "1"]}),
        ("get_category_examples", {"choice_ids": ["2"], "limit": 2}),
    ],
}
EMPTY = {"content": None, "reasoning_content": None, "tool_calls": None, "name": None}


def trajectory_row(
    assets: TaskAssets,
    calls: Sequence[Call],
    *,
    thinking: bool,
    thought: str = "名称较短，先检索。",
    answer: tuple[str, str] = ("2", "L2"),
    metadata: dict[str, str] = METADATA,
    source_id: str = "rec-1",
) -> dict[str, Any]:
    """A trajectory row as a release stores it (data-line 3.14), tool results computed."""
    toolbox = ToolBox(assets)
    said = thought if thinking else None
    messages = [{**EMPTY, **message} for message in prompts.native_messages(assets, metadata, thinking)]
    for name, arguments in calls:
        call = prompts.spaced([{"type": "function", "function": {"name": name, "arguments": arguments}}])
        messages.append({**EMPTY, "role": "assistant", "content": "", "reasoning_content": said, "tool_calls": call})
        messages.append({**EMPTY, "role": "tool", "content": toolbox.call_text(name, arguments), "name": name})
    final = prompts.terminal_text(*answer)
    messages.append({**EMPTY, "role": "assistant", "content": final, "reasoning_content": said})
    return {"messages": messages, "tools": tools_json(), "enable_thinking": thinking, "source_id": source_id}
