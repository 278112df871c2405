#!/usr/bin/env bash
# Uploads the W&B runs of this bundle again: whole ones as they are, cut ones as a new run <id>-replay. One status line a run.
# WANDB_BASE_URL (default: the local server) and WANDB_PROJECT (default: verl) say where to. With --files nothing is uploaded:
# runs are copied, replays written, and the steps of each counted. WANDB_SYNC_SECONDS (default 300) bounds each upload. Never
# writes into the bundle.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
bundle="$(dirname "$here")"
work="${RESTORE_DIR:-$(mktemp -d)}/wandb"
python="${PYTHON:-python3}"
export WANDB_BASE_URL="${WANDB_BASE_URL:-http://127.0.0.1:8080}" WANDB_PROJECT="${WANDB_PROJECT:-verl}"
export PYTHONDONTWRITEBYTECODE=1 WANDB_SILENT=true WANDB_ERROR_REPORTING=false
upload=yes
case "${1:-}" in
  "") ;;
  --files) upload=no ;;
  *) echo "rebuild-wandb: unknown argument $1; there is --files" >&2; exit 2 ;;
esac
command -v "$python" >/dev/null || { echo "$python is missing: install python3, or set PYTHON" >&2; exit 2; }
"$python" -c 'import wandb.proto.wandb_internal_pb2' 2>/dev/null || { echo "the wandb SDK is missing: $python -m pip install wandb" >&2; exit 2; }
command -v timeout >/dev/null || { echo "timeout is missing: install coreutils" >&2; exit 2; }
mkdir -p "$work/runs" "$work/replays"
all=0 good=0 down=""
if [ "$upload" = yes ]; then
  down="$("$python" "$here/replay_log_history.py" answers "$WANDB_BASE_URL")" || true
fi
send() {
  [ "$upload" = yes ] || return 0
  if [ -n "$down" ]; then echo "no server: $down" >"$1.sync.log"; return 1; fi
  WANDB_DIR="$work" timeout -k 10 "${WANDB_SYNC_SECONDS:-300}" "$python" -m wandb sync --project "$WANDB_PROJECT" "$1" </dev/null >"$1.sync.log" 2>&1 && compgen -G "$1/*.wandb.synced" >/dev/null
}
while IFS=$'\t' read -r path id whole row log; do
  all=$((all + 1))
  copy="$work/runs/$(basename "$path")"
  rm -rf "$copy"
  cp -r "$bundle/$path" "$copy"
  chmod -R u+w "$copy"
  if [ "$whole" = whole ]; then
    steps="$("$python" "$here/replay_log_history.py" count "$copy")" || { echo "rebuild-wandb: $id FAILED: $steps"; continue; }
    if send "$copy"; then good=$((good + 1)); echo "rebuild-wandb: $id ok: $steps"; else echo "rebuild-wandb: $id FAILED: $(tail -n 1 "$copy.sync.log")"; fi
    continue
  fi
  send "$copy" || echo "rebuild-wandb: $id was cut; what is left of it was not uploaded"
  if ! replayed="$("$python" "$here/replay_log_history.py" replay --id "$id" --metrics "$bundle/$row/metrics.jsonl" \
      --log "$bundle/$log/trainer.log" --project "$WANDB_PROJECT" --out "$work/replays" 2>"$work/$id.replay.log")"; then
    echo "rebuild-wandb: $id-replay FAILED: $(tail -n 1 "$work/$id.replay.log")"
    continue
  fi
  replayed="$(tail -n 1 <<<"$replayed")"
  steps="$("$python" "$here/replay_log_history.py" count "$replayed")"
  if send "$replayed"; then good=$((good + 1)); echo "rebuild-wandb: $id-replay ok: $steps"; else echo "rebuild-wandb: $id-replay FAILED: $(tail -n 1 "$replayed.sync.log")"; fi
done < <("$python" "$here/replay_log_history.py" list)
echo "rebuild-wandb: $good of $all runs, in $work"
[ "$good" -eq "$all" ]
