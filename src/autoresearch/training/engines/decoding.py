"""Rows of one model, decoded together: they join after their prompts are computed, and leave when they end.

A prompt that several requests share is computed once, and so is what all waiting prompts begin with. Prompts of unequal
length are computed in groups of equal length, because a linear-attention layer would read padding; decoding is joint.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.training.engines import weights as weight_files
from autoresearch.training.engines.plain_torch import plain_torch
from autoresearch.training.engines.sampling import Noise, Settings, draw, stop_ids
from autoresearch.training.engines.states import States

if TYPE_CHECKING:
    import torch

# A shared beginning shorter than this is not worth a forward pass of its own.
SHORTEST_PREFIX = 16


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


class Decoder:
    """A model in float32 with `sdpa`, the rows that are being decoded, and the last beginning that prompts shared."""

    def __init__(self, model_dir: Path) -> None:
        import torch
        from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText

        from autoresearch.training.plugin import delta_rule

        delta_rule.register()
        config = AutoConfig.from_pretrained(str(model_dir))
        # The class that the trainer builds, or the names of its weights would differ.
        family = AutoModelForImageTextToText if hasattr(config, "vision_config") else AutoModelForCausalLM
        with plain_torch():
            self.model = family.from_pretrained(
                str(model_dir), config=config, dtype=torch.float32, attn_implementation="sdpa"
            ).eval()
        self._text_config = self.model.config.get_text_config()
        self.vocabulary = int(self._text_config.vocab_size)
        linear = "linear_attention" in (getattr(self._text_config, "layer_types", None) or [])
        self.shortest_prompt = int(self._text_config.linear_conv_kernel_dim) if linear else 1
        self.eos = stop_ids(model_dir)
        self.rows: list[Request] = []
        self._states: States | None = None
        self._prefix: tuple[tuple[int, ...], States] | None = None

    @property
    def busy(self) -> bool:
        """True while a row has not ended. Rows that have may lie here until the next step."""
        return any(request.stop_reason is None for request in self.rows)

    def clear(self) -> None:
        """Forget all rows."""
        self.rows, self._states = [], None

    def load(self, state: Mapping[str, torch.Tensor]) -> None:
        """Replace all weights. Raises InputError for tensors that do not fit, and keeps the old ones then."""
        weight_files.load(self.model, state)
        self.clear()
        self._prefix = None

    def admit(self, requests: list[Request]) -> None:
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
            keep = [row for row, request in enumerate(self.rows) if request.stop_reason is None]
            parts = [] if self._states is None or not keep else [self._states.take(keep)]
            joining = [row for row, request in enumerate(requests) if request.stop_reason is None]
            if joining:
                parts.append(states if len(joining) == len(requests) else states.take(joining))
            self.rows = [self.rows[row] for row in keep] + [requests[row] for row in joining]
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
        if len(prompts) < 2 or common < max(SHORTEST_PREFIX, self.shortest_prompt):
            return 0, None
        cache, _ = self._forward(torch.tensor([low[:common]]), None, 0, None)
        states = States.of_cache(cache, torch.tensor([common]))
        self._prefix = (low[:common], states)
        return common, states

    def step(self) -> None:
        """One token for every row; finished rows leave when a quarter of the batch is finished."""
        import torch

        alive = [row for row, request in enumerate(self.rows) if request.stop_reason is None]
        if not alive:
            self.clear()
            return
        with torch.inference_mode():
            assert self._states is not None
            states = self._states
            if 4 * len(alive) <= 3 * len(self.rows):
                states = states.take(alive)
                self.rows = [self.rows[row] for row in alive]
            ids = torch.tensor([[request.tokens[-1]] for request in self.rows])
            cache, logits = self._forward(ids, states.cache(self._text_config), states.lengths, states.mask(1))
            self._states = States.of_cache(cache, states.lengths + 1)
            self._draw(self.rows, logits)

    def _forward(
        self, ids: torch.Tensor, cache: Any, start: int | torch.Tensor, mask: torch.Tensor | None
    ) -> tuple[Any, torch.Tensor]:
        """Run `ids` `(rows, tokens)` from position `start` on; the cache after them and the last logits."""
        import torch
        from transformers import DynamicCache

        positions = torch.arange(ids.shape[1]).expand(ids.shape[0], -1)
        positions = positions + (start.unsqueeze(-1) if isinstance(start, torch.Tensor) else start)
        out = self.model(
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
                resolve(request)


def resolve(request: Request, error: Exception | None = None) -> None:
    """Hand a request, or an error, to the task that waits for it."""
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
