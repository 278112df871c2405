"""Shapes of the tiny models (training.md 3), as configurations of the library's classes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from autoresearch.files import write_json

if TYPE_CHECKING:
    from transformers import PretrainedConfig, PreTrainedTokenizerBase

Preset = Literal["mini", "small", "mini-vl", "mini-moe", "gpu"]


@dataclass(frozen=True)
class Shape:
    """What differs between presets. A model of kind `image-text` has a one-layer vision part before the text part."""

    kind: Literal["text", "image-text", "experts"]
    hidden: int
    intermediate: int
    head: int
    layers: tuple[str, ...] = ("linear_attention", "full_attention")
    tied: bool = False
    rotary: float = 0.5
    """Share of a head that turns. vLLM reads the released models' quarter whatever the configuration says."""


_LINEAR, _FULL = "linear_attention", "full_attention"
SHAPES: dict[Preset, Shape] = {
    "mini": Shape("text", hidden=64, intermediate=128, head=16),
    "small": Shape("text", hidden=128, intermediate=384, head=32, tied=True),
    "mini-vl": Shape("image-text", hidden=64, intermediate=128, head=16),
    "mini-moe": Shape("experts", hidden=64, intermediate=128, head=16),
    "gpu": Shape(
        "image-text", hidden=512, intermediate=1024, head=128, layers=(_LINEAR, _LINEAR, _LINEAR, _FULL), rotary=0.25
    ),
}


def configuration(preset: Preset, tokenizer: PreTrainedTokenizerBase) -> PretrainedConfig:
    """The library's configuration of a preset for a tokenizer; the vocabulary is rounded up to a multiple of 64."""
    import transformers

    shape = SHAPES[preset]
    text = _text(shape, tokenizer)
    if shape.kind == "text":
        return transformers.Qwen3_5TextConfig(**text)
    if shape.kind == "experts":
        experts = {
            "moe_intermediate_size": shape.intermediate // 4,
            "shared_expert_intermediate_size": shape.intermediate // 4,
            "num_experts": 4,
            "num_experts_per_tok": 2,
        }
        return transformers.Qwen3_5MoeTextConfig(
            **{key: value for key, value in text.items() if key[:5] != "inter"}, **experts
        )
    ids = {
        f"{name}_token_id": tokenizer.convert_tokens_to_ids(f"<|{token}|>")
        for name, token in (
            ("image", "image_pad"),
            ("video", "video_pad"),
            ("vision_start", "vision_start"),
            ("vision_end", "vision_end"),
        )
    }
    vision = {
        "depth": 1,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_heads": 2,
        "out_hidden_size": shape.hidden,
        "num_position_embeddings": 64,
    }
    return transformers.Qwen3_5Config(
        text_config=text, vision_config=vision, tie_word_embeddings=shape.tied, dtype="float32", **ids
    )


def build(preset: Preset, configured: PretrainedConfig) -> Any:
    """The model of a configuration, initialised by the library from torch's random state."""
    import transformers

    classes = {
        "text": transformers.Qwen3_5ForCausalLM,
        "experts": transformers.Qwen3_5MoeForCausalLM,
        "image-text": transformers.Qwen3_5ForConditionalGeneration,
    }
    return classes[SHAPES[preset].kind](configured)


def write_processor(preset: Preset, out: Path) -> None:
    """Beside an image-text model, the processor files that serving engines ask for, although no picture is shown."""
    if SHAPES[preset].kind != "image-text":
        return
    common = {
        "size": {"shortest_edge": 65_536, "longest_edge": 16_777_216},
        "patch_size": 16,
        "temporal_patch_size": 2,
        "merge_size": 2,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
        "processor_class": "Qwen3VLProcessor",
    }
    write_json(out / "preprocessor_config.json", {**common, "image_processor_type": "Qwen2VLImageProcessor"})
    write_json(out / "video_preprocessor_config.json", {**common, "video_processor_type": "Qwen3VLVideoProcessor"})


def _text(shape: Shape, tokenizer: PreTrainedTokenizerBase) -> dict[str, Any]:
    # The turning pairs stand in three sections of which the first is half: [2, 1, 1] for half a head of 16.
    section = int(shape.head * shape.rotary) // 8
    return {
        "vocab_size": -(-len(tokenizer) // 64) * 64,
        "hidden_size": shape.hidden,
        "intermediate_size": shape.intermediate,
        "num_hidden_layers": len(shape.layers),
        "layer_types": list(shape.layers),
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": shape.head,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "linear_key_head_dim": shape.head,
        "linear_value_head_dim": shape.head,
        "tie_word_embeddings": shape.tied,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": 10000.0,
            "partial_rotary_factor": shape.rotary,
            "mrope_section": [2 * section, section, section],
            "mrope_interleaved": True,
        },
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "bos_token_id": None,
        "dtype": "float32",
    }
