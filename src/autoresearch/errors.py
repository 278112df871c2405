"""The error model: which boundaries exist, who may raise what, and where an error becomes a message.

Four boundaries are crossed in this program, and an error is named after the one it crossed:

* **the user's input** (a sheet, a config, a flag): ``InputError``, with the findings that say place, value, rule,
remedy;
* **a promise** (a published folder, a gate, a verdict, a hash): ``RefusedError``, we could but must not;
* **the installation**: ``MissingPackageError``, with the line that installs what is missing;
* **the infrastructure** (an engine, a disk, a process): ``InfrastructureError``; within an episode ``EpisodeError``.

What a *model* writes never raises: it is parsed into a result with a reason (``task.answers``). What the
infrastructure does wrong never becomes a score of zero. "It ran and the answer is no" is no error either: commands
return it with exit code 1. ``cli/main.py`` is the only place that turns an error into a message and an exit code.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType

from autoresearch.findings import Finding, FindingCounter


class AutoResearchError(Exception):
    """Base of all errors that this program raises on purpose. ``exit_code`` is what the command line returns."""

    exit_code = 2

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.findings = tuple(findings)


class InputError(AutoResearchError):
    """The user's file, value or flag is wrong; the message says where, what, by which rule, and what to do."""


class RefusedError(AutoResearchError):
    """The program may not do this: a target exists, a gate or a verdict says no, a hash differs."""


class MissingPackageError(AutoResearchError):
    """An optional package is not installed, or too old."""

    def __init__(self, package: str, extra: str, found: str | None = None) -> None:
        have = f"found {found}" if found else "it is not installed"
        super().__init__(f"{package} is needed here and {have}: pip install 'autoresearch[{extra}]'")
        self.package = package
        self.extra = extra


class InfrastructureError(AutoResearchError):
    """A process, disk, engine or service failed. Never a score, never an empty answer."""


class EpisodeError(InfrastructureError):
    """The infrastructure failed inside one episode, which therefore has no score."""


def require(module: str, extra: str) -> ModuleType:
    """Import ``module`` or raise ``MissingPackageError`` naming the ``extra`` that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackageError(module.split(".")[0], extra) from error


def raise_if_errors(counter: FindingCounter, prefix: str) -> None:
    """Raise ``InputError`` with ``counter.message(prefix)`` and the error findings, if there are any."""
    if counter.errors:
        raise InputError(counter.message(prefix), counter.findings("error"))
