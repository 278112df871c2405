#!/usr/bin/env bash
# The SFT launcher: hands its arguments to `autoresearch train sft`, which plans, checks versions, seams and verdicts, and
# runs exactly the plan. Works from any folder. PYTHON_BIN: the interpreter with the training stack (default .venv/bin/python).
#   bash script/verl/sft/run.sh --release DIR --model DIR --verdicts DIR --run DIR
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
export PYTHONPATH="$root/src${PYTHONPATH:+:$PYTHONPATH}"
exec "${PYTHON_BIN:-$root/.venv/bin/python}" -m autoresearch train sft "$@"
