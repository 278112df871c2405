from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from autoresearch.errors import InputError
from autoresearch.training import tiny

SYSTEM = "字段分类\n" + "\n".join(f"{number}|类别{number}" for number in range(1, 13))


def rows(count: int = 120) -> list[str]:
    return [
        f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\nfield_name: col_{i % 7}\n<|im_end|>\n"
        f"<|im_start|>assistant\n<think>\n\n</think>\n\n"
        + json.dumps({"answer": str(i % 12 + 1), "level": f"L{i % 4 + 1}"})
        + f"<|im_end|>\nrow {i}"
        for i in range(count)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tiny")
    tiny.build_tokenizer(rows(), out)
    return tiny.build_model(out, "mini", seed=3)


def reload(folder: Path) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(folder))


@pytest.mark.parametrize("style", ["line", "qwen"])
def test_reloaded_tokenizer_keeps_the_text_and_one_newline_token(tmp_path: Path, style: tiny.Style) -> None:
    built = tiny.build_tokenizer(rows(), tmp_path, style=style)
    again = reload(tmp_path)
    for text in [*rows(3), "未见过的字 😀 null\t<tool_call>", "\n", "\n\n"]:
        assert again.encode(text) == built.encode(text)
        assert again.decode(again.encode(text)) == text
    assert len(again.encode("\n")) == 1


def test_specials_are_skipped_and_markup_is_kept_when_decoding(folder: Path) -> None:
    tokenizer = reload(folder)
    text = "<|im_start|>a<tool_call>b</tool_call><think>c</think><|im_end|>"
    assert (
        tokenizer.decode(tokenizer.encode(text), skip_special_tokens=True)
        == "a<tool_call>b</tool_call><think>c</think>"
    )
    assert tokenizer.eos_token == "<|im_end|>"
    assert tokenizer.pad_token == "<|endoftext|>"


def test_line_style_gives_an_answer_of_six_tokens_with_its_digits_apart(folder: Path) -> None:
    tokenizer = reload(folder)
    pieces = [tokenizer.decode([token]) for token in tokenizer.encode('{"answer": "12", "level": "L3"}')]
    assert len(pieces) <= 6
    assert {"1", "2", "3"} <= set(pieces)


def test_line_style_is_shorter_than_qwen_style(tmp_path: Path) -> None:
    line = tiny.build_tokenizer(rows(), tmp_path / "a", style="line")
    words = tiny.build_tokenizer(rows(), tmp_path / "b", style="qwen")
    assert len(line.encode(rows(1)[0])) < len(words.encode(rows(1)[0]))


def test_no_merge_crosses_an_added_token(folder: Path) -> None:
    vocabulary = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    assert not [token for token in vocabulary if "<|" in token or "think>" in token]


def test_order_and_repetition_of_texts_do_not_matter_and_another_process_gives_equal_bytes(
    folder: Path, tmp_path: Path
) -> None:
    source = tmp_path / "rows.json"
    source.write_text(json.dumps([*reversed(rows()), *rows(5)]), encoding="utf-8")
    code = (
        "import json,sys;from pathlib import Path;from autoresearch.training import tiny;"
        "out=Path(sys.argv[2]);tiny.build_tokenizer(json.loads(Path(sys.argv[1]).read_text()),out);"
        "tiny.build_model(out,'mini',seed=3)"
    )
    subprocess.run([sys.executable, "-c", code, str(source), str(tmp_path / "out")], check=True, capture_output=True)
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(path.name for path in (tmp_path / "out").iterdir())
    for name in names:
        assert (folder / name).read_bytes() == (tmp_path / "out" / name).read_bytes(), name


def test_model_remembers_over_many_tokens_at_the_start(folder: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(str(folder))
    steps = torch.nn.functional.softplus(model.model.layers[0].linear_attn.dt_bias)
    assert steps.min() >= 0.001 * 0.99
    assert steps.max() <= 0.1 * 1.01
    assert model.config.model_type == "qwen3_5_text"
    assert model.config.vocab_size % 64 == 0


@pytest.mark.parametrize(
    ("preset", "architecture"),
    [
        ("mini", "Qwen3_5ForCausalLM"),
        ("small", "Qwen3_5ForCausalLM"),
        ("mini-vl", "Qwen3_5ForConditionalGeneration"),
        ("mini-moe", "Qwen3_5MoeForCausalLM"),
        ("gpu", "Qwen3_5ForConditionalGeneration"),
    ],
)
def test_each_preset_is_saved_as_the_class_it_stands_for(
    preset: tiny.Preset, architecture: str, tmp_path: Path
) -> None:
    tiny.build_tokenizer(rows(), tmp_path)
    tiny.build_model(tmp_path, preset)
    config = json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))
    assert config["architectures"] == [architecture]
    assert config.get("text_config", config)["vocab_size"] % 64 == 0
    assert (tmp_path / "preprocessor_config.json").exists() == ("vision_config" in config)


def test_tiny_json_says_preset_seed_and_corpus(folder: Path) -> None:
    record = tiny.TinyRecord.model_validate_json((folder / tiny.RECORD).read_text(encoding="utf-8"))
    assert (record.preset, record.seed, record.style) == ("mini", 3, "line")
    assert len(record.corpus_sha256) == 64


def test_nothing_to_train_on_and_a_model_without_tokenizer_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no text"):
        tiny.build_tokenizer(["", ""], tmp_path)
    with pytest.raises(InputError, match=r"tiny\.json"):
        tiny.build_model(tmp_path / "empty", "mini")
