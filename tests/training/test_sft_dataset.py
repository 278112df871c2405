from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from small_world import build_tiny, export_releases  # noqa: E402 - after the skip

from autoresearch.errors import InputError  # noqa: E402 - after the skip
from autoresearch.releases.columns import read_row_groups, write_rows  # noqa: E402 - after the skip
from autoresearch.releases.header import read_header  # noqa: E402 - after the skip
from autoresearch.training.sft_dataset import ConversationDataset  # noqa: E402 - after the skip


@dataclass(frozen=True)
class World:
    sft: Path
    rl: Path
    tokenizer: Any

    def dataset(self, **settings: Any) -> ConversationDataset:
        file = settings.pop("file", self.sft / "train.parquet")
        samples = settings.pop("max_samples", -1)
        config = {"max_length": 4096, "truncation": "error", "pad_mode": "no_padding", **settings}
        return ConversationDataset(str(file), self.tokenizer, config, None, samples)

    def marked(self, item: dict[str, Any], wanted: float) -> str:
        kept = [int(token) for token, mask in zip(item["input_ids"], item["loss_mask"], strict=True) if mask == wanted]
        return str(self.tokenizer.decode(kept))

    def rewrite(self, out: Path, change: Any, split: str = "train") -> Path:
        """The release file of a split with `change` applied to each row."""
        source = self.sft / f"{split}.parquet"
        rows = [row for group in read_row_groups(source) for row in group]
        write_rows(out, read_header(source), split, [change(row) for row in rows])
        return out


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    from transformers import AutoTokenizer

    folder = tmp_path_factory.mktemp("world")
    sft, rl = export_releases(folder)
    build_tiny(sft, folder / "model")
    return World(sft, rl, AutoTokenizer.from_pretrained(str(folder / "model")))


def rows(file: Path) -> list[dict[str, Any]]:
    return [row for group in read_row_groups(file) for row in group]


def test_each_row_is_three_vectors_of_one_length_with_an_integer_mask(world: World) -> None:
    dataset = world.dataset()
    assert len(dataset) == len(rows(world.sft / "train.parquet"))
    for item in (dataset[index] for index in range(len(dataset))):
        assert item["input_ids"].dtype == item["position_ids"].dtype == item["loss_mask"].dtype == torch.int64
        assert item["input_ids"].shape == item["loss_mask"].shape == item["position_ids"].shape
        assert item["position_ids"].tolist() == list(range(len(item["input_ids"])))
        assert item["loss_mask"][0] == 0
        assert set(item["loss_mask"].tolist()) == {0, 1}


def test_trained_tokens_are_the_assistant_turns_up_to_their_end_and_nothing_else(world: World) -> None:
    row, item = rows(world.sft / "train.parquet")[0], world.dataset()[0]
    trained = world.marked(item, 1)
    turns = [message for message in row["messages"] if message["role"] == "assistant"]
    assert trained.count("<|im_end|>") == len(turns)
    assert trained.endswith(turns[-1]["content"] + "<|im_end|>")
    assert "<|im_start|>" not in trained
    assert "<think>" not in trained


def test_only_answer_trains_the_last_turn_alone(world: World) -> None:
    source = rows(world.sft / "train.parquet")
    index = next(at for at, row in enumerate(source) if row["trajectory_class"] != "direct")
    trained = world.marked(world.dataset(only_answer=True)[index], 1)
    assert trained == source[index]["messages"][-1]["content"] + "<|im_end|>"


def test_answer_weight_lies_on_the_two_values_as_floats_and_the_rest_keeps_one(world: World) -> None:
    plain, heavy = world.dataset(), world.dataset(answer_weight=8)
    for index, row in enumerate(rows(world.sft / "train.parquet")):
        item = heavy[index]
        answer = json.loads(row["messages"][-1]["content"])
        assert item["loss_mask"].dtype == torch.float32
        assert set(item["loss_mask"].tolist()) == {0.0, 1.0, 8.0}
        weighted = world.marked(item, 8)
        assert weighted.startswith(answer["answer"])
        assert weighted.endswith(answer["level"][-1])
        assert '"answer' not in weighted
        assert (item["loss_mask"] > 0).tolist() == (plain[index]["loss_mask"] > 0).tolist()


