"""Run one command and kill this process when it touches the n-th file below a folder: a program for ``test_killed``.

``python killed_at.py FOLDER N WORD...``; with N 0 it runs to its end and says on stderr how many files it touched.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from autoresearch.cli.main import run

TOUCHING = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "os.link"}
BELOW, AT = sys.argv[1], int(sys.argv[2])
SEEN = 0


def touched(event: str, arguments: tuple[Any, ...]) -> None:
    """An audit hook: counts, and kills at the n-th."""
    global SEEN
    if event in TOUCHING and str(arguments[0]).startswith(BELOW):
        SEEN += 1
        if SEEN == AT:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    sys.addaudithook(touched)
    code = run(sys.argv[3:])
    print(f"touched {SEEN}", file=sys.stderr)
    sys.exit(code)
