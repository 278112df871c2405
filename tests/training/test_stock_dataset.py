"""verl's own multi-turn dataset and ours on the same files: why the stock class is not used (training.md 4.1, 13.6)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

stock = pytest.importorskip("verl.utils.dataset.multiturn_sft_dataset")

from omegaconf import OmegaConf  # noqa: E402 - after the skip
from small_world import build_tiny, export_releases  # noqa: E402 - after the skip

from autoresearch.releases.columns import read_row_groups, write_rows  # noqa: E402 - after the skip
from autoresearch.releases.header import read_header  # noqa: E402 - after the skip
from autoresearch.training.sft_dataset import ConversationDataset  # noqa: E402 - after the skip

SETTINGS = {"max_length": 4096, "truncation": "error", "pad_mode": "no_padding"}
WITHOUT_TOOLS = {"tools_key": "absent"}
"""The stock class would hand the JSON text of our ``tools`` column on as it is; this hides the column from it."""
ANSWER = '{"answer": "1", "level": "L2"}'
END = "<|im_end|>"
CUT = "\ufffd"
"""The last byte of the thought: the mask blanks as many tokens as an empty thought would have."""
Message = dict[str, str]


def say(role: str, content: str, thought: str | None = None) -> Message:
    return {"role": role, "content": content} | ({} if thought is None else {"reasoning_content": thought})


PLAIN = [say("user", "订单编号"), say("assistant", ANSWER)]
SYSTEM_FIRST = [say("system", "类目"), *PLAIN]
TWO_RESULTS = [
    say("user", "订单编号"),
    say("assistant", "查"),
    say("tool", "结果一"),
    say("tool", "结果二"),
    say("assistant", ANSWER),
]
THOUGHT = [say("user", "订单编号"), say("assistant", ANSWER, "想")]


class Pair:
    """Both classes over one file."""

    def __init__(self, release: Path, tokenizer: Any, folder: Path) -> None:
        self.release, self.tokenizer, self.folder = release, tokenizer, folder

    def file(self, messages: list[Message], thinking: bool) -> Path:
        """A one-row file of the release's form that holds ``messages`` and no tools."""
        source = self.release / "train.parquet"
        row = next(iter(read_row_groups(source)))[0]
        out = self.folder / "train.parquet"
        changed = {**row, "messages": messages, "tools": "[]", "enable_thinking": thinking}
        write_rows(out, read_header(source), "train", [changed])
        return out

    def ours(self, file: Path) -> dict[str, Any]:
        return ConversationDataset(str(file), self.tokenizer, SETTINGS, None, -1)[0]

    def stock(self, file: Path, **settings: Any) -> dict[str, Any]:
        config = OmegaConf.create({**SETTINGS, **settings})
        item: dict[str, Any] = stock.MultiTurnSFTDataset([str(file)], self.tokenizer, config)[0]
        return item

    def trained(self, item: dict[str, Any]) -> str:
        pairs = zip(item["input_ids"], item["loss_mask"], strict=True)
        return str(self.tokenizer.decode([int(token) for token, mask in pairs if mask]))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("stock")
    release, _ = export_releases(folder)
    return release, build_tiny(release, folder / "model")


@pytest.fixture
def pair(made: tuple[Path, Path], tmp_path: Path) -> Callable[[str], Pair]:
    """``pair(default)``: a template whose thinking is ``on`` or ``off`` by default, as the released sizes differ."""
    from transformers import AutoTokenizer

    def build(default: str = "on") -> Pair:
        tokenizer = AutoTokenizer.from_pretrained(str(made[1]))
        if default == "off":
            before = tokenizer.chat_template
            tokenizer.chat_template = before.replace(
                "enable_thinking is defined and enable_thinking is false",
                "not (enable_thinking is defined and enable_thinking is true)",
            )
            assert tokenizer.chat_template != before
        return Pair(made[0], tokenizer, tmp_path)

    return build


def test_stock_class_refuses_the_released_file_that_ours_trains(pair: Callable[..., Pair]) -> None:
    both = pair()
    file = both.release / "train.parquet"
    assert both.trained(both.ours(file)).endswith("}" + END)
    with pytest.raises(ValueError, match="Tools should either be a JSON schema"):
        both.stock(file)


def test_stock_class_refuses_a_system_message_that_ours_takes(pair: Callable[..., Pair]) -> None:
    both = pair()
    file = both.file(SYSTEM_FIRST, thinking=False)
    assert both.trained(both.ours(file)) == ANSWER + END
    with pytest.raises(Exception, match="System message must be at the beginning"):
        both.stock(file, **WITHOUT_TOOLS)


def test_stock_class_refuses_two_results_in_a_row_and_renders_other_ids_where_it_is_told_to_go_on(
    pair: Callable[..., Pair],
) -> None:
    both = pair()
    file = both.file(TWO_RESULTS, thinking=False)
    ours = both.ours(file)
    assert both.trained(ours) == "查" + END + ANSWER + END
    with pytest.raises(AssertionError, match="each turn separately"):
        both.stock(file, **WITHOUT_TOOLS)
    forced = both.stock(file, **WITHOUT_TOOLS, ignore_input_ids_mismatch=True)
    assert forced["input_ids"].tolist() != ours["input_ids"].tolist()
    assert "</think>" in both.trained(forced)


@pytest.mark.parametrize(
    ("default", "messages", "ours", "theirs"),
    [
        ("on", PLAIN, ANSWER + END, "</think>\n\n" + ANSWER + END + "\n"),
        ("on", THOUGHT, "想\n</think>\n\n" + ANSWER + END, "想\n</think>\n\n" + ANSWER + END + "\n"),
        ("off", PLAIN, ANSWER + END, ANSWER + END + "\n"),
        ("off", THOUGHT, "想\n</think>\n\n" + ANSWER + END, CUT + "\n</think>\n\n" + ANSWER + END + "\n"),
    ],
    ids=["on-plain", "on-thought", "off-plain", "off-thought"],
)
def test_stock_mask_follows_the_templates_default_and_ours_the_row(
    pair: Callable[..., Pair], default: str, messages: list[Message], ours: str, theirs: str
) -> None:
    both = pair(default)
    file = both.file(messages, thinking=messages is THOUGHT)
    mine, stocks = both.ours(file), both.stock(file, **WITHOUT_TOOLS)
    assert mine["input_ids"].tolist() == stocks["input_ids"].tolist()[: len(mine["input_ids"])]
    assert both.trained(mine) == ours
    assert both.trained(stocks) == theirs
