"""Imported by verl as `model.external_lib` on the cpu platform: the FSDP2 engine for it, and the faster delta rule."""

from __future__ import annotations

import copy
from typing import Any

from verl.workers.engine.base import EngineRegistry
from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead

from autoresearch.training.plugin import delta_rule, require

require.check()


@EngineRegistry.register(model_type="language_model", backend=["fsdp2"], device="cpu")
class CpuEngine(FSDPEngineWithLMHead):
    """verl's engine as it is, but for models that are only read: they are built without pinned memory."""

    engine_config: Any

    def _build_fsdp_module(self, module: Any) -> Any:
        asked: Any = self.engine_config
        if not asked.forward_only:
            return super()._build_fsdp_module(module)
        # forward_only asks for pinned memory, which needs an accelerator.
        hidden = copy.copy(asked)
        hidden.__dict__["forward_only"] = False
        self.engine_config = hidden
        try:
            return super()._build_fsdp_module(module)
        finally:
            self.engine_config = asked


delta_rule.register()
