"""Does a packed row see the row before it? verl's packed forward, twice, with another first row (training.md 4.5).

Both calls have the same shape, so the same kernels run in the same order: whatever differs in the second row's logits
came over from the first. Run as a program (``packing.py DEVICE MODEL_FOLDER ATTENTION``) it prints one JSON object: ok,
error, leak (largest absolute difference of a logit of row two), attention, patched.
"""

from __future__ import annotations

import json
import subprocess
import sys
from inspect import signature
from pathlib import Path
from typing import Any

TOLERANCE = 1e-5
TIMEOUT_SECONDS = 300
LENGTHS = (97, 61)
"""Neither is a multiple of the linear attention's block, so a state that is not reset would be seen."""


def measure(device: str, folder: str, attention: str = "sdpa") -> dict[str, Any]:
    """Load the model of ``folder`` as verl does, patch it, and pack two random rows. Imports torch and verl."""
    found: dict[str, Any] = {"ok": False, "error": "", "leak": None, "attention": attention, "patched": False}
    try:
        import torch
        from transformers import AutoConfig
        from verl.models.transformers.monkey_patch import apply_monkey_patch
        from verl.utils.model import get_hf_auto_model_class

        place = "cpu" if device == "cpu" else f"{device}:0"
        known = AutoConfig.from_pretrained(folder)
        # The engine of the processor computes in float32, those of the cards in bf16.
        dtype = torch.float32 if device == "cpu" else torch.bfloat16
        model = get_hf_auto_model_class(known).from_pretrained(folder, dtype=dtype, attn_implementation=attention)
        apply_monkey_patch(model, use_remove_padding=True)
        model = model.to(place).eval()
        found["patched"] = "cu_seqlens" in signature(model.forward).parameters
        words = int(getattr(known, "text_config", known).vocab_size)
        generator = torch.Generator().manual_seed(0)
        first, other, second = (
            torch.randint(0, words, (n,), generator=generator) for n in (*LENGTHS[:1] * 2, LENGTHS[1])
        )
        with torch.no_grad():
            logits = [_second_row(torch, model, row, second, place, found["patched"]) for row in (first, other)]
        found["leak"] = float((logits[0] - logits[1]).abs().max())
        found["ok"] = found["leak"] <= TOLERANCE
    except Exception as error:  # whatever goes wrong is the answer
        found["error"] = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    return found


def _second_row(torch: Any, model: Any, first: Any, second: Any, place: str, patched: bool) -> Any:
    """Logits of the second of two packed rows, float32 on the processor, shape [tokens, vocabulary]."""
    ends = torch.tensor([0, len(first), len(first) + len(second)])
    boundaries = {"cu_seqlens": ends.to(place), "cu_seqlens_cpu": ends} if patched else {}
    out = model(
        input_ids=torch.cat([first, second]).unsqueeze(0).to(place),
        attention_mask=None,
        position_ids=torch.cat([torch.arange(len(first)), torch.arange(len(second))]).unsqueeze(0).to(place),
        use_cache=False,
        **boundaries,
    )
    return out.logits[0, len(first) :].float().cpu()


def measure_in_child(device: str, folder: Path, attention: str, interpreter: str = sys.executable) -> dict[str, Any]:
    """``measure`` in a fresh process, whose path lacks this folder (``statistics.py`` here is not the library's)."""
    command = [interpreter, "-P", str(Path(__file__).resolve()), device, str(folder), attention]
    failed: dict[str, Any] = {"ok": False, "leak": None, "attention": attention, "patched": False}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return {**failed, "error": f"no answer: {error}"}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {**failed, "error": f"exit code {done.returncode}: {last}"}
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:4])))
