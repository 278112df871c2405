"""Sampling with plain transformers on small machines: one class for the Ray replica and the in-process runner.

Requests wait 20 ms for company, then join the rows that are being decoded (training.md 2.4).
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InfrastructureError, InputError
from autoresearch.training.engines import weights as weight_files
from autoresearch.training.engines.decoding import Decoder, Request, resolve
from autoresearch.training.engines.sampling import Noise, Settings

if TYPE_CHECKING:
    import torch
    from verl.workers.rollout.replica import TokenOutput

WAIT_SECONDS = 0.02
MAX_ROWS = 512


class TransformersEngine:
    """A model folder, optionally with other weights, behind `generate`. One thread computes; callers are asyncio tasks.

    `weights` is a single-rank FSDP model file or the `global_step_N` folder above it. `default_max_tokens` serves
    requests that name no limit. Raises InputError when folder and weights do not fit.
    """

    def __init__(
        self,
        model_dir: Path,
        weights: Path | None = None,
        *,
        default_max_tokens: int = 512,
        seed: int = 0,
        wait: float = WAIT_SECONDS,
    ) -> None:
        import torch

        self._decoder = Decoder(model_dir)
        self._default_max_tokens = default_max_tokens
        self._wait = wait
        self.global_steps = 0
        self._seeds = torch.Generator().manual_seed(seed)
        self._pending: deque[Request] = deque()
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._compute = threading.Lock()
        if weights is not None:
            self.load_weights(weights)

    # ---- public

    def load_weights(self, weights: Path | Mapping[str, torch.Tensor], global_steps: int | None = None) -> None:
        """Replace all weights, from a single-rank FSDP model file (or its folder) or a state dict.

        Raises InputError for a missing, unexpected or differently shaped tensor and leaves the old weights then, and
        InfrastructureError while requests are being served.
        """
        state = weight_files.read_checkpoint(weights) if isinstance(weights, Path) else weights
        with self._compute:
            if self._pending or self._decoder.busy:
                raise InfrastructureError("weights cannot change while requests are being served")
            self._decoder.load(state)
            if global_steps is not None:
                self.global_steps = global_steps

    async def generate(
        self, prompt_ids: Sequence[int], sampling_params: Mapping[str, Any], request_id: str = "", **kwargs: Any
    ) -> TokenOutput:
        """Sample one continuation; the ids end with the stop token if one was drawn.

        `stop_reason` is `completed` or `length`. Settings that are not implemented, and pictures, raise InputError.
        """
        from verl.workers.rollout.replica import TokenOutput

        if any(value is not None and value != {} for name, value in kwargs.items() if name != "priority"):
            given = sorted(name for name, value in kwargs.items() if value is not None)
            raise InputError(f"generate: {', '.join(given)} not implemented by the transformers engine")
        request = self._request(prompt_ids, sampling_params)
        request.done = asyncio.get_running_loop().create_future()
        self._submit(request)
        done = await request.done
        steps = self.global_steps
        return TokenOutput(
            token_ids=done.tokens,
            log_probs=done.logprobs if done.settings.logprobs else None,
            stop_reason=done.stop_reason,
            num_preempted=0,
            extra_fields={"global_steps": steps, "min_global_steps": steps, "max_global_steps": steps},
        )

    def sample(self, prompts: Sequence[Sequence[int]], params: Sequence[Mapping[str, Any]]) -> list[Request]:
        """Sample all prompts in this thread and return the finished requests in order (no event loop needed)."""
        requests = [self._request(prompt, setting) for prompt, setting in zip(prompts, params, strict=True)]
        with self._compute:
            waiting = deque(requests)
            try:
                while waiting or self._decoder.rows:
                    room = MAX_ROWS - len(self._decoder.rows)
                    if waiting and room:
                        self._decoder.admit([waiting.popleft() for _ in range(min(room, len(waiting)))])
                    self._decoder.step()
            except BaseException:
                self._decoder.clear()
                raise
        return requests

    def close(self) -> None:
        """End the computing thread; open requests fail."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(timeout=10)

    # ---- requests

    def _request(self, prompt_ids: Sequence[int], params: Mapping[str, Any]) -> Request:
        prompt = tuple(int(token) for token in prompt_ids)
        if len(prompt) < self._decoder.shortest_prompt:
            raise InputError(
                f"generate: a prompt of {len(prompt)} tokens; this model needs {self._decoder.shortest_prompt} or more"
            )
        settings = Settings.parse(params, self._default_max_tokens, self._decoder.eos)
        noise = None
        if settings.temperature > 0:
            import torch

            seed = settings.seed
            if seed is None:
                seed = int(torch.randint(2**62, (1,), generator=self._seeds))
            noise = Noise(seed, self._decoder.vocabulary)
        return Request(prompt, settings, noise)

    def _submit(self, request: Request) -> None:
        with self._wake:
            if self._closed:
                raise InfrastructureError("the engine is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="transformers-engine", daemon=True)
                self._thread.start()
            request.arrived = time.monotonic()
            self._pending.append(request)
            self._wake.notify()

    def _serve(self) -> None:
        """Admit what has waited long enough, decode one step, and so on; sleep while there is nothing to do."""
        _use_all_cores()
        while True:
            with self._wake:
                while not self._pending and not self._decoder.rows and not self._closed:
                    self._wake.wait()
                if self._closed:
                    self._fail(InfrastructureError("the engine was closed"))
                    return
                if not self._decoder.rows and self._pending:
                    self._wake.wait(max(0.0, self._pending[0].arrived + self._wait - time.monotonic()))
                ready = self._ready()
            try:
                with self._compute:
                    if ready:
                        self._decoder.admit(ready)
                    if self._decoder.rows:
                        self._decoder.step()
            except Exception as error:
                with self._wake:
                    self._fail(InfrastructureError(f"sampling failed: {error!r}"), ready)

    def _ready(self) -> list[Request]:
        if not self._pending or time.monotonic() < self._pending[0].arrived + self._wait:
            return []
        room = MAX_ROWS - sum(request.stop_reason is None for request in self._decoder.rows)
        return [self._pending.popleft() for _ in range(min(room, len(self._pending)))]

    def _fail(self, error: Exception, ready: Sequence[Request] = ()) -> None:
        for request in (*self._decoder.rows, *self._pending, *ready):
            resolve(request, error)
        self._decoder.clear()
        self._pending.clear()


def _use_all_cores() -> None:
    """Torch keeps its number of threads per thread that computes; a Ray actor would otherwise start with one."""
    import torch

    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdigit() and int(asked) > 0:
        torch.set_num_threads(int(asked))
