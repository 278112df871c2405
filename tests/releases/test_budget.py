"""The token budget and the statistics of a release, by a tokenizer with the project's chat template (4.9, 4.10)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from release_copies import Copy, mini_inputs

from autoresearch.errors import InputError, RefusedError
from autoresearch.files import sha256_file
from autoresearch.releases import budget, pairs_export, stats
from autoresearch.releases.release import Release
from autoresearch.releases.validate import ValidationOptions, validate
from autoresearch.verdict import read_verdict

pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def model(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny tokenizer and the chat template."""
    from autoresearch.training.tiny import build_tokenizer

    texts = [message["content"] for row in Release(made / "search").records("train") for message in row["messages"]]
    out = tmp_path_factory.mktemp("model")
    build_tokenizer([*texts, "a\n\nb", "a\n\nb"], out, "qwen", vocab_size=1024)
    return out


@pytest.mark.parametrize("name", ["search", "hash", "off", "three", "mixture"])
def test_the_budget_equals_the_length_of_a_full_render_row_by_row(made: Path, model: Path, name: str) -> None:
    """Acceptance 39."""
    from transformers import AutoTokenizer

    from autoresearch.task import conversation

    tokenizer = AutoTokenizer.from_pretrained(model)
    release = Release(made / name)
    report = budget.check(made / name, model, budget.Limits(max_length=100_000))
    lengths = []
    for row in release.records("train"):
        text = conversation.render(tokenizer, conversation.decode_row(row))
        lengths.append(len(tokenizer(text, add_special_tokens=False)["input_ids"]))
    found = report["splits"]["train"]
    assert found["max_tokens"] == max(lengths)
    assert found["p95"] == sorted(lengths)[max(0, int(0.95 * len(lengths)) - 1)]
    assert found["over_limit"] == []
    assert report["valid"]


def test_prompts_of_episodes_are_counted_with_tools_and_generation_prompt(made: Path, model: Path) -> None:
    from transformers import AutoTokenizer

    from autoresearch.task import conversation
    from autoresearch.task.tools import tool_schemas

    tokenizer = AutoTokenizer.from_pretrained(model)
    lengths = [
        len(conversation.prompt_ids(tokenizer, row["prompt"], tool_schemas(), True))
        for row in Release(made / "cascade").records("train")
    ]
    report = budget.check(made / "cascade", model, budget.Limits(rollout_prompt=max(lengths)))
    assert report["splits"]["train"]["longest_prompt"] == max(lengths)
    assert budget.check(made / "cascade", model, budget.Limits(rollout_prompt=100_000))["findings"] == []
    tight = budget.check(made / "cascade", model, budget.Limits(rollout_prompt=max(lengths) - 1))
    assert [item["code"] for item in tight["findings"]] == ["A031"]
    assert len(tight["splits"]["train"]["over_prompt_limit"]) == lengths.count(max(lengths))
    assert not tight["valid"]


@pytest.mark.parametrize("thinking", [True, False])
def test_the_prompt_of_an_episode_is_how_its_trajectory_begins(
    made: Path, model: Path, tmp_path: Path, thinking: bool
) -> None:
    """Acceptance 38: the ids of the one are a strict prefix of the ids of the other, source by source."""
    from transformers import AutoTokenizer

    from autoresearch.task import conversation
    from autoresearch.task.tools import tool_schemas

    tokenizer = AutoTokenizer.from_pretrained(model)
    pairs_export.export(mini_inputs(), tmp_path / "pairs", enable_thinking=thinking)
    for split in ("train", "val", "test"):
        whole = {row["source_id"]: row for row in Release(made / ("search" if thinking else "off")).records(split)}
        first = [row for row in Release(tmp_path / "pairs").records(split) if row["extra_info"]["stage"] == "stage1"]
        assert len(first) == len(whole)
        for row in first:
            asked = conversation.prompt_ids(tokenizer, row["prompt"], tool_schemas(), thinking)
            text = conversation.render(tokenizer, conversation.decode_row(whole[row["extra_info"]["source_id"]]))
            ids = tokenizer(text, add_special_tokens=False)["input_ids"]
            assert ids[: len(asked)] == asked and len(ids) > len(asked)


def test_the_longest_prompt_is_that_of_the_episodes(made: Path, model: Path) -> None:
    sft = budget.check(made / "search", model, budget.Limits(max_length=100_000))
    rl = budget.check(made / "cascade", model, budget.Limits(rollout_prompt=100_000))
    for split in ("train", "val", "test"):
        assert sft["splits"][split]["longest_prompt"] == rl["splits"][split]["longest_prompt"]


