"""Whether a file may hold a token shape: a condition that every shape of ``secrets`` needs, asked many times faster
than the shapes themselves.

A file without it is passed over; a file with it is searched the plain way, so that findings are the same. Hyperscan
looks for all conditions at once, remembers across blocks what has begun, and leaves the interpreter to other threads
meanwhile.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import hyperscan

_SPACE = r" \t\n\r\x0b\x0c"
_NAMES = "WANDB_API|HF|HUGGING_FACE_HUB|MODELSCOPE_API|AWS_SECRET_ACCESS"
_NEEDED = (
    r"hf_[A-Za-z0-9]{30}",
    r"gh[pousr]_[A-Za-z0-9]{36}",
    r"github_pat_[A-Za-z0-9_]{40}",
    r"glpat-[A-Za-z0-9_-]{20}",
    r"sk-[A-Za-z0-9_-]{32}",
    r"A(?:KIA|SIA)[0-9A-Z]{16}",
    r"xox[abprs]-[A-Za-z0-9-]{20}",
    r"PRIVATE KEY",
    r"\.eyJ[A-Za-z0-9_-]{10}",
    rf"(?:{_NAMES})_(?:KEY|TOKEN)[\"']?[{_SPACE}]*[=:]",
    rf"://[^{_SPACE}/:@\"'<>]{{1,64}}:[^{_SPACE}/:@\"'<>]{{1,128}}@",
)
_of_thread = threading.local()


class TokenFilter:
    """Takes one file's blocks in order; ``suspect`` as soon as what a shape needs was in them, wherever they were cut.
    A context, of one thread.

    On a processor that Hyperscan does not know every file is suspect.
    """

    def __init__(self) -> None:
        self.suspect = False
        self._database = _database()

    def __enter__(self) -> TokenFilter:
        if self._database is None:
            self.suspect = True
            return self
        if not hasattr(_of_thread, "scratch"):
            import hyperscan

            _of_thread.scratch = hyperscan.Scratch(self._database)
        self._handler = self._see  # the stream does not keep it alive
        self._stream = self._database.stream(match_event_handler=self._handler)
        self._stream.__enter__()
        return self

    def __exit__(self, *_raised: object) -> None:
        if self._database is not None:
            self._stream.close()

    def feed(self, block: bytes) -> None:
        """Look through the next bytes of the file."""
        if not self.suspect:
            self._stream.scan(block, scratch=_of_thread.scratch)

    def _see(self, *_match: object) -> None:
        self.suspect = True


@cache
def _database() -> hyperscan.Database | None:
    import hyperscan

    database = hyperscan.Database(mode=hyperscan.HS_MODE_STREAM)
    expressions = [each.encode() for each in _NEEDED]
    flags = [hyperscan.HS_FLAG_SINGLEMATCH] * len(expressions)
    try:
        database.compile(expressions=expressions, ids=list(range(len(expressions))), flags=flags)
    except hyperscan.ArchitectureError:
        return None
    return database
