#!/usr/bin/env bash
# Run the tests in two parts: what may run beside others on two processes, then trainers and what watches time or processes.
#   script/test.sh              both parts
#   script/test.sh ARGUMENTS    pytest with these arguments, in one process
set -uo pipefail
cd "$(dirname "$0")/.."
PY="${VENV:-.venv}/bin/python"
if [ "$#" -gt 0 ]; then exec "$PY" -m pytest "$@"; fi
status=0
"$PY" -m pytest -n "${TEST_PROCESSES:-2}" --dist loadfile -m "not alone" || status=1
"$PY" -m pytest -m alone || status=1
exit "$status"
