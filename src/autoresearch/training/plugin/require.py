"""Imported by verl as `model.external_lib`: raises in a worker in which the plug-in did not load (training.md 2.3)."""

from __future__ import annotations

import os
from importlib.metadata import entry_points

from autoresearch.errors import InfrastructureError
from autoresearch.training import plugin


def check() -> None:
    """Raise InfrastructureError unless verl would load this plug-in, and did."""
    policy = os.environ.get("VERL_USE_EXTERNAL_PLUGINS", "auto").strip().lower()
    allowed = {name.strip() for name in policy.split(",")}
    if policy != "auto" and "autoresearch" not in allowed:
        raise InfrastructureError(
            f"VERL_USE_EXTERNAL_PLUGINS={policy}: verl did not load the plug-in; name autoresearch"
        )
    if "autoresearch" not in {entry.name for entry in entry_points(group="verl.plugins")}:
        raise InfrastructureError(
            "the entry point autoresearch of verl.plugins is not installed in this environment; "
            "install the package again (pip install autoresearch[train])"
        )
    if plugin.STATE != "loaded":
        raise InfrastructureError(f"the verl plug-in is not usable: {plugin.STATE}")


check()
