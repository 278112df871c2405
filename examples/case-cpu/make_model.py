"""A tokenizer from the train rows of a trajectory release, and a random Qwen3.5-shaped model: ``RELEASE OUT``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from autoresearch.releases.release import Release
from autoresearch.task import conversation
from autoresearch.training import tiny


def main(release: Path, out: Path) -> None:
    """Write the model folder."""
    with tempfile.TemporaryDirectory() as scratch:
        # Rendering needs a tokenizer for its template only; which words it knows does not matter.
        template_only = tiny.build_tokenizer(["\n"], Path(scratch))
        texts = [
            conversation.render(template_only, conversation.decode_row(row))
            for row in Release(release).records("train")
        ]
    tiny.build_tokenizer(texts, out)
    tiny.build_model(out, "small", 42)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
