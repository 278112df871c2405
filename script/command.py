"""Handing a module's arguments to the command that it stands for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from autoresearch.cli.main import main


def hand_to(*words: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Run ``autoresearch WORDS ARGUMENTS`` and leave with its exit code; default: this process's arguments."""
    sys.argv[1:] = [*words, *(sys.argv[1:] if arguments is None else arguments)]
    main()
    raise AssertionError("the command line ends the process")
