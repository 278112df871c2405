"""The judge is what the released Qwen3.5 templates rendered (trl 1.16.0, both thinking defaults), kept in `golden/`."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

transformers_chat = pytest.importorskip("transformers.utils.chat_template_utils")

from autoresearch.training.tiny import TEMPLATE  # noqa: E402 - what it judges is skipped without transformers

GOLDEN = json.loads((Path(__file__).parent / "golden" / "qwen35_rendered.json").read_text(encoding="utf-8"))


def render(text: str, messages: list[dict[str, Any]], **settings: Any) -> str | None:
    """The rendered conversation, or None where the template raises."""
    compiled = transformers_chat._compile_jinja_template(text)
    try:
        return str(compiled.render(messages=messages, **settings))
    except Exception:
        return None


def settings_of(cell: dict[str, Any]) -> dict[str, Any]:
    settings: dict[str, Any] = {"tools": cell["tools"], "add_generation_prompt": cell["add_generation_prompt"]}
    if cell["enable_thinking"] is not None:
        settings["enable_thinking"] = cell["enable_thinking"]
    return settings


@pytest.mark.parametrize("cell", GOLDEN, ids=[f"{i}-{cell['name']}" for i, cell in enumerate(GOLDEN)])
def test_template_renders_the_bytes_of_the_released_template(cell: dict[str, Any]) -> None:
    ours = render(TEMPLATE.read_text(encoding="utf-8"), cell["messages"], **settings_of(cell))
    assert ours == cell["rendered"]


@pytest.mark.skipif(importlib.util.find_spec("trl") is None, reason="trl is not installed")
def test_golden_is_what_the_installed_released_template_renders() -> None:
    spec = importlib.util.find_spec("trl")
    assert spec is not None and spec.origin is not None
    text = (Path(spec.origin).parent / "chat_templates" / "qwen3_5_think.jinja").read_text(encoding="utf-8")
    for cell in GOLDEN:
        assert render(text, cell["messages"], **settings_of(cell)) == cell["rendered"], cell["name"]


def test_template_defaults_to_thinking_and_takes_the_switch() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    ask = [{"role": "user", "content": "hi"}]
    opened = render(text, ask, add_generation_prompt=True)
    closed = render(text, ask, add_generation_prompt=True, enable_thinking=False)
    assert opened is not None and opened.endswith("<|im_start|>assistant\n<think>\n")
    assert closed is not None and closed.endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n")
