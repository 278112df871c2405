"""Tokenizers and models that are built on the spot, for runs and tests on small machines (training.md 3).

Both are deterministic: equal input and seed give equal bytes in another process. A folder made here holds
`config.json`, weights, tokenizer, chat template and `tiny.json`; reports label everything made from it `tiny`.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from autoresearch.errors import InputError, require
from autoresearch.files import read_json, write_json
from autoresearch.training import tiny_presets
from autoresearch.training.tiny_presets import Preset

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

Style = Literal["line", "qwen"]

SPECIAL_TOKENS = (
    "<|endoftext|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)
# Added but not special, as in the released tokenizers: decoding with specials skipped keeps them.
MARKUP_TOKENS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")

TEMPLATE = Path(__file__).with_name("chat_template.jinja")
RECORD = "tiny.json"

_CJK = r"\u2e80-\u303f\u31c0-\u31ef\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
_PATTERNS: dict[Style, str] = {
    # A run of CJK, newlines, one digit, or whatever else stands on the line: rows stay short (a third of the tokens).
    "line": rf"[{_CJK}]+|\n+|[0-9]|[^{_CJK}\n0-9]+",
    # Words as Qwen splits them; for tests of token boundaries.
    "qwen": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}
_MIN_FREQUENCY: dict[Style, int] = {"line": 12, "qwen": 2}


class TinyRecord(BaseModel):
    """`tiny.json`: what a tiny folder was made from. `preset` and `seed` are null until a model stands beside it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["autoresearch-tiny-v1"] = "autoresearch-tiny-v1"
    style: Style
    vocabulary: int
    corpus_sha256: str
    preset: Preset | None = None
    seed: int | None = None


def build_tokenizer(
    texts: Iterable[str], out: Path, style: Style = "line", vocab_size: int = 4096
) -> PreTrainedTokenizerFast:
    """Train a byte-level BPE tokenizer on the distinct `texts` (rendered rows); save it with the template in `out`.

    `vocab_size` counts the ids before the added tokens. Style `line` keeps lines whole, so an answer is five or six
    tokens and ids and level digits are tokens of their own; style `qwen` splits at words. The newline is one token in
    both, which the turn boundaries of the rollout need. Raises InputError when `texts` holds no text.
    """
    require("tokenizers", "train")
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    corpus = sorted({text for text in texts if text})
    if not corpus:
        raise InputError("build_tokenizer: no text to train a tokenizer on; give the rendered rows of the train split")
    tokenizer = Tokenizer(models.BPE(byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PATTERNS[style]), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        min_frequency=_MIN_FREQUENCY[style],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    # Added tokens end every piece at run time, so no merge may cross one.
    split = re.compile("|".join(re.escape(token) for token in SPECIAL_TOKENS + MARKUP_TOKENS))
    pieces = (piece for text in corpus for piece in split.split(text) if piece)
    tokenizer.train_from_iterator(pieces, trainer)
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL_TOKENS])
    tokenizer.add_tokens([AddedToken(token, special=False, normalized=False) for token in MARKUP_TOKENS])

    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        clean_up_tokenization_spaces=False,
        model_max_length=32768,
    )
    fast.chat_template = TEMPLATE.read_text(encoding="utf-8")
    newline = fast.encode("\n", add_special_tokens=False)
    if len(newline) != 1:
        raise InputError(f"build_tokenizer: the newline became {len(newline)} tokens; the rollout needs one")
    out.mkdir(parents=True, exist_ok=True)
    fast.save_pretrained(str(out))
    record = TinyRecord(style=style, vocabulary=len(fast), corpus_sha256=_corpus_sha256(corpus))
    write_json(out / RECORD, record.model_dump())
    return fast


def build_model(out: Path, preset: Preset, seed: int = 0) -> Path:
    """Write a freshly initialised Qwen3.5-shaped model (float32) beside the tokenizer that already lies in `out`.

    `small` is smaller than the table of training.md 3 (hidden 128 and two layers in place of 192 and four, 0.6 M
    weights in place of 2.5 M): on two cores it was measured four times as fast a step, and the larger one did not
    learn the task in the time a quickstart has. Two initial values differ from the library's: `dt_bias` is drawn for
    time steps of 0.001 to 0.1 (at the library's constant a random linear layer forgets within one token), and
    embeddings have a standard deviation of 0.1.

    Raises InputError when `out` holds no tiny tokenizer.
    """
    require("torch", "train")
    import torch
    from transformers import AutoTokenizer

    if not (out / RECORD).is_file():
        raise InputError(f"{out}: no {RECORD}; build_tokenizer must have written its files there first")
    record = TinyRecord.model_validate(read_json(out / RECORD))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = tiny_presets.build(preset, tiny_presets.configuration(preset, AutoTokenizer.from_pretrained(str(out))))
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if name.endswith("dt_bias"):
                    step = torch.exp(torch.empty_like(parameter).uniform_(math.log(0.001), math.log(0.1)))
                    parameter.copy_(step + torch.log(-torch.expm1(-step)))
                elif name.endswith("embed_tokens.weight"):
                    parameter.normal_(0.0, 0.1)
    model.save_pretrained(str(out))
    tiny_presets.write_processor(preset, out)
    write_json(out / RECORD, record.model_copy(update={"preset": preset, "seed": seed}).model_dump())
    return out


def _corpus_sha256(corpus: list[str]) -> str:
    digest = hashlib.sha256()
    for text in corpus:
        digest.update(hashlib.sha256(text.encode("utf-8")).digest())
    return digest.hexdigest()
