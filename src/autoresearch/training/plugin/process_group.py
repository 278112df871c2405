"""Gloo process groups: verl asks torch for `cpu:gloo,cpu:gloo` on this platform, which torch refuses."""

from __future__ import annotations

import os
from datetime import timedelta


def initialize_global_process_group(timeout_second: int = 36000) -> tuple[int, int, int]:
    """As verl's function of the name, on gloo alone: (local rank, rank, world size) from the environment."""
    import torch.distributed

    torch.distributed.init_process_group(
        backend="gloo",
        timeout=timedelta(seconds=timeout_second),
        init_method=os.environ.get("DIST_INIT_METHOD"),
    )
    return int(os.environ["LOCAL_RANK"]), int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])


def initialize_global_process_group_ray(timeout_second: int | None = None, backend: str | None = None) -> None:
    """As verl's function of the name; a backend that is asked for explicitly must be gloo."""
    import torch.distributed

    if backend is not None and "gloo" not in backend:
        raise ValueError(f"process group backend {backend!r} on the cpu platform: only gloo works here")
    if torch.distributed.is_initialized():
        return
    torch.distributed.init_process_group(
        backend="gloo",
        rank=int(os.environ.get("RANK", "0")),
        world_size=int(os.environ.get("WORLD_SIZE", "1")),
        timeout=timedelta(seconds=timeout_second) if timeout_second is not None else None,
        init_method=os.environ.get("DIST_INIT_METHOD"),
    )


def register() -> None:
    """Put both functions in the place of verl's. Must run before verl's worker modules copy the names."""
    from verl.utils import distributed

    distributed.initialize_global_process_group = initialize_global_process_group
    distributed.initialize_global_process_group_ray = initialize_global_process_group_ray
