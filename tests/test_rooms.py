"""The house: rooms use only rooms before them, and nothing heavy is imported at load (design.md 3)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import autoresearch

ROOMS = [
    "standards",
    "fields",
    "task",
    "releases",
    "training",
    "gates",
    "evaluation",
    "assets",
    "telemetry",
    "hosts",
    "cases",
    "evidence",
    "report",
    "runner",
    "cli",
]
BESIDE = {"errors", "findings", "progress", "verdict", "files"}
ROOT = Path(autoresearch.__file__).parent
HEAVY = {"torch", "ray", "verl", "transformers", "tensordict", "bokeh", "wandb", "sqlglot", "hydra", "omegaconf"}
LOADED_BY_VERL = {"plugin", "engines", "sft_dataset", "task_loop", "task_tools", "sampler"}
"""Modules of training that only verl's own processes load; there the engine is present by definition."""


def modules() -> list[Path]:
    return sorted(path for path in ROOT.rglob("*.py") if "__pycache__" not in path.parts)


def imports(tree: ast.AST, *, at_load: bool = False) -> Iterator[str]:
    """Dotted names that a module imports; with ``at_load`` only those outside functions and TYPE_CHECKING blocks."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif (at_load and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)) or (
            at_load and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        ):
            continue
        else:
            yield from imports(node, at_load=at_load)


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_room_uses_only_the_rooms_before_it(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0].removesuffix(".py")
    for name in imports(ast.parse(path.read_text(encoding="utf-8"))):
        parts = name.split(".")
        if parts[0] != "autoresearch" or len(parts) < 2 or parts[1] in BESIDE | {"__version__", room}:
            continue
        if room in BESIDE:
            pytest.fail(f"{room} stands beside the rooms and uses {name}")
        if room in ROOMS:
            assert ROOMS.index(parts[1]) < ROOMS.index(room), f"{room} uses {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_heavy_is_imported_where_a_module_is_loaded(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    if parts[0] == "training" and parts[1].removesuffix(".py") in LOADED_BY_VERL:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    heavy = {name.split(".")[0] for name in imports(tree, at_load=True)} & HEAVY
    assert not heavy, f"{heavy} belong into the function that needs them"


@pytest.mark.parametrize("room", ROOMS)
def test_each_room_says_what_comes_in_and_goes_out(room: str) -> None:
    if not (ROOT / room).exists():
        pytest.skip(f"{room} has no code yet")
    text = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text(encoding="utf-8")))
    assert text and len(text) > 150


def test_test_files_have_names_of_their_own() -> None:
    """Two of one name cannot be collected together."""
    names = [
        path.name for path in Path(__file__).parent.rglob("*.py") if path.name not in {"conftest.py", "__init__.py"}
    ]
    assert sorted(names) == sorted(set(names))
