"""The chunked gated delta rule with a triangular solve in place of a Python loop over the rows of a chunk.

The torch fallback of transformers inverts one unit lower triangular matrix a chunk row by row, 63 steps of three small
operations. One solve gives the same matrix (hidden states agree to 1e-6) and is a quarter faster, forward and backward.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from autoresearch.training.plugin import seams

if TYPE_CHECKING:
    import torch

CHUNK = 64


def chunk_gated_delta_rule(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    g: torch.Tensor,
    beta: torch.Tensor,
    chunk_size: int = CHUNK,
    initial_state: torch.Tensor | None = None,
    output_final_state: bool = False,
    use_qk_l2norm_in_kernel: bool = False,
    **kwargs: Any,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Gated delta rule over `(batch, tokens, heads, size)`; `g` (log decay) and `beta` are `(batch, tokens, heads)`.

    Returns the output in the shape of `value` and, if asked, the state `(batch, heads, key size, value size)` after the
    last token. Each token decays the state by exp(g), removes what the key recalls, and adds beta times the new value.
    Arguments it does not know (packed lengths) must be None: rows that share a sequence are not supported.
    """
    import torch
    import torch.nn.functional as functional

    if any(setting is not None for setting in kwargs.values()):
        raise ValueError(f"delta rule: {sorted(kwargs)} is not implemented on this platform")
    dtype, tokens = query.dtype, query.shape[1]
    query, key, value, beta, g = (part.transpose(1, 2).float() for part in (query, key, value, beta, g))
    if use_qk_l2norm_in_kernel:
        query = query * torch.rsqrt((query * query).sum(-1, keepdim=True) + 1e-6)
        key = key * torch.rsqrt((key * key).sum(-1, keepdim=True) + 1e-6)
    query = query * query.shape[-1] ** -0.5
    # A short sequence needs no full chunk: the padding would be worked on in vain.
    size = min(chunk_size, tokens)
    padding = -tokens % size
    if padding:
        query, key, value = (functional.pad(part, (0, 0, 0, padding)) for part in (query, key, value))
        beta, g = (functional.pad(part, (0, padding)) for part in (beta, g))
    batch, heads = key.shape[:2]
    query, key, value = (part.reshape(batch, heads, -1, size, part.shape[-1]) for part in (query, key, value))
    beta = beta.reshape(batch, heads, -1, size, 1)
    decay = g.reshape(batch, heads, -1, size).cumsum(-1)

    # Decay from token j to a later token i; the upper half is cut before exp, where it could overflow.
    between = (decay.unsqueeze(-1) - decay.unsqueeze(-2)).tril().exp().tril()
    overlap = ((key * beta) @ key.transpose(-1, -2) * between).tril(-1)
    lower = overlap + torch.eye(size, dtype=overlap.dtype, device=overlap.device)
    right = torch.cat([value * beta, key * beta * decay.exp().unsqueeze(-1)], dim=-1)
    solved = torch.linalg.solve_triangular(lower, right, upper=False, unitriangular=True)
    fresh, recall = solved.split([value.shape[-1], key.shape[-1]], dim=-1)

    inside = query @ key.transpose(-1, -2) * between
    from_state = query * decay.exp().unsqueeze(-1)
    to_state = key * (decay[..., -1:] - decay).exp().unsqueeze(-1)
    keep = decay[..., -1].exp()[..., None, None]
    if initial_state is None:
        state = value.new_zeros(batch, heads, key.shape[-1], value.shape[-1])
    else:
        state = initial_state.to(value)
    outputs = []
    for chunk in range(key.shape[2]):
        written = fresh[:, :, chunk] - recall[:, :, chunk] @ state
        outputs.append(from_state[:, :, chunk] @ state + inside[:, :, chunk] @ written)
        state = state * keep[:, :, chunk] + to_state[:, :, chunk].transpose(-1, -2) @ written
    output = torch.cat(outputs, dim=2)[:, :, :tokens]
    return output.transpose(1, 2).contiguous().to(dtype), state if output_final_state else None


def register() -> bool:
    """Replace the fallback of transformers for models built from here on; False where it is another fallback."""
    if not seams.matches(seams.DELTA_RULE):
        print("autoresearch: another gated delta rule in transformers; it stays as it is", file=sys.stderr)
        return False
    from transformers.models.qwen3_5 import modeling_qwen3_5

    modeling_qwen3_5.torch_chunk_gated_delta_rule = chunk_gated_delta_rule
    return True
