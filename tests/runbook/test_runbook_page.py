"""docs/runbook.md: its blocks run in one shell, its commands have the flags that the runbook prints, its blockers have
tests.

What the runbook prints too was run by ``journey`` and is not run twice; what needs a model or a trainer is not run. Of
both the words, as the shell expands them, are parsed by the command line, and what they read must be there or be
made above.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from journey import DATASET, Journey
from printed import ROOT, kept_commands
from test_entry_points import MODULES

from autoresearch.cli.main import build_app

PAGE = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```bash\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)
COMMANDS = [
    line for block in BLOCKS for line in block.replace("\\\n", " ").splitlines() if line.startswith("autoresearch ")
]
IN_LINE = re.findall(
    r"`autoresearch ([a-z]+(?: [a-z-]+)?)", re.sub(r"^```.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
)
MAKES = ("--out", "--run", "--verdict", "--report", "--output-dir", "--output", "--failed-audit")
SHELL = """set -eu
autoresearch() {
  printf '%s\\0' "$@" > "$WORDS/$(printf '%02d' "$(ls "$WORDS" | wc -l)")"
  case "$1 $2 $3" in
    "data leakage "*|"data audit --canonical") "$PYTHON_BIN" -m autoresearch "$@";;
  esac
}
"""
"""The page's own shell begins like this: every command leaves its words, and those run that the page alone has."""
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


@pytest.fixture(scope="module")
def called(journey: Journey, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The words of each command when all blocks of the page run in one shell, where ``journey`` has been."""
    words = tmp_path_factory.mktemp("words")
    text = "\n".join(BLOCKS).replace("<MODEL_DIR>", "/no/model")
    for name, path in journey.places.items():
        text = text.replace(f"<{name}>", str(path))
    assert not re.search(r"<[A-Z_]+>", text)
    program = ["bash", "-c", f"export WORDS={shlex.quote(str(words))}\n{SHELL}\n{text}"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stderr[-3000:]}{done.stdout[-1000:]}"
    return [path.read_text(encoding="utf-8").split("\0")[:-1] for path in sorted(words.iterdir())]


@pytest.mark.bare
def test_the_blocks_run_in_order_in_one_shell(journey: Journey, called: list[list[str]]) -> None:
    """data-line 12.1, by the page: every variable is set before it is used, and what only the page has exits with 0."""
    assert [words[:2] for words in called] == [shlex.split(line)[1:3] for line in COMMANDS]
    assert (journey.run_folder / "audits" / f"{DATASET}.leakage.json").is_file()
    assert (journey.run_folder / "verdicts" / "conflict.json").is_file()


@pytest.mark.bare
def test_what_a_command_reads_is_there_or_made_by_a_command_above_it(journey: Journey, called: list[list[str]]) -> None:
    run = journey.run_folder
    made: list[str] = []
    for words in called:
        _, _, unused = build_app().parse_args(words, exit_on_error=False, print_error=False)[:3]
        assert not unused
        outputs = [words[at + 1] for at, word in enumerate(words) if word in MAKES]
        for word in words:
            path = word.removeprefix("file:").removeprefix(f"{DATASET}=")
            if not path.startswith(str(run)) or path in outputs or Path(path).exists():
                continue
            assert any(path == folder or path.startswith(f"{folder}/") for folder in made), f"{words[:2]}: {path}"
        made += outputs


@pytest.mark.parametrize("command", sorted(set(IN_LINE)))
def test_a_command_that_the_text_names_exists(command: str) -> None:
    words = command.split()
    assert list(build_app().parse_commands(words)[0]) == words


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
