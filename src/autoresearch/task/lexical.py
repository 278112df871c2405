"""The one place that imports the lexical search library."""

from __future__ import annotations

import os
from typing import Any


def import_bm25s() -> Any:
    """The module ``bm25s``. Where jax is installed the library tries it when it is imported, and jax then takes most
    of a card's memory for itself in every process: it is kept on the processor. Nothing here computes with it.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import bm25s

    return bm25s
