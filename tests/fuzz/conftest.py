"""Fuzzing writes each example to a file; waiting for the disk each time would be most of the time."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def no_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are written without ``fsync``."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
