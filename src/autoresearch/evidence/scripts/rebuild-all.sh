#!/usr/bin/env bash
# Plays this bundle back, stage by stage: verify, wandb, prometheus, report, environment, as far as the bundle has them. Give stage
# names to run only those. A stage that fails does not stop the later ones. Never writes into the bundle.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
bundle="$(dirname "$here")"
export RESTORE_DIR="${RESTORE_DIR:-$(mktemp -d)}"
declare -A script=(
  [verify]="$here/verify.sh"
  [wandb]="$bundle/1-wandb/rebuild-wandb.sh"
  [prometheus]="$here/replay-prometheus.sh"
  [report]="$here/render-report.sh"
  [environment]="$here/rebuild-environment.sh"
)
there=()
for stage in verify wandb prometheus report environment; do
  [ ! -f "${script[$stage]}" ] || there+=("$stage")
done
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=("${there[@]}")
for stage in "${stages[@]}"; do
  [ -f "${script[$stage]:-/}" ] || { echo "rebuild-all: no stage named $stage; there are ${there[*]}" >&2; exit 2; }
done
failed=0 missing=0
for stage in "${stages[@]}"; do
  words=()
  # Without a server that was named or that listens where the local one does, W&B runs are rebuilt as files.
  if [ "$stage" = wandb ] && [ -z "${WANDB_BASE_URL:-}" ] && ! (exec 3<>/dev/tcp/127.0.0.1/8080) 2>/dev/null; then
    words=(--files)
  fi
  code=0
  bash "${script[$stage]}" ${words[@]+"${words[@]}"} || code=$?
  case "$code" in
    0) echo "rebuild-all: $stage ok" ;;
    2) echo "rebuild-all: $stage needs a tool that is missing" >&2; missing=1 ;;
    *) echo "rebuild-all: $stage FAILED" >&2; failed=1 ;;
  esac
done
echo "rebuild-all: done, in $RESTORE_DIR"
[ "$failed" = 0 ] || exit 1
[ "$missing" = 0 ] || exit 2
