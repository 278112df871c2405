"""Sampling with plain transformers on small machines: one class for the Ray replica and the in-process runner.

Requests wait 20 ms, then join the rows that are being decoded. A prompt that several requests share is computed once,
and so is what all waiting prompts begin with. Prompts of unequal length are computed in groups of equal length, because
a linear-attention layer would read padding; decoding is joint. float32, `sdpa` (training.md 2.4).
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InfrastructureError, InputError
from autoresearch.training.engines import weights as weight_files
from autoresearch.training.engines.sampling import Noise, Settings, draw
from autoresearch.training.engines.states import States

if TYPE_CHECKING:
    import torch
    from verl.workers.rollout.replica import TokenOutput

WAIT_SECONDS = 0.02
# A shared beginning shorter than this is not worth a forward pass of its own.
SHORTEST_PREFIX = 16
MAX_ROWS = 512


@dataclass
class Request:
    """One prompt, its settings, and what was sampled so far."""

    prompt: tuple[int, ...]
    settings: Settings
    noise: Noise | None
    done: asyncio.Future[Request] | None = None
    arrived: float = 0.0
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    stop_reason: str | None = None

    def add(self, token: int, logprob: float) -> None:
        """Take a token; `stop_reason` becomes `completed` at a stop token and `length` at the limit."""
        self.tokens.append(token)
        self.logprobs.append(logprob)
        if token in self.settings.stop_token_ids:
            self.stop_reason = "completed"
        elif len(self.tokens) >= self.settings.max_tokens:
            self.stop_reason = "length"


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
        from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText, GenerationConfig

        from autoresearch.training.plugin import delta_rule

        delta_rule.register()
        config = AutoConfig.from_pretrained(str(model_dir))
        # The class that the trainer builds, or the names of its weights would differ.
        family = AutoModelForImageTextToText if hasattr(config, "vision_config") else AutoModelForCausalLM
        self._model = family.from_pretrained(
            str(model_dir), config=config, dtype=torch.float32, attn_implementation="sdpa"
        ).eval()
        self._text_config = self._model.config.get_text_config()
        if "linear_attention" in (getattr(self._text_config, "layer_types", None) or []):
            self._least = int(self._text_config.linear_conv_kernel_dim)
        else:
            self._least = 1
        self._vocabulary = int(self._text_config.vocab_size)
        self._eos = _eos(self._text_config.eos_token_id)
        if (model_dir / "generation_config.json").is_file():
            self._eos |= _eos(GenerationConfig.from_pretrained(str(model_dir)).eos_token_id)
        self._default_max_tokens = default_max_tokens
        self._wait = wait
        self.global_steps = 0
        self._seeds = torch.Generator().manual_seed(seed)
        self._pending: deque[Request] = deque()
        self._rows: list[Request] = []
        self._states: States | None = None
        self._prefix: tuple[tuple[int, ...], States] | None = None
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
            # Rows that have ended may still lie here until the next step.
            if self._pending or any(request.stop_reason is None for request in self._rows):
                raise InfrastructureError("weights cannot change while requests are being served")
            self._rows, self._states = [], None
            weight_files.load(self._model, state)
            self._prefix = None
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
            while waiting or self._rows:
                room = MAX_ROWS - len(self._rows)
                if waiting and room:
                    self._admit([waiting.popleft() for _ in range(min(room, len(waiting)))])
                self._step()
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
        if len(prompt) < self._least:
            raise InputError(f"generate: a prompt of {len(prompt)} tokens; this model needs {self._least} or more")
        settings = Settings.parse(params, self._default_max_tokens, self._eos)
        noise = None
        if settings.temperature > 0:
            import torch

            seed = settings.seed
            if seed is None:
                seed = int(torch.randint(2**62, (1,), generator=self._seeds))
            noise = Noise(seed, self._vocabulary)
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
                while not self._pending and not self._rows and not self._closed:
                    self._wake.wait()
                if self._closed:
                    self._fail(InfrastructureError("the engine was closed"))
                    return
                if not self._rows and self._pending:
                    self._wake.wait(max(0.0, self._pending[0].arrived + self._wait - time.monotonic()))
                ready = self._ready()
            try:
                with self._compute:
                    if ready:
                        self._admit(ready)
                    if self._rows:
                        self._step()
            except Exception as error:
                with self._wake:
                    self._fail(InfrastructureError(f"sampling failed: {error!r}"), ready)

    def _ready(self) -> list[Request]:
        if not self._pending or time.monotonic() < self._pending[0].arrived + self._wait:
            return []
        room = MAX_ROWS - sum(request.stop_reason is None for request in self._rows)
        return [self._pending.popleft() for _ in range(min(room, len(self._pending)))]

    def _fail(self, error: Exception, ready: Sequence[Request] = ()) -> None:
        for request in (*self._rows, *self._pending, *ready):
            _resolve(request, error)
        self._rows, self._states = [], None
        self._pending.clear()

    # ---- computing

    def _admit(self, requests: list[Request]) -> None:
        """Compute the prompts of `requests`, draw their first tokens and let them join the rows."""
        import torch

        unique = list(dict.fromkeys(request.prompt for request in requests))
        place = {prompt: row for row, prompt in enumerate(unique)}
        with torch.inference_mode():
            states, logits = self._prefill(unique)
            rows = [place[request.prompt] for request in requests]
            if rows != list(range(len(unique))):
                states, logits = states.take(rows), logits[torch.as_tensor(rows)]
            self._draw(requests, logits)
            keep = [row for row, request in enumerate(self._rows) if request.stop_reason is None]
            parts = [] if self._states is None or not keep else [self._states.take(keep)]
            joining = [row for row, request in enumerate(requests) if request.stop_reason is None]
            if joining:
                parts.append(states if len(joining) == len(requests) else states.take(joining))
            self._rows = [self._rows[row] for row in keep] + [requests[row] for row in joining]
            self._states = States.join(parts) if parts else None

    def _prefill(self, prompts: list[tuple[int, ...]]) -> tuple[States, torch.Tensor]:
        import torch

        start, shared = self._shared(prompts)
        groups: dict[int, list[int]] = {}
        for row, prompt in enumerate(prompts):
            groups.setdefault(len(prompt), []).append(row)
        parts, outputs, order = [], [], []
        for length, rows in sorted(groups.items()):
            cache = shared.take([0] * len(rows)).cache(self._text_config) if shared is not None else None
            ids = torch.tensor([prompts[row][start:] for row in rows])
            cache, logits = self._forward(ids, cache, start, None)
            parts.append(States.of_cache(cache, torch.full((len(rows),), length)))
            outputs.append(logits)
            order.extend(rows)
        states, logits = States.join(parts), torch.cat(outputs)
        if order != list(range(len(prompts))):
            back = torch.as_tensor(order).argsort()
            states, logits = states.take(back.tolist()), logits[back]
        return states, logits

    def _shared(self, prompts: list[tuple[int, ...]]) -> tuple[int, States | None]:
        """What all prompts begin with, from the last batch where it fits; at least one token of each is left."""
        import torch

        low, high = min(prompts), max(prompts)
        limit = min(len(prompt) for prompt in prompts) - 1
        common = next((at for at in range(limit) if low[at] != high[at]), limit)
        if self._prefix is not None:
            ids, states = self._prefix
            if len(ids) <= common and low[: len(ids)] == ids and (len(prompts) == 1 or 2 * len(ids) >= common):
                return len(ids), states
        if len(prompts) < 2 or common < max(SHORTEST_PREFIX, self._least):
            return 0, None
        cache, _ = self._forward(torch.tensor([low[:common]]), None, 0, None)
        states = States.of_cache(cache, torch.tensor([common]))
        self._prefix = (low[:common], states)
        return common, states

    def _step(self) -> None:
        """One token for every row; finished rows leave when a quarter of the batch is finished."""
        import torch

        alive = [row for row, request in enumerate(self._rows) if request.stop_reason is None]
        if not alive:
            self._rows, self._states = [], None
            return
        with torch.inference_mode():
            assert self._states is not None
            states = self._states
            if 4 * len(alive) <= 3 * len(self._rows):
                states = states.take(alive)
                self._rows = [self._rows[row] for row in alive]
            ids = torch.tensor([[request.tokens[-1]] for request in self._rows])
            cache, logits = self._forward(ids, states.cache(self._text_config), states.lengths, states.mask(1))
            self._states = States.of_cache(cache, states.lengths + 1)
            self._draw(self._rows, logits)

    def _forward(
        self, ids: torch.Tensor, cache: Any, start: int | torch.Tensor, mask: torch.Tensor | None
    ) -> tuple[Any, torch.Tensor]:
        """Run `ids` `(rows, tokens)` from position `start` on; the cache after them and the last logits."""
        import torch
        from transformers import DynamicCache

        positions = torch.arange(ids.shape[1]).expand(ids.shape[0], -1)
        positions = positions + (start.unsqueeze(-1) if isinstance(start, torch.Tensor) else start)
        out = self._model(
            input_ids=ids,
            attention_mask=mask,
            position_ids=positions,
            past_key_values=cache if cache is not None else DynamicCache(config=self._text_config),
            use_cache=True,
            logits_to_keep=1,
        )
        return out.past_key_values, out.logits[:, -1]

    def _draw(self, requests: list[Request], logits: torch.Tensor) -> None:
        import torch

        rows = [row for row, request in enumerate(requests) if request.stop_reason is None]
        if len(rows) < len(requests):
            logits = logits[torch.as_tensor(rows)]
        chosen = [requests[row] for row in rows]
        tokens, logprobs = draw(logits, [r.settings for r in chosen], [r.noise for r in chosen])
        for request, token, logprob in zip(chosen, tokens, logprobs, strict=True):
            request.add(token, logprob)
            if request.stop_reason is not None:
                _resolve(request)


def _resolve(request: Request, error: Exception | None = None) -> None:
    future = request.done
    if future is None:
        return

    def settle() -> None:
        if future.done():
            return
        if error is None:
            future.set_result(request)
        else:
            future.set_exception(error)

    # The caller's loop may be gone, as after Ctrl-C; nobody waits then.
    if not future.get_loop().is_closed():
        future.get_loop().call_soon_threadsafe(settle)


def _eos(value: int | Sequence[int] | None) -> frozenset[int]:
    if value is None:
        return frozenset()
    return frozenset([value] if isinstance(value, int) else value)


def _use_all_cores() -> None:
    """Torch keeps its number of threads per thread that computes; a Ray actor would otherwise start with one."""
    import torch

    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdigit() and int(asked) > 0:
        torch.set_num_threads(int(asked))
