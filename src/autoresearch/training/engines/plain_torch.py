"""Models that compute on the processor, on hosts where GPU kernels are installed.

Where flash-linear-attention or causal-conv1d is installed, transformers gives its kernels to every linear-attention
layer, and they refuse tensors of the processor. A layer picks its functions when it is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

# Where transformers keeps the functions, and their names there; each has a fallback in plain torch.
MODULES = (
    "transformers.models.qwen3_5.modeling_qwen3_5",
    "transformers.models.qwen3_5_moe.modeling_qwen3_5_moe",
)
KERNELS = (
    "causal_conv1d_fn",
    "causal_conv1d_update",
    "chunk_gated_delta_rule",
    "fused_recurrent_gated_delta_rule",
    "FusedRMSNormGated",
)


@contextmanager
def plain_torch() -> Iterator[None]:
    """Models built inside use plain torch in every layer; models built before and after are not touched."""
    modules = [import_module(name) for name in MODULES]
    kept = [(module, name, getattr(module, name)) for module in modules for name in KERNELS if hasattr(module, name)]
    try:
        for module, name, _ in kept:
            setattr(module, name, None)
        yield
    finally:
        for module, name, function in kept:
            setattr(module, name, function)
