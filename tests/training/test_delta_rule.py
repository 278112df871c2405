from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
qwen = pytest.importorskip("transformers.models.qwen3_5.modeling_qwen3_5")

from autoresearch.training.plugin.delta_rule import chunk_gated_delta_rule  # noqa: E402 - after the skip


def inputs(tokens: int, seed: int = 0, grad: bool = False) -> dict[str, object]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> object:
        return torch.randn(*shape, generator=generator, requires_grad=False).requires_grad_(grad)

    return {
        "query": draw(2, tokens, 4, 16),
        "key": draw(2, tokens, 4, 16),
        "value": draw(2, tokens, 4, 8),
        "g": (-torch.rand(2, tokens, 4, generator=generator)).requires_grad_(grad),
        "beta": torch.rand(2, tokens, 4, generator=generator).requires_grad_(grad),
    }


def recurrent(given: dict[str, object], state: object = None) -> object:
    """The library's rule token by token: the definition, without chunks."""
    return qwen.torch_recurrent_gated_delta_rule(
        **given, initial_state=state, output_final_state=True, use_qk_l2norm_in_kernel=True
    )


@pytest.mark.parametrize("tokens", [1, 2, 5, 63, 64, 65, 200])
def test_chunked_rule_equals_the_recurrence_in_output_and_state(tokens: int) -> None:
    given = inputs(tokens)
    output, state = chunk_gated_delta_rule(**given, output_final_state=True, use_qk_l2norm_in_kernel=True)
    expected, expected_state = recurrent(given)
    torch.testing.assert_close(output, expected, atol=2e-5, rtol=1e-4)
    torch.testing.assert_close(state, expected_state, atol=2e-5, rtol=1e-4)


def test_a_sequence_in_two_parts_equals_the_whole() -> None:
    given = inputs(90)
    whole, state = chunk_gated_delta_rule(**given, output_final_state=True, use_qk_l2norm_in_kernel=True)
    first = {name: part[:, :37] for name, part in given.items()}
    second = {name: part[:, 37:] for name, part in given.items()}
    head, middle = chunk_gated_delta_rule(**first, output_final_state=True, use_qk_l2norm_in_kernel=True)
    tail, end = chunk_gated_delta_rule(
        **second, initial_state=middle, output_final_state=True, use_qk_l2norm_in_kernel=True
    )
    torch.testing.assert_close(torch.cat([head, tail], dim=1), whole, atol=2e-5, rtol=1e-4)
    torch.testing.assert_close(end, state, atol=2e-5, rtol=1e-4)


def test_gradients_equal_those_of_the_recurrence() -> None:
    ours, theirs = inputs(70, seed=1, grad=True), inputs(70, seed=1, grad=True)
    output, _ = chunk_gated_delta_rule(**ours, use_qk_l2norm_in_kernel=True)
    expected, _ = recurrent(theirs)
    output.square().sum().backward()
    expected.square().sum().backward()
    for name in ours:
        torch.testing.assert_close(ours[name].grad, theirs[name].grad, atol=1e-4, rtol=1e-3)


def test_packed_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="cu_seqlens"):
        chunk_gated_delta_rule(**inputs(8), cu_seqlens=torch.tensor([0, 4, 8]))
