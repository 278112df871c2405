"""``gate rollout``: does the model earn something, but not everything, on prompts of the RL release? (training.md 8.4)

The window is a constant: reward above zero in 5 to 30 % of episodes, ends included, and no episode error. Below,
there is nothing to learn from; above, there is little left. Nothing is repeated until it passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autoresearch import progress
from autoresearch.errors import InputError, RefusedError
from autoresearch.files import sha256_file, tree_sha256
from autoresearch.gates.rollout_numbers import WINDOW_PERCENT, Decision, judge, rollout_numbers, saturation_advice
from autoresearch.releases.release import Release
from autoresearch.training.binding import RECORD, require_binding
from autoresearch.training.engines.options import DEFAULTS, EngineOptions
from autoresearch.training.environment import versions
from autoresearch.training.episodes import Engine, EpisodeRow, Sampling, read_rows, run
from autoresearch.training.loop_settings import PARSER, loop_settings
from autoresearch.training.model_folder import read_model_folder
from autoresearch.training.seeds import order_key
from autoresearch.training.transcripts import Episode
from autoresearch.verdict import Verdict, make_verdict, read_verdicts, write_verdict

DIAGNOSED_BELOW = 0.01
PROMPTS = 64
SAMPLES = 8


@dataclass(frozen=True)
class RolloutOptions:
    """Flags of ``gate rollout``; ``max_prompt`` None means the longest selected prompt, rounded up to 64 tokens."""

    model: Path
    release: Path
    sft_release: Path
    out: Path
    split: str = "train"
    prompts: int = PROMPTS
    samples: int = SAMPLES
    seed: int = 42
    decision: Decision = "point"
    engine: str = "transformers"
    engine_options: EngineOptions = DEFAULTS
    max_prompt: int | None = None
    max_response: int = 1024
    unbound: bool = False
    probes: int = 0
    """How many probes of this training run came before (11.3); recorded."""


def gate_prompts(rows: Sequence[EpisodeRow], seed: int, count: int = PROMPTS) -> list[EpisodeRow]:
    """The first ``count`` rows by sha256 of (seed, ``gate``, source id)."""
    return sorted(rows, key=lambda row: order_key(seed, "gate", row.source_id))[:count]


def probe_prompts(rows: Sequence[EpisodeRow], seed: int, count: int, gate_count: int = PROMPTS) -> list[EpisodeRow]:
    """The first ``count`` rows by sha256 of (seed, ``probe``, source id) that the gate of this seed does not use."""
    used = {row.source_id for row in gate_prompts(rows, seed, gate_count)}
    free = [row for row in rows if row.source_id not in used]
    return sorted(free, key=lambda row: order_key(seed, "probe", row.source_id))[:count]


def require_merged(model: Path) -> None:
    """Raise ``InputError`` for a sharded checkpoint or an adapter: the gate judges what RL would start from."""
    if not (model / "config.json").is_file():
        raise InputError(f"{model} is no model folder (no config.json); give the folder that `train merge` wrote")
    if any(model.glob("model_world_size_*")) or (model / "fsdp_config.json").is_file():
        raise InputError(f"{model} is a sharded checkpoint; merge it first: autoresearch train merge")
    if (model / "adapter_config.json").is_file():
        raise InputError(f"{model} is an adapter; merge it into its base first: autoresearch train merge")


def require_release(release: Release, path: Path) -> None:
    """Raise ``RefusedError`` when the release does not validate now, or was made with other tools than this
    version's.
    """
    from autoresearch.releases.validate import validate
    from autoresearch.task.tools import tools_sha256

    judged = validate(path)
    if not judged["valid"]:
        codes = ", ".join(
            f"{item['code']} {item['name']}" for item in judged["findings"] if item["severity"] == "error"
        )
        raise RefusedError(f"{path} does not pass its validator now: {codes}; restore the published folder")
    stored, here = release.header.tools_sha256, tools_sha256()
    if stored is not None and stored != here:
        raise RefusedError(f"{path} was made with tools {stored[:12]}, this version has {here[:12]}; export it again")


def gate_rollout(options: RolloutOptions, engine: Engine | None = None) -> Verdict:
    """Play, judge, and write the verdict to ``options.out``; transcripts lie beside it whatever the answer.

    ``engine`` replaces the one named in the options (tests). Raises ``RefusedError`` or ``InputError`` when it cannot
    judge.
    """
    if options.out.exists():
        raise RefusedError(f"{options.out} exists; a verdict is never overwritten: give another --out")
    require_merged(options.model)
    release, sft = Release(options.release), Release(options.sft_release)
    for opened, path in ((release, options.release), (sft, options.sft_release)):
        require_release(opened, path)
    if sft.header.enable_thinking != release.header.enable_thinking:
        raise RefusedError(
            "the SFT release and the RL release differ in their thinking switch; export one of them again"
        )
    header = release.header.model_dump()
    bound = require_binding(options.model, header, unbound=options.unbound)
    all_rows = read_rows(options.release, options.split)
    rows = gate_prompts(all_rows, options.seed, options.prompts)
    train_rows = all_rows if options.split == "train" else read_rows(options.release, "train")
    sampling = Sampling(
        max_prompt=options.max_prompt or longest_prompt(options.model, rows, release.header.enable_thinking),
        max_response=options.max_response,
    )
    folder = options.out.parent / f"{options.out.stem}-transcripts"
    if folder.exists():
        raise RefusedError(f"{folder} exists; it belongs to an earlier attempt: give another --out")
    episodes = run(
        options.model,
        rows,
        release=options.release,
        samples=options.samples,
        sampling=sampling,
        seed=options.seed,
        engine=engine or options.engine,
        transcripts=folder,
        stage="gate rollout",
        engine_options=options.engine_options,
    )
    verdict = rollout_verdict(options, release, sft, bound, sampling, episodes, rows, train_rows)
    write_verdict(options.out, verdict)
    progress.event("gate rollout", verdict.status, rate=verdict.numbers["nonzero_reward_rate"]["rate"])
    return verdict


def rollout_verdict(
    options: RolloutOptions,
    release: Release,
    sft: Release,
    bound: Mapping[str, Any],
    sampling: Sampling,
    episodes: Sequence[Episode],
    rows: Sequence[EpisodeRow],
    train_rows: Sequence[EpisodeRow],
) -> Verdict:
    """The verdict about episodes that were played."""
    from autoresearch.gates.diagnosis import diagnose

    numbers = rollout_numbers(episodes, rows, train_rows, samples=options.samples, seed=options.seed)
    rate = numbers["nonzero_reward_rate"]
    counted, total = rate["numerator"], rate["denominator"]
    interval = tuple(rate.get("cluster_bootstrap95", (0.0, 1.0)))
    decisions = {
        name: judge(counted, total, numbers["errors"]["count"], (interval[0], interval[1]), name)
        for name in ("point", "interval")
    }
    numbers["decisions"] = {name: {"passed": answer[0], "status": answer[1]} for name, answer in decisions.items()}
    passed, status = decisions[options.decision]
    if status != "episode_errors" and total and counted / total < DIAGNOSED_BELOW:
        numbers["diagnosis"] = diagnose(options.model, options.release, options.sft_release, episodes, sampling)
    if status == "saturated":
        numbers["advice"] = saturation_advice(numbers["per_prompt"])
    tree = tree_sha256(options.model, (RECORD,))
    model = read_model_folder(options.model)
    low, high = WINDOW_PERCENT
    return make_verdict(
        gate="rollout",
        passed=passed,
        status=status,
        rule=f"{low / 100:.2f} <= nonzero/episodes <= {high / 100:.2f}, {options.decision}; no episode error",
        numbers=numbers,
        judged={
            "model": {
                "name": options.model.resolve().name,
                "tree_sha256": tree,
                "config_sha256": sha256_file(options.model / "config.json"),
                "template_sha256": model.template_sha256,
                "tokenizer_sha256": model.tokenizer_sha256,
                "tiny": model.tiny,
                "reference": reference_of(options.out.parent, tree),
                **bound,
            },
            "release": release.identity(),
            "sft_release": sft.identity(),
            "tools_sha256": release.header.tools_sha256,
        },
        settings={
            "split": options.split,
            "prompts": len(rows),
            "samples": options.samples,
            "seed": options.seed,
            "decision": options.decision,
            "engine": options.engine,
            "enable_thinking": release.header.enable_thinking,
            "sampling": {
                "temperature": sampling.temperature,
                "top_p": sampling.top_p,
                "top_k": sampling.top_k,
                "max_prompt": sampling.max_prompt,
                "max_response": sampling.max_response,
            },
            "loop": loop_settings(release.header.enable_thinking),
            "parser": {"name": PARSER, "sha256": parser_fingerprint()},
            "probes": options.probes,
        },
        versions=versions(),
        evidence=[f"{options.out.stem}-transcripts/episodes.jsonl"],
        attempt=1 + len(verdicts_about(options.out.parent, "rollout", tree)),
    )


def verdicts_about(folder: Path, gate: str, model_tree: str) -> list[Verdict]:
    """Verdicts of a gate about this model that lie in the folder already."""
    if not folder.is_dir():
        return []
    return [
        verdict
        for _, verdict in read_verdicts(folder)
        if verdict.gate == gate and verdict.judged.get("model", {}).get("tree_sha256") == model_tree
    ]


def reference_of(folder: Path, model_tree: str) -> str:
    """The hash of the passed provenance verdict that lies beside and names this model, or ``none``."""
    passed = [verdict for verdict in verdicts_about(folder, "provenance", model_tree) if verdict.passed]
    return passed[-1].sha256_of_self_without_this_key if passed else "none"


def longest_prompt(model: Path, rows: Sequence[EpisodeRow], enable_thinking: bool) -> int:
    """Tokens of the longest prompt, rounded up to a multiple of 64."""
    from autoresearch.task.conversation import prompt_ids
    from autoresearch.task.tools import tool_schemas
    from autoresearch.training.rendering import load_tokenizer

    tokenizer = load_tokenizer(model)
    tools = tool_schemas()
    longest = max((len(prompt_ids(tokenizer, row.prompt, tools, enable_thinking)) for row in rows), default=64)
    return -(-longest // 64) * 64


def parser_fingerprint() -> str:
    """sha256 of the source of verl's tool parser: calls are read by it in training and here."""
    import inspect

    from verl.experimental.agent_loop.tool_parser import ToolParser

    return sha256_file(Path(inspect.getfile(ToolParser)))
