"""Best-effort upload of a run's W&B runs at its end (formal-case.md 11.4). Nothing here decides or fails anything: what
went wrong is told run by run, and the files stay.

Copies are uploaded, because the SDK leaves marks beside what it has sent.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autoresearch.evidence.case_seal import SyncOutcome
from autoresearch.evidence.wandb_runs import NO_SDK, has_sdk

SECONDS = 300.0
"""Longest upload of one run."""
ANSWER_SECONDS = 10.0
KEPT_CHARACTERS = 300


def sync_runs(folders: Sequence[Path], *, url: str, project: str, seconds: float = SECONDS) -> SyncOutcome:
    """Upload offline runs to the server at ``url``, each for at most ``seconds``; never raises for what the server, the
    SDK or a run does. The key is the SDK's own business: ``WANDB_API_KEY`` or its login.
    """
    ids = {folder: folder.name.rpartition("-")[2] for folder in folders}
    problem = None if has_sdk() else NO_SDK
    problem = problem or _silent(url)
    if problem is not None:
        return SyncOutcome(dict.fromkeys(ids.values(), problem))
    outcome: dict[str, str | None] = {}
    pages: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="autoresearch-wandb-", ignore_cleanup_errors=True) as work:
        for folder, wandb_id in ids.items():
            copy = Path(work) / folder.name
            try:
                shutil.copytree(folder, copy)
                outcome[wandb_id], said = _sync(copy, url, project, seconds)
            except OSError as error:  # a full disk, a folder that went away
                outcome[wandb_id] = f"not uploaded: {error}"[:KEPT_CHARACTERS]
                continue
            finally:
                shutil.rmtree(copy, ignore_errors=True)
            page = re.search(rf"({re.escape(url.rstrip('/'))}/\S+/runs/{re.escape(wandb_id)})\b", said)
            if outcome[wandb_id] is None and page is not None:
                pages.append({"local_url": page[1], "wandb_id": wandb_id, "project": project})
    return SyncOutcome(outcome, tuple(pages))


def _silent(url: str) -> str | None:
    """Why nothing speaks HTTP at ``url``; None when something does."""
    try:
        urllib.request.urlopen(url, timeout=ANSWER_SECONDS).close()
    except urllib.error.HTTPError:
        return None
    except (OSError, ValueError) as error:
        return f"no answer from the W&B server: {error}"[:KEPT_CHARACTERS]
    return None


def _sync(folder: Path, url: str, project: str, seconds: float) -> tuple[str | None, str]:
    """(null or why not, what the SDK said) of one upload. Its whole process group is ended at the limit.

    The SDK keeps a log of its own in a folder ``wandb``: in a folder that goes away, not where the user stands.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        return _sync_in(scratch, folder, url, project, seconds)


def _sync_in(scratch: str, folder: Path, url: str, project: str, seconds: float) -> tuple[str | None, str]:
    child = subprocess.Popen(
        [sys.executable, "-m", "wandb", "sync", "--project", project, str(folder.resolve())],
        cwd=scratch,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "WANDB_BASE_URL": url, "WANDB_ERROR_REPORTING": "false", "WANDB_DIR": scratch},
        start_new_session=True,
    )
    try:
        said = child.communicate(timeout=seconds)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        _end_group(child)
        return f"not uploaded within {seconds:g} s", ""
    _end_group(child)
    if child.returncode == 0 and list(folder.glob("*.wandb.synced")):
        return None, said
    lines = [line for line in said.strip().splitlines() if line.strip()]
    return (lines[-1] if lines else f"exit code {child.returncode}")[-KEPT_CHARACTERS:], said


def _end_group(child: subprocess.Popen[bytes]) -> None:
    """End the SDK and its service, which outlives a killed parent."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    if child.stdout is not None:
        child.stdout.close()
