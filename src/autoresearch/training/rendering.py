"""Does a model's template render a release? The first row of each class (training.md 4.2, T005)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """The tokenizer of a local model folder; nothing is fetched."""
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(folder), local_files_only=True)


def first_rows(release: Path, family: str) -> list[dict[str, Any]]:
    """The first train row of each trajectory class (of each stage in other families)."""
    from autoresearch.releases.release import Release

    key = "trajectory_class" if family == "trajectory" else "stage"
    found: dict[object, dict[str, Any]] = {}
    for row in Release(release).records("train"):
        found.setdefault(row.get(key), row)
    return list(found.values())


def first_rows_problem(release: Path, family: str, model: Path) -> str:
    """Render and tokenise; returns the first problem as one sentence, or an empty text.

    RL rows have no assistant turn: their prompt alone is rendered.
    """
    from autoresearch.task import conversation

    tokenizer = load_tokenizer(model)
    for row in first_rows(release, family):
        if family == "rl-cascade":
            problem = _prompt_problem(tokenizer, release, row)
        else:
            try:
                conversation.encode(tokenizer, conversation.decode_row(row))
                problem = ""
            except ValueError as error:
                problem = f"{row.get('source_id', 'the first row')}: {error}"
        if problem:
            return problem
    return ""


def _prompt_problem(tokenizer: PreTrainedTokenizerBase, release: Path, row: dict[str, Any]) -> str:
    from autoresearch.releases.release import Release
    from autoresearch.task import conversation
    from autoresearch.task.tools import tool_schemas

    thinking = Release(release).header.enable_thinking
    try:
        conversation.prompt_ids(tokenizer, row["prompt"], tool_schemas(), thinking)
    except ValueError as error:
        return f"{row['extra_info']['source_id']}: {error}"
    return ""
