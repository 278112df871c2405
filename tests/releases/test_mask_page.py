"""``sft masks``: the page's marks and counts are those of the mask that is trained (training.md 4.3, 4.6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from release_copies import Copy

from autoresearch.cli.main import build_app
from autoresearch.errors import InputError, RefusedError
from autoresearch.files import write_json
from autoresearch.releases.mask_page import MaskOptions, Shown, collect_shown, write_page
from autoresearch.releases.release import Release

pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def model(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny tokenizer, the chat template, and a configuration of the text-only class."""
    from autoresearch.training.tiny import build_tokenizer

    texts = [message["content"] for row in Release(made / "search").records("train") for message in row["messages"]]
    out = tmp_path_factory.mktemp("model")
    build_tokenizer([*texts, "a\n\nb", "a\n\nb"], out, "qwen", vocab_size=1024)
    write_json(out / "config.json", {"model_type": "qwen3_5_text"})
    return out


def shown_of(made: Path, model: Path, name: str, **options: Any) -> list[Shown]:
    return collect_shown([made / name], [model], MaskOptions(**options))


@pytest.mark.parametrize("name", ["search", "off", "three", "mixture"])
def test_turns_are_the_whole_row_with_the_mask_of_training(made: Path, model: Path, name: str) -> None:
    from transformers import AutoTokenizer

    from autoresearch.task.conversation import decode_row, encode

    tokenizer = AutoTokenizer.from_pretrained(model)
    rows = Release(made / name).records("train")
    for item in shown_of(made, model, name):
        row = rows[int(item.row.split(",")[1].split()[-1])]
        encoded = encode(tokenizer, decode_row(row), item.weight)
        assert "".join(turn.text for turn in item.turns) == encoded.text
        assert sum(turn.tokens for turn in item.turns) == len(encoded.input_ids)
        assert sum(turn.weight for turn in item.turns) == sum(encoded.loss_mask)
        trained = [encoded.text[span.start : span.end] for span in encoded.spans]
        marked = [turn.marked for turn in item.turns if turn.trained]
        plain = [text.replace("⟨", "").replace("⟩", "").split("⟦")[1].split("⟧")[0] for text in marked]
        assert plain == trained
        assert [text.split("⟦")[0].startswith("<|im_start|>assistant\n") for text in marked] == [True] * len(marked)


def test_values_of_the_answer_are_marked_and_weigh_what_was_asked(made: Path, model: Path) -> None:
    for item in shown_of(made, model, "off", answer_weight=3):
        last = item.turns[-1]
        assert last.marked.count("⟨") == last.marked.count("⟩") == 2
        assert last.weight == last.trained - last.weighted + 3 * last.weighted
    assert "⟨" not in shown_of(made, model, "off", answer_weight=1)[0].turns[-1].marked


def test_every_class_of_a_release_is_there_once_and_tool_results_are_untrained(made: Path, model: Path) -> None:
    items = shown_of(made, model, "hash")
    classes = {row["trajectory_class"] for row in Release(made / "hash").records("train")}
    assert sorted(item.title.split(", ")[1] for item in items) == sorted(classes)
    tools = [turn for item in items for turn in item.turns if turn.role == "tool"]
    assert tools and not any(turn.trained for turn in tools)


def test_only_answer_marks_the_last_turn_alone(made: Path, model: Path) -> None:
    for item in shown_of(made, model, "hash", only_answer=True):
        assert [bool(turn.trained) for turn in item.turns] == [False] * (len(item.turns) - 1) + [True]


@pytest.mark.parametrize(("name", "stages"), [("pairs", 2), ("cascade", 1)])
def test_a_row_for_rl_is_a_prompt_without_trained_tokens(made: Path, model: Path, name: str, stages: int) -> None:
    items = shown_of(made, model, name)
    assert len(items) == stages
    for item in items:
        assert item.trained == 0 and item.tokens > 0
        assert item.turns[-1].text.startswith("<|im_start|>assistant\n")


def test_a_row_without_a_pair_of_values_is_shown_with_weight_one_and_says_so(made: Path, model: Path) -> None:
    first, second = shown_of(made, model, "three")
    assert (first.weight, second.weight) == (1, 8)
    assert "T025" in first.note and not second.note


def test_a_source_is_chosen_by_its_id_and_an_unknown_one_is_refused(made: Path, model: Path) -> None:
    row = Release(made / "search").records("train")[-1]
    (item,) = shown_of(made, model, "search", row=row["source_id"])
    assert row["source_id"] in item.row
    with pytest.raises(InputError, match="the split train has no row of source nothing"):
        shown_of(made, model, "search", row="nothing")


def test_the_page_prints_a_long_text_once_and_names_equal_rows(made: Path, model: Path) -> None:
    options = MaskOptions()
    items = collect_shown([made / "off", made / "off"], [model], options)
    page = write_page(items, [model], options, "Made for a test.")
    assert page.count("You have access to the following functions") == 1
    assert f"Ids and weights are those of conversation {items[0].number}" in page
    assert all(f"## {item.number}. {item.title}" in page for item in items)


def test_the_command_writes_the_page(made: Path, model: Path, tmp_path: Path) -> None:
    out = tmp_path / "masks.md"
    words = ["sft", "masks", "--release", made / "search", made / "cascade", "--model", model, "--out", out]
    command, bound, _ = build_app().parse_args([str(word) for word in words], exit_on_error=False)
    outcome = command(*bound.args, **bound.kwargs)
    assert outcome.payload["page"] == str(out)
    assert "⟦" in out.read_text(encoding="utf-8")
    assert len(outcome.payload["conversations"]) == out.read_text(encoding="utf-8").count("\n## ")


def test_a_changed_release_and_a_folder_without_configuration_are_refused(
    copy_of: Any, made: Path, model: Path, tmp_path: Path
) -> None:
    copy: Copy = copy_of("search")
    (copy.folder / "val.parquet").write_bytes(b"other")
    with pytest.raises(RefusedError, match="is not as it was published"):
        collect_shown([copy.folder], [model], MaskOptions())
    with pytest.raises(InputError, match="config.json"):
        collect_shown([made / "search"], [tmp_path], MaskOptions())
