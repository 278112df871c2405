"""Absolute deadlines for sampling (formal-case.md 10.2): ``t0 + k * interval`` on the monotonic clock. Standard library
only.
"""

from __future__ import annotations


class Deadlines:
    """Deadlines that do not drift: a late round skips to the next one and the skipped ones are counted as missed.

    ``start`` and all times are seconds of a monotonic clock; ``interval`` is in seconds and greater than zero.
    """

    def __init__(self, start: float, interval: float) -> None:
        if not interval > 0:
            raise ValueError(f"a sampling interval is greater than zero seconds, not {interval}")
        self.start = start
        self.interval = interval
        self.missed = 0
        self._index = 0

    def next_after(self, now: float) -> float:
        """The first deadline after ``now`` that was not handed out yet; deadlines passed over are added to
        ``missed``."""
        wanted = self._index + 1
        index = max(wanted, int((now - self.start) // self.interval) + 1)
        self.missed += index - wanted
        self._index = index
        return self.start + index * self.interval