def test_ids_equal_the_whole_conversation_rendered_and_encoded_once(world: World) -> None:
    from autoresearch.task.conversation import decode_row, render

    dataset = world.dataset()
    for index, row in enumerate(rows(world.sft / "train.parquet")):
        text = render(world.tokenizer, decode_row(row))
        assert dataset[index]["input_ids"].tolist() == world.tokenizer(text, add_special_tokens=False)["input_ids"]


def test_rl_prompt_is_a_strict_prefix_of_the_sft_row_of_the_same_source(world: World) -> None:
    from autoresearch.task.conversation import prompt_ids

    source = rows(world.sft / "train.parquet")
    asked = {row["messages"][1]["content"]: index for index, row in enumerate(source)}
    tools = json.loads(source[0]["tools"])
    dataset, compared = world.dataset(), 0
    for row in rows(world.rl / "train.parquet"):
        index = asked.get(row["prompt"][1]["content"])
        if index is None:
            continue
        prompt = prompt_ids(world.tokenizer, row["prompt"], tools, False)
        ids = dataset[index]["input_ids"].tolist()
        assert ids[: len(prompt)] == prompt
        assert len(ids) > len(prompt)
        assert dataset[index]["loss_mask"][: len(prompt)].sum() == 0
        assert dataset[index]["loss_mask"][len(prompt)] > 0
        compared += 1
    assert compared > 0


def test_order_seed_permutes_rows_and_keeps_each_once(world: World) -> None:
    def first(seed: int | None) -> list[tuple[int, ...]]:
        dataset = world.dataset() if seed is None else world.dataset(order_seed=seed)
        return [tuple(dataset[index]["input_ids"].tolist()) for index in range(len(dataset))]

    assert first(1) == first(1)
    assert first(1) != first(2)
    assert sorted(first(1)) == sorted(first(None))


def test_max_samples_takes_the_first_rows(world: World) -> None:
    assert len(world.dataset(max_samples=3)) == 3
    assert len(world.dataset(max_samples=-1)) == len(world.dataset())


def test_token_store_is_written_once_and_read_again_without_the_tokenizer_working(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = world.dataset(token_store=str(tmp_path / "tokens"), answer_weight=8)
    monkeypatch.setattr("autoresearch.training.sft_dataset.encode_files", lambda *_: pytest.fail("encoded again"))
    again = world.dataset(token_store=str(tmp_path / "tokens"), answer_weight=8)
    for index in range(len(written)):
        for name in ("input_ids", "loss_mask"):
            assert torch.equal(written[index][name], again[index][name])


def test_token_store_of_other_settings_is_not_reused(world: World, tmp_path: Path) -> None:
    store = str(tmp_path / "tokens")
    world.dataset(token_store=store)
    world.dataset(token_store=store, answer_weight=8)
    assert len(list((tmp_path / "tokens").iterdir())) == 2


def test_rows_that_are_too_long_are_counted_and_named_with_their_length(world: World) -> None:
    with pytest.raises(InputError) as refused:
        world.dataset(max_length=8)
    count = len(rows(world.sft / "train.parquet"))
    assert refused.value.findings[0].code == "T030"
    assert f"{count} in all" in str(refused.value)
    assert "train.parquet, row 0, source" in str(refused.value)


def test_rows_that_cannot_be_trained_are_counted_by_code_before_anything_is_refused(
    world: World, tmp_path: Path
) -> None:
    def spoil(row: dict[str, Any]) -> dict[str, Any]:
        messages = [dict(message) for message in row["messages"]]
        messages[-1]["reasoning_content"] = "a thought in a row without thinking"
        return {**row, "messages": messages}

    file = world.rewrite(tmp_path / "train.parquet", spoil)
    with pytest.raises(InputError, match="T022") as refused:
        world.dataset(file=file)
    assert f"{len(rows(file))} in all" in str(refused.value)


@pytest.mark.parametrize(("name", "value"), [("truncation", "left"), ("truncation", "right"), ("pad_mode", "right")])
def test_settings_that_shorten_or_pad_a_row_are_refused(world: World, name: str, value: str) -> None:
    with pytest.raises(InputError, match=f"data.{name}={value}"):
        world.dataset(**{name: value})


def test_files_of_other_families_and_files_without_header_are_refused(world: World, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    with pytest.raises(InputError, match="rl-cascade"):
        world.dataset(file=world.rl / "train.parquet")
    parquet.write_table(pa.table({"messages": ["x"]}), tmp_path / "plain.parquet")
    with pytest.raises(InputError, match="header"):
        world.dataset(file=tmp_path / "plain.parquet")
