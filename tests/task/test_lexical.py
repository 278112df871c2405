"""The search library must not wake a card: it tries jax when it is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_jax_is_kept_on_the_processor(tmp_path: Path) -> None:
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("import os\nprint('jax on', os.environ.get('JAX_PLATFORMS'))\n")
    (tmp_path / "jax" / "lax.py").write_text("def top_k(values, k):\n    return values[:k], values[:k]\n")
    done = subprocess.run(
        [sys.executable, "-c", "from autoresearch.task.lexical import import_bm25s; import_bm25s()"],
        env={**{k: v for k, v in os.environ.items() if k != "JAX_PLATFORMS"}, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "jax on cpu" in done.stdout, "the library no longer tries jax: this guard can go"


def test_no_other_module_imports_the_library() -> None:
    import autoresearch

    root = Path(autoresearch.__file__).parent
    found = [path.name for path in root.rglob("*.py") if "import bm25s" in path.read_text(encoding="utf-8")]
    assert found == ["lexical.py"]
