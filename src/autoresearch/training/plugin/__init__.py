"""The plug-in that verl loads at `import verl`, in the driver and in every Ray worker (training.md 2.3).

verl comes in as it is installed; platform, process group, engine, rollout and turn boundaries hang on its seams then.
It must never touch another verl than the versions in `seams`, and never fail silently: verl swallows what an entry
point raises, so a failure is printed after `AUTORESEARCH-PLUGIN-FAILED`, kept in `STATE`, and found by `require`.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback

FAILED = "AUTORESEARCH-PLUGIN-FAILED"
STATE = "not loaded"


def _load() -> str:
    """Register everything for the platform of this process; return the new state."""
    if importlib.util.find_spec("verl") is None:
        return "verl is not installed"
    from autoresearch.training.plugin import seams

    found = seams.verl_version()
    if found not in seams.VERL_VERSIONS:
        checked = ", ".join(seams.VERL_VERSIONS)
        print(f"autoresearch: verl {found} is installed, checked is {checked}; the plug-in stays out", file=sys.stderr)
        return f"refused: verl {found} is not among {checked}"
    from autoresearch.training.plugin import turn_boundaries

    turn_boundaries.register()
    if os.environ.get("VERL_PLATFORM", "").strip().lower() == "cpu":
        from autoresearch.training.plugin import cpu_platform, process_group, transformers_rollout

        cpu_platform.register()
        process_group.register()
        transformers_rollout.register()
    return "loaded"


try:
    STATE = _load()
except Exception as error:
    STATE = f"failed: {error!r}"
    print(FAILED, file=sys.stderr)
    traceback.print_exc()
    raise
