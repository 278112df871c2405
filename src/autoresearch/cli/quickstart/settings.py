"""Sizes and seeds of the quickstart: fixed before the run, written into the run folder, the lock and the result."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

import autoresearch
from autoresearch.errors import InputError


class QuickstartSettings(BaseModel):
    """What the shipped quickstart does; ``docs/quickstart.md`` says how the sizes were chosen."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = 42
    dataset: str = "steel"
    split_ratios: tuple[float, float, float] = (640 / 900, 60 / 900, 200 / 900)
    """Train, val, test, by table."""
    class_policy: str = "search"
    model_preset: str = "small"
    sft_steps: int = 180
    sft_batch: int = 8
    sft_lr: float = 3e-3
    sft_answer_weight: float = 8.0
    sft_save_every: int = 1
    probe_prompts: int = 64
    probe_samples: int = 4
    probe_first_step: int = 60
    """Checkpoints before this step are not probed: the format is not learnt yet."""
    probe_stride: int = 5
    """Every fifth checkpoint is probed, and those between two only where the rate jumps over the window."""
    probe_low: float = 0.16
    probe_high: float = 0.25
    gate_prompts: int = 64
    gate_samples: int = 4
    rl_steps: int = 24
    rl_prompts: int = 8
    rl_n: int = 8
    rl_micro: int = 16
    rl_lr: float = 3e-4
    max_response: int = 512
    eval_samples: int = 4
    predict_samples: int = 3

    @property
    def seeds(self) -> dict[str, int]:
        """The seed of each part that draws."""
        return dict.fromkeys(("split", "model", "sft", "probe", "gate", "rl", "evaluation", "prediction"), self.seed)


def example_folder(small: bool) -> Path:
    """The shipped example in the checkout. Raises ``InputError`` where only the package is installed."""
    root = Path(autoresearch.__file__).resolve().parents[2] / "examples" / "steel"
    folder = root / "small" if small else root
    if not folder.is_dir():
        raise InputError(f"quickstart: {folder} is not there; run it from a checkout of the project")
    return folder
