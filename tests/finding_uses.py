"""Which finding codes the sources can raise, and which the tests expect: read from the texts of the modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import autoresearch

SOURCES = Path(autoresearch.__file__).parent
TESTS = Path(__file__).parent
CODE = re.compile(r"[FRATV]\d{3}(?= |$)")
ANYWHERE = re.compile(r"(?<![0-9A-Za-z])[FRATV]\d{3}(?![0-9A-Za-z])")


def literals(tree: ast.AST) -> Iterator[str]:
    """The texts of a module that are values: no docstring, no text that stands alone as a statement."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        yield from literals(node)


def raised_codes() -> set[str]:
    """Codes that stand at the beginning of a text somewhere in the sources."""
    found: set[str] = set()
    for path in SOURCES.rglob("*.py"):
        texts = literals(ast.parse(path.read_text(encoding="utf-8")))
        found.update(match.group() for text in texts if (match := CODE.match(text)))
    return found


def expected_codes() -> set[str]:
    """Codes that stand in a text of a test."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        if path.name != "test_findings_doc.py":
            found.update(
                code
                for text in literals(ast.parse(path.read_text(encoding="utf-8")))
                for code in ANYWHERE.findall(text)
            )
    return found
