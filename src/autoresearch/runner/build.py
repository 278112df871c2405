"""Build ``autoresearch-runner.pyz``: the same bytes from the same sources (formal-case.md 6.2).

The archive holds the runner and the standard-library-only modules that it uses, and ``pynvml.py`` of the installed
nvidia-ml-py with its licence where that is installed. Members are stored uncompressed in the order of their names with
one fixed time, so that neither the clock nor a version of zlib shows.
"""

from __future__ import annotations

import ast
import io
import zipfile
from importlib import metadata
from pathlib import Path

import autoresearch
from autoresearch.files import atomic_write_bytes, sha256_bytes

NAME = "autoresearch-runner.pyz"
PACKAGE = "autoresearch"
NOT_CARRIED = ("build.py",)
FIXED_TIME = (1980, 1, 1, 0, 0, 0)
SHEBANG = b"#!/usr/bin/env python3\n"


def _needs(path: Path) -> tuple[set[str], set[str]]:
    """What a module imports of this package when it runs (dotted names), and the data files it reads by ``pkgutil``
    (relative to the package)."""
    modules: set[str] = set()
    data: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == PACKAGE:
            modules.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "pkgutil.get_data":
            place, name = (str(ast.literal_eval(argument)) for argument in node.args)
            data.add("/".join([*place.split(".")[1:], name]))
        waiting.extend(ast.iter_child_nodes(node))
    return modules, data


def member_paths() -> dict[str, Path]:
    """Name in the archive -> file here: the runner, whatever of this package it imports, and their data files.

    ``pynvml`` is left out. That all of it runs on Python 3.8 without a site is what the tests hold.
    """
    root = Path(autoresearch.__file__).parent
    waiting = [path for path in sorted((root / "runner").glob("*.py")) if path.name not in NOT_CARRIED]
    found = {root / "__init__.py"}
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        modules, data = _needs(path)
        found.update(root / name for name in data)
        for module in modules:
            place = root.joinpath(*module.split(".")[1:])
            waiting.extend(each for each in (place.with_suffix(".py"), place / "__init__.py") if each.is_file())
        waiting.append(path.parent / "__init__.py")
    members = {f"{PACKAGE}/{path.relative_to(root).as_posix()}": path for path in found}
    return {**members, "__main__.py": root / "runner" / "__main__.py"}


def pynvml_members() -> dict[str, bytes]:
    """``pynvml.py`` and its licence of the installed nvidia-ml-py; empty where it is not installed."""
    try:
        distribution = metadata.distribution("nvidia-ml-py")
    except metadata.PackageNotFoundError:
        return {}
    found = {}
    for file in distribution.files or []:
        path = Path(str(distribution.locate_file(file)))
        if str(file) == "pynvml.py":
            found["pynvml.py"] = path.read_bytes()
        elif "licen" in path.name.lower() and "dist-info" in str(file):
            found["pynvml-licence.txt"] = path.read_bytes()
    if "pynvml.py" in found and "pynvml-licence.txt" not in found:
        text = f"nvidia-ml-py {distribution.version}: see the header of pynvml.py\n"
        found["pynvml-licence.txt"] = text.encode()
    return found if "pynvml.py" in found else {}


def archive_bytes(*, with_pynvml: bool = True) -> bytes:
    """The archive's bytes."""
    contents = {name: path.read_bytes() for name, path in member_paths().items()}
    if with_pynvml:
        contents.update(pynvml_members())
    buffer = io.BytesIO()
    buffer.write(SHEBANG)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_STORED) as archive:
        for name in sorted(contents):
            member = zipfile.ZipInfo(name, FIXED_TIME)
            member.external_attr = 0o644 << 16
            member.create_system = 3
            archive.writestr(member, contents[name])
    return buffer.getvalue()


def build_runner(folder: Path) -> tuple[Path, str]:
    """Write the archive into ``folder``; its path and its sha256."""
    content = archive_bytes()
    path = folder / NAME
    atomic_write_bytes(path, content)
    return path, sha256_bytes(content)
