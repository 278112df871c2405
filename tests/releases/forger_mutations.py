"""Changes of one meaning in every place of a row that holds it, as a careful forger makes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from forged_release import Forgery, Row, source_of
from mutations import Mutation, leaf_changes, on_row, setter


def forger_mutations(forgery: Forgery, split: str) -> Iterator[Mutation]:
    """Changes of one meaning in every place that holds it: arguments of a call, a shown field, a label."""
    for number, row in enumerate(forgery.rows[split]):
        for path, change in (*_calls(row), *_shown(row, forgery), *_labels(row, forgery)):
            yield Mutation(path, on_row(split, number, change), split, number, source_of(row))


Change = tuple[str, Callable[[Row], None]]


def _calls(row: Row) -> Iterator[Change]:
    for number, stored in enumerate(row.get("tool_calls") or ()):
        arguments = json.loads(stored["arguments"])
        for key, value in arguments.items():
            for what, new in leaf_changes(value):
                yield f"call/{number}/{key}:{what}", _both(number, {**arguments, key: new})
            left = {name: kept for name, kept in arguments.items() if name != key}
            yield f"call/{number}/{key}:gone", _both(number, left)
        yield f"call/{number}/top_k:more", _both(number, {**arguments, "top_k": 5})
        yield f"call/{number}/scope:more", _both(number, {**arguments, "scope": ""})


def _both(number: int, arguments: dict[str, Any]) -> Callable[[Row], None]:
    def put(row: Row) -> None:
        row["tool_calls"][number]["arguments"] = json.dumps(arguments, ensure_ascii=False)
        setter((2 + 2 * number, "tool_calls", "json", 0, "function", "arguments"), arguments)(row["messages"])

    return put


def _shown(row: Row, forgery: Forgery) -> Iterator[Change]:
    """A field's text changed in the metadata and in the prompt that shows it."""
    if "search_rank" in row and not any(call["name"] == "search_categories" for call in row["tool_calls"]):
        return  # nothing else in the row speaks of the field
    holder = "extra_info" if "extra_info" in row else None
    metadata = (row[holder] if holder else row)["metadata"]
    for key, value in metadata.items():
        if "search_rank" in row and key == "table_description":
            continue
        yield f"shown/{key}:append", _show(holder, key, value + "丙")


def _show(holder: str | None, key: str, value: str) -> Callable[[Row], None]:
    def put(row: Row) -> None:
        metadata = (row[holder] if holder else row)["metadata"]
        user = row["prompt" if holder else "messages"][1]
        old = json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
        metadata[key] = value
        new = json.dumps(metadata, ensure_ascii=False, separators=(",", ":"))
        assert old in user["content"]
        user["content"] = user["content"].replace(old, new)

    return put


def _labels(row: Row, forgery: Forgery) -> Iterator[Change]:
    """Another level or another truth, in the columns and in what the assistant answers."""
    levels = forgery.headers["train"]["levels"]
    ids = [item["category_id"] for item in json.loads(forgery.assets["registry.json"])["categories"]]
    for level in levels:
        if level != row.get("extra_info", row)["ground_truth_level"]:
            yield "label/level:other", _label(level=level)
    truth = row["reward_model"]["ground_truth"] if "reward_model" in row else row["ground_truth"]
    for number, category_id in enumerate(ids, start=1):
        if category_id != truth and not _unseen(row, number):
            yield "label/truth:other", _label(truth=category_id, choice_id=str(number))


def _unseen(row: Row, number: int) -> bool:
    """Whether the search of a trajectory speaks of neither truth: it found not the one and does not show the other."""
    shown = (f'"choice_id": "{number}"' in (message["content"] or "") for message in row.get("messages", ()))
    return "search_rank" in row and row["search_rank"] is None and not any(shown)


def _label(level: str | None = None, truth: str | None = None, choice_id: str = "") -> Callable[[Row], None]:
    def put(row: Row) -> None:
        if level is not None:
            row.get("extra_info", row)["ground_truth_level"] = level
        if truth is not None:
            holder = row.get("reward_model", row)
            holder["ground_truth"] = truth
        if "messages" not in row or row["stage"] == "stage1":
            return
        answer = json.loads(row["messages"][-1]["content"])
        answer["level"] = level or answer["level"]
        if truth is not None and "candidates" not in row:
            answer["answer"] = choice_id
        elif truth is not None and truth in row["candidates"]:
            answer["answer"] = str(row["candidates"].index(truth) + 1)
        separators = (",", ":") if "candidates" in row else None
        row["messages"][-1]["content"] = json.dumps(answer, ensure_ascii=False, separators=separators)

    return put
