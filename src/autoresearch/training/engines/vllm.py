"""Sampling with vLLM on one card, for the in-process runner of gates, evaluation and prediction (training.md 2.4, 6.5).

vLLM's asynchronous engine lives on an event loop of its own in a thread, because callers open and close theirs with
every set of episodes. Names and meanings are those of vLLM 0.24.0. A request's seed fixes its noise; the last bits of
the logits still depend on who shares the batch, so that equal seeds give nearly always, not always, equal tokens.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import threading
from collections.abc import Coroutine, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from autoresearch.errors import InfrastructureError, InputError, RefusedError
from autoresearch.training.engines.options import DEFAULTS, EngineOptions
from autoresearch.training.engines.sampling import Settings, stop_ids
from autoresearch.training.model_folder import IMAGE_TEXT_TYPES, ModelFolder, read_model_folder

if TYPE_CHECKING:
    from verl.workers.rollout.replica import TokenOutput

NAME = "vllm"
HOTTEST = 2.0
"""vLLM takes no higher temperature."""
ENDED = {"stop": "completed", "length": "length"}
"""vLLM's finish reasons that are an answer; any other is a failure of the engine."""
Result = TypeVar("Result")


class VllmEngine:
    """A model folder behind ``generate``. ``longest`` is the most tokens that prompt and answer have together.

    Raises ``RefusedError`` for a model class that vLLM does not take and for a machine without vLLM or without a card,
    ``InfrastructureError`` when the engine does not start.
    """

    def __init__(
        self,
        model_dir: Path,
        *,
        options: EngineOptions = DEFAULTS,
        longest: int | None = None,
        default_max_tokens: int = 512,
    ) -> None:
        model = read_model_folder(model_dir)
        require_class(model)
        require_card()
        self._default_max_tokens = default_max_tokens
        self._stop = stop_ids(model_dir)
        self._numbers = itertools.count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="vllm-engine", daemon=True)
        self._thread.start()
        self._engine: Any = None
        arguments = engine_arguments(model, options, longest, flashinfer=find_spec("flashinfer") is not None)
        try:
            self._engine = self._wait(_start(arguments))
        except Exception as error:
            self.close()
            raise InfrastructureError(f"vllm did not start: {error}; its log above says why") from error

    async def generate(
        self, prompt_ids: Sequence[int], sampling_params: Mapping[str, Any], request_id: str = "", **kwargs: Any
    ) -> TokenOutput:
        """Sample one continuation; the ids end with the stop token if one was drawn.

        ``stop_reason`` is ``completed`` or ``length``. Settings that are not implemented, and pictures, raise
        ``InputError``; an engine that ends a request otherwise raises ``InfrastructureError``.
        """
        from verl.workers.rollout.replica import TokenOutput

        given = sorted(name for name, value in kwargs.items() if value is not None and value != {})
        if given and given != ["priority"]:
            raise InputError(f"generate: {', '.join(given)} not implemented by the vllm engine")
        settings = Settings.parse(sampling_params, self._default_max_tokens, self._stop, NAME)
        keywords = sampling_keywords(settings)
        name = f"{request_id}-{next(self._numbers)}"
        asked = asyncio.run_coroutine_threadsafe(_ask(self._engine, list(prompt_ids), keywords, name), self._loop)
        answer = await asyncio.wrap_future(asked)
        tokens = list(answer.token_ids)
        return TokenOutput(
            token_ids=tokens,
            log_probs=chosen_logprobs(tokens, answer.logprobs) if settings.logprobs else None,
            stop_reason=stop_reason(answer.finish_reason),
            num_preempted=0,
            extra_fields={"global_steps": 0, "min_global_steps": 0, "max_global_steps": 0},
        )

    def close(self) -> None:
        """End vLLM's process and the thread; open requests fail."""
        if self._engine is not None:
            self._engine.shutdown()
            self._engine = None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=30)

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


def require_class(model: ModelFolder) -> None:
    """Raise ``RefusedError`` for a text-only Qwen3.5: vLLM knows the image-text class alone."""
    if model.model_type.startswith("qwen3_5") and model.model_type not in IMAGE_TEXT_TYPES:
        raise RefusedError(
            f"{model.path}: model type {model.model_type}; vLLM takes Qwen3.5 as the image-text class only "
            f"({', '.join(IMAGE_TEXT_TYPES)}): train from the released checkpoint (or the tiny preset gpu), "
            "or use --engine transformers"
        )


