"""Weights into a model that is already built: from a state dict or straight from a checkpoint of a single rank."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError

if TYPE_CHECKING:
    import torch

SINGLE_RANK = "model_world_size_1_rank_0.pt"


def read_checkpoint(path: Path) -> dict[str, torch.Tensor]:
    """The state dict of an FSDP checkpoint of world size 1, given by its model file or a `global_step_N` above it."""
    import torch
    import torch.distributed.tensor

    candidates = [path, path / SINGLE_RANK, path / "actor" / SINGLE_RANK]
    file = next((candidate for candidate in candidates if candidate.is_file()), None)
    if file is None:
        raise InputError(f"{path}: no {SINGLE_RANK} there; a checkpoint of several ranks must be merged first")
    # verl's own checkpoints hold tensor subclasses, which the weights-only reader does not know.
    state = torch.load(file, map_location="cpu", weights_only=False)
    return {name: whole(value) for name, value in state.items()}


def whole(value: Any) -> torch.Tensor:
    """A plain float32 tensor of a (single-rank) sharded or plain one."""
    import torch

    if hasattr(value, "to_local"):
        value = value.to_local()
    if not isinstance(value, torch.Tensor):
        raise InputError(f"a checkpoint entry is a {type(value).__name__}, not a tensor")
    return value.detach().to("cpu", torch.float32)


def load(model: Any, state: Mapping[str, torch.Tensor]) -> None:
    """Copy `state` into `model`. A missing, unexpected or differently shaped tensor raises InputError, nothing is kept.

    The tied output head may be absent; it is the embedding.
    """
    import torch

    own = model.state_dict()
    tied = set(model.all_tied_weights_keys) if hasattr(model, "all_tied_weights_keys") else set()
    missing = sorted(set(own) - set(state) - tied)
    unexpected = sorted(set(state) - set(own))
    shapes = [
        f"{name} {tuple(state[name].shape)} in place of {tuple(own[name].shape)}"
        for name in sorted(set(own) & set(state))
        if own[name].shape != state[name].shape
    ]
    if missing or unexpected or shapes:
        raise InputError(
            f"weights do not fit the model: missing {missing[:5]} ({len(missing)}), "
            f"unexpected {unexpected[:5]} ({len(unexpected)}), shapes {shapes[:5]} ({len(shapes)})"
        )
    with torch.no_grad():
        for name, value in state.items():
            own[name].copy_(value)
