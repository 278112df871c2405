"""B4 of formal-case.md 17: ``bundle verify`` against plain sha256 over the same bytes, 4 GiB in 400 files.

Prints one JSON object with both speeds, their ratio, the machine, n and spread: ``make bench-B4``. The bundle is that
of a small quickstart with files added that no other check parses: console logs, npu-smi output, JSON lines in Chinese
and JSON lines of numbers. Plain sha256 is ``hashlib.file_digest``. Both sides use as many threads as there are cores
and a warm cache; they are measured in turn. Our own loop, which reads a MiB at a time and is a little faster than
``file_digest``, and ``sha256sum`` of coreutils, one process a core, stand beside. All lies in a temporary folder that
goes away.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "fixtures"), str(ROOT / "tests" / "evidence")]

from measure import MEBIBYTE, Cost, publish, spread  # noqa: E402
from npu_smi_texts import chip_values, compound  # noqa: E402
from quickstart_files import make_quickstart  # noqa: E402

from autoresearch.evidence.checksums import hash_files, read_files  # noqa: E402
from autoresearch.evidence.layout import UNLISTED  # noqa: E402
from autoresearch.evidence.quickstart import write_quickstart_bundle  # noqa: E402
from autoresearch.evidence.verify import verify  # noqa: E402
from autoresearch.evidence.writer import make_writable  # noqa: E402
from autoresearch.files import tree_files  # noqa: E402
from autoresearch.report.check import check_page  # noqa: E402
from autoresearch.report.render import render_page  # noqa: E402

LEAST = 0.8
THREADS = min(8, os.cpu_count() or 1)
WHOLE_MEBIBYTES, FILES, WHOLE_REPEATS = 4096, 400, 9
REAL_LOG = ROOT / "tests" / "training" / "logs" / "rloo-one-card.log"


def texts(size: int) -> dict[str, bytes]:
    """Kind -> about ``size`` bytes of it."""
    chance = random.Random(7)
    log = REAL_LOG.read_bytes()
    shapes: dict[str, Callable[[int], bytes]] = {
        "console.log": lambda _: log,
        "npu-smi.raw.log": lambda n: compound([chip_values(device, n) for device in range(8)]).encode(),
        "answers.jsonl": lambda n: json.dumps(
            {
                "step": n,
                "input": f"字段 {n}：钢卷宽度实测值，单位毫米",
                "output": "<answer>C4-2</answer>",
                "score": 1.0,
            },
            ensure_ascii=False,
        ).encode(),
        "numbers.jsonl": lambda n: json.dumps({"epoch_ms": n, "values": [chance.random() for _ in range(8)]}).encode(),
    }
    found = {}
    for kind, make in shapes.items():
        parts, length = [], 0
        while length < min(size, MEBIBYTE):
            parts.append(make(len(parts)) + b"\n")
            length += len(parts[-1])
        found[kind] = (b"".join(parts) * (size // length + 1))[:size]
    return found


def make_bundle(place: Path, mebibytes: float, files: int) -> Path:
    """A sealed bundle with ``files`` files more, of ``mebibytes`` in all, a quarter of each kind."""
    run = make_quickstart(place / "run")
    assert run.rl is not None
    attempt = next((run.rl / "attempts").iterdir())
    (attempt / "bulk").mkdir()
    made = list(texts(int(mebibytes * MEBIBYTE / files)).items())
    for number in range(files):
        kind, content = made[number % len(made)]
        (attempt / "bulk" / f"{number:03d}-{kind}").write_bytes(b"%d\n" % number + content)
    bundle = write_quickstart_bundle(run, place / "bundle", render=render_page, check=check_page)
    shutil.rmtree(place / "run")
    return bundle


def plain_sha256(bundle: Path, names: list[str]) -> None:
    """The standard library's ``file_digest`` of all files, on as many threads as ``verify`` has."""

    def digest(name: str) -> str:
        with (bundle / name).open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()

    with ThreadPoolExecutor(max_workers=THREADS) as pool:
        list(pool.map(digest, names))


def sha256sum(bundle: Path, names: list[str]) -> None:
    """coreutils over all files, one process a core."""
    argv = ["xargs", "-0", "-P", str(os.cpu_count() or 1), "-n", "16", "sha256sum"]
    subprocess.run(argv, input="\0".join(names), cwd=bundle, text=True, stdout=subprocess.DEVNULL, check=True)


def cost_of(action: Callable[[], object]) -> Cost:
    """Wall seconds of one call, and processor seconds of all its threads and of programs that it waited for."""
    wall, before = time.perf_counter(), os.times()
    action()
    after = os.times()
    return Cost(time.perf_counter() - wall, sum(after[:4]) - sum(before[:4]))


def measure(mebibytes: float, files: int, repeats: int) -> dict[str, Any]:
    """Seconds of each side, ``repeats`` times in turn after one round that is not counted."""
    with tempfile.TemporaryDirectory() as place:
        bundle = make_bundle(Path(place), mebibytes, files)
        names = tree_files(bundle, exclude=UNLISTED)
        total = sum((bundle / name).stat().st_size for name in names)
        problems = [each.message() for each in verify(bundle).findings() if each.severity == "error"]
        actions: dict[str, Callable[[], object]] = {
            "sha256": lambda: plain_sha256(bundle, names),
            "own_loop": lambda: hash_files(bundle, names),
            "one_pass": lambda: read_files(bundle),
            "verify": lambda: verify(bundle),
        }
        if shutil.which("sha256sum") and shutil.which("xargs"):
            actions["sha256sum"] = lambda: sha256sum(bundle, names)
        took: dict[str, list[Cost]] = {name: [] for name in actions}
        for number in range(repeats + 1):
            for name, action in actions.items():
                cost = cost_of(action)
                if number:
                    took[name].append(cost)
        make_writable(bundle)

    def beside(name: str, kind: str, plain: str = "sha256") -> dict[str, float | int]:
        pairs = zip(took[plain], took[name], strict=True)
        return spread([getattr(one, kind) / getattr(ours, kind) for one, ours in pairs])

    others = {"verify_over_own_loop_of_mebibytes": "own_loop", "verify_over_coreutils": "sha256sum"}
    ratios = {key: beside("verify", "wall", plain) for key, plain in others.items() if plain in took}
    return {
        "bytes": total,
        "files": len(names),
        "threads": THREADS,
        "n": repeats,
        "megabytes_a_second": {
            name: spread([total / each.wall / 1e6 for each in found]) for name, found in took.items()
        },
        "verify_over_sha256": beside("verify", "wall"),
        **ratios,
        "beside": list(ratios),
        "verify_over_sha256_by_processor_time": beside("verify", "cpu"),
        "hash_and_scan_over_sha256_by_processor_time": beside("one_pass", "cpu"),
        "findings": problems,
        "limits": {"verify_over_sha256": LEAST},
        "ok": beside("verify", "wall")["median"] >= LEAST and not problems,
    }


def main() -> int:
    """Measure; exit 1 when verifying is slower than the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mebibytes", type=float, default=WHOLE_MEBIBYTES)
    parser.add_argument("--files", type=int, default=FILES)
    parser.add_argument("--repeats", type=int, default=WHOLE_REPEATS)
    parser.add_argument("--output", type=Path, help="a file for the JSON beside the terminal")
    given = parser.parse_args()
    whole = given.mebibytes >= WHOLE_MEBIBYTES and given.repeats >= WHOLE_REPEATS
    return publish("B4", [measure(given.mebibytes, given.files, given.repeats)], whole, given.output)


if __name__ == "__main__":
    sys.exit(main())
