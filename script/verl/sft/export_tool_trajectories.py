"""``script.verl.sft.export_tool_trajectories --mode collect|export``: the same as ``autoresearch sft collect`` and
``autoresearch sft assemble``. Without ``--mode`` it exports. A flag that the chosen mode does not use is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from autoresearch.cli.main import REFUSED, refuse
from script.command import hand_to

COMMANDS = {"collect": "collect", "export": "assemble"}


def take_mode(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The value of ``--mode`` and the other arguments. Raises ``ValueError`` for any other value, none, or two."""
    modes: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        name, sign, value = word.partition("=")
        if name == "--mode":
            modes.append(value if sign else next(words, ""))
        else:
            rest.append(word)
    mode = modes[0] if modes else "export"
    if len(modes) > 1 or mode not in COMMANDS:
        raise ValueError(f"--mode {' '.join(modes)!r}: give it once, as {' or '.join(COMMANDS)}")
    return mode, rest


if __name__ == "__main__":
    try:
        chosen, others = take_mode(sys.argv[1:])
    except ValueError as error:
        sys.exit(refuse("sft assemble", "usage", str(error), REFUSED))
    if "--help" in others:
        print(f"--mode {' | '.join(COMMANDS)} (default export); these are the flags of --mode {chosen}:\n")
    hand_to("sft", COMMANDS[chosen], arguments=others)
