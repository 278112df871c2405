"""Plans as data: hydra values, hashes, overrides, verdict matching, model folders (training.md 5.3, 8.1)."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_plans import stub_plan

from autoresearch.errors import InputError, MissingPackageError, RefusedError
from autoresearch.training import plan_facts
from autoresearch.training.model_folder import read_model_folder
from autoresearch.training.plan import (
    changed_inputs,
    check,
    fill_in,
    hydra_value,
    merge_user_overrides,
    plan_bytes,
    read_plan,
    require_passed,
    tree_input,
    write_plan,
)
from autoresearch.training.verdict_match import Demand, match
from autoresearch.verdict import make_verdict


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "True"),
        (3, "3"),
        (3e-3, "0.003"),
        (1e-05, "1e-05"),
        ("pkg://autoresearch.training.sft_dataset", "pkg://autoresearch.training.sft_dataset"),
        (["console", "file"], "[console,file]"),
        ({"param_dtype": "fp32"}, "{param_dtype:fp32}"),
        ("/data/中文 folder/x", "'/data/中文 folder/x'"),
        ("it's", "'it\\'s'"),
        ("2", "'2'"),
        ("true", "'true'"),
    ],
)
def test_values_are_written_in_hydras_grammar(value: object, text: str) -> None:
    assert hydra_value(value) == text


@settings(deadline=None)
@given(st.text(alphabet=st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=30))
def test_every_text_comes_back_from_hydras_own_parser(text: str) -> None:
    parser = pytest.importorskip("hydra.core.override_parser.overrides_parser").OverridesParser.create()
    if text.strip() != text or "${" in text or "?" in text:
        return
    assert parser.parse_override(f"key={hydra_value(text)}").value() == text


def test_plans_of_equal_inputs_have_equal_bytes(tmp_path: Path) -> None:
    assert plan_bytes(stub_plan(tmp_path)) == plan_bytes(stub_plan(tmp_path))


def test_a_plan_comes_back_as_it_was_written(tmp_path: Path) -> None:
    plan = stub_plan(tmp_path)
    digest = write_plan(plan, tmp_path)
    assert read_plan(tmp_path / "plan.json") == (plan, digest)


def test_a_plan_without_its_hash_is_refused(tmp_path: Path) -> None:
    write_plan(stub_plan(tmp_path), tmp_path)
    (tmp_path / "plan.sha256").unlink()
    with pytest.raises(RefusedError, match="missing"):
        read_plan(tmp_path / "plan.json")


def test_an_unknown_key_in_a_plan_is_an_input_error(tmp_path: Path) -> None:
    write_plan(stub_plan(tmp_path), tmp_path)
    content = json.loads((tmp_path / "plan.json").read_text())
    (tmp_path / "plan.json").write_text(json.dumps({**content, "waiver": True}))
    with pytest.raises(InputError, match="not a readable plan"):
        read_plan(tmp_path / "plan.json")


def test_one_byte_in_a_model_tree_is_seen(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "a").write_text("1")
    plan = stub_plan(tmp_path / "run").model_copy(update={"inputs": (tree_input("model", model),)})
    (model / "merge.json").write_text("{}")
    assert changed_inputs(plan) == []
    (model / "a").write_text("2")
    assert changed_inputs(plan)[0].startswith("model: ")


def test_launch_tokens_are_filled_in() -> None:
    assert fill_in("/run/attempts/{attempt}/x {plan_sha256}", attempt=2, digest="ab") == "/run/attempts/02/x ab"


@pytest.mark.parametrize("item", ["data.max_length=4", "+data.max_length=4", "data={}", "data.max_length.x=1"])
def test_a_fixed_key_cannot_be_overridden(item: str) -> None:
    with pytest.raises(InputError, match="fixes this key"):
        merge_user_overrides({"data.max_length": 8, "+data.answer_weight": 1}, [item])


def test_other_keys_are_taken_and_nonsense_is_refused() -> None:
    assert merge_user_overrides({"a.b": 1}, ["optim.clip_grad=0.5"]) == {"optim.clip_grad": "0.5"}
    with pytest.raises(InputError, match="KEY=VALUE"):
        merge_user_overrides({}, ["optim.clip_grad"])


def test_a_failed_check_is_refused_with_rule_and_remedy_and_a_warning_is_not() -> None:
    require_passed([check("T110", False, "0.1", "one mixed group")], "train rl")
    with pytest.raises(RefusedError, match="T007 sft-batch.*rows >= batch; lower --batch") as caught:
        require_passed([check("T007", False, "3", "rows >= batch", "lower --batch")], "train sft")
    assert caught.value.findings[0].code == "T007"


def test_the_refusal_names_the_hash_that_differs() -> None:
    verdict = make_verdict(
        gate="rollout", passed=True, status="passed", rule="r", judged={"model": {"tree_sha256": "a" * 64}}
    )
    found, text = match(
        [(Path("v/rollout.json"), verdict)], Demand("rollout", places={"judged.model.tree_sha256": "b" * 64})
    )
    assert found is None
    assert text == f"rollout.json: judged.model.tree_sha256 is {'a' * 16}…, needed {'b' * 16}…"


def test_the_fitting_verdict_is_found_whatever_its_name(tmp_path: Path) -> None:
    common = {"gate": "host", "status": "passed", "rule": "r"}
    fits = make_verdict(passed=True, settings={"for": "rl"}, **common)
    other = make_verdict(passed=True, settings={"for": "sft"}, **common)
    (tmp_path / "z.json").write_text("{}")
    pairs = [(tmp_path / "a.json", other), (tmp_path / "z.json", fits)]
    found, _ = match(pairs, Demand("host", places={"settings.for": "rl"}))
    assert found is not None and found.path.endswith("z.json")


def test_a_verdict_that_did_not_pass_is_not_used() -> None:
    verdict = make_verdict(gate="host", passed=False, status="failed: disk", rule="r")
    assert match([(Path("h.json"), verdict)], Demand("host")) == (None, "h.json: it did not pass: failed: disk")


def test_no_verdict_of_the_gate_says_so() -> None:
    assert match([], Demand("host")) == (None, "there is no verdict of the gate host")


def test_without_the_training_stack_the_line_that_installs_it_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_facts, "STACK", ("no_such_package",))
    with pytest.raises(MissingPackageError, match=r"pip install 'autoresearch\[train\]'"):
        plan_facts.require_stack()


def make_model(folder: Path) -> Path:
    header = {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
    text = json.dumps(header).encode()
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + bytes(24))
    config = {
        "model_type": "qwen3_5_text",
        "vocab_size": 8,
        "dtype": "float32",
        "architectures": ["Qwen3_5ForCausalLM"],
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "chat_template.jinja").write_text("t")
    return folder


def test_a_model_folder_is_read_without_torch(tmp_path: Path) -> None:
    model = read_model_folder(make_model(tmp_path / "m"))
    assert (model.parameters, model.weight_bytes, model.dtype, model.packs) == (6, 24, "float32", False)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "chat_template.jinja", "model.safetensors"])
def test_a_model_folder_without_a_part_is_refused_by_name(tmp_path: Path, name: str) -> None:
    folder = make_model(tmp_path / "m")
    (folder / name).unlink()
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        read_model_folder(folder)


def test_a_cut_shard_is_refused(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "m")
    shard = folder / "model.safetensors"
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(InputError, match="cut or changed"):
        read_model_folder(folder)


def test_a_missing_shard_of_the_index_is_refused(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "m")
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"w": "model-00002.safetensors"}}))
    with pytest.raises(InputError, match="model-00002"):
        read_model_folder(folder)


def test_a_hub_name_and_a_sharded_checkpoint_are_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="assets fetch"):
        read_model_folder(Path("Qwen/Qwen3.5-2B"))
    folder = make_model(tmp_path / "m")
    (folder / "fsdp_config.json").write_text("{}")
    with pytest.raises(InputError, match="train merge"):
        read_model_folder(folder)
