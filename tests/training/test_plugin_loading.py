"""How the plug-in loads and fails, each in a process of its own, as verl's workers are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("verl")

IMPORT = "import verl\nfrom autoresearch.training import plugin\n"


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {name: value for name, value in os.environ.items() if not name.startswith("VERL_")}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**settings, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_cpu_platform_has_gloo_engine_rollout_and_delta_rule() -> None:
    code = IMPORT + (
        "import autoresearch.training.plugin.cpu_engine\n"
        "from verl.utils.device import get_device_id, get_device_name, get_nccl_backend, get_resource_name\n"
        "from verl.workers.engine.base import EngineRegistry\n"
        "from verl.workers.rollout.base import get_rollout_class\n"
        "from verl.workers.rollout.replica import get_rollout_replica_class\n"
        "from transformers.models.qwen3_5 import modeling_qwen3_5 as qwen\n"
        "print(plugin.STATE, get_device_name(), get_device_id(), get_nccl_backend(), get_resource_name(),\n"
        "  EngineRegistry.get_engine_cls('language_model', 'fsdp2').__name__,\n"
        "  get_rollout_class('transformers').__name__, get_rollout_replica_class('transformers').__name__,\n"
        "  qwen.torch_chunk_gated_delta_rule.__module__)"
    )
    done = run(code, VERL_PLATFORM="cpu")
    assert done.stdout.split() == [
        "loaded",
        "cpu",
        "cpu",
        "gloo",
        "GPU",
        "CpuEngine",
        "TransformersAdapter",
        "TransformersReplica",
        "autoresearch.training.plugin.delta_rule",
    ], done.stderr


def test_without_the_switch_only_the_turn_boundaries_are_registered() -> None:
    code = IMPORT + (
        "from verl.plugin.platform import PlatformRegistry\n"
        "from verl.utils.tokenizer.continuous_token_wiring import resolve_continuous_token_model_family as family\n"
        "import sys\n"
        "print(plugin.STATE, 'cpu' in PlatformRegistry.registered_names(),\n"
        "  family('auto', hf_model_type='qwen3_5_text').value,\n"
        "  'autoresearch.training.plugin.transformers_rollout' in sys.modules)"
    )
    assert run(code).stdout.split() == ["loaded", "False", "qwen35", "False"]


def test_another_verl_is_left_alone_and_require_says_so() -> None:
    code = (
        "import importlib.metadata as metadata\n"
        "real = metadata.version\n"
        "metadata.version = lambda name: '9.9.9' if name == 'verl' else real(name)\n"
        + IMPORT
        + "print(plugin.STATE)\nimport autoresearch.training.plugin.require\n"
    )
    done = run(code, VERL_PLATFORM="nvidia")
    assert "refused: verl 9.9.9" in done.stdout
    assert "the plug-in stays out" in done.stderr
    assert "InfrastructureError" in done.stderr
    assert done.returncode != 0


def test_a_failure_is_printed_although_verl_swallows_it_and_require_raises() -> None:
    code = (
        "import sys\nsys.modules['autoresearch.training.plugin.turn_boundaries'] = None\n"
        "import verl\nprint('verl went on')\nimport autoresearch.training.plugin.require\n"
    )
    done = run(code)
    assert "verl went on" in done.stdout
    assert "AUTORESEARCH-PLUGIN-FAILED" in done.stderr
    assert "turn_boundaries" in done.stderr
    assert done.returncode != 0


def test_require_raises_where_verl_was_told_to_load_no_plugin() -> None:
    done = run("import verl\nimport autoresearch.training.plugin.require", VERL_USE_EXTERNAL_PLUGINS="none")
    assert "VERL_USE_EXTERNAL_PLUGINS=none" in done.stderr
    assert done.returncode != 0
