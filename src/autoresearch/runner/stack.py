"""Role ``inventory stack``: which packages the row's environment has (formal-case.md 2.4, 8.3).

Run it with the row's own interpreter, inside the container where there is one. Nothing heavy is imported: versions come
from the installed metadata. Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from autoresearch.files import sha256_text

WATCHED = (
    "verl",
    "vllm",
    "vllm-ascend",
    "torch",
    "torch-npu",
    "transformers",
    "ray",
    "flash-linear-attention",
    "numpy",
    "wandb",
    "mindspeed",
    "autoresearch",
)
CANN = Path("/usr/local/Ascend/ascend-toolkit/latest")


def normal(name: str) -> str:
    """The name of a distribution as an index writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_stack() -> dict[str, Any]:
    """``{python, versions (watched, null where absent), packages (all), packages_sha256, cann}``."""
    packages: dict[str, str] = {}
    for each in metadata.distributions():
        name = each.metadata["Name"]
        if name:
            packages.setdefault(normal(name), each.version)
    listed = "".join(f"{name}=={packages[name]}\n" for name in sorted(packages))
    return {
        "python": sys.version.split()[0],
        "versions": {name: packages.get(name) for name in WATCHED},
        "packages": dict(sorted(packages.items())),
        "packages_sha256": sha256_text(listed),
        "cann": _cann(),
    }


def _cann() -> str | None:
    for path in sorted(CANN.glob("*/ascend_toolkit_install.info")) + sorted(CANN.glob("version.cfg")):
        match = re.search(r"version[^\d]*([\d.]+[\w.]*)", path.read_text(encoding="utf-8", errors="replace"))
        if match:
            return match.group(1)
    return None
