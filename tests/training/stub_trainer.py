"""A trainer that behaves as it is told: what ``verl.trainer.sft_trainer`` shows, in half a second."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path


def main() -> None:
    settings = dict(item.split("=", 1) for item in sys.argv[1:] if "=" in item)
    steps = int(settings.get("steps", "3"))
    metrics = Path(os.environ["VERL_FILE_LOGGER_PATH"])
    resumed = settings.get("trainer.resume_from_path", "").rpartition("global_step_")[2]
    with metrics.open("wb", buffering=0) as out:
        for step in range(int(resumed or 0) + 1, steps + 1):
            data = {"train/loss": 2.0 / step, "train/grad_norm": float(settings.get("norm", "1.0"))}
            if str(step) == settings.get("nan_at"):
                data["train/loss"] = float("nan")
            text = " - ".join([f"step:{step}", *(f"{key}:{value}" for key, value in data.items())])
            clean = {key: None if value != value else value for key, value in data.items()}
            out.write(json.dumps({"step": step, "data": clean}).encode() + b"\n")
            print(text, flush=True)
            time.sleep(float(settings.get("pause", "0.02")))
            if str(step) == settings.get("kill_at"):
                os.kill(os.getpid(), signal.SIGKILL)
    if "say" in settings:
        print(settings["say"], flush=True)
        time.sleep(float(settings.get("hang", "60")))
    if "raise" in settings:
        raise RuntimeError(settings["raise"])
    if "child" in settings and os.fork() == 0:
        os.setsid()
        Path(settings["child"]).write_text(str(os.getpid()))
        time.sleep(600)
    time.sleep(float(settings.get("wait", "0")))


if __name__ == "__main__":
    main()
