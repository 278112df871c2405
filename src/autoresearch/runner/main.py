"""The roles of the archive: one word, then its arguments. Standard library only, Python 3.8 grammar.

``supervise`` and ``cleanup`` work on an attempt's folder; ``sample`` and ``push`` are its side processes;
``device-op`` computes on the visible devices and ``inventory`` tells what a host has. What answers a question prints
one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Callable, Sequence  # noqa: UP035 - Python 3.8 on hosts


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autoresearch-runner", description="Runs a row on a host.")
    roles = parser.add_subparsers(dest="role", required=True)
    supervise = roles.add_parser("supervise", help="run the attempt whose folder holds row.json")
    supervise.add_argument("folder", type=Path)
    cleanup = roles.add_parser("cleanup", help="end what an attempt left behind")
    cleanup.add_argument("folder", type=Path)
    cleanup.add_argument("--all", action="store_true", help="folder is that of all runs; running rows are left alone")
    sample = roles.add_parser("sample", help="append rounds to a raw file of an attempt's folder until TERM")
    sample.add_argument("kind", choices=("ascend", "nvidia", "host"))
    sample.add_argument("folder", type=Path)
    sample.add_argument("--interval", type=float, default=0.5, help="seconds")
    push = roles.add_parser("push", help="push the newest rounds of an attempt's folder until TERM")
    push.add_argument("folder", type=Path)
    operation = roles.add_parser("device-op", help="compute on every visible device; run it where torch is")
    operation.add_argument("device", choices=("cpu", "cuda", "npu"))
    operation.add_argument("--seconds", type=float, default=0.0)
    inventory = roles.add_parser("inventory", help="devices and their holders, models and datasets, hashes")
    inventory.add_argument("what", choices=("hardware", "stack", "reach", "assets", "tree"))
    inventory.add_argument("words", nargs="*", help="folders, patterns or URLs")
    inventory.add_argument("--proxy", help="URL of a proxy, for reach")
    inventory.add_argument("--memory", type=Path, help="file that remembers hashes by size, time and inode")
    inventory.add_argument("--progress", type=Path, help="file that tells how far the hashes are")
    inventory.add_argument("--at-least", type=int, help="bytes of a folder that counts as large")
    return parser


def _supervise(given: argparse.Namespace) -> int:
    from autoresearch.runner.supervise import supervise

    return supervise(given.folder.resolve(), Path(sys.argv[0]).resolve())


def _cleanup(given: argparse.Namespace) -> int:
    from autoresearch.runner.cleanup import clean_up, sweep

    folder = given.folder.resolve()
    return _print(sweep(folder) if given.all else clean_up(folder))


def _sample(given: argparse.Namespace) -> int:
    from autoresearch.telemetry.samplers import run

    return run(given.kind, given.folder, given.interval)


def _push(given: argparse.Namespace) -> int:
    from autoresearch.runner.telemetry_commands import push_row

    return push_row(given.folder)


def _device_op(given: argparse.Namespace) -> int:
    from autoresearch.gates.device_operation import operate

    answer = operate(given.device, given.seconds)
    _print(answer)
    return 0 if answer["ok"] else 1


def _inventory(given: argparse.Namespace) -> int:
    if given.what == "hardware":
        from autoresearch.runner.hardware import read_hardware

        return _print(read_hardware())
    if given.what == "stack":
        from autoresearch.runner.stack import read_stack

        return _print(read_stack())
    if given.what == "reach":
        from autoresearch.runner.reach import reach_all

        return _print(reach_all(given.words, given.proxy))
    from autoresearch.runner.inventory import LARGE_BYTES, find_assets, hash_tree

    if given.what == "assets":
        at_least = LARGE_BYTES if given.at_least is None else given.at_least
        return _print({"assets": find_assets([Path(word) for word in given.words], at_least)})
    return _print(hash_tree(Path(given.words[0]), given.memory, given.progress))


def _print(answer: dict[str, Any]) -> int:
    print(json.dumps(answer, ensure_ascii=False), flush=True)
    return 0


ROLES: dict[str, Callable[[argparse.Namespace], int]] = {
    "supervise": _supervise,
    "cleanup": _cleanup,
    "sample": _sample,
    "push": _push,
    "device-op": _device_op,
    "inventory": _inventory,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one role; its exit code."""
    given = _parser().parse_args(arguments)
    return ROLES[given.role](given)
