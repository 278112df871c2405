"""B7 of formal-case.md 17: the parser of console logs on one core, in the three dialects of verl.

Prints one JSON object with the rate of each log, n and spread: ``make bench-B7``. Logs are repeated to the asked size.
Without ``--logs`` one log of each dialect is made: records of real runs between the lines that a trainer writes
besides, one record in about 60 lines.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src")]

from measure import MEBIBYTE, publish, spread  # noqa: E402

from autoresearch.training.steps import parse_log  # noqa: E402

LEAST = 100.0
"""MB/s."""
WHOLE_MEBIBYTES, WHOLE_REPEATS = 32, 5
REAL = ROOT / "tests" / "training" / "logs" / "rloo-one-card.log"
BESIDE = (
    "{prefix}INFO 11-30 06:{minute:02d}:11 [loggers.py:257] Engine 000: Avg prompt throughput: {number} tokens/s",
    "{prefix}list(reward_tensor.shape)=[128, 512] after step:{minute} of the rollout, worker {number}",
    "{prefix}Training Progress:  {minute}%|███▍      | {minute}/100 [06:{minute:02d}<21:40, 19.3s/it]",
    "(WorkerDict pid={number}) /opt/torch/distributed/fsdp.py:430: UserWarning: {number} shards are not full",
)


def dialect_text(dialect: int) -> bytes:
    """A log whose records have the prefix and keys of a dialect (formal-case.md 12.2)."""
    prefix = {1: "(main_task pid=54569) ", 2: "(TaskRunner pid=678203) ", 3: "(TaskRunnerV1 pid=1951) "}[dialect]
    lines = REAL.read_text(encoding="utf-8").splitlines()
    records = [line[line.index("step:") :] for line in lines if "step:" in line and " - actor/" in line]
    if dialect == 1:
        records = [each.replace("timing_s/", "timing/") for each in records]
    chance, found = random.Random(7), []
    for record in records:
        for _ in range(60):
            shape = chance.choice(BESIDE)
            found.append(shape.format(prefix=prefix, minute=chance.randrange(60), number=chance.randrange(10**6)))
        found.append(prefix + record)
    return ("\n".join(found) + "\n").encode()


def rate(name: str, text: bytes, mebibytes: float, repeats: int) -> dict[str, Any]:
    """Bytes a processor second of parsing ``text`` repeated to ``mebibytes``."""
    content = text * max(1, round(mebibytes * MEBIBYTE / len(text)))
    rates = []
    for _ in range(repeats):
        began = time.process_time()
        parsed = parse_log(content)
        rates.append(len(content) / (time.process_time() - began) / 1e6)
    shown = spread(rates)
    return {
        "log": name,
        "dialect": parsed.dialect,
        "bytes": len(content),
        "records": len(parsed.records),
        "bytes_a_record": len(content) // max(1, len(parsed.records)),
        "megabytes_a_core_second": shown,
        "limits": {"megabytes_a_core_second": LEAST},
        "ok": shown["median"] >= LEAST,
    }


def main() -> int:
    """Measure every log; exit 1 when one is below the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logs", type=Path, nargs="*", default=[], help="console logs in place of the made ones")
    parser.add_argument("--mebibytes", type=float, default=WHOLE_MEBIBYTES)
    parser.add_argument("--repeats", type=int, default=WHOLE_REPEATS)
    parser.add_argument("--output", type=Path, help="a file for the JSON beside the terminal")
    given = parser.parse_args()
    texts = {path.name: path.read_bytes() for path in given.logs}
    texts = texts or {f"made, dialect {each}": dialect_text(each) for each in (1, 2, 3)}
    found = [rate(name, text, given.mebibytes, given.repeats) for name, text in texts.items()]
    whole = given.mebibytes >= WHOLE_MEBIBYTES and given.repeats >= WHOLE_REPEATS
    return publish("B7", found, whole, given.output)


if __name__ == "__main__":
    sys.exit(main())
