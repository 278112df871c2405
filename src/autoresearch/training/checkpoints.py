"""verl's FSDP checkpoints: which are complete, and their tensors whole (training.md 5.6, 5.7, 5.8).

Completeness needs the standard library only; reading tensors imports torch.
"""

from __future__ import annotations

import hashlib
import logging
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError
from autoresearch.files import read_json

if TYPE_CHECKING:
    from torch import Tensor

STEP_FOLDER = re.compile(r"^global_step_(\d+)$")
PARTS = ("model", "optim", "extra_state")


@dataclass(frozen=True)
class Checkpoint:
    """One ``global_step_N`` of a run."""

    step: int
    folder: Path
    """``global_step_N``."""
    weights: Path
    """Where the shards lie: the folder itself (SFT) or ``actor`` below it (RL)."""
    ranks: int
    missing: tuple[str, ...]
    """What a complete checkpoint would also hold; empty when it is complete."""

    @property
    def complete(self) -> bool:
        """True when every rank's files are there and whole."""
        return not self.missing


def checkpoint_steps(run: Path) -> list[int]:
    """Steps that have a checkpoint folder, ascending."""
    folder = run / "checkpoints"
    if not folder.is_dir():
        return []
    matches = (STEP_FOLDER.match(path.name) for path in folder.iterdir() if path.is_dir())
    return sorted(int(match.group(1)) for match in matches if match)


def read_checkpoint(run: Path, step: int, kind: str) -> Checkpoint:
    """Look at one checkpoint. Raises ``InputError`` when there is no such folder. ``kind`` is ``sft`` or ``rl``."""
    folder = run / "checkpoints" / f"global_step_{step}"
    if not folder.is_dir():
        have = ", ".join(map(str, checkpoint_steps(run))) or "none"
        raise InputError(f"{run} has no checkpoint of step {step}; it has: {have}")
    weights = folder / "actor" if kind == "rl" else folder
    config = weights / "fsdp_config.json"
    ranks = 0
    missing = []
    if config.is_file():
        try:
            ranks = int(read_json(config)["world_size"])
        except (ValueError, KeyError, TypeError):
            missing.append("fsdp_config.json is not readable")
    else:
        missing.append("fsdp_config.json")
    for rank in range(ranks):
        for part in PARTS:
            name = f"{part}_world_size_{ranks}_rank_{rank}.pt"
            if not (weights / name).is_file():
                missing.append(name)
            elif not zipfile.is_zipfile(weights / name):
                missing.append(f"{name} is cut")
    for name in ("config.json", "tokenizer.json"):
        if not (weights / "huggingface" / name).is_file():
            missing.append(f"huggingface/{name}")
    if not any(folder.glob("data*.pt")):
        missing.append("data.pt")
    return Checkpoint(step, folder, weights, ranks, tuple(missing))


def last_complete(run: Path, kind: str) -> Checkpoint | None:
    """The complete checkpoint of the highest step, if there is one."""
    for step in reversed(checkpoint_steps(run)):
        found = read_checkpoint(run, step, kind)
        if found.complete:
            return found
    return None


def require_undamaged(checkpoint: Checkpoint) -> None:
    """Read the weight shards once against the checksums inside them. Raises ``InputError`` naming the damaged one.

    torch itself loads a changed byte without a word.
    """
    for rank in range(checkpoint.ranks):
        shard = checkpoint.weights / f"model_world_size_{checkpoint.ranks}_rank_{rank}.pt"
        try:
            with zipfile.ZipFile(shard) as archive:
                broken = archive.testzip()
        except (zipfile.BadZipFile, OSError, EOFError) as error:
            raise InputError(f"{shard} is damaged: {error}; merge another --step") from error
        if broken is not None:
            raise InputError(f"{shard} is damaged: {broken} differs from its checksum; merge another --step")


def whole_tensors(checkpoint: Checkpoint) -> Iterator[tuple[str, Tensor]]:
    """Name and full tensor of every entry, in the type it was trained in, shards joined. Sorted by name."""
    import torch

    # It warns of a group that this process has no need of, once a shard.
    logging.getLogger("torch.distributed.device_mesh").setLevel(logging.ERROR)
    shards: list[dict[str, Any]] = [
        torch.load(
            checkpoint.weights / f"model_world_size_{checkpoint.ranks}_rank_{rank}.pt",
            map_location="cpu",
            weights_only=False,
            mmap=True,
        )
        for rank in range(checkpoint.ranks)
    ]
    for name in sorted(shards[0]):
        yield name, _join(name, [shard[name] for shard in shards])


def _join(name: str, parts: list[Any]) -> Tensor:
    import torch
    from torch.distributed.tensor import DTensor

    first = parts[0]
    if not isinstance(first, DTensor):
        if any(not torch.equal(first, part) for part in parts[1:]):
            raise InputError(f"{name} is no shard and differs between ranks: the checkpoint is malformed")
        return torch.as_tensor(first)
    placement = first.placements[-1]
    locals_ = [part._local_tensor for part in parts]
    if placement.is_replicate():
        return torch.as_tensor(locals_[0])
    return torch.cat(locals_, dim=placement.dim).contiguous()


def base_tensors(folder: Path, names: tuple[str, ...]) -> Iterator[tuple[str, Tensor]]:
    """Name and tensor of a model folder's safetensors files ``names``."""
    from safetensors import safe_open

    for shard in names:
        with safe_open(str(folder / shard), framework="pt") as handle:
            for name in handle.keys():  # noqa: SIM118  # a safetensors handle is no mapping
                yield name, handle.get_tensor(name)


def tensor_digest(tensor: Tensor) -> str:
    """sha256 of a tensor's float32 values: the same weights give the same digest in every file format."""
    values = tensor.detach().float().contiguous().numpy()
    return hashlib.sha256(values.tobytes()).hexdigest()
