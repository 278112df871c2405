"""A local model folder as a plan sees it (training.md 5.3, T004). Imports without torch."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch.errors import InputError
from autoresearch.files import read_json, sha256_file, sha256_text

KNOWN_MODEL_TYPES = ("qwen3_5", "qwen3_5_moe", "qwen3_5_text", "qwen3_5_moe_text")
IMAGE_TEXT_TYPES = ("qwen3_5", "qwen3_5_moe")
"""Root types whose linear-attention layers get sequence boundaries, and which vLLM accepts (training.md 4.5, 7.2)."""
OTHER_TYPES = ("llama", "qwen2", "qwen3")
"""Dense text classes without linear attention."""
BYTES_OF = {"F64": 8, "F32": 4, "BF16": 2, "F16": 2, "F8_E4M3": 1, "I64": 8, "I32": 4, "I8": 1, "U8": 1, "BOOL": 1}


@dataclass(frozen=True)
class ModelFolder:
    """Facts of a model folder, read from its small files and the headers of its shards."""

    path: Path
    model_type: str
    architecture: str
    dtype: str
    vocab_size: int
    hidden_size: int
    heads: int
    max_positions: int
    parameters: int
    weight_bytes: int
    shards: tuple[str, ...]
    template: str
    template_sha256: str
    tokenizer_sha256: str
    tiny: bool
    """Made by ``training.tiny``; labelled so wherever it appears."""

    @property
    def packs(self) -> bool:
        """True when rows may share a sequence without leaking state (training.md 4.5)."""
        return self.model_type in IMAGE_TEXT_TYPES


def tensor_shapes(shard: Path) -> dict[str, tuple[str, tuple[int, ...]]]:
    """Tensor name -> (dtype, shape) from the header of a safetensors file. Raises ``InputError`` when it is cut."""
    size = shard.stat().st_size
    with shard.open("rb") as handle:
        head = handle.read(8)
        length = struct.unpack("<Q", head)[0] if len(head) == 8 else size
        if length + 8 > size:
            raise InputError(f"{shard} is no whole safetensors file")
        try:
            header = json.loads(handle.read(length))
        except ValueError as error:
            raise InputError(f"{shard} is no safetensors file: its header does not parse") from error
    tensors = {name: item for name, item in header.items() if name != "__metadata__"}
    end = max((item["data_offsets"][1] for item in tensors.values()), default=0)
    if 8 + length + end != size:
        raise InputError(f"{shard} holds {size} bytes, its header says {8 + length + end}: the file is cut or changed")
    return {name: (str(item["dtype"]), tuple(item["shape"])) for name, item in tensors.items()}


def shard_names(folder: Path) -> tuple[str, ...]:
    """Weight files of a model folder: every shard of the index, or the one file. Raises ``InputError`` if one lacks."""
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        names = tuple(sorted(set(read_json(index)["weight_map"].values())))
    else:
        names = ("model.safetensors",)
    for name in names:
        if not (folder / name).is_file():
            raise InputError(f"{folder} has no {name}; a model folder needs every shard of its index")
    return names


def read_template(folder: Path) -> str:
    """The chat template: ``chat_template.jinja``, or the text in ``tokenizer_config.json``. Raises ``InputError``."""
    file = folder / "chat_template.jinja"
    if file.is_file():
        return file.read_text(encoding="utf-8")
    config = folder / "tokenizer_config.json"
    text = read_json(config).get("chat_template") if config.is_file() else None
    if isinstance(text, str) and text:
        return text
    raise InputError(f"{folder} has no chat template (chat_template.jinja or tokenizer_config.json)")


def read_model_folder(folder: Path) -> ModelFolder:
    """Read and check a model folder. Raises ``InputError`` for a hub name, an adapter, a sharded checkpoint, a gap."""
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; models are local: autoresearch assets fetch gets one from a hub")
    if (folder / "fsdp_config.json").is_file():
        raise InputError(f"{folder} is a sharded checkpoint; merge it first: autoresearch train merge")
    if (folder / "adapter_config.json").is_file() and not (folder / "config.json").is_file():
        raise InputError(f"{folder} is an adapter without its base; merge it first: autoresearch train merge")
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise InputError(f"{folder} has no {name}")
    config = read_json(folder / "config.json")
    text = config.get("text_config") or config
    template = read_template(folder)
    shards = shard_names(folder)
    parameters = weight_bytes = 0
    for name in shards:
        for dtype, shape in tensor_shapes(folder / name).values():
            count = 1
            for size in shape:
                count *= size
            parameters += count
            weight_bytes += count * BYTES_OF.get(dtype, 4)
    return ModelFolder(
        path=folder.resolve(),
        model_type=str(config.get("model_type", "")),
        architecture=str((config.get("architectures") or [""])[0]),
        dtype=str(config.get("dtype") or config.get("torch_dtype") or text.get("dtype") or "float32"),
        vocab_size=_integer(text, "vocab_size"),
        hidden_size=_integer(text, "hidden_size"),
        heads=_integer(text, "num_attention_heads"),
        max_positions=_integer(text, "max_position_embeddings"),
        parameters=parameters,
        weight_bytes=weight_bytes,
        shards=shards,
        template=template,
        template_sha256=sha256_text(template),
        tokenizer_sha256=sha256_file(folder / "tokenizer.json"),
        tiny=(folder / "tiny.json").is_file() or _merged_from_tiny(folder),
    )


def _merged_from_tiny(folder: Path) -> bool:
    record = folder / "merge.json"
    return record.is_file() and bool(read_json(record).get("tiny"))


def _integer(config: dict[str, Any], key: str) -> int:
    value = config.get(key, 0)
    return value if isinstance(value, int) else 0
