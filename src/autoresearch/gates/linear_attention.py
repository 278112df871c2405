"""One backward call of the linear-attention kernel on the card, against plain torch (training.md 8.3).

Some combinations of kernel library, compiler and card refuse the backward, and some have been wrong without a word. So
the gate calls it once, in a process of its own, on a small random input, and compares every gradient. Run as a program
it prints one JSON object: ok, error, largest (relative error over the gradients), library, seconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

TIMEOUT_SECONDS = 300
"""The first call compiles: up to 80 s a shape with tilelang on two cores."""
TOLERANCE = 0.02
"""Relative error of a bf16 gradient; a wrong kernel misses by far more."""
BATCH, LENGTH, HEADS, WIDTH = 1, 128, 4, 64


def compare(device: str = "cuda:0") -> dict[str, Any]:
    """Forward and backward of fla's chunked gated delta rule and of transformers' plain one, on equal input.

    Gradients are compared as ``|a - b| / |b|`` (Euclidean), one for each of query, key, value, decay and rate.
    """
    found: dict[str, Any] = {"ok": False, "error": "", "largest": None, "library": "", "seconds": 0.0}
    started = time.monotonic()
    try:
        import torch
        from fla import __version__ as library  # type: ignore[import-not-found]
        from fla.ops.gated_delta_rule import chunk_gated_delta_rule  # type: ignore[import-not-found]
        from transformers.models.qwen3_5.modeling_qwen3_5 import torch_chunk_gated_delta_rule

        found["library"] = library
        kernel = _gradients(torch, chunk_gated_delta_rule, device, torch.bfloat16)
        plain = _gradients(torch, torch_chunk_gated_delta_rule, device, torch.float32)
        errors = [float((a.float() - b).norm() / b.norm()) for a, b in zip(kernel, plain, strict=True)]
        found["largest"] = max(errors)
        found["ok"] = all(error <= TOLERANCE for error in errors)
    except Exception as error:  # whatever the kernel says is the answer
        found["error"] = f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"
    found["seconds"] = round(time.monotonic() - started, 1)
    return found


def _gradients(torch: Any, operation: Any, device: str, dtype: Any) -> list[Any]:
    generator = torch.Generator().manual_seed(0)
    shape = (BATCH, LENGTH, HEADS, WIDTH)
    tensors = [torch.randn(shape, generator=generator) for _ in range(3)]
    tensors.append(-torch.rand(shape[:3], generator=generator))  # decay: a logarithm, at most 0
    tensors.append(torch.rand(shape[:3], generator=generator))
    weight = torch.randn(shape, generator=generator).to(device)
    # Both see the values as the kernel's type rounds them.
    leaves = [tensor.bfloat16().to(device).to(dtype).requires_grad_() for tensor in tensors]
    query, key, value, decay, rate = leaves
    output = operation(query, key, value, g=decay, beta=rate, use_qk_l2norm_in_kernel=True)[0]
    (output.float() * weight).sum().backward()
    return [leaf.grad for leaf in leaves]


def compare_in_child(interpreter: str = sys.executable) -> dict[str, Any]:
    """``compare`` in a fresh process: a kernel that kills its process takes that one with it."""
    try:
        done = subprocess.run(
            [interpreter, "-P", str(Path(__file__).resolve())], capture_output=True, text=True, timeout=TIMEOUT_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"ok": False, "error": f"no answer: {error}", "largest": None, "library": "", "seconds": 0.0}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        error_text = f"exit code {done.returncode}: {last}"
        return {"ok": False, "error": error_text, "largest": None, "library": "", "seconds": 0.0}
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


if __name__ == "__main__":
    print(json.dumps(compare()))