def require_card() -> None:
    """Raise ``RefusedError`` without vLLM and without a CUDA card."""
    if find_spec("vllm") is None:
        raise RefusedError(
            "vllm is needed for --engine vllm and it is not installed: on a machine with a card "
            "pip install -r constraints/cuda.txt, or use --engine transformers"
        )
    import torch

    if not torch.cuda.is_available():
        raise RefusedError(
            "--engine vllm needs a CUDA card and torch sees none: run it on a machine with one, "
            "or use --engine transformers"
        )


def engine_arguments(
    model: ModelFolder, options: EngineOptions, longest: int | None, *, flashinfer: bool
) -> dict[str, Any]:
    """Keywords of vLLM's ``AsyncEngineArgs``. Raises ``InputError`` for a memory share outside 0 to 1 and for more
    tokens than the model has positions.
    """
    if not 0 < options.gpu_memory_utilization <= 1:
        raise InputError(f"--gpu-memory-utilization is {options.gpu_memory_utilization}; it is a share between 0 and 1")
    if longest is not None and model.max_positions and longest > model.max_positions:
        raise InputError(
            f"prompt and answer together have up to {longest} tokens, {model.path} has {model.max_positions} "
            "positions: lower --max-prompt or --max-response"
        )
    arguments: dict[str, Any] = {
        "model": str(model.path),
        "gpu_memory_utilization": options.gpu_memory_utilization,
        "enforce_eager": options.enforce_eager,
        # Log-probs after the temperature, as a trainer computes them; vLLM's default are those before it.
        "logprobs_mode": "processed_logprobs",
        "disable_log_stats": True,
        "seed": 0,
    }
    if longest is not None:
        arguments["max_model_len"] = longest
    if model.model_type in IMAGE_TEXT_TYPES:
        arguments["language_model_only"] = True
        if not flashinfer:
            arguments["additional_config"] = {"gdn_prefill_backend": "triton"}
    return arguments


def sampling_keywords(settings: Settings) -> dict[str, Any]:
    """Keywords of vLLM's ``SamplingParams``. Raises ``InputError`` for what vLLM would answer otherwise than the
    transformers engine.
    """
    if settings.temperature > HOTTEST:
        raise InputError(f"sampling: temperature={settings.temperature}; the vllm engine takes up to {HOTTEST}")
    if settings.logprobs and (settings.top_k > 0 or settings.top_p < 1):
        raise InputError(
            "sampling: logprobs with top_k or top_p are not implemented by the vllm engine: its log-probs are those "
            "of the tokens that are left"
        )
    greedy = settings.temperature == 0
    return {
        "n": 1,
        "temperature": settings.temperature,
        "top_p": settings.top_p,
        "top_k": max(settings.top_k, 0),
        "max_tokens": settings.max_tokens,
        "stop_token_ids": sorted(settings.stop_token_ids),
        "seed": None if greedy else settings.seed,
        # 0 means: of the drawn token alone.
        "logprobs": 0 if settings.logprobs else None,
        "detokenize": False,
    }


def stop_reason(finished: str | None) -> str:
    """``completed`` or ``length`` of vLLM's finish reason. Raises ``InfrastructureError`` for any other."""
    if finished not in ENDED:
        raise InfrastructureError(f"vllm ended a request with {finished!r}; its log says why")
    return ENDED[finished]


def chosen_logprobs(tokens: Sequence[int], entries: Sequence[Mapping[int, Any]] | None) -> list[float]:
    """The log-probability of each drawn token. Raises ``InfrastructureError`` when vLLM sent another number of them."""
    if entries is None or len(entries) != len(tokens):
        raise InfrastructureError(f"vllm sent {0 if entries is None else len(entries)} log-probs for {len(tokens)} ids")
    return [float(entry[token].logprob) for token, entry in zip(tokens, entries, strict=True)]


async def _start(arguments: dict[str, Any]) -> Any:
    os.environ.setdefault("VLLM_LOGGING_STREAM", "ext://sys.stderr")  # stdout holds the result alone
    if find_spec("flashinfer") is None:
        os.environ.setdefault("VLLM_USE_FLASHINFER_SAMPLER", "0")
    from vllm.engine.arg_utils import AsyncEngineArgs
    from vllm.v1.engine.async_llm import AsyncLLM

    return AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments))


async def _ask(engine: Any, prompt_ids: list[int], keywords: dict[str, Any], name: str) -> Any:
    """vLLM's final output of one request."""
    from vllm import SamplingParams
    from vllm.inputs import TokensPrompt
    from vllm.sampling_params import RequestOutputKind

    params = SamplingParams(**keywords, output_kind=RequestOutputKind.FINAL_ONLY)
    final = None
    async for output in engine.generate(TokensPrompt(prompt_token_ids=prompt_ids), params, name):
        final = output
    if final is None:
        raise InfrastructureError("vllm sent no output")
    return final.outputs[0]
