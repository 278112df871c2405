"""Tokenizers and chat templates of a checkpoint folder: loaded offline, and hashed for reports and verdicts."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError, require
from autoresearch.files import read_json, sha256_file, sha256_text

TEMPLATE_FILE = "chat_template.jinja"


@lru_cache(maxsize=4)
def load_tokenizer(folder: Path) -> Any:
    """The tokenizer of a checkpoint folder, without network.

    Raises ``InputError`` when the folder holds none, ``MissingPackageError`` when transformers is not installed.
    """
    tokenizer_sha256(folder)
    transformers = require("transformers", "train")
    try:
        return transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, ImportError) as error:
        raise InputError(f"{folder}: the tokenizer cannot be loaded: {str(error).splitlines()[0]}") from error


def tokenizer_sha256(folder: Path) -> str:
    """sha256 of ``tokenizer.json``: the name of a tokenizer in reports, verdicts and plans."""
    file = folder / "tokenizer.json"
    if not file.is_file():
        raise InputError(f"{folder} holds no tokenizer.json; give the folder of a checkpoint with a fast tokenizer")
    return sha256_file(file)


def template_text(folder: Path) -> str:
    """The chat template of a checkpoint folder. Raises ``InputError`` when there is none."""
    file = folder / TEMPLATE_FILE
    if file.is_file():
        return file.read_text(encoding="utf-8")
    config = folder / "tokenizer_config.json"
    template = read_json(config).get("chat_template") if config.is_file() else None
    if not isinstance(template, str) or not template:
        raise InputError(f"{folder} holds no chat template; give the folder of a checkpoint that has one")
    return template


def template_sha256(folder: Path) -> str:
    """sha256 of the chat template's text."""
    return sha256_text(template_text(folder))
