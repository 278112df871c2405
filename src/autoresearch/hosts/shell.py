"""The one place where a shell string is made of an argv list (formal-case.md 6.1)."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

DETACH = 'log=$1; shift; ( setsid "$@" </dev/null >>"$log" 2>&1 & )'
"""Starts its arguments behind the log in a session of their own and returns at once. The subshell ends, so that the
program is nobody's child but init's."""

READ_MANY = (
    "limit=$1; shift; for f; do"
    ' if [ -f "$f" ]; then printf +; head -c "$limit" -- "$f" 2>/dev/null | base64 | tr -d \'\\n\'; fi; echo; done'
)
"""One line for each file behind the limit: ``+`` and base64 of its first bytes, or nothing where there is none."""


def quoted(argv: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: str | None = None) -> str:
    """One line for a POSIX shell that runs exactly ``argv``, in ``cwd``, with ``env`` added."""
    words = [shlex.quote(word) for word in argv]
    if env:
        words = ["env", *(shlex.quote(f"{name}={value}") for name, value in env.items()), *words]
    line = "exec " + " ".join(words)
    return f"cd {shlex.quote(cwd)} && {line}" if cwd is not None else line


def detached(argv: Sequence[str], log: str) -> list[str]:
    """The short command that starts ``argv`` detached."""
    return ["sh", "-c", DETACH, "sh", log, *argv]
