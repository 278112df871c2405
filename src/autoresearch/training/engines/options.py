"""What a user may set of an engine besides its name. Imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

EngineName = Literal["transformers", "vllm"]


@dataclass(frozen=True)
class EngineOptions:
    """Options of the vLLM engine; the transformers engine has none and refuses others than the defaults."""

    gpu_memory_utilization: float = 0.9
    """Share of the card's memory that vLLM may take (weights and cache)."""
    enforce_eager: bool = False
    """Skip CUDA graphs: slower tokens, a faster start."""


DEFAULTS = EngineOptions()
