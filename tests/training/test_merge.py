"""From shards to a model folder: float32 is kept, nothing is lost or added (training.md 5.8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_plans import stub_plan

from autoresearch.errors import InfrastructureError, InputError, RefusedError
from autoresearch.training import merge
from autoresearch.training.checkpoints import read_checkpoint, require_undamaged
from autoresearch.training.plan import write_plan

torch = pytest.importorskip("torch")


def shards(run: Path, tensors: dict[str, Any], kind: str = "sft") -> Any:
    """A checkpoint of one rank that holds ``tensors``."""
    folder = run / "checkpoints" / "global_step_3"
    (folder / "huggingface").mkdir(parents=True)
    for name in ("config.json", "tokenizer.json"):
        (folder / "huggingface" / name).write_text("{}")
    (folder / "fsdp_config.json").write_text('{"world_size": 1}')
    torch.save(tensors, folder / "model_world_size_1_rank_0.pt")
    for name in ("optim_world_size_1_rank_0.pt", "extra_state_world_size_1_rank_0.pt", "data_0.pt"):
        torch.save({}, folder / name)
    return read_checkpoint(run, 3, kind)


def merged(folder: Path, tensors: dict[str, Any], tied: bool = False) -> Path:
    """What verl's merger leaves: bfloat16 weights and a config that says so."""
    from safetensors.torch import save_file

    folder.mkdir()
    save_file({name: tensor.bfloat16() for name, tensor in tensors.items()}, str(folder / "model.safetensors"))
    (folder / "config.json").write_text(json.dumps({"dtype": "bfloat16", "tie_word_embeddings": tied}))
    return folder


def weights() -> dict[str, Any]:
    generator = torch.Generator().manual_seed(0)
    return {name: torch.randn(4, 3, generator=generator) for name in ("a.weight", "b.weight")}


def loaded(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return dict(load_file(str(folder / "model.safetensors")))


def test_float32_values_come_back_exactly(tmp_path: Path) -> None:
    tensors = weights()
    folder = merged(tmp_path / "m", tensors)
    assert not torch.equal(loaded(folder)["a.weight"].float(), tensors["a.weight"])
    merge.restore_float32(shards(tmp_path / "run", tensors), folder)
    assert all(torch.equal(loaded(folder)[name], tensor) for name, tensor in tensors.items())
    assert json.loads((folder / "config.json").read_text())["dtype"] == "float32"


def test_values_that_are_not_the_rounded_shards_are_refused(tmp_path: Path) -> None:
    tensors = weights()
    folder = merged(tmp_path / "m", {**tensors, "b.weight": tensors["b.weight"] + 1})
    with pytest.raises(InfrastructureError, match=r"b\.weight: verl's merger wrote other values"):
        merge.restore_float32(shards(tmp_path / "run", tensors), folder)


def test_a_lost_and_an_added_tensor_are_named(tmp_path: Path) -> None:
    tensors = weights()
    checkpoint = shards(tmp_path / "run", tensors)
    with pytest.raises(InfrastructureError, match=r"lacks b\.weight"):
        merge.check_tensors(checkpoint, merged(tmp_path / "one", {"a.weight": tensors["a.weight"]}))
    with pytest.raises(InfrastructureError, match=r"also holds c\.weight"):
        merge.check_tensors(checkpoint, merged(tmp_path / "two", {**tensors, "c.weight": torch.ones(1)}))


def test_a_tied_head_may_be_left_out_and_an_untied_one_not(tmp_path: Path) -> None:
    tensors = {**weights(), "lm_head.weight": torch.ones(2)}
    checkpoint = shards(tmp_path / "run", tensors)
    merge.check_tensors(checkpoint, merged(tmp_path / "tied", weights(), tied=True))
    with pytest.raises(InfrastructureError, match=r"lacks lm_head"):
        merge.check_tensors(checkpoint, merged(tmp_path / "untied", weights()))


def test_an_incomplete_checkpoint_is_refused_by_what_it_lacks(tmp_path: Path) -> None:
    checkpoint = shards(tmp_path, weights())
    (checkpoint.weights / "optim_world_size_1_rank_0.pt").unlink()
    with pytest.raises(RefusedError, match="optim_world_size_1_rank_0"):
        merge.find_checkpoint(tmp_path, None, "sft")


def test_a_changed_byte_in_a_shard_is_found_although_torch_loads_it(tmp_path: Path) -> None:
    checkpoint = shards(tmp_path, weights())
    require_undamaged(checkpoint)
    shard = checkpoint.weights / "model_world_size_1_rank_0.pt"
    content = bytearray(shard.read_bytes())
    place = content.index(weights()["a.weight"].numpy().tobytes())
    content[place] ^= 1
    shard.write_bytes(content)
    assert not torch.equal(torch.load(shard)["a.weight"], weights()["a.weight"])
    with pytest.raises(InputError, match=r"model_world_size_1_rank_0\.pt is damaged: .*differs from its checksum"):
        require_undamaged(checkpoint)


def test_a_step_without_checkpoint_names_those_there_are(tmp_path: Path) -> None:
    shards(tmp_path, weights())
    with pytest.raises(InputError, match="it has: 3"):
        merge.find_checkpoint(tmp_path, 2, "sft")


def test_a_failing_merger_leaves_nothing_and_says_its_last_line(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shards(run, weights())
    model = tmp_path / "run" / "model"
    _tiny_folder(model)
    plan = stub_plan(run).model_copy(update={"argv": ("/bin/false",), "paths": {"run": str(run), "model": str(model)}})
    write_plan(plan, run)
    with pytest.raises(InfrastructureError, match="exit code 1"):
        merge.merge_run(run, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_taken_folder_is_refused(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shards(run, weights())
    _tiny_folder(run / "model")
    write_plan(stub_plan(run), run)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "file").write_text("kept")
    with pytest.raises(RefusedError, match="exists"):
        merge.merge_run(run, tmp_path / "out")
    assert (tmp_path / "out" / "file").read_text() == "kept"


def _tiny_folder(folder: Path) -> None:
    from safetensors.torch import save_file

    folder.mkdir()
    save_file({"a": torch.ones(1)}, str(folder / "model.safetensors"))
    for name in ("config.json", "tokenizer.json"):
        (folder / name).write_text("{}")
    (folder / "chat_template.jinja").write_text("t")


def test_what_is_no_shard_must_agree_between_ranks(tmp_path: Path) -> None:
    from autoresearch.training.checkpoints import _join

    tensor = torch.arange(6.0).reshape(3, 2)
    assert torch.equal(_join("plain", [tensor, tensor]), tensor)
    with pytest.raises(InputError, match="differs between ranks"):
        _join("plain", [tensor, tensor + 1])
