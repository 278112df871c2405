"""The bench of the baseline runs and says what it measured; no time is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[1] / "bench"


def test_each_form_has_a_rate_a_ratio_to_the_read_and_peaks_at_two_sizes(tmp_path: Path) -> None:
    output = tmp_path / "found.json"
    command = [sys.executable, str(BENCH / "predict_baseline.py"), "--rows", "200", "--leaves", "12"]
    done = subprocess.run([*command, "--output", str(output)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(output.read_text(encoding="utf-8"))
    assert json.loads(done.stdout) == found
    for form in ("csv", "workbook", "csv_to_workbook", "labelled"):
        runs = found["predict_baseline"][form]
        assert (runs["small"]["rows"], runs["large"]["rows"]) == (20, 200)
        assert runs["large"]["fields_per_core_second"] > 0
        assert set(runs["large"]["over_plain_read"]) == {"wall", "cpu"}
        assert runs["small"]["peak_mebibytes"] > 0
        assert isinstance(runs["bytes_for_each_further_field"], int)
