"""Which verdicts an RL plan needs, and what is checked of them: thinking, hashes, model, mixed groups (T107 to T110).

Pure, over facts that were read before.
"""

from __future__ import annotations

from collections.abc import Mapping

from autoresearch.training.plan import Check, check
from autoresearch.training.plan_facts import budget_demand, conflict_demand, host_demand
from autoresearch.training.rl_checks import RlFacts, RlNumbers, RlOptions
from autoresearch.training.sft_checks import SMOKE_STEPS
from autoresearch.training.verdict_match import Demand


def rl_demands(options: RlOptions, facts: RlFacts) -> list[Demand]:
    """The verdicts that the purpose asks for, with every hash that is about to be used (T006, T108, T109)."""
    common = facts.common
    model = {"judged.model.tree_sha256": common.model_tree}
    demanded = [budget_demand(common, {}), host_demand(common, "rl", options.device, options.engine)]
    if options.purpose == "smoke":
        return demanded
    rollout = Demand(
        "rollout",
        places={
            **model,
            "judged.release.report_sha256": common.release.report_sha256,
            "settings.enable_thinking": str(common.release.thinking),
            "settings.engine": options.engine,
            "versions.verl": common.versions.get("verl", ""),
            **{f"settings.loop.{key}": str(value) for key, value in facts.loop_settings.items()},
        },
        hashes={"chat template": common.model.template_sha256, "tool list": facts.tools_sha256},
    )
    purpose = {"settings.purpose": "formal"} if options.purpose == "formal" else {}
    provenance = Demand("provenance", places={**model, **purpose})
    return [conflict_demand(common.release), *demanded, rollout, provenance]


REMEDIES = {
    "conflict": "autoresearch data audit … --verdict …",
    "host": "autoresearch gate host --for rl --out …",
    "rollout": "autoresearch gate rollout --model … --release … --out …",
    "provenance": "autoresearch gate provenance --run … --model … --out …",
}


def verdict_checks(options: RlOptions, facts: RlFacts, numbers: RlNumbers, missing: Mapping[str, str]) -> list[Check]:
    """T107 to T110: thinking, verdicts and their hashes, the model they judged, mixed groups."""
    release = facts.common.release
    checks = [
        check(
            "T107",
            facts.verdict_thinking in (None, release.thinking),
            f"release {release.thinking}, rollout verdict {facts.verdict_thinking}",
            "the thinking switch of release, plan and rollout verdict is one",
        )
    ]
    gone = {gate: text for gate, text in missing.items() if gate != "token_budget"}
    for gate in ("conflict", "host", "rollout", "provenance"):
        if gate not in gone:
            continue
        code = "T109" if "judged.model.tree_sha256 is" in gone[gate] else "T108"
        rule = f"a passed {gate} verdict with the hashes of what is about to be used"
        checks.append(check(code, False, gone[gate], rule, REMEDIES[gate]))
    if not gone:
        checks.append(check("T108", True, "all found", "every verdict of the purpose passed, with these hashes"))
        checks.append(check("T109", True, facts.common.model_tree[:16], "rollout and provenance judged this model"))
    if options.purpose == "smoke" and numbers.steps > SMOKE_STEPS:
        rule = f"smoke runs at most {SMOKE_STEPS} steps"
        checks.append(check("T108", False, f"{numbers.steps} steps", rule, "give another --purpose"))
    if facts.mixed_share is not None:
        expected = facts.mixed_share * options.prompts
        checks.append(
            check(
                "T110",
                expected >= 1,
                f"{facts.mixed_share:.3f} mixed at n {options.n} ({facts.mixed_method}) x {options.prompts} prompts "
                f"= {expected:.2f} a step",
                "at least one mixed group a step is expected",
                "raise --n or --prompts, or train longer before RL",
            )
        )
    if facts.above_baseline is False:
        checks.append(
            Check(
                id="T110",
                passed=False,
                value="the rollout rate is not above the majority baseline",
                rule="the rate's interval lies above the baseline: something is read from the prompt",
                severity="warning",
            )
        )
    return checks
