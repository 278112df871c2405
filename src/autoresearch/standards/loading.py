"""Loading one of the standards' files: strict JSON into a frozen model, or one ``InputError`` with the format's finding
code.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from autoresearch.errors import InputError
from autoresearch.files import read_json
from autoresearch.findings import finding

Built = TypeVar("Built")


class Strict(BaseModel):
    """Base of the formats that are ours: frozen, unknown keys refused, texts trimmed."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class CodedProblem(ValueError):
    """A fault that has a finding code of its own, whatever the code of the format is."""

    def __init__(self, code: str, problem: str) -> None:
        super().__init__(problem)
        self.code = code


class Lenient(BaseModel):
    """Base of the formats that may carry further keys, which are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)


def first_problem(error: ValidationError | ValueError) -> str:
    """The first problem of a validation in one line: where it is, then what it is."""
    if isinstance(error, ValidationError):
        item = error.errors()[0]
        place = ".".join(str(part) for part in item["loc"])
        return f"{place}: {item['msg']}" if place else str(item["msg"])
    return str(error)


def refuse(code: str, path: Path, problem: str, remedy: str) -> InputError:
    """The error of a file that cannot be used."""
    item = finding(code, place=path.name, rule=problem, remedy=remedy)
    return InputError(item.message(), [item])


def load(path: Path, code: str, build: Callable[[Any], Built], remedy: str) -> Built:
    """Read ``path`` as strict JSON and ``build`` from it. Any fault becomes ``InputError`` with finding ``code``."""
    path = Path(path)
    try:
        return build(read_json(path))
    except OSError as error:
        raise refuse(
            code, path, f"cannot be read ({error.strerror or error})", "give the path of an existing file"
        ) from error
    except ValidationError as error:
        raise refuse(code, path, first_problem(error), remedy) from error
    except CodedProblem as error:
        raise refuse(error.code, path, str(error), remedy) from error
    except ValueError as error:
        raise refuse(code, path, str(error).removeprefix(f"{path}: "), remedy) from error
