"""The commands that the server runbook prints, read out of its text or of the copy beside this file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = HERE / "printed_commands.sh"
RUNBOOK = ROOT.parent / "shared" / "seeds" / "000_27db7ce2cdc3a872.txt"

HEADING = re.compile(r"^(?:# )?(\d(?:\.\d)?)\.? [A-Za-z]")
START = re.compile(r'^("\$PYTHON_BIN"|export |cp |cat >|mkdir |cd |[A-Z0-9_]+=)')
HERE_DOCUMENT = re.compile(r"<<'?([A-Z]+)'?$")
SETTING = re.compile(r"^(export |cd |[A-Z0-9_]+=)")
HOST_CHECK = re.compile(r'^"\$PYTHON_BIN" -c')
"""Section 0 prints these as checks of the training host; they are no part of the data line."""


@dataclass(frozen=True)
class Printed:
    """One command of the runbook."""

    section: str
    text: str

    @property
    def sets_something(self) -> bool:
        """True for what must hold for all later commands: an export, an assignment, a change of folder."""
        return SETTING.match(self.text) is not None

    @property
    def name(self) -> str:
        """A short name: section and module, or the first word."""
        module = re.search(r"-m (script\.\S+)", self.text)
        flag = re.search(r"--(?:mode|family) (\S+)", self.text)
        words = [module[1] if module else self.text.split()[0].strip('"$'), *([flag[1]] if flag else [])]
        return " ".join([self.section, *words])


def printed_commands(text: str) -> list[Printed]:
    """The commands of sections 0 to 5 in order, with continued lines and here-documents, without the host checks."""
    found: list[Printed] = []
    section = ""
    lines = iter(text.splitlines())
    for line in lines:
        if heading := HEADING.match(line):
            section = heading[1]
        if not START.match(line):
            continue
        block = [line]
        while block[-1].endswith("\\"):
            block.append(next(lines))
        if document := HERE_DOCUMENT.search(block[-1]):
            while block[-1] != document[1]:
                block.append(next(lines))
        if not HOST_CHECK.match(block[0]):
            found.append(Printed(section, "\n".join(block)))
    return found


def kept_commands() -> list[Printed]:
    """The commands of the copy that the tests carry, so that they need no runbook beside the checkout."""
    return printed_commands(KEPT.read_text(encoding="utf-8"))


def filled_in(command: Printed, places: dict[str, Path]) -> str:
    """The command with the runbook's placeholders replaced by paths; nothing else is changed."""
    text = command.text
    for name, path in places.items():
        text = text.replace(f"<{name}>", str(path))
    assert command.section == "3.3" or not re.search(r"<[A-Z_]+>", text), text
    return text
