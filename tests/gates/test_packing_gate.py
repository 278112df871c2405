"""The leak test of packed rows, with verl's own packed forward on the processor (training.md 4.5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autoresearch.gates import packing
from autoresearch.training import tiny
from autoresearch.training.packing_rule import packing as rule

pytest.importorskip("verl")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    made = {}
    for preset in ("mini", "mini-vl"):
        folder = tmp_path_factory.mktemp(preset)
        tiny.build_tokenizer(["one\n", "two\n"], folder)
        made[preset] = tiny.build_model(folder, preset)  # type: ignore[arg-type]
    return made


def test_the_text_only_class_leaks(folders: dict[str, Path]) -> None:
    answer = packing.measure_in_child("cpu", folders["mini"], "sdpa")
    assert not answer["error"] and not answer["patched"], "verl hands this class no boundaries"
    assert not answer["ok"] and answer["leak"] > 1e-3


def test_plain_torch_ignores_the_boundaries_that_verl_hands_over(folders: dict[str, Path]) -> None:
    answer = packing.measure_in_child("cpu", folders["mini-vl"], "sdpa")
    assert not answer["error"] and answer["patched"]
    assert not answer["ok"], "transformers' fallback swallows the boundaries: packing needs a measured kernel"


def test_a_folder_without_a_model_is_an_answer(tmp_path: Path) -> None:
    assert packing.measure_in_child("cpu", tmp_path, "sdpa")["error"]


class Model:
    def __init__(self, model_type: str) -> None:
        self.model_type = model_type
        self.packs = model_type == "qwen3_5"


def facts(model_type: str = "qwen3_5", leak: float | None = 0.0, **changes: Any) -> Any:
    from types import SimpleNamespace

    measured = {"model_type": "qwen3_5", "leak": leak, "ok": leak == 0.0}
    verdict = SimpleNamespace(
        gate="host",
        passed=changes.get("passed", True),
        machine=changes.get("measured_on", "here"),
        settings={"device": changes.get("measured_device", "cuda")},
        numbers={"packing": measured},
    )
    return SimpleNamespace(
        model=Model(model_type),
        probe=SimpleNamespace(linear_attention=changes.get("kernels", True)),
        verdicts=[] if changes.get("silent") else [(Path("host.json"), verdict)],
        machine="here",
    )


@pytest.mark.parametrize(
    ("known", "device", "packs", "why"),
    [
        (facts(), "cuda", True, "leak test on this device: 0"),
        (facts(leak=1e-5), "cuda", True, "1e-05"),
        (facts(leak=1.1e-5), "cuda", False, "1.1e-05"),
        (facts(leak=None), "cuda", False, "no leak test"),
        (facts(silent=True), "cuda", False, "gate host --model"),
        (facts(passed=False), "cuda", False, "no leak test"),
        (facts(measured_on="elsewhere"), "cuda", False, "no leak test"),
        (facts(measured_device="npu"), "cuda", False, "no leak test"),
        (facts(kernels=False), "cuda", False, "flash-linear-attention absent"),
        (facts(model_type="qwen3_5_text"), "cuda", False, "gets no sequence boundaries"),
        (facts(), "cpu", False, "processor"),
    ],
)
def test_rows_are_packed_only_after_a_clean_leak_test(known: Any, device: str, packs: bool, why: str) -> None:
    assert rule(device, known)[0] == packs
    assert why in rule(device, known)[1]
