"""What a model remembers of a batch of rows, taken out of the library's cache so that rows can join, repeat and leave.

A full-attention layer holds keys and values `(rows, heads, tokens, size)`, filled up on the left for shorter rows; a
linear layer holds its convolution window and its recurrent state, which know no padding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch


@dataclass(frozen=True)
class States:
    """Per layer a pair of tensors, and the number of tokens that each row has seen."""

    layers: tuple[tuple[torch.Tensor, torch.Tensor], ...]
    linear: tuple[bool, ...]
    lengths: torch.Tensor

    @classmethod
    def of_cache(cls, cache: Any, lengths: torch.Tensor) -> States:
        """Read the cache of a forward pass; its tensors are shared, not copied."""
        linear = tuple(hasattr(layer, "recurrent_states") for layer in cache.layers)
        layers = tuple(
            (layer.conv_states, layer.recurrent_states) if is_linear else (layer.keys, layer.values)
            for layer, is_linear in zip(cache.layers, linear, strict=True)
        )
        return cls(layers, linear, lengths)

    def cache(self, config: Any) -> Any:
        """A cache of the library that goes on from here. A forward pass may change these states in place."""
        from transformers import DynamicCache

        cache = DynamicCache(config=config)
        for layer, is_linear, (first, second) in zip(cache.layers, self.linear, self.layers, strict=True):
            if is_linear:
                layer.dtype, layer.device = first.dtype, first.device
                layer.max_batch_size, layer.conv_kernel_size = first.shape[0], first.shape[-1]
                layer.conv_states, layer.recurrent_states = first, second
                layer.is_conv_states_initialized = layer.is_recurrent_states_initialized = True
                layer.has_previous_state = True
            else:
                layer.lazy_initialization(first, second)
                layer.keys, layer.values = first, second
        return cache

    def take(self, rows: Sequence[int]) -> States:
        """The given rows, in that order, as copies; a row may be named more than once."""
        import torch

        index = torch.as_tensor(list(rows))
        lengths = self.lengths[index]
        width = int(lengths.max())
        layers = []
        for (first, second), is_linear in zip(self.layers, self.linear, strict=True):
            if not is_linear:
                first, second = first[:, :, first.shape[2] - width :], second[:, :, second.shape[2] - width :]
            layers.append((first.index_select(0, index), second.index_select(0, index)))
        return States(tuple(layers), self.linear, lengths)

    @staticmethod
    def join(parts: Sequence[States]) -> States:
        """All rows of all parts, in order."""
        import torch
        import torch.nn.functional as functional

        if len(parts) == 1:
            return parts[0]
        width = max(int(part.lengths.max()) for part in parts)
        layers = []
        for layer, is_linear in enumerate(parts[0].linear):
            pair = []
            for side in (0, 1):
                tensors = [part.layers[layer][side] for part in parts]
                if not is_linear:
                    tensors = [functional.pad(t, (0, 0, width - t.shape[2], 0)) for t in tensors]
                pair.append(torch.cat(tensors))
            layers.append((pair[0], pair[1]))
        return States(tuple(layers), parts[0].linear, torch.cat([part.lengths for part in parts]))

    def mask(self, extra: int) -> torch.Tensor | None:
        """`(rows, width + extra)`: False where a row is filled up on the left; None if no row is."""
        import torch

        width = int(self.lengths.max()) + extra
        if bool((self.lengths == self.lengths[0]).all()):
            return None
        return torch.arange(width).unsqueeze(0) >= (width - extra - self.lengths).unsqueeze(-1)
