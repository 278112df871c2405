"""The arithmetic and the verdicts of an RL plan, each rule at its edge (training.md 7.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_plans import (
    MACHINE,
    MODEL,
    REPORT,
    TEMPLATE,
    TOOLS,
    VERSIONS,
    common_facts,
    model_facts,
    probe_facts,
    release_facts,
    verdicts,
)

from autoresearch.files import sha256_text
from autoresearch.training.loop_settings import loop_settings
from autoresearch.training.plan import Check
from autoresearch.training.plan_facts import CommonFacts
from autoresearch.training.rl_checks import RlFacts, RlOptions, estimate_memory, resolve_rl, rl_checks
from autoresearch.training.rl_overrides import rl_overrides
from autoresearch.training.rl_plan import budget_number, longest_completion, rl_environment
from autoresearch.training.rl_verdicts import rl_demands, verdict_checks
from autoresearch.training.verdict_match import match_all
from autoresearch.verdict import Verdict, make_verdict


def options(**changes: Any) -> RlOptions:
    values: dict[str, Any] = {
        "algorithm": "rloo",
        "release": Path("/data/rl"),
        "model": Path("/data/model"),
        "run": Path("/runs/rl"),
        "device": "cpu",
        "engine": "transformers",
        "n": 4,
        "prompts": 8,
        "micro": 4,
        "steps": 4,
        "purpose": "practice",
        "kl_coef": 0.0,
    }
    return RlOptions(**{**values, **changes})


def rollout(**judged: Any) -> Verdict:
    return make_verdict(
        gate="rollout",
        passed=True,
        status="passed",
        rule="r",
        versions=VERSIONS,
        machine=MACHINE,
        judged={
            "model": {"tree_sha256": MODEL, "template_sha256": TEMPLATE},
            "release": {"report_sha256": REPORT},
            "tools_sha256": TOOLS,
            **judged,
        },
        settings={"enable_thinking": False, "engine": "transformers", "loop": loop_settings(False)},
        numbers={"mixed_group_share": {"4": {"share": 0.5}}, "above_baseline": True},
    )


def facts(**changes: Any) -> RlFacts:
    common = changes.pop("common", None) or common_facts(
        release=release_facts(family="rl-cascade"), verdicts=verdicts(rollout=rollout())
    )
    values: dict[str, Any] = {
        "common": common,
        "distinct_prompts": 64,
        "tools_sha256": TOOLS,
        "loop_settings": loop_settings(False),
        "engine_version": "5.10.4",
        "longest_prompt": 700,
        "longest_completion": 200,
        "mixed_share": 0.5,
        "mixed_method": "measured",
        "above_baseline": True,
        "verdict_thinking": False,
    }
    return RlFacts(**{**values, **changes})


def with_verdicts(**changes: Verdict | None) -> RlFacts:
    made = {"rollout": rollout(), **changes}
    return facts(common=common_facts(release=release_facts(family="rl-cascade"), verdicts=verdicts(**made)))


def judged(chosen: RlOptions, known: RlFacts) -> dict[str, Check]:
    """Failed checks by code (errors and warnings)."""
    _, missing = match_all(known.common.verdicts, rl_demands(chosen, known))
    numbers = resolve_rl(chosen, known)
    checks = rl_checks(chosen, known, numbers, missing) + verdict_checks(chosen, known, numbers, missing)
    return {item.id: item for item in checks if not item.passed}


def test_a_fitting_plan_passes_every_check() -> None:
    assert judged(options(), facts()) == {}


@pytest.mark.parametrize(("n", "passes"), [(2, True), (1, False)])
def test_t101_group_size(n: int, passes: bool) -> None:
    assert ("T101" not in judged(options(n=n, micro=1), facts())) == passes


@pytest.mark.parametrize(
    ("changes", "passes"),
    [
        ({"prompts": 8, "mini": 4, "n": 4, "micro": 4}, True),
        ({"prompts": 8, "mini": 3, "n": 4, "micro": 4}, False),
        ({"prompts": 8, "mini": 8, "n": 4, "micro": 3}, False),
        ({"prompts": 8, "mini": 1, "n": 4, "micro": 4, "gpus": 4}, False),
        ({"prompts": 8, "mini": 1, "n": 4, "micro": 1, "gpus": 4}, True),
        ({"prompts": 8, "mini": 2, "n": 4, "micro": 1, "gpus": 3}, False),
        ({"prompts": 8, "n": 8, "micro": 16}, True),
    ],
)
def test_t102_batches_divide(changes: dict[str, Any], passes: bool) -> None:
    assert ("T102" not in judged(options(**changes), facts())) == passes


@pytest.mark.parametrize(("prompts", "passes"), [(64, True), (65, False)])
def test_t103_enough_prompts_for_a_step(prompts: int, passes: bool) -> None:
    assert ("T103" not in judged(options(prompts=prompts, steps=1, micro=1), facts())) == passes


@pytest.mark.parametrize(
    ("steps", "epochs", "passes"), [(8, None, True), (9, None, False), (9, 2, True), (16, 2, True), (17, 2, False)]
)
def test_t104_steps_are_reachable(steps: int, epochs: int | None, passes: bool) -> None:
    assert ("T104" not in judged(options(steps=steps, epochs=epochs), facts())) == passes


@pytest.mark.parametrize(
    ("prompt", "response", "passes"), [(700, 200, True), (699, 200, False), (700, 199, False), (None, None, True)]
)
def test_t105_lengths(prompt: int | None, response: int | None, passes: bool) -> None:
    found = judged(options(max_prompt=prompt, max_response=response), facts())
    assert ("T105" not in found) == passes


def test_t105_lengths_come_from_the_verdicts_rounded_up() -> None:
    numbers = resolve_rl(options(), facts())
    assert (numbers.max_prompt, numbers.max_response) == (704, 256)


def test_t106_engine_and_class() -> None:
    assert "processor" in judged(options(device="cuda", engine="transformers"), facts())["T106"].value
    assert "vLLM" in judged(options(engine="vllm"), facts())["T106"].value
    kernels = probe_facts(linear_attention=True)
    common = common_facts(release=release_facts(family="rl-cascade"), probe=kernels, verdicts=verdicts())
    assert "text-only" in judged(options(device="cuda", engine="vllm"), facts(common=common))["T106"].value
    image = common_facts(
        release=release_facts(family="rl-cascade"), probe=kernels, model=model_facts(model_type="qwen3_5", heads=4)
    )
    assert "T106" not in judged(options(device="cuda", engine="vllm"), facts(common=image))
    assert "T106" in judged(options(device="cuda", engine="vllm", gpus=8, tp=8), facts(common=image))
    assert "T106" in judged(options(device="cuda", engine="vllm", gpu_memory=1.0), facts(common=image))


def test_t106_positions_of_the_model() -> None:
    assert "positions" in judged(options(max_prompt=4000, max_response=256), facts())["T106"].value


def test_t107_thinking() -> None:
    assert "T107" in judged(options(), facts(verdict_thinking=True))


@pytest.mark.parametrize("gate", ["conflict", "host_rl", "rollout", "provenance"])
def test_t108_a_missing_verdict_is_refused(gate: str) -> None:
    assert (
        "no verdict of the gate" in judged(options(), with_verdicts(**{gate: None}))["T108"].value or gate == "host_rl"
    )
    assert "T108" in judged(options(), with_verdicts(**{gate: None}))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"release": {"report_sha256": sha256_text("other")}}, "judged.release.report_sha256"),
        ({"tools_sha256": sha256_text("other")}, "tool list"),
        ({"model": {"tree_sha256": MODEL, "template_sha256": "x"}}, "chat template"),
    ],
)
def test_t108_a_verdict_of_other_files_is_refused_by_name(change: dict[str, Any], named: str) -> None:
    assert named in judged(options(), with_verdicts(rollout=rollout(**change)))["T108"].value


@pytest.mark.parametrize(
    ("gate", "change", "named"),
    [
        ("rollout", {"settings": {"engine": "vllm"}}, "settings.engine is vllm, needed transformers"),
        ("rollout", {"settings": {"enable_thinking": True}}, "settings.enable_thinking is True, needed False"),
        ("rollout", {"versions": {"verl": "0.9.0"}}, "versions.verl is 0.9.0, needed 0.9.1"),
        ("rollout", {"passed": False, "status": "too_few"}, "it did not pass: too_few"),
        ("host_rl", {"machine": "another"}, "machine is another"),
        ("host_rl", {"settings": {"for": "sft"}}, "settings.for is sft, needed rl"),
        ("host_rl", {"versions": {"torch": "2.0"}}, "versions.torch is 2.0"),
        ("conflict", {"judged": {"canonical": {"sha256": "0" * 64}}}, "canonical file"),
        ("provenance", {"passed": False, "status": "broken"}, "it did not pass: broken"),
    ],
)
def test_t108_a_verdict_made_elsewhere_or_not_passed_is_refused_by_name(
    gate: str, change: dict[str, Any], named: str
) -> None:
    known = {path.stem: verdict for path, verdict in verdicts(rollout=rollout())}
    values = known[gate].model_dump(exclude={"sha256_of_self_without_this_key"})
    for key, value in change.items():
        values[key] = {**values[key], **value} if isinstance(value, dict) and key != "judged" else value
    found = judged(options(), with_verdicts(**{gate: make_verdict(**values)}))
    assert named in found["T108"].value


def test_t108_another_loop_setting_is_refused_by_name() -> None:
    made = rollout()
    loop = {**made.settings["loop"], "max_assistant_turns": 1}
    changed = make_verdict(
        **{
            **made.model_dump(exclude={"sha256_of_self_without_this_key"}),
            "settings": {**made.settings, "loop": loop},
        }
    )
    found = judged(options(), with_verdicts(rollout=changed))
    assert "settings.loop.max_assistant_turns is 1, needed 4" in found["T108"].value


def test_t109_a_verdict_about_another_model() -> None:
    found = judged(
        options(), with_verdicts(rollout=rollout(model={"tree_sha256": "0" * 64, "template_sha256": TEMPLATE}))
    )
    assert "judged.model.tree_sha256 is 0000" in found["T109"].value


def test_a_formal_run_refuses_a_practice_reference() -> None:
    practice = make_verdict(
        gate="provenance",
        passed=True,
        status="passed",
        rule="r",
        judged={"model": {"tree_sha256": MODEL}},
        settings={"purpose": "practice"},
        versions=VERSIONS,
        machine=MACHINE,
    )
    known = with_verdicts(provenance=practice)
    assert "settings.purpose is practice, needed formal" in judged(options(purpose="formal"), known)["T108"].value
    assert judged(options(), known) == {}


def test_t110_few_mixed_groups_warn_and_do_not_stop() -> None:
    found = judged(options(), facts(mixed_share=0.1))
    assert found["T110"].severity == "warning"
    assert judged(options(), facts(mixed_share=0.125)) == {}


def test_t110_says_how_the_share_of_an_extrapolated_group_size_was_obtained() -> None:
    found = judged(options(n=6, micro=6), facts(mixed_share=0.1, mixed_method="extrapolated, low"))
    assert found["T110"].value == "0.100 mixed at n 6 (extrapolated, low) x 8 prompts = 0.80 a step"


def gigabytes(chosen: RlOptions, known: RlFacts) -> float:
    return estimate_memory(chosen, known, resolve_rl(chosen, known)) / 1e9


def billion(**changes: Any) -> CommonFacts:
    """A model of 10^9 parameters, a vocabulary of 250,000, and a card of 80 GB by the host verdict."""
    card = make_verdict(
        gate="host",
        passed=True,
        status="passed",
        rule="r",
        settings={"for": "rl", "device": "cuda", "engine": "vllm"},
        numbers={"device": {"memory_bytes": 80 * 10**9}},
        versions=VERSIONS,
        machine=MACHINE,
    )
    values: dict[str, Any] = {
        "release": release_facts(family="rl-cascade"),
        "verdicts": verdicts(rollout=rollout(), host_rl=card),
        "model": model_facts(parameters=10**9, vocab_size=250_000, hidden_size=2000, model_type="qwen3_5"),
    }
    return common_facts(**{**values, **changes})


LENGTHS = {"max_prompt": 700, "max_response": 300, "micro": 1}


def test_t010_memory_counts_optimizer_reference_logits_and_the_engines_copies() -> None:
    known = facts(common=billion())
    # 4 + 4 + 8 GB trained, 2 GB logits of 1,000 tokens, 8 GB of weights in the engine and on the way to it.
    assert gigabytes(options(**LENGTHS), known) == 16 + 2 + 8
    assert gigabytes(options(**LENGTHS, kl_coef=0.1), known) == 20 + 2 + 8
    assert gigabytes(options(**{**LENGTHS, "micro": 4}), known) == 16 + 8 + 8
    # Rank 20 of 2,000: 2 % of the weights are trained.
    assert gigabytes(options(**LENGTHS, lora=20), known) == pytest.approx(4 + 4 * 0.02 * 4 + 2 + 8)


def test_t010_memory_of_a_card_is_the_larger_of_update_and_rollout_of_one_rank() -> None:
    known = facts(common=billion())
    card: dict[str, Any] = {**LENGTHS, "device": "cuda", "engine": "vllm"}
    assert gigabytes(options(**card, gpu_memory=0.5), known) == 16 + 40
    assert gigabytes(options(**card, gpu_memory=0.01), known) == 16 + 2
    assert gigabytes(options(**card, gpu_memory=0.5, gpus=4), known) == 4 + 40


def test_t010_memory_is_held_against_the_card_of_the_host_verdict_or_main_memory() -> None:
    known = facts(common=billion(memory_total=30 * 10**9))
    assert "T010" not in judged(options(**LENGTHS), known)
    assert judged(options(**LENGTHS, kl_coef=0.1), known)["T010"].value == "estimate 27.94 GiB of 27.9 GiB"
    card: dict[str, Any] = {**LENGTHS, "device": "cuda", "engine": "vllm"}
    assert "T010" not in judged(options(**card, gpu_memory=0.69), known)
    assert "74.5 GiB" in judged(options(**card, gpu_memory=0.71), known)["T010"].value


def test_a_rate_not_above_the_baseline_warns() -> None:
    assert "baseline" in judged(options(), facts(above_baseline=False))["T110"].value


def test_t111_validation() -> None:
    assert "T111" in judged(options(eval_every=5), facts())
    assert "T111" in judged(options(save_every=5), facts())
    empty = common_facts(
        release=release_facts(family="rl-cascade", rows={"train": 64, "val": 0}), verdicts=verdicts(rollout=rollout())
    )
    assert "T111" in judged(options(), facts(common=empty))


def test_smoke_runs_at_most_three_steps_and_without_rollout_verdict() -> None:
    known = with_verdicts(rollout=None, provenance=None, conflict=None)
    assert judged(options(purpose="smoke", steps=3), known) == {}
    assert "T108" in judged(options(purpose="smoke", steps=4), known)


def test_the_cpu_keys_of_verl_are_all_there() -> None:
    chosen = options(algorithm="grpo", kl_coef=0.01, val_before=False)
    known = facts()
    values = rl_overrides(chosen, known, resolve_rl(chosen, known), {"VERL_PLATFORM": "cpu"})
    assert values["algorithm.adv_estimator"] == "grpo"
    assert values["actor_rollout_ref.actor.use_kl_loss"] is True
    assert values["actor_rollout_ref.ref.fsdp_config.strategy"] == "fsdp2"
    assert values["actor_rollout_ref.rollout.multi_turn.max_assistant_turns"] == 4
    assert values["trainer.val_before_train"] is False and values["trainer.test_freq"] == -1
    assert values["trainer.save_freq"] == 4
    assert values["+ray_kwargs.ray_init.runtime_env.env_vars.VERL_PLATFORM"] == "cpu"
    assert values["+ray_kwargs.ray_init.num_gpus"] == 1


def test_without_kl_there_is_no_reference_model() -> None:
    chosen = options()
    values = rl_overrides(chosen, facts(), resolve_rl(chosen, facts()), {})
    assert values["actor_rollout_ref.actor.use_kl_loss"] is False
    assert not any(key.startswith("actor_rollout_ref.ref") for key in values)


def test_environment_of_the_processor_pretends_one_device() -> None:
    environment = rl_environment(options())
    assert environment["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] == "0" and environment["VERL_PLATFORM"] == "cpu"
    assert environment["RAY_worker_niceness"] == "0"


def test_numbers_are_read_from_verdicts() -> None:
    budget = make_verdict(
        gate="token_budget",
        passed=True,
        status="passed",
        rule="r",
        judged={"release": {"report_sha256": REPORT}},
        numbers={"longest_prompt": {"tokens": 177}, "longest_completion": {"tokens": 90}},
    )
    pairs = [(Path("b.json"), budget)]
    assert budget_number(pairs, REPORT, "longest_prompt") == 177
    assert budget_number(pairs, "other", "longest_prompt") == 0
    assert longest_completion(pairs) == 90
