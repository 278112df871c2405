"""Build ``autoresearch-runner.pyz``: the same bytes from the same sources (formal-case.md 6.2).

The archive holds the runner and the standard-library-only modules that it uses, and ``pynvml.py`` of the installed
nvidia-ml-py with its licence where that is installed. Members are stored uncompressed in the order of their names with
one fixed time, so that neither the clock nor a version of zlib shows.
"""

from __future__ import annotations

import io
import zipfile
from importlib import metadata
from pathlib import Path

import autoresearch
from autoresearch.files import atomic_write_bytes, sha256_bytes

NAME = "autoresearch-runner.pyz"
CARRIED = (
    "__init__.py",
    "files.py",
    "gates/__init__.py",
    "gates/device_operation.py",
    "telemetry/__init__.py",
    "telemetry/openmetrics.py",
    "telemetry/schedule.py",
    "training/__init__.py",
    "training/steps.py",
)
"""Modules of other rooms, relative to the package; all of ``runner/`` but this file comes with them."""
NOT_CARRIED = ("runner/build.py",)
FIXED_TIME = (1980, 1, 1, 0, 0, 0)
SHEBANG = b"#!/usr/bin/env python3\n"


def member_paths() -> dict[str, Path]:
    """Name in the archive -> file here, ``pynvml`` left out."""
    root = Path(autoresearch.__file__).parent
    runner = [path.relative_to(root).as_posix() for path in (root / "runner").glob("*.py")]
    names = [name for name in (*CARRIED, *runner) if name not in NOT_CARRIED]
    members = {f"autoresearch/{name}": root / name for name in names}
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
