"""The bench of the page (B5): a shortened run keeps every extreme; no time is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench" / "report.py"


def test_thinned_curves_of_generated_samples_lose_no_extreme(tmp_path: Path) -> None:
    output = tmp_path / "found.json"
    words = ["--cases", "1", "--hours", "0.3", "--repeats", "1", "--output", output]
    done = subprocess.run([sys.executable, str(BENCH), *map(str, words)], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr[-2000:]
    found = json.loads(output.read_text())
    assert (found["figure"], found["whole"]) == ("B5", False)
    (result,) = found["results"]
    assert (result["points_a_metric"], result["curves"]) == (8 * 2160, 27)
    assert result["curves_with_lost_extremes"] == []
