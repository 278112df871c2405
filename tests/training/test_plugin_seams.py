from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("verl")

from autoresearch.errors import RefusedError
from autoresearch.training.plugin import seams


@pytest.mark.parametrize("seam", [*seams.SEAMS, seams.DELTA_RULE], ids=lambda seam: seam.title)
def test_installed_source_of_a_seam_is_the_one_that_was_checked(seam: seams.Seam) -> None:
    assert seams.fingerprint(seam) == seam.sha256


def test_installed_verl_is_accepted() -> None:
    seams.require_checked()


def test_changed_or_absent_names_are_listed_with_what_they_are_for(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = replace(seams.SEAMS[0], sha256="0" * 64)
    absent = replace(seams.SEAMS[1], name="_NOT_THERE")
    monkeypatch.setattr(seams, "SEAMS", (changed, absent, seams.SEAMS[2]))
    with pytest.raises(RefusedError) as refused:
        seams.require_checked()
    message = str(refused.value)
    assert "_ROLLOUT_REGISTRY (replica adapter): expected 000000000000, found " in message
    assert "_NOT_THERE (turn boundaries)" in message
    assert "found nothing" in message
    assert seams.SEAMS[2].name not in message


def test_another_version_is_refused_with_the_checked_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seams, "VERL_VERSIONS", ("0.8.0",))
    with pytest.raises(RefusedError, match=r"checked is 0\.8\.0"):
        seams.require_checked()


def test_every_method_of_verl_that_is_replaced_here_is_a_seam() -> None:
    from verl.experimental.agent_loop.tool_agent_loop import ToolAgentLoop
    from verl.trainer.ppo.v1.replay_buffer import ReplayBuffer
    from verl.workers.engine.fsdp.transformer_impl import FSDPEngine

    from autoresearch.training.plugin.cpu_engine import CpuEngine
    from autoresearch.training.sampler import StrictReplayBuffer
    from autoresearch.training.task_loop import TaskLoop

    listed = {seam.name for seam in seams.SEAMS}
    for ours, theirs in ((TaskLoop, ToolAgentLoop), (StrictReplayBuffer, ReplayBuffer), (CpuEngine, FSDPEngine)):
        replaced = [name for name, value in vars(ours).items() if callable(value) and name in vars(theirs)]
        assert replaced
        assert {f"{theirs.__name__}.{name}" for name in replaced} <= listed
