"""Which files of a row's folder are brought here, and why the others are not (formal-case.md 9.2)."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

GIB = 1 << 30
NOT_PULLED = {
    "checkpoints": "checkpoints stay on the host",
    "hf_cache": "caches stay on the host",
    "ray_tmp": "Ray's own files stay on the host",
    "*.safetensors": "model files stay on the host",
    "*.pt": "model files stay on the host",
    "*.bin": "model files stay on the host",
    "final_model": "model files stay on the host",
    ".ballast": "reserved space of the runner",
    "*.partial": "an unfinished copy",
}
"""Pattern of a name -> the reason that stands in ``skipped-files.json``."""
MAX_BYTES = 2 * GIB


def reason_to_leave(
    relative: str, size: int, *, exclude: Sequence[str] = (), max_bytes: int | None = None
) -> str | None:
    """Why a file stays on the host, or None when it comes. ``relative`` is its POSIX path below the folder."""
    parts = relative.split("/")
    for pattern in exclude:
        if fnmatchcase(relative, pattern) or any(fnmatchcase(part, pattern) for part in parts):
            return NOT_PULLED.get(pattern, f"left out by {pattern}")
    if max_bytes is not None and size > max_bytes and not relative.endswith(".log"):
        return f"larger than {max_bytes} bytes"
    return None
