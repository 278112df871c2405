"""docs/runbook.md: commands that exist, the same flags as the runbook prints, and blockers with tests that exist."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess

import pytest
from printed import ROOT, kept_commands
from test_entry_points import MODULES

from autoresearch.cli.main import build_app

PAGE = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```bash\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)
COMMANDS = [
    line for block in BLOCKS for line in block.replace("\\\n", " ").splitlines() if line.startswith("autoresearch ")
]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::([\w:]+)`", PAGE)


def test_the_page_has_commands_and_names_tests() -> None:
    assert len(COMMANDS) > 20 and len(NAMED) > 10


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: " ".join(line.split()[1:3]))
def test_a_command_of_the_page_is_one_that_the_command_line_takes(line: str) -> None:
    words = shlex.split(line)[1:]
    command, bound, unused = build_app().parse_args(words, exit_on_error=False, print_error=False)[:3]
    assert command.__module__.startswith("autoresearch.cli.") and not unused
    flags = {word for word in words if word.startswith("--")}
    assert len(bound.arguments) >= len(flags)


def test_sections_one_to_five_are_the_commands_of_the_runbook() -> None:
    """A printed command with its module's name replaced by the command stands on the page, flag for flag."""
    shown = [shlex.split(line)[1:] for line in COMMANDS]
    for command in kept_commands():
        if " script." not in command.name:
            continue
        words = shlex.split(command.text.replace("\\\n", " "))[2:]
        module = words[0].removeprefix("script.")
        if words[1] in ("--mode", "preprocess"):
            taken = 2 if words[1] == "preprocess" else 3
            key, rest = " ".join([module, *words[1:taken]]), words[taken:]
        else:
            key, rest = module, words[1:]
        assert [*MODULES[key].split(), *rest] in shown, command.name


def test_the_page_maps_every_module() -> None:
    for module in {key.split()[0] for key in MODULES}:
        assert f"`script.{module}" in PAGE


def test_its_shell_blocks_are_valid_shell() -> None:
    bash = shutil.which("bash")
    assert bash
    for block in BLOCKS:
        done = subprocess.run([bash, "-n"], input=block, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_the_page_names_exists(path: str, name: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    *classes, function = name.split("::")
    for item in classes:
        assert re.search(rf"^class {item}\b", text, flags=re.MULTILINE)
    assert re.search(rf"^ *def {function}\(", text, flags=re.MULTILINE)


def test_the_four_blockers_each_have_a_paragraph_that_names_its_tests() -> None:
    paragraphs = PAGE.split("## The runbook's blockers")[1].strip().split("\n\n")
    assert len(paragraphs) == 4
    for paragraph in paragraphs:
        assert paragraph.startswith("**") and "`tests/" in paragraph
