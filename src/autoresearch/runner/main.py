"""The roles of the archive: one word, then its arguments. Standard library only, Python 3.8 grammar."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Sequence  # noqa: UP035 - Python 3.8 on hosts


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autoresearch-runner", description="Runs a row on a host.")
    roles = parser.add_subparsers(dest="role", required=True)
    supervise = roles.add_parser("supervise", help="run the attempt whose folder holds row.json")
    supervise.add_argument("folder", type=Path)
    cleanup = roles.add_parser("cleanup", help="end what an attempt left behind; prints one JSON object")
    cleanup.add_argument("folder", type=Path)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one role; its exit code."""
    given = _parser().parse_args(arguments)
    if given.role == "supervise":
        from autoresearch.runner.supervise import supervise

        return supervise(given.folder.resolve(), Path(sys.argv[0]).resolve())
    from autoresearch.runner.cleanup import clean_up

    print(json.dumps(clean_up(given.folder.resolve()), ensure_ascii=False))
    return 0
