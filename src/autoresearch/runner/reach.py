"""Role ``inventory reach``: which URLs answer from here, directly or through a proxy (formal-case.md 2).

Standard library only, Python 3.8 grammar.
"""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Sequence  # noqa: UP035 - Python 3.8 on hosts

TIMEOUT_SECONDS = 5.0


def reach(url: str, proxy: str | None = None, timeout: float = TIMEOUT_SECONDS) -> dict[str, Any]:
    """``{ok, status, error, elapsed_ms}``; any answer below 500 is an answer. Proxies of the environment are not
    used."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else {}))
    began = time.monotonic()
    status: int | None = None
    error = None
    try:
        with opener.open(urllib.request.Request(url, method="GET"), timeout=timeout) as answer:
            status = answer.status
    except urllib.error.HTTPError as found:
        status = found.code
        error = f"HTTP {found.code}" if found.code >= 500 else None
    except Exception as found:  # whatever stands in the way is the answer
        error = str(getattr(found, "reason", found)) or type(found).__name__
    elapsed = int((time.monotonic() - began) * 1000)
    return {"ok": status is not None and status < 500, "status": status, "error": error, "elapsed_ms": elapsed}


def reach_all(urls: Sequence[str], proxy: str | None = None) -> dict[str, dict[str, Any]]:
    """``reach`` of each URL, at the same time."""
    if not urls:
        return {}
    with ThreadPoolExecutor(max_workers=len(urls)) as pool:
        answers = list(pool.map(lambda url: reach(url, proxy), urls))
    return dict(zip(urls, answers))  # noqa: B905 - Python 3.8
