"""Rollout `transformers` for verl: one Ray actor around the sampling engine, and the adapter that sends it weights.

The adapter lives in the training worker. Weights travel as a float32 state dict; the engine refuses one with missing or
unexpected keys, so rollout and trainer never hold different models (training.md 2.4).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import ray
import torch
from verl.workers.rollout import base
from verl.workers.rollout.replica import RolloutReplica, RolloutReplicaRegistry, TokenOutput

from autoresearch.errors import InfrastructureError, InputError

NAME = "transformers"


class TransformersServer:
    """The actor: `generate` and what verl calls around it. Weights and caches stay in memory, so most do nothing."""

    def __init__(self, model_dir: str, prompt_length: int, response_length: int, seed: int) -> None:
        from autoresearch.training.engines.transformers import TransformersEngine

        self._prompt_length = prompt_length
        self._response_length = response_length
        self._engine = TransformersEngine(Path(model_dir), default_max_tokens=response_length, seed=seed)

    async def generate(
        self, prompt_ids: list[int], sampling_params: dict[str, Any], request_id: str, **kwargs: Any
    ) -> TokenOutput:
        params = dict(sampling_params)
        if params.get("max_tokens") is None and params.get("max_new_tokens") is None:
            room = self._prompt_length + self._response_length - len(prompt_ids)
            params["max_tokens"] = max(1, min(self._response_length, room))
        return await self._engine.generate(list(prompt_ids), params, request_id, **kwargs)

    async def load_weights(self, state: dict[str, torch.Tensor], global_steps: int | None) -> None:
        self._engine.load_weights(state, global_steps)

    async def ready(self) -> bool:
        return True

    async def wake_up(self, tags: list[str] | None = None) -> None:
        return None

    async def sleep(self) -> None:
        return None

    async def clear_kv_cache(self) -> None:
        return None

    async def release_kv_cache(self) -> None:
        return None

    async def resume_kv_cache(self) -> None:
        return None

    async def abort_all_requests(self, reject_request: bool = False) -> None:
        return None

    async def resume_generation(self) -> None:
        return None

    async def start_profile(self, **kwargs: Any) -> None:
        return None

    async def stop_profile(self) -> None:
        return None


class TransformersReplica(RolloutReplica):
    """One server for one replica. Several accelerators a replica make no sense here and are refused."""

    async def launch_servers(self) -> None:
        if self.world_size != 1:
            raise InputError(f"rollout {NAME}: a replica of {self.world_size} ranks; tensor parallel size must be 1")
        actor = ray.remote(TransformersServer).options(
            name=server_name(self.replica_rank),
            num_cpus=0,
            max_concurrency=self.max_concurrency,
        )
        path = getattr(self.model_config, "local_path", None) or self.model_config.path
        server = actor.remote(
            str(path), self.config.prompt_length, self.config.response_length, self.config.seed + self.replica_rank
        )
        await server.ready.remote()
        self.servers = [server]
        self._server_handle = server
        self._server_address = f"{NAME}-{self.replica_rank}"


class TransformersAdapter(base.BaseRollout):
    """The training worker's side: sends the weights of its rank's replica."""

    def __init__(self, config: Any, model_config: Any, device_mesh: Any, replica_rank: int = -1) -> None:
        super().__init__(config, model_config, device_mesh)
        self._replica_rank = torch.distributed.get_rank() if replica_rank < 0 else replica_rank
        self._server: Any = None

    async def resume(self, tags: list[str]) -> None:
        return None

    async def release(self) -> None:
        return None

    async def update_weights(
        self,
        weights: Iterable[tuple[str, torch.Tensor]],
        global_steps: int | None = None,
        wire_format: str = "named_tensors",
        **kwargs: Any,
    ) -> None:
        """Send all tensors at once. Raises InputError for another wire format or an adapter that was not merged."""
        if wire_format != "named_tensors":
            raise InputError(f"rollout {NAME}: wire format {wire_format!r} is not implemented")
        if kwargs.get("peft_config") is not None:
            raise InputError(f"rollout {NAME}: adapter weights are not implemented; set model.lora.merge=True")
        state = {name: tensor.detach().to("cpu", torch.float32) for name, tensor in weights}
        if self._server is None:
            try:
                self._server = ray.get_actor(server_name(self._replica_rank))
            except ValueError as error:
                raise InfrastructureError(f"rollout server {server_name(self._replica_rank)} is not there") from error
        await self._server.load_weights.remote(state, global_steps)


def server_name(replica_rank: int) -> str:
    """The Ray name of a replica's server."""
    return f"autoresearch_{NAME}_server_{replica_rank}"


def register() -> None:
    """Make `rollout.name=transformers` known to verl."""
    base._ROLLOUT_REGISTRY[(NAME, "async")] = f"{__name__}.TransformersAdapter"
    RolloutReplicaRegistry.register(NAME, lambda: TransformersReplica)
