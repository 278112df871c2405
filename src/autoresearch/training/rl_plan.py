"""From flags to an RL plan: facts, checks, loop and tool files, argv of ``verl.trainer.main_ppo`` (training.md 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from autoresearch.training.environment import interpreter
from autoresearch.training.loop_settings import loop_settings, write_loop_config, write_tools_config
from autoresearch.training.mixed_groups import share_of_verdict
from autoresearch.training.plan import (
    Check,
    Plan,
    PlanVerdict,
    file_input,
    hydra_overrides,
    merge_user_overrides,
    require_passed,
    tree_input,
)
from autoresearch.training.plan_facts import CommonFacts, gather
from autoresearch.training.rl_checks import RlFacts, RlNumbers, RlOptions, resolve_rl, rl_checks
from autoresearch.training.rl_overrides import rl_overrides
from autoresearch.training.rl_verdicts import rl_demands, verdict_checks
from autoresearch.training.sft_plan import common_environment
from autoresearch.training.verdict_match import match_all, value_at
from autoresearch.verdict import Verdict

WORKER_KEYS = (
    "VERL_PLATFORM",
    "VERL_USE_EXTERNAL_PLUGINS",
    "VERL_FILE_LOGGER_PATH",
    "TENSORBOARD_DIR",
    "OMP_NUM_THREADS",
)
"""Environment that Ray's workers must have too."""


