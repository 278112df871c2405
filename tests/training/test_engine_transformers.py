"""The judge is the model itself, run over whole sequences without cache by the library's own code."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("verl")

from autoresearch.errors import InfrastructureError, InputError  # noqa: E402 - after the skip
from autoresearch.training import tiny  # noqa: E402 - after the skip
from autoresearch.training.engines.sampling import Settings, draw  # noqa: E402 - after the skip
from autoresearch.training.engines.transformers import TransformersEngine  # noqa: E402 - after the skip
from autoresearch.training.engines.weights import SINGLE_RANK  # noqa: E402 - after the skip

HEAD = "<|im_start|>system\n" + "\n".join(f"{number}|类别{number}" for number in range(1, 13)) + "<|im_end|>\n"


def ask(number: int) -> str:
    return f"{HEAD}<|im_start|>user\nfield_name: f{(number + 2) ** (number % 7)}\n<|im_end|>\n<|im_start|>assistant\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("model")
    tiny.build_tokenizer([ask(number) for number in range(60)], out)
    return tiny.build_model(out, "mini", seed=1)


@pytest.fixture(scope="module")
def prompts(folder: Path) -> list[list[int]]:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(folder))
    return [tokenizer.encode(ask(number)) for number in range(12)]


@pytest.fixture(scope="module")
def engine(folder: Path) -> TransformersEngine:
    return TransformersEngine(folder)


@pytest.fixture(scope="module")
def library(folder: Path) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(str(folder), dtype=torch.float32).eval()


def logits_of(library: Any, prompt: list[int], tokens: list[int]) -> Any:
    """Logits `(tokens, vocabulary)` before each sampled token, from one pass over the whole sequence."""
    with torch.no_grad():
        return library(torch.tensor([[*prompt, *tokens]])).logits[0, len(prompt) - 1 : -1]


def test_greedy_tokens_and_logprobs_are_those_of_the_whole_sequence(
    engine: TransformersEngine, library: Any, prompts: list[list[int]]
) -> None:
    assert len({len(prompt) for prompt in prompts}) > 3, "lengths must differ, or padding is not tested"
    for prompt, request in zip(
        prompts, engine.sample(prompts, [{"temperature": 0, "max_tokens": 20}] * 12), strict=True
    ):
        logits = logits_of(library, prompt, request.tokens)
        assert logits.argmax(-1).tolist() == request.tokens
        expected = logits.log_softmax(-1).gather(-1, torch.tensor(request.tokens)[:, None])[:, 0]
        assert torch.allclose(expected, torch.tensor(request.logprobs), atol=1e-5)


@pytest.mark.parametrize("rest", [1, 2, 3, 4, 5, 70])
def test_a_shared_beginning_may_end_anywhere_before_the_last_token(
    engine: TransformersEngine, library: Any, prompts: list[list[int]], rest: int
) -> None:
    pair = [[*prompts[0], *([first] * rest)] for first in (11, 23)]
    for prompt, request in zip(pair, engine.sample(pair, [{"temperature": 0, "max_tokens": 5}] * 2), strict=True):
        logits = logits_of(library, prompt, request.tokens)
        assert logits.argmax(-1).tolist() == request.tokens
        expected = logits.log_softmax(-1).gather(-1, torch.tensor(request.tokens)[:, None])[:, 0]
        assert torch.allclose(expected, torch.tensor(request.logprobs), atol=1e-5)


@pytest.mark.parametrize("preset", ["mini-vl", "mini-moe"])
def test_image_text_and_expert_classes_sample_as_the_library_computes(
    preset: tiny.Preset, tmp_path: Path, prompts: list[list[int]]
) -> None:
    from transformers import AutoModelForCausalLM, AutoModelForImageTextToText

    tiny.build_tokenizer([ask(number) for number in range(60)], tmp_path)
    tiny.build_model(tmp_path, preset, seed=4)
    family = AutoModelForImageTextToText if preset == "mini-vl" else AutoModelForCausalLM
    whole = family.from_pretrained(str(tmp_path), dtype=torch.float32).eval()
    sampled = TransformersEngine(tmp_path).sample(prompts[:4], [{"temperature": 0, "max_tokens": 6}] * 4)
    for prompt, request in zip(prompts, sampled, strict=False):
        logits = logits_of(whole, prompt, request.tokens)
        assert logits.argmax(-1).tolist() == request.tokens
        expected = logits.log_softmax(-1).gather(-1, torch.tensor(request.tokens)[:, None])[:, 0]
        assert torch.allclose(expected, torch.tensor(request.logprobs), atol=1e-5)


def test_logprobs_are_those_of_the_tempered_distribution(
    engine: TransformersEngine, library: Any, prompts: list[list[int]]
) -> None:
    request = engine.sample(prompts[:1], [{"temperature": 0.7, "seed": 3, "max_tokens": 20}])[0]
    logits = logits_of(library, prompts[0], request.tokens) / 0.7
    expected = logits.log_softmax(-1).gather(-1, torch.tensor(request.tokens)[:, None])[:, 0]
    assert torch.allclose(expected, torch.tensor(request.logprobs), atol=1e-5)


def test_a_seeded_sample_does_not_depend_on_who_shares_the_batch(
    engine: TransformersEngine, prompts: list[list[int]]
) -> None:
    crowd = engine.sample(prompts * 2, [{"temperature": 1.0, "seed": at, "max_tokens": 24} for at in range(24)])
    for at in (0, 5, 17):
        alone = engine.sample([prompts[at % 12]], [{"temperature": 1.0, "seed": at, "max_tokens": 24}])[0]
        assert alone.tokens == crowd[at].tokens
    assert crowd[0].tokens != crowd[12].tokens


def test_samples_follow_the_distribution(engine: TransformersEngine, library: Any, prompts: list[list[int]]) -> None:
    count = 400
    drawn = engine.sample(
        prompts[:1] * count, [{"temperature": 1.0, "seed": at, "max_tokens": 1} for at in range(count)]
    )
    expected = logits_of(library, prompts[0], [0])[0].softmax(-1)
    top = int(expected.argmax())
    share = sum(request.tokens == [top] for request in drawn) / count
    deviation = float((expected[top] * (1 - expected[top]) / count) ** 0.5)
    assert abs(share - float(expected[top])) < 4 * deviation


def test_generation_ends_with_the_stop_token_or_at_the_limit(
    engine: TransformersEngine, prompts: list[list[int]]
) -> None:
    free = engine.sample(prompts[:1], [{"temperature": 0, "max_tokens": 12}])[0]
    assert (free.stop_reason, len(free.tokens)) == ("length", 12)
    stop = free.tokens[5]
    at = free.tokens.index(stop)
    held = engine.sample(prompts[:1], [{"temperature": 0, "max_tokens": 12, "stop_token_ids": [stop]}])[0]
    assert held.stop_reason == "completed"
    assert held.tokens == free.tokens[: at + 1]


def test_rows_that_end_at_different_times_do_not_disturb_each_other(
    engine: TransformersEngine, prompts: list[list[int]]
) -> None:
    limits = [3, 40, 1, 17, 25, 9, 40, 2, 2, 2, 2, 5]
    together = engine.sample(prompts, [{"temperature": 0, "max_tokens": limit} for limit in limits])
    for prompt, limit, request in zip(prompts, limits, together, strict=True):
        alone = engine.sample([prompt], [{"temperature": 0, "max_tokens": limit}])[0]
        assert request.tokens == alone.tokens
        assert len(request.tokens) == limit


def test_requests_that_come_while_others_decode_join_them(engine: TransformersEngine, prompts: list[list[int]]) -> None:
    async def one(at: int, delay: float) -> list[int]:
        await asyncio.sleep(delay)
        out = await engine.generate(prompts[at], {"temperature": 0, "max_tokens": 60, "logprobs": True}, f"r{at}")
        assert out.log_probs is not None and len(out.log_probs) == len(out.token_ids)
        assert out.extra_fields["global_steps"] == 0
        return list(out.token_ids)

    async def all_of_them() -> list[list[int]]:
        return await asyncio.gather(*(one(at, 0.03 * (at % 4)) for at in range(12)))

    expected = engine.sample(prompts, [{"temperature": 0, "max_tokens": 60}] * 12)
    assert asyncio.run(all_of_them()) == [request.tokens for request in expected]


def test_equal_prompts_are_computed_once(
    engine: TransformersEngine, prompts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int]] = []
    forward = engine._decoder._forward

    def counting(ids: Any, *rest: Any) -> Any:
        seen.append(tuple(ids.shape))
        return forward(ids, *rest)

    monkeypatch.setattr(engine._decoder, "_forward", counting)
    engine.sample(prompts[:2] * 8, [{"temperature": 1.0, "seed": at, "max_tokens": 1} for at in range(16)])
    assert sum(count * width for count, width in seen) < len(prompts[0]) + len(prompts[1])


@pytest.mark.parametrize(
    "setting",
    [
        {"repetition_penalty": 1.1},
        {"min_p": 0.1},
        {"n": 2},
        {"stop": ["x"]},
        {"ignore_eos": True},
        {"guided_json": "{}"},
        {"temperature": -1},
        {"top_p": 0},
        {"max_tokens": 0},
    ],
)
def test_settings_that_are_not_implemented_are_refused_by_name(
    engine: TransformersEngine, prompts: list[list[int]], setting: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match=next(iter(setting))):
        engine.sample(prompts[:1], [setting])


def test_pictures_are_refused(engine: TransformersEngine, prompts: list[list[int]]) -> None:
    with pytest.raises(InputError, match="image_data"):
        asyncio.run(engine.generate(prompts[0], {}, "r", image_data=["x"]))


def test_settings_that_verl_sends_are_taken() -> None:
    params = {"temperature": 1.0, "top_p": 1.0, "top_k": -1, "repetition_penalty": 1.0, "logprobs": True}
    settings = Settings.parse({**params, "stop_token_ids": [7]}, 64, frozenset([2]))
    assert (settings.max_tokens, settings.stop_token_ids, settings.logprobs) == (64, frozenset([2, 7]), True)


@pytest.mark.parametrize(
    ("params", "kept"),
    [({"top_k": 2}, {0, 1}), ({"top_p": 0.65}, {0, 1}), ({"top_p": 0.5}, {0}), ({"top_k": 3, "top_p": 0.7}, {0, 1})],
)
def test_top_k_and_top_p_narrow_the_choice_and_logprobs_stay_those_before(
    params: dict[str, Any], kept: set[int]
) -> None:
    from autoresearch.training.engines.sampling import Noise

    weights = torch.tensor([[0.5, 0.25, 0.15, 0.1]])
    settings = Settings.parse(params, 8, frozenset())
    drawn = {draw(weights.log(), [settings], [Noise(seed, 4)])[0][0] for seed in range(200)}
    assert drawn == kept
    token, logprob = draw(weights.log(), [settings], [Noise(0, 4)])
    assert logprob[0] == pytest.approx(float(weights[0, token[0]].log()))


def test_other_weights_change_answers_and_a_shared_beginning_is_not_reused(
    folder: Path, prompts: list[list[int]], tmp_path: Path
) -> None:
    engine = TransformersEngine(folder)
    before = engine.sample(prompts, [{"temperature": 0, "max_tokens": 8}] * 12)
    tiny.build_tokenizer([ask(number) for number in range(60)], tmp_path)
    other = TransformersEngine(tiny.build_model(tmp_path, "mini", seed=2))
    engine.load_weights({name: value.clone() for name, value in other._decoder.model.state_dict().items()}, 5)
    after = engine.sample(prompts, [{"temperature": 0, "max_tokens": 8}] * 12)
    expected = other.sample(prompts, [{"temperature": 0, "max_tokens": 8}] * 12)
    assert [request.tokens for request in after] == [request.tokens for request in expected]
    assert [request.tokens for request in after] != [request.tokens for request in before]
    assert engine.global_steps == 5


def test_weights_may_change_as_soon_as_the_last_caller_has_its_answer(folder: Path, prompts: list[list[int]]) -> None:
    engine = TransformersEngine(folder)
    state = {name: value.clone() for name, value in engine._decoder.model.state_dict().items()}

    async def turns() -> None:
        for _ in range(20):
            await engine.generate(prompts[0], {"temperature": 0, "max_tokens": 2}, "r")
            engine.load_weights(state)

    asyncio.run(turns())


def test_weights_do_not_change_under_a_request(folder: Path, prompts: list[list[int]]) -> None:
    engine = TransformersEngine(folder)
    state = dict(engine._decoder.model.state_dict())

    async def meanwhile() -> None:
        asked = asyncio.create_task(engine.generate(prompts[0], {"temperature": 0, "max_tokens": 200}, "r"))
        await asyncio.sleep(0)
        with pytest.raises(InfrastructureError, match="being served"):
            engine.load_weights(state)
        await asked

    asyncio.run(meanwhile())


def test_weights_that_do_not_fit_are_refused_and_the_old_ones_stay(folder: Path, prompts: list[list[int]]) -> None:
    engine = TransformersEngine(folder)
    state = {name: value.clone() + 1 for name, value in engine._decoder.model.state_dict().items()}
    name = "model.layers.0.mlp.up_proj.weight"
    before = engine._decoder.model.state_dict()[name].clone()
    with pytest.raises(InputError, match=r"missing \['model.layers.0.mlp.up_proj.weight'\]"):
        engine.load_weights({key: value for key, value in state.items() if key != name})
    with pytest.raises(InputError, match=r"unexpected \['model.extra'\]"):
        engine.load_weights({**state, "model.extra": torch.zeros(1)})
    with pytest.raises(InputError, match="in place of"):
        engine.load_weights({**state, name: torch.zeros(2, 2)})
    assert torch.equal(engine._decoder.model.state_dict()[name], before)


def test_weights_are_read_from_a_single_rank_checkpoint_and_its_folder(folder: Path, tmp_path: Path) -> None:
    engine = TransformersEngine(folder)
    state = {name: value + 0.5 for name, value in engine._decoder.model.state_dict().items()}
    step = tmp_path / "global_step_3" / "actor"
    step.mkdir(parents=True)
    torch.save(state, step / SINGLE_RANK)
    for path in (step / SINGLE_RANK, step, step.parent):
        loaded = TransformersEngine(folder, weights=path)
        assert torch.equal(loaded._decoder.model.model.norm.weight, state["model.norm.weight"])
    with pytest.raises(InputError, match="merged first"):
        engine.load_weights(tmp_path)


def test_a_failure_while_computing_reaches_every_caller_and_the_engine_goes_on(
    folder: Path, prompts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = TransformersEngine(folder)

    async def both() -> list[Any]:
        calls = [engine.generate(prompts[at], {"temperature": 0, "max_tokens": 4}, str(at)) for at in range(2)]
        return await asyncio.gather(*calls, return_exceptions=True)

    with monkeypatch.context() as patched:
        patched.setattr(engine._decoder, "_forward", lambda *_: (_ for _ in ()).throw(RuntimeError("no memory")))
        failed = asyncio.run(both())
    assert all(isinstance(error, InfrastructureError) and "no memory" in str(error) for error in failed)
    assert all(len(out.token_ids) == 4 for out in asyncio.run(both()))
    engine.close()
    with pytest.raises(InfrastructureError, match="closed"):
        asyncio.run(engine.generate(prompts[0], {}, "late"))


def test_installed_gpu_kernels_are_not_asked_on_the_processor(
    folder: Path, engine: TransformersEngine, prompts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host with flash-linear-attention and causal-conv1d: their functions stand where transformers looks."""
    from transformers.models.qwen3_5 import modeling_qwen3_5 as modeling

    from autoresearch.training.engines.plain_torch import KERNELS

    def refuses(*_: Any, **__: Any) -> Any:
        raise ValueError("Pointer argument cannot be accessed from Triton (cpu tensor?)")

    for name in KERNELS:
        assert hasattr(modeling, name)
        monkeypatch.setattr(modeling, name, refuses)
    greedy = {"temperature": 0.0, "max_tokens": 8, "logprobs": 1}
    [beside_kernels] = TransformersEngine(folder).sample(prompts[:1], [greedy])
    [alone] = engine.sample(prompts[:1], [greedy])
    assert beside_kernels.tokens == alone.tokens and beside_kernels.logprobs == alone.logprobs
    assert all(getattr(modeling, name) is refuses for name in KERNELS)
