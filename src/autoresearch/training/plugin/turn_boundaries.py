"""Turn boundaries of the text-only Qwen3.5 classes: without an entry verl leaves out the newline after `<|im_end|>`."""

from __future__ import annotations

TEXT_MODEL_TYPES = ("qwen3_5_text", "qwen3_5_moe_text")


def register() -> None:
    """Map the text-only model types to the family of the full classes, unless verl knows them by then."""
    from verl.utils.tokenizer import continuous_token_wiring as wiring

    for model_type in TEXT_MODEL_TYPES:
        wiring._MODEL_TYPE_TO_FAMILY.setdefault(model_type, wiring.ContinuousTokenModelFamily.QWEN35)
