"""What of the vLLM engine can be decided without a card: refusals, and the mapping of settings to vLLM's own."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("torch")

from autoresearch.cli.main import run as command_line
from autoresearch.errors import InfrastructureError, InputError, RefusedError
from autoresearch.training.engines import vllm as engine
from autoresearch.training.engines.options import EngineOptions
from autoresearch.training.engines.sampling import Settings
from autoresearch.training.episodes import build_engine
from autoresearch.training.model_folder import ModelFolder, read_model_folder

GREEDY = Settings(0.0, 1.0, -1, 64, frozenset((5, 3)), 7, False)


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ModelFolder]:
    pytest.importorskip("transformers")
    from autoresearch.training.tiny import build_model, build_tokenizer

    found = {}
    for preset in ("mini", "mini-vl"):
        folder = tmp_path_factory.mktemp(preset)
        build_tokenizer(["a field of a table"], folder)
        build_model(folder, preset)
        found[preset] = read_model_folder(folder)
    return found


def test_greedy_and_sampled_settings_become_those_of_vllm() -> None:
    assert engine.sampling_keywords(GREEDY) == {
        "n": 1,
        "temperature": 0.0,
        "top_p": 1.0,
        "top_k": 0,
        "max_tokens": 64,
        "stop_token_ids": [3, 5],
        "seed": None,
        "logprobs": None,
        "detokenize": False,
    }
    sampled = engine.sampling_keywords(replace(GREEDY, temperature=0.7, logprobs=True))
    assert (sampled["temperature"], sampled["seed"], sampled["logprobs"]) == (0.7, 7, 0)
    narrowed = engine.sampling_keywords(replace(GREEDY, temperature=1.0, top_k=20, top_p=0.9))
    assert (narrowed["top_k"], narrowed["top_p"]) == (20, 0.9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"temperature": 2.5}, "up to 2.0"),
        ({"temperature": 1.0, "logprobs": True, "top_k": 20}, "logprobs with top_k"),
        ({"temperature": 1.0, "logprobs": True, "top_p": 0.9}, "logprobs with top_k"),
    ],
)
def test_settings_that_vllm_would_answer_otherwise_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        engine.sampling_keywords(replace(GREEDY, **changes))


def test_a_setting_that_it_does_not_implement_names_the_engine() -> None:
    with pytest.raises(InputError, match="min_p=0.1 is not implemented by the vllm engine"):
        Settings.parse({"min_p": 0.1}, 16, frozenset(), engine.NAME)
    with pytest.raises(InputError, match="bad_words not implemented by the vllm engine"):
        Settings.parse({"bad_words": ["x"]}, 16, frozenset(), engine.NAME)


def test_only_stop_and_length_are_answers() -> None:
    assert [engine.stop_reason(name) for name in ("stop", "length")] == ["completed", "length"]
    for name in ("abort", "error", "repetition", None):
        with pytest.raises(InfrastructureError, match="ended a request"):
            engine.stop_reason(name)


def test_the_logprob_of_the_drawn_token_is_taken_and_none_may_lack() -> None:
    class Entry(NamedTuple):
        logprob: float

    entries = [{4: Entry(-0.5), 9: Entry(-1.0)}, {2: Entry(-0.25)}]
    assert engine.chosen_logprobs([9, 2], entries) == [-1.0, -0.25]
    with pytest.raises(InfrastructureError, match="2 log-probs for 3 ids"):
        engine.chosen_logprobs([9, 2, 1], entries)


def test_hybrid_models_get_the_triton_prefill_where_flashinfer_is_absent(models: dict[str, ModelFolder]) -> None:
    options = EngineOptions(gpu_memory_utilization=0.4, enforce_eager=True)
    given = engine.engine_arguments(models["mini-vl"], options, 512, flashinfer=False)
    assert given["additional_config"] == {"gdn_prefill_backend": "triton"}
    assert (given["gpu_memory_utilization"], given["enforce_eager"], given["max_model_len"]) == (0.4, True, 512)
    assert given["language_model_only"] and given["logprobs_mode"] == "processed_logprobs"
    assert "additional_config" not in engine.engine_arguments(models["mini-vl"], options, 512, flashinfer=True)
    dense = replace(models["mini-vl"], model_type="qwen3")
    assert (
        not {"additional_config", "language_model_only"}
        & engine.engine_arguments(dense, options, None, flashinfer=False).keys()
    )


def test_a_memory_share_outside_its_range_and_too_many_tokens_are_refused(models: dict[str, ModelFolder]) -> None:
    for share in (0.0, 1.5):
        with pytest.raises(InputError, match="share between 0 and 1"):
            engine.engine_arguments(models["mini-vl"], EngineOptions(share), None, flashinfer=True)
    with pytest.raises(InputError, match="lower --max-prompt"):
        engine.engine_arguments(models["mini-vl"], EngineOptions(), 10**7, flashinfer=True)


def test_the_text_only_class_is_refused_with_the_remedy_before_anything_is_loaded(
    models: dict[str, ModelFolder],
) -> None:
    with pytest.raises(RefusedError, match="image-text class only .* --engine transformers"):
        build_engine("vllm", models["mini"].path, None)
    engine.require_class(models["mini-vl"])


@pytest.mark.skipif(find_spec("vllm") is not None, reason="vllm is installed here")
def test_without_vllm_the_command_ends_with_one_message(
    models: dict[str, ModelFolder], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = Path(__file__).parents[2] / "examples/steel/small"
    words = [
        "predict",
        str(small / "raw/unlabelled.xlsx"),
        "--standards",
        str(small),
        "--out",
        str(tmp_path / "o.xlsx"),
    ]
    words += ["--model", str(models["mini-vl"].path), "--unbound", "--no-enable-thinking", "--limit", "2"]
    assert command_line([*words, "--engine", "vllm"]) == 2
    printed = json.loads(capsys.readouterr().out)
    assert "vllm is needed for --engine vllm and it is not installed" in printed["message"]
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(find_spec("vllm") is not None, reason="vllm is installed here")
def test_without_a_card_the_refusal_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(engine, "find_spec", lambda name: object())
    if torch.cuda.is_available():
        pytest.skip("this machine has a card")
    with pytest.raises(RefusedError, match="needs a CUDA card"):
        engine.require_card()


@pytest.mark.skipif(find_spec("vllm") is None, reason="vllm is not installed here")
def test_the_installed_vllm_knows_every_name_that_is_used(models: dict[str, ModelFolder]) -> None:
    import inspect

    from vllm import SamplingParams
    from vllm.engine.arg_utils import AsyncEngineArgs
    from vllm.inputs import TokensPrompt
    from vllm.sampling_params import RequestOutputKind
    from vllm.v1.engine.async_llm import AsyncLLM

    given = engine.engine_arguments(models["mini-vl"], EngineOptions(), 512, flashinfer=False)
    assert given.keys() <= inspect.signature(AsyncEngineArgs).parameters.keys()
    SamplingParams(**engine.sampling_keywords(GREEDY), output_kind=RequestOutputKind.FINAL_ONLY)
    assert "prompt_token_ids" in TokensPrompt.__annotations__
    assert list(inspect.signature(AsyncLLM.generate).parameters)[1:4] == ["prompt", "sampling_params", "request_id"]
    assert "engine_args" in inspect.signature(AsyncLLM.from_engine_args).parameters


def test_options_of_vllm_and_checkpoints_are_for_their_engine_only(models: dict[str, ModelFolder]) -> None:
    with pytest.raises(InputError, match="options of --engine vllm"):
        build_engine("transformers", models["mini"].path, None, EngineOptions(0.5))
    with pytest.raises(InputError, match="merged models only"):
        build_engine("vllm", models["mini-vl"].path, models["mini-vl"].path)
    with pytest.raises(InputError, match="the engines are transformers and vllm"):
        build_engine("sglang", models["mini"].path, None)
