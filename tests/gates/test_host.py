"""The host gate: each row of its table by a made machine, with the remedy (training.md 8.3)."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autoresearch.errors import RefusedError
from autoresearch.gates import device_operation, host, linear_attention
from autoresearch.gates.host import HostCheck, HostFacts, HostOptions, host_verdict, judge_host
from autoresearch.training import environment
from autoresearch.training.probe import Probe

GIB = 2**30
NAMES = ("torch", "verl", "transformers", "tensordict", "torchdata", "ray", "TransferQueue", "vllm")
PACKAGES = dict.fromkeys(NAMES, "1.0")


def options(**changes: Any) -> HostOptions:
    values: dict[str, Any] = {"use": "rl", "out": Path("out.json"), "device": "cpu", "engine": "transformers"}
    return HostOptions(**{**values, **changes})


def facts(**changes: Any) -> HostFacts:
    made = HostFacts(
        versions={**PACKAGES, "verl": "0.9.1"},
        probe=Probe(True, "loaded", (), False, False, "0.9.1"),
        device={"ok": True, "count": 1, "name": "cpu", "memory_bytes": 16 * GIB, "error": ""},
        memory_available=16 * GIB,
        disk_free=50 * GIB,
        shared_memory_free=8 * GIB,
        open_files=20000,
        port_free=True,
        ray_tmp="/tmp",
        offline=True,
        model=None,
        model_tree="",
        bytecode=True,
    )
    return replace(made, **changes)


def table(chosen: HostOptions, known: HostFacts) -> dict[str, HostCheck]:
    return {item.check: item for item in judge_host(chosen, known)}


def failed(chosen: HostOptions, known: HostFacts) -> list[str]:
    return [item.check for item in judge_host(chosen, known) if item.status == "failed"]


@pytest.mark.parametrize("use", ["sft", "rl", "predict"])
def test_a_good_machine_passes(use: Any) -> None:
    assert failed(options(use=use), facts()) == []


@pytest.mark.parametrize(
    ("change", "check", "remedy"),
    [
        ({"versions": {"torch": "2.13"}}, "packages", "constraints/cpu.txt"),
        ({"probe": Probe(True, "loaded", (), False, False, "0.9.2")}, "verl", "constraints/cpu.txt"),
        ({"probe": Probe(False, "not loaded", (), False, False, "0.9.1")}, "plug-in", "install autoresearch"),
        ({"probe": Probe(True, "loaded", ("verl.x differs",), False, False, "0.9.1")}, "seams", "constraints"),
        ({"probe": Probe(True, "loaded", (), False, False, "0.9.1", "1.16.0")}, "trl", "pip uninstall trl"),
        ({"device": {"ok": False, "count": 1, "error": "RuntimeError: no gloo"}}, "device", "torch"),
        ({"memory_available": 4 * GIB}, "free memory", "close"),
        ({"disk_free": GIB}, "free disk", "free space"),
        ({"open_files": 1024}, "open files", "ulimit"),
        ({"port_free": False}, "loopback port", "sockets"),
        ({"ray_tmp": "/" + "x" * 43}, "Ray temp path", "RAY_TMPDIR"),
    ],
)
def test_each_missing_thing_fails_with_its_remedy(change: dict[str, Any], check: str, remedy: str) -> None:
    known = facts(**change)
    assert check in failed(options(), known)
    assert remedy in table(options(), known)[check].remedy


def test_the_ray_temp_path_is_judged_at_its_edge() -> None:
    assert "Ray temp path" not in failed(options(), facts(ray_tmp="/" + "x" * 42))


def test_small_shared_memory_warns() -> None:
    assert table(options(), facts(shared_memory_free=0))["/dev/shm"].status == "warning"


def test_sft_needs_no_ray_and_predict_no_verl() -> None:
    without = dict.fromkeys(("torch", "verl", "transformers", "tensordict", "torchdata"), "1")
    assert failed(options(use="sft"), facts(versions=without)) == []
    assert "packages" in failed(options(use="rl"), facts(versions=without))
    assert failed(options(use="predict"), facts(versions={"torch": "1", "transformers": "1"})) == []


HOPPER = {"ok": True, "count": 1, "name": "H200", "memory_bytes": 140 * GIB, "capability": [9, 0], "error": ""}


@pytest.mark.parametrize(("triton", "passes"), [("3.3.1", True), ("3.4.0", False), ("3.7.0", False), ("3.7.1", True)])
def test_triton_on_hopper(triton: str, passes: bool) -> None:
    found = facts(device=HOPPER, versions={**PACKAGES, "flash-linear-attention": "0.5.2", "triton": triton})
    assert ("triton" not in failed(options(device="cuda", engine="vllm"), found)) == passes


def test_tilelang_stands_in_for_a_newer_triton_on_hopper() -> None:
    installed = {**PACKAGES, "flash-linear-attention": "0.5.2", "triton": "3.6.0", "tilelang": "0.1.9"}
    assert "triton" not in failed(options(device="cuda"), facts(device=HOPPER, versions=installed))
    assert "tilelang" in environment.PACKAGES, "a version that is not read cannot count"


@pytest.mark.parametrize(
    ("answer", "passes", "says"),
    [
        ({"ok": True, "error": "", "largest": 0.004}, True, "0.004"),
        ({"ok": False, "error": "", "largest": 0.5}, False, "0.5"),
        ({"ok": False, "error": "RuntimeError: upgrade Triton", "largest": None}, False, "upgrade Triton"),
    ],
)
def test_one_backward_call_decides_about_the_kernel(answer: dict[str, Any], passes: bool, says: str) -> None:
    installed = {**PACKAGES, "flash-linear-attention": "0.5.2", "triton": "3.7.1"}
    shown = table(options(device="cuda"), facts(device=HOPPER, versions=installed, backward=answer))
    assert (shown["linear attention backward"].status == "ok") == passes
    assert says in shown["linear attention backward"].found


def test_the_backward_call_answers_without_a_card() -> None:
    answer = linear_attention.compare_in_child()
    assert answer["ok"] is False and "fla" in answer["error"]


def test_linear_attention_kernels_are_required_on_a_card() -> None:
    assert "flash-linear-attention" in failed(options(device="cuda"), facts(device=HOPPER))


def test_hopper_prefill_is_a_note_and_byte_code_a_warning() -> None:
    found = facts(device=HOPPER, versions={**PACKAGES, "flash-linear-attention": "0.5.2"}, bytecode=False)
    shown = table(options(device="cuda", engine="vllm"), found)
    assert shown["hopper prefill"].status == "note" and shown["byte-code"].status == "warning"


def test_too_few_cards_fail() -> None:
    assert "device" in failed(options(device="cuda", gpus=2), facts(device=HOPPER))


def test_vllm_refuses_the_text_only_class() -> None:
    class Model:
        model_type = "qwen3_5_text"

    found = facts(model=Model(), device=HOPPER)
    assert "vllm model class" in failed(options(device="cuda", engine="vllm"), found)


def test_the_verdict_counts_checks_and_names_the_use() -> None:
    known = facts(disk_free=0)
    verdict = host_verdict(options(), known, judge_host(options(), known))
    assert not verdict.passed and verdict.status == "failed: free disk"
    assert verdict.settings["for"] == "rl"
    counted = verdict.numbers["checks"]
    assert counted["numerator"] == counted["denominator"] - 1


def test_an_existing_verdict_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "host.json"
    out.write_text("{}")
    with pytest.raises(RefusedError, match="never overwritten"):
        host.gate_host(options(out=out))


def test_the_processor_really_multiplies_and_sums_in_a_child() -> None:
    pytest.importorskip("torch")
    answer = device_operation.operate_in_child("cpu")
    assert answer["ok"] and answer["matmul"] and answer["collective"] and answer["count"] == 1


def test_a_device_that_is_not_there_is_an_answer_and_no_crash() -> None:
    pytest.importorskip("torch")
    answer = device_operation.operate_in_child("npu")
    assert not answer["ok"] and answer["error"]


def test_an_interpreter_that_does_not_start_is_an_answer() -> None:
    assert "no answer" in device_operation.operate_in_child("cpu", "/no/such/python")["error"]


def test_the_device_operation_parses_as_python_3_8_and_imports_torch_only_inside() -> None:
    source = Path(device_operation.__file__).read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 8))
    names = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    assert names <= {"importlib", "json", "os", "subprocess", "sys", "tempfile", "time"}
