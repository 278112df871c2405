"""May rows share a sequence? Only where a leak test of this class on this device found nothing (training.md 4.5)."""

from __future__ import annotations

from autoresearch.training.plan_facts import CommonFacts

TOLERANCE = 1e-5
"""Largest change of a logit of row two when row one changes."""


def packing(device: str, facts: CommonFacts) -> tuple[bool, str]:
    """Whether a plan packs, and why or why not.

    The class must be the image-text one (the text-only classes get no sequence boundaries), flash-linear-attention
    must be importable, and a passed host verdict of this machine must hold a leak test of the class (``gate host
    --model``): verl hands the boundaries to the kernel, and a kernel that does not know them ignores them without a
    word (plain torch in transformers 5.10 does).
    """
    if device == "cpu":
        return False, "processor"
    if not facts.model.packs:
        return False, f"{facts.model.model_type} gets no sequence boundaries"
    if not facts.probe.linear_attention:
        return False, "flash-linear-attention absent"
    for _, verdict in facts.verdicts:
        measured = verdict.numbers.get("packing")
        if verdict.gate != "host" or not verdict.passed or verdict.machine != facts.machine or measured is None:
            continue
        if measured.get("model_type") != facts.model.model_type or verdict.settings.get("device") != device:
            continue
        leak = measured.get("leak")
        if leak is not None:
            return leak <= TOLERANCE, f"leak test on this device: {leak:.2g}"
    return False, "no leak test of this class in a host verdict: gate host --model"
