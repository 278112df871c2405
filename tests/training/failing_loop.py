"""The task loop of a run in which the engine fails once: in the second episode of the first group that it meets."""

from __future__ import annotations

from typing import Any, ClassVar

from autoresearch.training.task_loop import TaskLoop


class FailingOnce(TaskLoop):
    """``TaskLoop`` whose engine is gone for one training episode of the process; its siblings are played as ever."""

    planted: ClassVar[bool] = False

    async def _handle_generating_state(self, *args: Any, **kwargs: Any) -> Any:
        _, sample = self._seed_key
        if sample == 1 and not FailingOnce.planted:
            FailingOnce.planted = True
            raise ConnectionResetError("planted: the engine is gone")
        return await super()._handle_generating_state(*args, **kwargs)
