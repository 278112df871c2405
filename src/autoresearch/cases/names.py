"""Every name of a formal case, from one builder (formal-case.md 4.4, 11.1).

Nothing ever parses a name back: the mapping from a row to its names is stored in the lock and the rows. Names are
ASCII, at most 128 characters, ``[A-Za-z0-9_.-]``, and unique within a run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from autoresearch.errors import InputError
from autoresearch.files import sha256_text

LONGEST = 128
"""Characters of a case id or display name (V213)."""
RUN_ID = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,119}$")
LEGAL = re.compile(r"^[A-Za-z0-9_.-]{1,128}$")
KIBI = 1024
UNITS = {"ascend": "npu", "nvidia": "gpu", "cpu": "cpu"}
LONGEST_RUN_ID = 120
_SUFFIX = 4
"""Room for ``-r99`` behind a run id."""


@dataclass(frozen=True)
class CaseNumbers:
    """What makes a case id: devices, prompts a step, group size, mini- and micro-batch, token limits."""

    devices: int
    batch: int
    group: int
    mini: int
    micro: int
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True)
class NameFacts:
    """What the names of a run share. ``created`` is the run's creation instant, shown in UTC."""

    model_id: str
    algorithm: Literal["grpo", "rloo", "sft"]
    mode: Literal["training", "validation"]
    field: bool
    """True for ``field-*`` tasks."""
    accelerator: Literal["ascend", "nvidia", "cpu"]
    ignore_eos: bool
    created: datetime


def model_slug(model_id: str) -> str:
    """``Qwen/Qwen3.5-2B`` -> ``Qwen35-2B``: the last part, dots dropped, other characters one dash."""
    last = model_id.rstrip("/").rpartition("/")[2].replace(".", "")
    return re.sub(r"[^A-Za-z0-9]+", "-", last).strip("-") or "model"


def token_text(tokens: int) -> str:
    """``16K`` for a multiple of 1024, the number itself for anything else."""
    return f"{tokens // KIBI}K" if tokens > 0 and tokens % KIBI == 0 else str(tokens)


def _stamp(created: datetime) -> str:
    utc = created.astimezone(UTC)
    return f"{utc:%y%m%d}d-{utc:%H%M%S}s"


def _fit(slug: str, rest: str, longest: int) -> str:
    """Slug and rest within ``longest``: the slug gives way, the rest is what tells rows apart."""
    kept = slug[: max(1, longest - len(rest) - 1)].rstrip("-") or "m"
    return f"{kept}-{rest}"


def _lengths(facts: NameFacts, input_tokens: int, output_tokens: int) -> str:
    if facts.algorithm == "sft":
        return token_text(output_tokens)
    return f"{token_text(input_tokens)}to{token_text(output_tokens)}"


def _eos(facts: NameFacts) -> str:
    return "ignoreeos" if facts.ignore_eos else "noignoreeos"


def _train_part(facts: NameFacts, numbers: CaseNumbers, mode: str | None) -> list[str]:
    head = f"{numbers.devices}{UNITS[facts.accelerator]}"
    sizes = [f"bs{numbers.batch}", f"n{numbers.group}", f"mini{numbers.mini}", f"micro{numbers.micro}"]
    if facts.algorithm == "sft":
        return [head, sizes[0], *sizes[2:]]
    return [str(mode), head, *sizes]


def case_id(facts: NameFacts, numbers: CaseNumbers, inference_mode: str | None) -> str:
    """``async-1024-16384``, ``train-8npu-sync-bs64-n4-mini64-micro1-1024-2048``; SFT drops mode, n and input."""
    if facts.mode == "validation":
        return f"{inference_mode}-{numbers.input_tokens}-{numbers.output_tokens}"
    words = _train_part(facts, numbers, None)
    if facts.algorithm == "sft":
        return "-".join(["train", *words, str(numbers.output_tokens)])
    words = [words[1], str(inference_mode), *words[2:]]
    return "-".join(["train", *words, str(numbers.input_tokens), str(numbers.output_tokens)])


def display_name(facts: NameFacts, numbers: CaseNumbers, inference_mode: str | None, attempt: int = 1) -> str:
    """``Qwen35-2B-GRPO-1Kto16K-260622d-145001s-valonly-sync-noignoreeos``; ``-a<N>`` from the second attempt on."""
    words = [facts.algorithm.upper(), _lengths(facts, numbers.input_tokens, numbers.output_tokens)]
    words += [_stamp(facts.created), "valonly" if facts.mode == "validation" else "train"]
    words += ["field"] if facts.field else []
    words += [str(inference_mode)] if facts.mode == "validation" else _train_part(facts, numbers, inference_mode)
    words.append(_eos(facts))
    if attempt > 1:
        words.append(f"a{attempt}")
    return _fit(model_slug(facts.model_id), "-".join(words), LONGEST)


def run_id(
    facts: NameFacts,
    *,
    input_tokens: int,
    output_tokens: Sequence[int],
    modes: Sequence[str],
    devices: int,
    taken: Collection[str] = (),
) -> str:
    """The run's id and its bundle's name: the largest output length, ``modes-sync-async`` for more than one mode.

    ``devices``: the most that a row of the run uses. On collision with ``taken``: ``-r2``, ``-r3``, …
    """
    words = [facts.algorithm.upper(), _lengths(facts, input_tokens, max(output_tokens))]
    words += [_stamp(facts.created), "valonly" if facts.mode == "validation" else "train"]
    words += ["field"] if facts.field else []
    if facts.algorithm != "sft":
        words += ["-".join(["modes", *modes]) if len(modes) > 1 else modes[0]]
    if facts.mode == "training":
        words.append(f"{devices}{UNITS[facts.accelerator]}")
    words.append(_eos(facts))
    name = _fit(model_slug(facts.model_id), "-".join(words), LONGEST_RUN_ID - _SUFFIX)
    number, found = 2, name
    while found in taken:
        found, number = f"{name}-r{number}", number + 1
    return found


def check_run_id(given: str) -> str:
    """A ``--run-id`` as given. Raises ``InputError`` when it cannot be a folder and a label."""
    if not RUN_ID.match(given):
        raise InputError(
            f"--run-id {given!r}: letters, digits, '_', '.', '-', at most {LONGEST_RUN_ID}, the first a letter or digit"
        )
    return given


def row_name(case: str, attempt: int) -> str:
    """``<case_id>.a<N>``: folder and label of one attempt."""
    return f"{case}.a{attempt}"


def wandb_id(run: str, row: str) -> str:
    """The W&B id of an attempt, fixed beforehand: 12 hex digits of sha256(run id + row) (11.2)."""
    return sha256_text(run + row)[:12]


def group_name(run: str) -> str:
    """The W&B group that holds all attempts of a run: the run's id."""
    return run


def scratch_folder(run: str, row: str) -> str:
    """``/tmp/ar-<hash10>``: the short folder of ours that Ray's sockets lie in (7.1, V215)."""
    return f"/tmp/ar-{sha256_text(f'{run}/{row}')[:10]}"
