"""Facts and plans for tests: small, complete, built by hand."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from autoresearch.files import sha256_text
from autoresearch.training.model_folder import ModelFolder
from autoresearch.training.plan import Plan, file_input
from autoresearch.training.plan_facts import CommonFacts, ReleaseFacts
from autoresearch.training.probe import Probe
from autoresearch.verdict import Verdict, make_verdict

STUB = Path(__file__).with_name("stub_trainer.py")
REPORT, CANONICAL, GRADING, TEMPLATE, TOKENIZER, MODEL, TOOLS = (
    sha256_text(name) for name in ("report", "canonical", "grading", "template", "tokenizer", "model", "tools")
)
VERSIONS = {"verl": "0.9.1", "torch": "2.13.0", "transformers": "5.10.4"}
MACHINE = "linux-test-2cpu"


def stub_plan(run: Path, *arguments: str, steps: int = 3, inputs: Sequence[Path] = (), kind: str = "sft") -> Plan:
    """A plan whose argv starts the stub trainer."""
    run = run.resolve()
    return Plan(
        kind=kind,
        algorithm="sft" if kind == "sft" else "rloo",
        purpose="practice",
        device="cpu",
        engine="",
        steps=steps,
        argv=(sys.executable, str(STUB), f"steps={steps}", "trainer.resume_mode=disable", *arguments),
        environment={"VERL_FILE_LOGGER_PATH": f"{run}/attempts/{{attempt}}/metrics.jsonl"},
        paths={"run": str(run), "release": str(run), "model": str(run / "model")},
        inputs=tuple(file_input(path.name, path) for path in inputs),
        release_header={"family": "trajectory"},
        thinking=False,
        template_sha256=TEMPLATE,
        tokenizer_sha256=TOKENIZER,
        verdicts=(),
        checks=(),
        limits={"max_length": 64},
        settings={"model_tree": MODEL},
        overrides={},
        variable={"steps": steps},
        versions=VERSIONS,
    )


def release_facts(path: Path = Path("/data/rel"), **changes: object) -> ReleaseFacts:
    """A trajectory release of 64 train and 16 val rows."""
    values: dict[str, object] = {
        "path": path,
        "family": "trajectory",
        "report_sha256": REPORT,
        "files": {},
        "header": {"family": "trajectory", "enable_thinking": False},
        "thinking": False,
        "rows": {"train": 64, "val": 16, "test": 16},
        "input_hashes": {"canonical": CANONICAL, "grading": GRADING},
        "think_source": "none",
        "gap_gate": "passed",
        "problems": (),
    }
    return ReleaseFacts(**{**values, **changes})  # type: ignore[arg-type]  # tests change any field


def model_facts(path: Path = Path("/data/model"), **changes: object) -> ModelFolder:
    """A tiny Qwen3.5-shaped text model."""
    values: dict[str, object] = {
        "path": path,
        "model_type": "qwen3_5_text",
        "architecture": "Qwen3_5ForCausalLM",
        "dtype": "float32",
        "vocab_size": 1536,
        "hidden_size": 128,
        "heads": 4,
        "max_positions": 4096,
        "parameters": 630_000,
        "weight_bytes": 2_520_000,
        "shards": ("model.safetensors",),
        "template": "t",
        "template_sha256": TEMPLATE,
        "tokenizer_sha256": TOKENIZER,
        "tiny": True,
    }
    return ModelFolder(**{**values, **changes})  # type: ignore[arg-type]  # tests change any field


def probe_facts(**changes: object) -> Probe:
    """An interpreter in which everything is as it should be."""
    values: dict[str, object] = {
        "entry_point": True,
        "plugin_state": "loaded",
        "seams": (),
        "flash_attention": False,
        "linear_attention": False,
        "verl": "0.9.1",
    }
    return Probe(**{**values, **changes})  # type: ignore[arg-type]  # tests change any field


def verdicts(**changes: Verdict | None) -> tuple[tuple[Path, Verdict], ...]:
    """The five verdicts that fit the facts of this module; a gate set to None is left out."""
    release = {"name": "rel", "report_sha256": REPORT}
    model = {"name": "model", "tree_sha256": MODEL}
    texts = {"template": {"name": "t", "sha256": TEMPLATE}, "tokenizer": {"name": "k", "sha256": TOKENIZER}}
    rl_host = {"for": "rl", "device": "cpu", "engine": "transformers"}
    common = {"passed": True, "status": "passed", "rule": "r", "versions": VERSIONS, "machine": MACHINE}
    made: dict[str, Verdict | None] = {
        "conflict": make_verdict(
            gate="conflict", judged={"canonical": {"sha256": CANONICAL}, "grading": {"sha256": GRADING}}, **common
        ),
        "token_budget": make_verdict(
            gate="token_budget",
            judged={"release": release, **texts},
            settings={"max_length": 1024},
            numbers={"longest_prompt": 700, "longest_completion": 200},
            **common,
        ),
        "host_sft": make_verdict(gate="host", settings={"for": "sft", "device": "cpu"}, **common),
        "host_rl": make_verdict(gate="host", settings=rl_host, **common),
        "rollout": make_verdict(
            gate="rollout",
            judged={"model": model, "release": release, **texts, "tools": {"sha256": TOOLS}},
            settings={"enable_thinking": False, "engine": "transformers"},
            numbers={"mixed_group_share": {"8": {"share": 0.5}}, "above_baseline": True},
            **common,
        ),
        "provenance": make_verdict(gate="provenance", judged={"model": model}, **common),
    }
    made.update(changes)
    return tuple((Path(f"/verdicts/{name}.json"), item) for name, item in made.items() if item is not None)


def common_facts(**changes: object) -> CommonFacts:
    """Facts under which a practice plan is made."""
    values: dict[str, object] = {
        "release": release_facts(),
        "model": model_facts(),
        "model_tree": MODEL,
        "probe": probe_facts(),
        "verdicts": verdicts(),
        "versions": VERSIONS,
        "machine": MACHINE,
        "memory_total": 16 * 2**30,
        "disk_free": 100 * 2**30,
        "run_taken": False,
        "render_problem": "",
    }
    return CommonFacts(**{**values, **changes})  # type: ignore[arg-type]  # tests change any field


def as_json(path: Path, content: object) -> Path:
    """Write a JSON file and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
