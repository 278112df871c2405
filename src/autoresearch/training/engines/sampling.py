"""What a request may ask of an engine, and how one row of the transformers engine draws its next token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autoresearch.errors import InputError

if TYPE_CHECKING:
    import torch

# Settings that callers send along with the only value that is implemented.
_FIXED: Mapping[str, tuple[Any, ...]] = {
    "repetition_penalty": (1, None),
    "presence_penalty": (0, None),
    "frequency_penalty": (0, None),
    "min_p": (0, None),
    "n": (1, None),
    "ignore_eos": (False, None),
    "stop": (None, [], ()),
}


@dataclass(frozen=True)
class Settings:
    """One request's sampling. `temperature` 0 is greedy; `top_k` -1 or 0 and `top_p` 1 mean all tokens."""

    temperature: float
    top_p: float
    top_k: int
    max_tokens: int
    stop_token_ids: frozenset[int]
    seed: int | None
    logprobs: bool

    @classmethod
    def parse(
        cls, params: Mapping[str, Any], default_max_tokens: int, eos: frozenset[int], engine: str = "transformers"
    ) -> Settings:
        """Read verl's sampling parameters. InputError names a setting that the engine does not implement."""
        rest = dict(params)
        for name, allowed in _FIXED.items():
            value = rest.pop(name, None)
            if value not in allowed:
                raise InputError(f"sampling: {name}={value!r} is not implemented by the {engine} engine")
        temperature = float(rest.pop("temperature", 1.0))
        top_p = float(rest.pop("top_p", 1.0))
        top_k = int(rest.pop("top_k", -1))
        tokens = [rest.pop(name, None) for name in ("max_tokens", "max_new_tokens")]
        max_tokens = next((int(value) for value in tokens if value is not None), default_max_tokens)
        stop = eos | frozenset(int(token) for token in rest.pop("stop_token_ids", None) or ())
        seed = rest.pop("seed", None)
        logprobs = rest.pop("logprobs", True)
        if rest:
            raise InputError(f"sampling: {', '.join(sorted(rest))} not implemented by the {engine} engine")
        if temperature < 0 or not 0 < top_p <= 1 or top_k < -1 or max_tokens < 1:
            raise InputError(
                f"sampling: temperature={temperature}, top_p={top_p}, top_k={top_k}, max_tokens={max_tokens}; "
                "wanted temperature >= 0, 0 < top_p <= 1, top_k -1 or more, max_tokens 1 or more"
            )
        wanted = logprobs is not None and logprobs is not False
        return cls(temperature, top_p, top_k, max_tokens, stop, None if seed is None else int(seed), wanted)


def stop_ids(model_dir: Path) -> frozenset[int]:
    """The ids that end a turn: eos of the model's configuration and of its generation configuration."""
    from transformers import AutoConfig, GenerationConfig

    found = _ids(AutoConfig.from_pretrained(str(model_dir)).get_text_config().eos_token_id)
    if (model_dir / "generation_config.json").is_file():
        found |= _ids(GenerationConfig.from_pretrained(str(model_dir)).eos_token_id)
    return found


def _ids(value: int | list[int] | None) -> frozenset[int]:
    if value is None:
        return frozenset()
    return frozenset([value] if isinstance(value, int) else value)


class Noise:
    """Gumbel noise of one request, from its own generator: the draw does not depend on who shares the batch."""

    def __init__(self, seed: int, vocabulary: int) -> None:
        import torch

        self._generator = torch.Generator().manual_seed(seed & 0x7FFF_FFFF_FFFF_FFFF)
        self._vocabulary = vocabulary
        # Drawn a block of steps at a time; the size depends on the vocabulary alone.
        self._steps = max(1, min(16, 65_536 // vocabulary))
        self._block: torch.Tensor | None = None
        self._at = 0

    def next(self) -> torch.Tensor:
        """The noise of the next step, float32 `(vocabulary,)`."""
        import torch

        if self._block is None or self._at == self._steps:
            uniform = torch.rand(self._steps, self._vocabulary, generator=self._generator)
            self._block = -torch.log(-torch.log(uniform.clamp_(1e-20, 1 - 1e-7)))
            self._at = 0
        self._at += 1
        return self._block[self._at - 1]


def draw(logits: torch.Tensor, settings: list[Settings], noise: list[Noise | None]) -> tuple[list[int], list[float]]:
    """The next token of each row of `logits` `(rows, vocabulary)` and its log-probability.

    Log-probabilities are those of the tempered distribution before `top_k` and `top_p`, as a trainer computes them from
    logits and temperature; a greedy row's are those at temperature 1. `noise` is None for a greedy row.
    """
    import torch

    scores = logits.float()
    heat = torch.tensor([entry.temperature or 1.0 for entry in settings])
    if bool((heat != 1.0).any()):
        scores = scores / heat.unsqueeze(-1)
    logprobs = torch.log_softmax(scores, dim=-1)
    ranked = logprobs
    narrowed = [row for row, entry in enumerate(settings) if entry.top_k > 0 or entry.top_p < 1]
    if narrowed:
        ranked = logprobs.clone()
        for row in narrowed:
            ranked[row] = _narrow(ranked[row], settings[row])
    drawn = [row for row, source in enumerate(noise) if source is not None]
    if drawn:
        gumbel = torch.stack([source.next() for source in noise if source is not None])
        if len(drawn) == len(noise):
            ranked = ranked + gumbel
        else:
            ranked = ranked.index_add(0, torch.tensor(drawn), gumbel)
    tokens = ranked.argmax(-1)
    chosen = logprobs.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
    return tokens.tolist(), chosen.tolist()


def _narrow(row: torch.Tensor, settings: Settings) -> torch.Tensor:
    """Log-probabilities with all tokens outside `top_k` and `top_p` at minus infinity; the best token always stays."""
    import torch

    ordered, index = row.sort(descending=True, stable=True)
    keep = torch.ones_like(ordered, dtype=torch.bool)
    if 0 < settings.top_k < len(ordered):
        keep[settings.top_k :] = False
    if settings.top_p < 1:
        weights = ordered.masked_fill(~keep, -torch.inf).softmax(-1)
        keep &= weights.cumsum(-1) - weights < settings.top_p
    out = torch.full_like(row, -torch.inf)
    out[index[keep]] = ordered[keep]
    return out
