#!/usr/bin/env bash
# Renders the page again from this bundle and compares its numbers with the sealed ones, byte for byte. Never writes into the bundle.
set -euo pipefail
bundle="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
work="${RESTORE_DIR:-$(mktemp -d)}"
program="${AUTORESEARCH:-autoresearch}"
command -v "$program" >/dev/null || { echo "$program is missing: pip install 'autoresearch[report]'" >&2; exit 2; }
command -v cmp >/dev/null || { echo "cmp is missing: install diffutils" >&2; exit 2; }
mkdir -p "$work"
echo "render-report: rendering into $work"
"$program" report render --bundle "$bundle" --out "$work/report.html" >/dev/null
if ! cmp "$work/report-data.json" "$bundle/0-report/report-data.json"; then
  echo "render-report: the numbers differ" >&2
  exit 1
fi
echo "render-report: all numbers are equal"
