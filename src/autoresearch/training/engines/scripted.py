"""An engine that replays given turns: tests and the rollout gate's diagnosis play known texts through the real loop
(8.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoresearch.errors import EpisodeError


class ScriptedEngine:
    """Answers each request with the next scripted turn of its prompt. No model, no randomness.

    ``scripts`` maps a prompt's ids to its turns (token ids, the end token included). A turn longer than the request's
    ``max_tokens`` is cut there, as a real engine would. Several episodes may share a prompt; a request id tells them
    apart.
    """

    def __init__(self, scripts: Mapping[tuple[int, ...], Sequence[Sequence[int]]]) -> None:
        self._scripts = scripts
        self._running: dict[str, tuple[Sequence[Sequence[int]], int]] = {}
        self.requests: list[dict[str, Any]] = []
        """Sampling parameters of every request, in order."""

    async def generate(
        self, *, request_id: str, prompt_ids: Sequence[int], sampling_params: Mapping[str, Any], **_: Any
    ) -> Any:
        """The next turn as verl's ``TokenOutput``. Raises ``EpisodeError`` when the script has no further turn."""
        from verl.workers.rollout.replica import TokenOutput

        self.requests.append(dict(sampling_params))
        turns, position = self._running.get(request_id) or (self._scripts.get(tuple(prompt_ids)), 0)
        if turns is None or position >= len(turns):
            raise EpisodeError(f"the script has no turn {position + 1} for this prompt")
        self._running[request_id] = (turns, position + 1)
        limit = int(sampling_params.get("max_tokens", len(turns[position])))
        token_ids = list(turns[position][:limit])
        cut = len(token_ids) < len(turns[position])
        return TokenOutput(
            token_ids=token_ids,
            log_probs=[0.0] * len(token_ids) if sampling_params.get("logprobs") else None,
            stop_reason="length" if cut else "completed",
            num_preempted=0,
            extra_fields={"global_steps": 0},
        )
