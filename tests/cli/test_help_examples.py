"""Every command's help shows an example, and the example is a command line that is taken (data-line 4.0, design 9)."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Iterator

import pytest
from cyclopts import App

from autoresearch.cli.main import build_app, run


def commands(app: App, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command of ``app``."""
    names = [name for name in app if not name.startswith("-")]
    for name in names:
        yield from commands(app[name], (*words, name))
    if words and not names:
        yield words


ALL = list(commands(build_app()))


def test_there_are_all_commands() -> None:
    assert {("data", "preprocess"), ("sft", "assemble"), ("rl", "mixture"), ("predict",), ("quickstart",)} <= set(ALL)


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_the_example_of_a_command_is_taken_by_the_command_line(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    app = build_app()
    for word in words:
        app = app[word]
    paragraphs = inspect.cleandoc(app.default_command.__doc__ or "").split("\n\n")
    start = f"autoresearch {' '.join(words)}"
    shown = [text[text.index(start) :] for text in paragraphs if re.search(rf"\b{start}\b", text)]
    assert shown, "the docstring has no example"
    for text in shown:
        line = text.replace("\\\n", " ").rstrip("`")
        given = shlex.split(line)[1:]
        command, _, unused = build_app().parse_args(given, exit_on_error=False, print_error=False)[:3]
        assert command is app.default_command and not unused
    assert run([*words, "--help"]) == 0
    assert start in capsys.readouterr().out.replace(f"Usage: {start}", "", 1)
