"""What a geometry3k case finds on a machine: a checkpoint that reads pictures, a drawn dataset, ``data.yaml``, config.

The checkpoint has the form of Qwen3.5 and one small tensor: whatever does not compute can use it.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from geometry import dataset, row
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

import autoresearch.training
from autoresearch.cli.main import run

FIXTURES = Path(__file__).parents[1] / "fixtures"
STUB_VERL, STUB_GRADER, FAKES = FIXTURES / "stub_verl", FIXTURES / "stub_grader", FIXTURES / "fake_programs"
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>")
CONFIG = {
    "model_type": "qwen3_5",
    "architectures": ["Qwen3_5ForConditionalGeneration"],
    "text_config": {
        "num_hidden_layers": 4,
        "layer_types": ["linear_attention", "linear_attention", "linear_attention", "full_attention"],
        "num_attention_heads": 8,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "hidden_size": 256,
        "vocab_size": 512,
        "max_position_embeddings": 262144,
        "linear_num_key_heads": 2,
        "linear_key_head_dim": 32,
        "linear_num_value_heads": 4,
        "linear_value_head_dim": 32,
        "linear_conv_kernel_dim": 4,
    },
}
PICTURES = {
    "image_processor_type": "Qwen2VLImageProcessor",
    "processor_class": "Qwen3VLProcessor",
    "patch_size": 16,
    "temporal_patch_size": 2,
    "merge_size": 2,
    "size": {"shortest_edge": 1024, "longest_edge": 65536},
    "image_mean": [0.5, 0.5, 0.5],
    "image_std": [0.5, 0.5, 0.5],
}


def checkpoint(folder: Path) -> Path:
    """A model folder that reads pictures: a token a byte, the template of Qwen3.5, one tensor."""
    folder.mkdir(parents=True)
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([*SPECIAL, "<|video_pad|>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    own = {"tokenizer_class": "Qwen2TokenizerFast", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"}
    for name, content in (
        ("config.json", CONFIG),
        ("tokenizer_config.json", own),
        ("preprocessor_config.json", PICTURES),
    ):
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    template = Path(autoresearch.training.__file__).with_name("chat_template.jinja")
    shutil.copyfile(template, folder / "chat_template.jinja")
    header = json.dumps({"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(16))
    return folder


def drawn_dataset(folder: Path, train: int, test: int) -> Path:
    """So many rows of each split, each with its picture and a truth of its own."""
    return dataset(folder, [row(1 + n) for n in range(train)], [row(1001 + n) for n in range(test)])


@contextmanager
def grader() -> Iterator[None]:
    """mathruler, or what takes its place under verl's own reward."""
    before = list(sys.path)
    if find_spec("mathruler") is None:
        sys.path.append(str(STUB_GRADER))
    try:
        yield
    finally:
        sys.path[:] = before
        for name in [each for each in sys.modules if each.partition(".")[0] == "mathruler"]:
            del sys.modules[name]


class Geo3kWorld:
    """A folder with assets, config and work folders of one machine, as a user would have them."""

    def __init__(self, root: Path, *, train: int, test: int) -> None:
        pytest.importorskip("verl", reason="verl's own reward judges the data")
        self.root = root
        self.model = checkpoint(root / "assets" / "model")
        self.dataset = drawn_dataset(root / "assets" / "geometry3k", train, test)

    def write(self, case: dict[str, Any], server: dict[str, Any], **more: Any) -> Path:
        """``config.yaml`` and ``data.yaml`` beside it; the model is on the server, the dataset here."""
        place = {"path": str(self.model), "status": "ready"}
        here = server["kind"] == "local"
        model = {"local": place} if here else {"remotes": {server["name"]: place}}
        registry = {
            "version": 1,
            "assets": {
                "models": {"tiny": {"kind": "model", "canonical_id": "Qwen/Qwen3.5-2B", **model}},
                "datasets": {
                    "geometry3k": {
                        "kind": "dataset",
                        "canonical_id": "hiyouga/geometry3k",
                        "local": {"path": str(self.dataset), "status": "ready"},
                    }
                },
            },
        }
        (self.root / "data.yaml").write_text(yaml.safe_dump(registry), encoding="utf-8")
        keys = {"cache_root": str(self.root / "cache"), "row_timeout_seconds": 120, **case}
        config = {"version": 1, "servers": [server], "verl_case": keys, **more}
        path = self.root / "config.yaml"
        path.write_text(yaml.safe_dump(config), encoding="utf-8")
        return path


def called(*words: str) -> tuple[int, dict[str, Any]]:
    """Exit code of ``run verl-case`` and its result object, which is all of stdout."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = run(["run", "verl-case", *words])
    content: dict[str, Any] = json.loads(out.getvalue())
    assert content["exit_code"] == code
    return code, content
