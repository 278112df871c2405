"""Fixtures of the task room's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import steel_task

from autoresearch.task.assets import TaskAssets

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


@pytest.fixture(scope="session")
def assets(tmp_path_factory: pytest.TempPathFactory) -> TaskAssets:
    """The steel task's assets, loaded from files once."""
    return TaskAssets.load(steel_task.write_assets(tmp_path_factory.mktemp("assets")))


@pytest.fixture(scope="session")
def tokenizer(assets: TaskAssets, tmp_path_factory: pytest.TempPathFactory) -> PreTrainedTokenizerFast:
    """A tiny tokenizer that splits at words as Qwen's does, with the project's chat template."""
    pytest.importorskip("transformers")
    from autoresearch.training.tiny import build_tokenizer

    rows = [
        steel_task.trajectory_row(assets, calls, thinking=thinking)
        for calls in steel_task.SHAPES.values()
        for thinking in (True, False)
    ]
    texts = [str(message["content"]) for row in rows for message in row["messages"]]
    texts += [f"{text}\n\n{text}" for text in ("a", "b", "c")]  # a blank line is one token, as in the real vocabulary
    return build_tokenizer(texts, tmp_path_factory.mktemp("tokenizer"), "qwen", vocab_size=1024)
