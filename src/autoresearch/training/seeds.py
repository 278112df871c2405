"""Seeds of sampling, so that an episode's result does not depend on who shares its batch (training.md 6.5)."""

from __future__ import annotations

import hashlib


def episode_seed(run_seed: int, source_id: str, sample: int) -> int:
    """First 63 bits of sha256 of (run seed, source id, sample index)."""
    return _seed(run_seed, source_id, sample)


def turn_seed(run_seed: int, source_id: str, sample: int, turn: int) -> int:
    """The seed of one request: that of the episode for the first turn, derived from it for later ones."""
    seed = episode_seed(run_seed, source_id, sample)
    return seed if turn == 0 else _seed(seed, "turn", turn)


def order_key(run_seed: int, purpose: str, source_id: str) -> str:
    """Sort key of prompts: sha256 of (seed, purpose, source id); purposes are ``gate`` and ``probe`` (8.4)."""
    return hashlib.sha256(f"{run_seed}\0{purpose}\0{source_id}".encode()).hexdigest()


def _seed(first: int, second: str, third: int) -> int:
    digest = hashlib.sha256(f"{first}\0{second}\0{third}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
