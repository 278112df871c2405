"""Tokens of a prompt with its pictures: by parts as by the checkpoint's whole processor (formal-case.md 4.3)."""

from __future__ import annotations

import io
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("PIL.Image", reason="Pillow draws the pictures of these tests")
pytest.importorskip("transformers")

import transformers
from geo3k_world import checkpoint
from geometry import row, triangle
from PIL import Image

from autoresearch.cases.prompt_length import messages_of, prompt_counter
from autoresearch.errors import InputError


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint that reads pictures."""
    return checkpoint(tmp_path_factory.mktemp("prompt") / "model")


def whole_processor(model: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The processor that verl would have: with a processor of videos where torchvision makes one possible."""
    if find_spec("torchvision") is not None:
        return transformers.AutoProcessor.from_pretrained(str(model))
    from transformers.models.auto.image_processing_auto import AutoImageProcessor
    from transformers.processing_utils import ProcessorMixin

    monkeypatch.setattr(ProcessorMixin, "check_argument_for_proper_class", lambda *given: type(given[-1]))
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(model))
    pictures = AutoImageProcessor.from_pretrained(str(model))
    return transformers.Qwen3VLProcessor(pictures, tokenizer, None, chat_template=tokenizer.chat_template)


def test_a_prompt_counts_as_many_tokens_as_the_checkpoints_processor_gives(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    length, processor = prompt_counter(model).length, whole_processor(model, monkeypatch)
    first = row(3)["images"][0]["bytes"]
    for prompt, images in (
        ("<image>Find the area.", [first]),
        ("Compare <image> with <image>: which is larger?", [first, triangle(60, 9)]),
    ):
        messages = messages_of(prompt)
        text = processor.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        assert text.count("<|image_pad|>") == len(images)
        opened = [Image.open(io.BytesIO(data)).convert("RGB") for data in images]
        assert length(prompt, images) == len(processor(text=[text], images=opened)["input_ids"][0])


def test_a_checkpoint_of_text_alone_is_refused_by_name(model: Path, tmp_path: Path) -> None:
    text = shutil.copytree(model, tmp_path / "text")
    (text / "preprocessor_config.json").unlink()
    with pytest.raises(InputError, match="no image processor"):
        prompt_counter(text)


def test_what_a_template_does_when_nobody_says_is_seen_in_what_it_writes(model: Path, tmp_path: Path) -> None:
    assert prompt_counter(model).thinking is True
    quiet = shutil.copytree(model, tmp_path / "quiet")
    template = (quiet / "chat_template.jinja").read_text(encoding="utf-8")
    (quiet / "chat_template.jinja").write_text(
        "{%- set enable_thinking = enable_thinking is defined and enable_thinking -%}" + template
    )
    assert prompt_counter(quiet).thinking is False
    (quiet / "chat_template.jinja").write_text("{% for message in messages %}{{ message.role }}{% endfor %}")
    assert prompt_counter(quiet).thinking is None
