#!/usr/bin/env bash
# Loads this bundle's telemetry into a fresh Prometheus and compares every series' number and maximum with telemetry.parquet.
# With --keep the Prometheus goes on running, to be looked at; its address is printed. Never writes into the bundle.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
bundle="$(dirname "$here")"
work="${RESTORE_DIR:-$(mktemp -d)}/prometheus"
python="${PYTHON:-python3}"
history="$bundle/2-prometheus/telemetry-openmetrics.prom"
keep=no
case "${1:-}" in
  "") ;;
  --keep) keep=yes ;;
  *) echo "replay-prometheus: unknown argument $1; there is --keep" >&2; exit 2 ;;
esac
if [ ! -f "$history" ]; then
  echo "replay-prometheus: no sample was taken; nothing to replay"
  exit 0
fi
for program in promtool prometheus; do
  command -v "$program" >/dev/null || { echo "$program is missing: install prometheus (https://prometheus.io/download)" >&2; exit 2; }
done
export PYTHONDONTWRITEBYTECODE=1
"$python" -c 'import autoresearch.evidence.prometheus_replay, pyarrow' 2>/dev/null \
  || { echo "autoresearch is missing for $python: $python -m pip install autoresearch, or set PYTHON" >&2; exit 2; }
rm -rf "$work"
mkdir -p "$work/data"
promtool tsdb create-blocks-from openmetrics "$history" "$work/data" >"$work/promtool.log" 2>&1 \
  || { echo "replay-prometheus: promtool refuses the exposition: $(tail -n 1 "$work/promtool.log")" >&2; exit 1; }
echo "replay-prometheus: blocks are in $work/data"
printf 'global: {}\n' >"$work/prometheus.yml"
pid=""
stop() { [ -z "$pid" ] || { kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; }; }
trap stop EXIT
for attempt in 1 2 3 4 5; do
  port=$((20000 + RANDOM % 30000))
  ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue
  prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" --storage.tsdb.retention.time=100y \
    --web.listen-address="127.0.0.1:$port" >"$work/prometheus.log" 2>&1 &
  pid=$!
  if "$python" -m autoresearch.evidence.prometheus_replay wait "http://127.0.0.1:$port" "$pid"; then break; fi
  stop
  pid=""
done
[ -n "$pid" ] || { echo "replay-prometheus: Prometheus did not start: $(tail -n 1 "$work/prometheus.log")" >&2; exit 1; }
"$python" -m autoresearch.evidence.prometheus_replay compare "$bundle" "http://127.0.0.1:$port"
if [ "$keep" = yes ]; then
  echo "replay-prometheus: http://127.0.0.1:$port, process $pid"
  trap - EXIT
fi