def rl_environment(options: RlOptions) -> dict[str, str]:
    """Environment of an RL launch."""
    values = common_environment(options.device, options.run, options.gpus)
    values["RAY_USAGE_STATS_ENABLED"] = "0"
    if options.device == "cpu":
        values["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"
        # Ray starts its workers at niceness 15: beside any other work on these cores they would hardly move.
        values["RAY_worker_niceness"] = "0"
    if options.engine == "vllm":
        values["VLLM_USE_FLASHINFER_SAMPLER"] = "0"
    return values


def plan_rl(options: RlOptions) -> Plan:
    """Read the facts, decide, write ``loop.yaml`` and ``tools.yaml`` into the run folder, and return the plan.

    Raises ``RefusedError`` with each failed check, before anything is written; starts nothing.
    """
    options = options.model_copy(update={"run": options.run.resolve()})
    environment = rl_environment(options)
    common = gather(options.release, options.model, options.run, options.verdicts, environment)
    facts = read_rl_facts(options, common)
    numbers = resolve_rl(options, facts)
    used, missing = match_all(common.verdicts, rl_demands(options, facts))
    checks = rl_checks(options, facts, numbers, missing) + verdict_checks(options, facts, numbers, missing)
    require_passed(checks, "train rl")
    write_loop_files(options, facts)
    return build_rl_plan(options, facts, numbers, used, checks, environment)


def read_rl_facts(options: RlOptions, common: CommonFacts) -> RlFacts:
    """Facts beyond the common ones: prompts, tools, and what the verdicts say about lengths and groups."""
    from autoresearch.releases.release import Release
    from autoresearch.task.tools import tools_sha256

    prompts = Release(common.release.path).split_rows("train").column("prompt")
    rows = len(prompts) if options.max_samples is None else min(len(prompts), options.max_samples)
    distinct = {str(prompts[index].as_py()) for index in range(rows)}
    rollout = rollout_verdict(common.verdicts, common.model_tree)
    mixed = None if rollout is None else share_of_verdict(rollout.numbers, options.n)
    return RlFacts(
        common=common,
        distinct_prompts=len(distinct),
        tools_sha256=tools_sha256(),
        loop_settings=loop_settings(common.release.thinking),
        engine_version=common.versions.get("transformers" if options.engine == "transformers" else "vllm", ""),
        longest_prompt=budget_number(common.verdicts, common.release.report_sha256, "longest_prompt"),
        longest_completion=longest_completion(common.verdicts),
        mixed_share=None if mixed is None else mixed[0],
        mixed_method="" if mixed is None else mixed[1],
        above_baseline=_truth(rollout, "numbers.above_baseline"),
        verdict_thinking=_truth(rollout, "settings.enable_thinking"),
    )


def rollout_verdict(verdicts: Sequence[tuple[Path, Verdict]], model_tree: str) -> Verdict | None:
    """The rollout verdict of this model, if there is one."""
    for _, verdict in verdicts:
        if verdict.gate == "rollout" and value_at(verdict, "judged.model.tree_sha256") == model_tree:
            return verdict
    return None


def budget_number(verdicts: Sequence[tuple[Path, Verdict]], report_sha256: str, name: str) -> int:
    """A number of the token-budget verdict of one release; 0 where there is none."""
    for _, verdict in verdicts:
        if verdict.gate == "token_budget" and value_at(verdict, "judged.release.report_sha256") == report_sha256:
            return _whole(verdict.numbers.get(name))
    return 0


def longest_completion(verdicts: Sequence[tuple[Path, Verdict]]) -> int:
    """The longest completion (turns and tool results together) of any token-budget verdict."""
    return max(
        (
            _whole(verdict.numbers.get("longest_completion"))
            for _, verdict in verdicts
            if verdict.gate == "token_budget"
        ),
        default=0,
    )


def _whole(value: object) -> int:
    if isinstance(value, Mapping):
        value = value.get("numerator", value.get("tokens"))
    return value if isinstance(value, int) else 0


def _truth(verdict: Verdict | None, place: str) -> bool | None:
    text = None if verdict is None else value_at(verdict, place)
    return None if text is None else text == "True"


def write_loop_files(options: RlOptions, facts: RlFacts) -> None:
    """Write what verl reads beside argv: the loop entry and the tool list."""
    options.run.mkdir(parents=True, exist_ok=True)
    assets = facts.common.release.path / "assets"
    write_loop_config(
        options.run / "loop.yaml",
        assets=assets,
        transcripts=options.run / "transcripts",
        enable_thinking=facts.common.release.thinking,
        tools_sha256=facts.tools_sha256,
        model_tree=facts.common.model_tree,
    )
    write_tools_config(options.run / "tools.yaml", assets=assets)


def build_rl_plan(
    options: RlOptions,
    facts: RlFacts,
    numbers: RlNumbers,
    used: Sequence[PlanVerdict],
    checks: Sequence[Check],
    environment: dict[str, str],
) -> Plan:
    """Argv and inputs from what was decided."""
    common = facts.common
    worker = {key: environment[key] for key in WORKER_KEYS if key in environment}
    values = rl_overrides(options, facts, numbers, worker)
    extra = merge_user_overrides(values, options.override)
    argv = [
        interpreter(),
        "-m",
        "verl.trainer.main_ppo",
        *hydra_overrides(values),
        *(f"{key}={value}" for key, value in extra.items()),
    ]
    release = common.release.path
    inputs = [file_input(f"release/{name}", release / name) for name in sorted(common.release.files)]
    inputs.append(file_input("release/export_report.json", release / "export_report.json"))
    inputs.append(tree_input("model", common.model.path))
    inputs += [file_input(f"verdict/{item.gate}", Path(item.path)) for item in used]
    inputs += [file_input(name, options.run / name) for name in ("loop.yaml", "tools.yaml")]
    settings = options.model_dump(mode="json", exclude={"release", "model", "run", "verdicts", "override"})
    settings |= {
        "mini": numbers.mini,
        "steps": numbers.steps,
        "epochs": numbers.epochs,
        "max_prompt": numbers.max_prompt,
        "max_response": numbers.max_response,
        "lr": numbers.lr,
        "rows": numbers.rows,
        "val_rows": numbers.val_rows,
        "packs": numbers.packs,
        "attention": numbers.attention,
        "loop": dict(facts.loop_settings),
        "tools_sha256": facts.tools_sha256,
        "engine_version": facts.engine_version,
        "model_tree": common.model_tree,
        "tiny": common.model.tiny,
    }
    return Plan(
        kind="rl",
        algorithm=options.algorithm,
        purpose=options.purpose,
        device=options.device,
        engine=options.engine,
        steps=numbers.steps,
        argv=tuple(argv),
        environment=environment,
        paths={"run": str(options.run), "release": str(release), "model": str(common.model.path)},
        inputs=tuple(inputs),
        release_header=dict(common.release.header),
        thinking=common.release.thinking,
        template_sha256=common.model.template_sha256,
        tokenizer_sha256=common.model.tokenizer_sha256,
        verdicts=tuple(used),
        checks=tuple(checks),
        limits={"max_prompt": numbers.max_prompt, "max_response": numbers.max_response},
        settings=settings,
        overrides=extra,
        variable={
            "batch": options.prompts,
            "mini": numbers.mini,
            "micro": options.micro,
            "devices": options.gpus,
            "nodes": options.nodes,
            "samples": numbers.rows,
            "steps": numbers.steps,
            "lengths": {"max_prompt": numbers.max_prompt, "max_response": numbers.max_response},
            "logger": ["console", "file", "tensorboard"],
            "outputs": {"run": str(options.run)},
        },
        versions=dict(common.versions),
    )
