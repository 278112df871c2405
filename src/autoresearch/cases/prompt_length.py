"""How many tokens a prompt with its pictures has, as verl's dataset counts them (formal-case.md 4.3, 5).

The checkpoint's own processor counts. Its class also wants a processor of videos, which exists only with torchvision;
rows have pictures, so without torchvision the checkpoint's tokenizer and image processor count by themselves.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, MissingPackageError, require

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


def processor_length(model: Path) -> Length:
    """Token counts as verl's dataset makes them, with the checkpoint's processor over its own template.

    Raises ``MissingPackageError`` without transformers or Pillow, ``InputError`` where the checkpoint has no image
    processor: it cannot read the pictures.
    """
    transformers = require("transformers", "train")
    require("PIL.Image", "geo3k")
    try:
        processor = transformers.AutoProcessor.from_pretrained(str(model))
    except ImportError:
        return _length_by_parts(transformers, model)
    except (OSError, ValueError) as error:
        raise _no_pictures(model) from error
    if not hasattr(processor, "image_processor"):  # a model of text alone gives its tokenizer
        raise _no_pictures(model)

    def length(prompt: str, images: Sequence[bytes]) -> int:
        text = _text(processor, prompt)
        return len(processor(text=[text], images=_opened(images))["input_ids"][0])

    return length


def _length_by_parts(transformers: Any, model: Path) -> Length:
    """Each mark of a picture in the text stands for as many tokens as its patches, ``merge_size`` squared at a time."""
    # the class itself, not the lazy name of the package: that one asks for torchvision whatever is to be loaded
    from transformers.models.auto.image_processing_auto import AutoImageProcessor

    tokenizer = transformers.AutoTokenizer.from_pretrained(str(model))
    try:
        pictures = AutoImageProcessor.from_pretrained(str(model))
    except ImportError as error:
        raise MissingPackageError("torchvision", "geo3k") from error
    except (OSError, ValueError) as error:
        raise _no_pictures(model) from error

    def length(prompt: str, images: Sequence[bytes]) -> int:
        written = len(tokenizer(_text(tokenizer, prompt))["input_ids"])
        grids = pictures(images=_opened(images))["image_grid_thw"]
        merged = int(pictures.merge_size) ** 2
        return written + sum(int(grid.prod()) // merged - 1 for grid in grids)

    return length


def _text(templated: Any, prompt: str) -> str:
    return str(templated.apply_chat_template(messages_of(prompt), add_generation_prompt=True, tokenize=False))


def _opened(images: Sequence[bytes]) -> list[Any]:
    from PIL import Image

    return [Image.open(io.BytesIO(data)).convert("RGB") for data in images]


def _no_pictures(model: Path) -> InputError:
    return InputError(
        f"{model}: no image processor (preprocessor_config.json); the rows of geometry3k have pictures, and nothing "
        "falls back to text only: use a checkpoint that reads pictures"
    )
