"""How many tokens a prompt with its pictures has, as verl's dataset counts them (formal-case.md 4.3, 5).

The checkpoint's own processor counts. Its class also wants a processor of videos, which exists only with torchvision;
rows have pictures, so without torchvision the checkpoint's tokenizer and image processor count by themselves.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, require

IMAGE = "<image>"
"""Stands for a picture in a prompt of geometry3k."""
Length = Callable[[str, Sequence[bytes]], int]
"""(prompt, pictures) -> tokens."""


def messages_of(prompt: str) -> list[dict[str, Any]]:
    """A prompt as verl hands it to the template: texts and pictures in order."""
    parts = prompt.split(IMAGE)
    content: list[dict[str, str]] = []
    for place, part in enumerate(parts):
        content += [{"type": "text", "text": part}] if part else []
        content += [{"type": "image"}] if place < len(parts) - 1 else []
    return [{"role": "user", "content": content}]


@dataclass(frozen=True)
class PromptCounter:
    """What a checkpoint makes of a prompt."""

    length: Length
    thinking: bool | None
    """Whether its template lets it think when nobody says anything, as in a row; None: the template has no switch."""


def prompt_counter(model: Path) -> PromptCounter:
    """Token counts as verl's dataset makes them, with the checkpoint's processor over its own template.

    Raises ``MissingPackageError`` without transformers or Pillow, ``InputError`` where the checkpoint has no image
    processor (it cannot read the pictures), or one that needs torchvision.
    """
    transformers = require("transformers", "train")
    require("PIL.Image", "geo3k")
    try:
        processor = transformers.AutoProcessor.from_pretrained(str(model))
    except ImportError:
        return _counter_of_parts(transformers, model)
    except (OSError, ValueError) as error:
        raise _no_pictures(model) from error
    if not hasattr(processor, "image_processor"):  # a model of text alone gives its tokenizer
        raise _no_pictures(model)

    def length(prompt: str, images: Sequence[bytes]) -> int:
        return len(processor(text=[_text(processor, prompt)], images=_opened(images))["input_ids"][0])

    return PromptCounter(length, _thinking(processor))


def _counter_of_parts(transformers: Any, model: Path) -> PromptCounter:
    """Each mark of a picture in the text stands for as many tokens as its patches, ``merge_size`` squared at a time."""
    # the class itself, not the lazy name of the package: that one asks for torchvision whatever is to be loaded
    from transformers.models.auto.image_processing_auto import AutoImageProcessor

    tokenizer = transformers.AutoTokenizer.from_pretrained(str(model))
    try:
        pictures = AutoImageProcessor.from_pretrained(str(model))
    except ImportError as error:
        install = "pip install torchvision, in the build that belongs to the installed torch"
        raise InputError(f"{model}: its image processor exists only with torchvision: {install}") from error
    except (OSError, ValueError) as error:
        raise _no_pictures(model) from error

    def length(prompt: str, images: Sequence[bytes]) -> int:
        written = len(tokenizer(_text(tokenizer, prompt))["input_ids"])
        grids = pictures(images=_opened(images))["image_grid_thw"]
        area = int(pictures.merge_size) ** 2
        return written + sum(int(grid.prod()) // area - 1 for grid in grids)

    return PromptCounter(length, _thinking(tokenizer))


def _thinking(templated: Any) -> bool | None:
    silent, on, off = (
        _text(templated, "?", **said) for said in ({}, {"enable_thinking": True}, {"enable_thinking": False})
    )
    return None if on == off else silent == on


def _text(templated: Any, prompt: str, **said: bool) -> str:
    return str(templated.apply_chat_template(messages_of(prompt), add_generation_prompt=True, tokenize=False, **said))


def _opened(images: Sequence[bytes]) -> list[Any]:
    from PIL import Image

    return [Image.open(io.BytesIO(data)).convert("RGB") for data in images]


def _no_pictures(model: Path) -> InputError:
    return InputError(
        f"{model}: no image processor (preprocessor_config.json); the rows of geometry3k have pictures, and nothing "
        "falls back to text only: use a checkpoint that reads pictures"
    )
