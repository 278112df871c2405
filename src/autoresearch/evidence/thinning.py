"""Which points of a long line are drawn: first and last, the smallest and largest value of each bucket, and both sides
of every gap (formal-case.md 15.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POINTS_A_BUCKET = 4


def thin(values: NDArray[np.float64], most: int) -> list[int]:
    """Indexes to draw of a line whose unknown values are NaN: all of them up to ``most``, else those named above.

    The edges of gaps come on top of ``most``.
    """
    import numpy as np

    count = len(values)
    if count <= most:
        return list(range(count))
    unknown = np.isnan(values)
    edges = np.flatnonzero(unknown[1:] != unknown[:-1])
    keep = {0, count - 1, *edges.tolist(), *(edges + 1).tolist()}
    buckets = max(1, most // POINTS_A_BUCKET)
    for bucket in range(buckets):
        low, high = bucket * count // buckets, (bucket + 1) * count // buckets
        if high <= low or unknown[low:high].all():
            continue
        part = values[low:high]
        keep |= {low, high - 1, low + int(np.nanargmin(part)), low + int(np.nanargmax(part))}
    return sorted(keep)


def with_gaps(
    stamps: NDArray[np.int64], values: NDArray[np.float64], limit_ms: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The line with an unknown point in the middle of every interval longer than ``limit_ms``, so that none is drawn
    across."""
    import numpy as np

    after = np.flatnonzero(np.diff(stamps) > limit_ms)
    if not len(after):
        return stamps, values
    middles = (stamps[after] + stamps[after + 1]) // 2
    return np.insert(stamps, after + 1, middles), np.insert(values, after + 1, np.nan)


def summary(values: NDArray[np.float64]) -> dict[str, float | int | None]:
    """``n, min, p50, p95, max`` of all values; quantiles lie linearly between ranks."""
    import numpy as np

    ordered: Any = np.sort(values)
    count = len(ordered)
    if not count:
        return {"n": 0, "min": None, "p50": None, "p95": None, "max": None}

    def quantile(share: float) -> float:
        position = share * (count - 1)
        low = int(position)
        below, above = float(ordered[low]), float(ordered[min(low + 1, count - 1)])
        return below if below == above else below + (above - below) * (position - low)

    return {
        "n": count,
        "min": float(ordered[0]),
        "p50": quantile(0.5),
        "p95": quantile(0.95),
        "max": float(ordered[-1]),
    }
