#!/usr/bin/env bash
# Plays this bundle back, stage by stage: verify, report. Give stage names to run only those. Never writes into the bundle.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(verify report)
export RESTORE_DIR="${RESTORE_DIR:-$(mktemp -d)}"
for stage in "${stages[@]}"; do
  case "$stage" in
    verify) bash "$here/verify.sh" ;;
    report) bash "$here/render-report.sh" ;;
    *) echo "rebuild-all: no stage named $stage; there are verify and report" >&2; exit 2 ;;
  esac
done
echo "rebuild-all: done, in $RESTORE_DIR"
