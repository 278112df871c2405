"""Plans of the eight-leaf steel fixture, made by the plan builders from real releases and a hand-made model folder.

The child interpreter that a plan asks, and the model's rendering, are the only facts that are given.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[1] / "training"))  # releases and verdicts as the training tests make them

from made_plans import probe_facts
from small_world import export_releases, write_model_verdicts, write_verdicts

from autoresearch.files import tree_sha256
from autoresearch.training.environment import versions
from autoresearch.training.model_folder import read_model_folder
from autoresearch.training.plan import write_plan
from autoresearch.training.plan_facts import CommonFacts, read_release, read_verdict_folder
from autoresearch.training.rl_checks import RlOptions, resolve_rl, rl_checks
from autoresearch.training.rl_plan import build_rl_plan, read_rl_facts, rl_environment, write_loop_files
from autoresearch.training.rl_verdicts import rl_demands, verdict_checks
from autoresearch.training.sft_checks import SftOptions
from autoresearch.training.sft_plan import build_sft_plan, common_environment
from autoresearch.training.verdict_match import match_all
from autoresearch.verdict import machine_name

CONFIG = {
    "model_type": "qwen3_5_text",
    "architectures": ["Qwen3_5ForCausalLM"],
    "num_hidden_layers": 2,
    "layer_types": ["linear_attention", "full_attention"],
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "hidden_size": 128,
    "vocab_size": 512,
    "max_position_embeddings": 8192,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 32,
    "linear_num_value_heads": 4,
    "linear_value_head_dim": 32,
    "linear_conv_kernel_dim": 4,
}


def model_folder(path: Path) -> Path:
    """A folder that is a model for everything that does not compute: config, one tensor, tokenizer, template."""
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    (path / "tokenizer.json").write_text("{}", encoding="utf-8")
    (path / "chat_template.jinja").write_text("{{ messages }}", encoding="utf-8")
    header = json.dumps({"w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}).encode()
    (path / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(16))
    return path


class FieldWorld:
    """Two releases, a model, verdicts; each plan is a folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.sft, self.rl = export_releases(root)
        self.model = model_folder(root / "model")
        self.verdicts = {"sft": root / "verdicts-sft", "rl": root / "verdicts-rl"}
        write_verdicts(self.verdicts["sft"], self.sft, self.model, "sft", longest_completion=90)
        write_verdicts(self.verdicts["rl"], self.rl, self.model, "rl", longest_prompt=2048, longest_completion=320)
        write_model_verdicts(self.verdicts["rl"], self.rl, self.model)

    def facts(self, release: Path, use: str) -> CommonFacts:
        """What a plan looks at, read from the files."""
        return CommonFacts(
            release=read_release(release),
            model=read_model_folder(self.model),
            model_tree=tree_sha256(self.model, ("merge.json",)),
            probe=probe_facts(),
            verdicts=read_verdict_folder(self.verdicts[use]),
            versions=versions(),
            machine=machine_name(),
            memory_total=0,
            disk_free=1 << 50,
            run_taken=False,
            render_problem="",
        )

    def sft_plan(self, name: str, **changes: Any) -> Path:
        """A written SFT plan of four rows a batch."""
        values: dict[str, Any] = {"device": "cpu", "steps": 8, "batch": 4, "micro_batch": 2, "purpose": "practice"}
        run = (self.root / "runs" / name).resolve()
        options = SftOptions(release=self.sft, model=self.model, run=run, eval_every=0, **{**values, **changes})
        environment = common_environment(options.device, run, options.gpus)
        plan = build_sft_plan(options, self.facts(self.sft, "sft"), environment)
        run.mkdir(parents=True)
        write_plan(plan, run)
        return run

    def rl_plan(self, name: str, algorithm: str = "grpo", **changes: Any) -> Path:
        """A written RL plan of five prompts with four answers."""
        values: dict[str, Any] = {
            "algorithm": algorithm,
            "device": "cpu",
            "engine": "transformers",
            "n": 4,
            "prompts": 5,
            "micro": 5,
            "steps": 2,
            "kl_coef": 0.0,
            "purpose": "practice",
        }
        run = (self.root / "runs" / name).resolve()
        options = RlOptions(release=self.rl, model=self.model, run=run, **{**values, **changes})
        environment = rl_environment(options)
        facts = read_rl_facts(options, self.facts(self.rl, "rl"))
        numbers = resolve_rl(options, facts)
        used, missing = match_all(facts.common.verdicts, rl_demands(options, facts))
        checks = rl_checks(options, facts, numbers, missing) + verdict_checks(options, facts, numbers, missing)
        write_loop_files(options, facts)
        write_plan(build_rl_plan(options, facts, numbers, used, checks, environment), run)
        return run