def test_a_verdict_names_release_template_tokenizer_and_the_longest_parts(
    made: Path, model: Path, tmp_path: Path
) -> None:
    report, path = tmp_path / "reports" / "budget.json", tmp_path / "verdicts" / "budget.json"
    counted = budget.check(made / "search", model, budget.Limits(max_length=300), report=report, verdict=path)
    verdict = read_verdict(path)
    assert (verdict.gate, verdict.passed, verdict.status) == ("token_budget", False, "over_budget")
    release = Release(made / "search")
    assert verdict.judged["release"] == release.identity()
    assert verdict.judged["template"]["sha256"] == counted["template_sha256"]
    assert verdict.judged["tokenizer"]["sha256"] == sha256_file(model / "tokenizer.json")
    assert verdict.settings["max_length"] == 300
    assert verdict.settings["enable_thinking"] is True
    numbers = verdict.numbers
    assert numbers["longest_row"]["tokens"] == max(item["max_tokens"] for item in counted["splits"].values())
    assert 0 < numbers["longest_prompt"]["tokens"] < numbers["longest_row"]["tokens"]
    assert numbers["longest_completion"]["tokens"] > 0
    assert numbers["over_limit"]["denominator"] == 24
    assert verdict.evidence == ["../reports/budget.json"]
    assert json.loads(report.read_text(encoding="utf-8")) == counted
    with pytest.raises(RefusedError, match="never overwritten"):
        budget.check(made / "search", model, budget.Limits(max_length=300), verdict=path)


def test_a_long_tool_text_and_a_long_completion_are_over_the_budget(
    copy_of: Callable[[str], Copy], model: Path
) -> None:
    copy = copy_of("hash")
    limits = budget.Limits(max_length=100_000, rollout_response=50)
    assert [item["code"] for item in budget.check(copy.folder, model, limits)["findings"]] == ["A030"]

    def change(rows: list[dict[str, Any]]) -> None:
        row = next(row for row in rows if row["trajectory_class"] == "single_tool")
        row["messages"][3]["content"] = "长" * 4097

    copy.change_rows(change)
    report = budget.check(copy.folder, model, budget.Limits(max_length=100_000))
    assert ([item["code"] for item in report["findings"]], report["valid"]) == (["A032"], False)


def test_a_budget_needs_a_limit_a_tokenizer_and_unchanged_bytes(
    copy_of: Callable[[str], Copy], model: Path, tmp_path: Path
) -> None:
    copy = copy_of("search")
    with pytest.raises(InputError, match="--max-length"):
        budget.check(copy.folder, model, budget.Limits())
    with pytest.raises(InputError, match="tokenizer"):
        budget.check(copy.folder, tmp_path, budget.Limits(max_length=10))
    (copy.folder / "assets" / "task.json").write_text("{}")
    with pytest.raises(RefusedError, match="R006"):
        budget.check(copy.folder, model, budget.Limits(max_length=10))


def test_one_more_character_in_a_thought_moves_only_the_lines_of_reasoning_and_total(
    copy_of: Callable[[str], Copy],
) -> None:
    """Acceptance 36."""
    copy = copy_of("search")
    before = stats.stats(copy.folder)["splits"]["train"]["all"]["characters"]

    def longer(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row["messages"][-1]["reasoning_content"] += "。"

    copy.change_rows(longer)
    after = stats.stats(copy.folder)["splits"]["train"]["all"]["characters"]
    assert {line for line in before if before[line] != after[line]} == {"reasoning_content", "total"}
    assert after["total"]["mean"] == pytest.approx(before["total"]["mean"] + 1)


def test_stats_count_calls_classes_and_tokens(made: Path, model: Path) -> None:
    found = stats.stats(made / "hash", model=model, max_length=10, snapshot_rows=1)
    rows = Release(made / "hash").records("train")
    block = found["splits"]["train"]["all"]
    assert block["calls"]["search_categories"] == sum(row["trajectory_class"] != "direct" for row in rows)
    assert sum(found["classes"]["train"].values()) == 2 * len(rows)
    assert block["tokens"]["rows"] == len(rows)
    assert len(found["over_length"]) == 24
    assert found["snapshots"][0]["text"].startswith("<|im_start|>system")
    with pytest.raises(RefusedError, match="R003"):
        stats.stats(made / "pairs")


@pytest.mark.parametrize("name", ["search", "hash", "off"])
def test_with_a_tokenizer_rows_render_whole_and_calls_parse_back(made: Path, model: Path, name: str) -> None:
    """Acceptance 38."""
    report = validate(made / name, ValidationOptions(tokenizer=model))
    assert report["valid"], report["findings"]
    assert {"R057", "R065"} <= set(report["checks_run"])


def test_a_real_tokenizer_judges_the_caps_of_thoughts(made: Path, model: Path) -> None:
    tight = validate(made / "search", ValidationOptions(tokenizer=model, max_think_tokens=3))
    assert {item["code"] for item in tight["findings"] if item["severity"] == "error"} == {"R057"}


def test_a_call_that_the_engines_parser_reads_otherwise_is_found(copy_of: Callable[[str], Copy], model: Path) -> None:
    pytest.importorskip("verl")
    copy = copy_of("search")

    def change(rows: list[dict[str, Any]]) -> None:
        row = next(row for row in rows if row["trajectory_class"] == "single_tool")
        arguments = json.loads(row["tool_calls"][0]["arguments"])
        arguments["field_description"] = "a</parameter>b"
        row["tool_calls"][0]["arguments"] = json.dumps(arguments)
        call = [{"type": "function", "function": {"name": "search_categories", "arguments": arguments}}]
        row["messages"][2]["tool_calls"] = json.dumps(call)

    copy.change_rows(change)
    assert "R065" in copy.errors(tokenizer=model)
    assert "R065" not in copy.errors()
