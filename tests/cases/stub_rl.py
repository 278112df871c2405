"""A trainer that behaves as it is told: what verl's RL trainer prints and writes, in a fraction of a second.

Arguments ``key=value``: ``B``, ``steps``; ``oom_from`` (the batch from which memory ends), ``stop_after`` (steps after
which it exits 0), ``stubborn`` (it takes no TERM), ``wait`` (seconds before the first step), ``say`` (a text for the
log), ``exit`` (its exit code), ``mark`` (a file that names each start).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path


def record(step: int, batch: int) -> dict[str, float]:
    """The numbers of one step."""
    return {
        "training/global_step": step,
        "actor/grad_norm": 1.0 / step,
        "actor/pg_loss": 0.1,
        "timing_s/gen": 0.01,
        "timing_s/update_actor": 0.01,
        "timing_s/step": 0.03,
        "perf/total_num_tokens": 100.0 * batch,
        "perf/time_per_step": 0.03,
        "perf/throughput": 100.0 * batch / 0.03,
    }


def main() -> int:
    """Train as told."""
    told = dict(item.split("=", 1) for item in sys.argv[1:] if "=" in item)
    batch, steps = int(told["B"]), int(told["steps"])
    mark = Path(told["mark"]) if "mark" in told else None
    if mark is not None:
        with mark.open("a", encoding="utf-8") as out:
            out.write(Path.cwd().name + "\n")
    if "stubborn" in told:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(float(told.get("wait", "0")))
    if "say" in told:
        print(told["say"], flush=True)
    if batch >= int(told.get("oom_from", "1000000")):
        print("Traceback (most recent call last):\ntorch.OutOfMemoryError: CUDA out of memory.", flush=True)
        return 1
    with Path(os.environ["VERL_FILE_LOGGER_PATH"]).open("w", encoding="utf-8") as out:
        for step in range(1, min(steps, int(told.get("stop_after", steps))) + 1):
            data = record(step, batch)
            out.write(json.dumps({"step": step, "data": data}) + "\n")
            text = " - ".join([f"step:{step}", *(f"{key}:{value}" for key, value in data.items())])
            print(f"(TaskRunnerV1 pid=1) {text}", flush=True)
            time.sleep(float(told.get("pause", "0.01")))
    time.sleep(float(told.get("hang", "0")))
    return int(told.get("exit", "0"))


if __name__ == "__main__":
    sys.exit(main())
