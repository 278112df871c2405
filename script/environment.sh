#!/usr/bin/env bash
# Make or reuse the project's own environment in .venv, from the pinned constraints.
#   script/environment.sh            everything: data line, CPU training, report, tests
# Variables: PYTHON (3.11 or 3.12), VENV (.venv), TORCH (torch==2.13.0), PIP_ARGS (further pip arguments, such as an index).
set -euo pipefail
cd "$(dirname "$0")/.."
VENV="${VENV:-.venv}"
TORCH="${TORCH:-torch==2.13.0}"

find_python() {
  local name
  for name in "${PYTHON:-}" python3.11 python3.12 python3; do
    [ -n "$name" ] || continue
    if "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 12))' 2>/dev/null; then
      command -v "$name"
      return 0
    fi
  done
  echo "environment: Python 3.11 or 3.12 is needed; install one, or name it: PYTHON=/path/to/python3.11 make …" >&2
  return 1
}

wanted="$(cat pyproject.toml constraints/cpu.txt script/environment.sh | sha256sum | cut -c1-16)-$TORCH"
if [ -x "$VENV/bin/python" ] && [ "$(cat "$VENV/.installed" 2>/dev/null)" = "$wanted" ]; then
  exit 0
fi

python="$(find_python)"
if [ ! -x "$VENV/bin/python" ]; then
  echo "environment: creating $VENV with $python (about 2.3 GB, a few minutes)" >&2
  if ! "$python" -m venv "$VENV" 2>/dev/null; then
    rm -rf "$VENV"
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
      version="$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
      apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "python$version-venv" "python$version-dev" >/dev/null
      "$python" -m venv "$VENV"
    else
      echo "environment: this Python cannot make environments; on Debian: apt-get install python3-venv" >&2
      exit 2
    fi
  fi
fi
pip() { "$VENV/bin/python" -m pip --disable-pip-version-check -q "$@" ${PIP_ARGS:-}; }
echo "environment: installing the pinned packages" >&2
# torch first and alone: a range in another package's metadata would otherwise choose a CUDA build of several gigabytes.
pip install "setuptools>=77" wheel
pip install "$TORCH"
pip install --no-build-isolation -e '.[train,report,hosts,assets,dev]' -c constraints/cpu.txt
echo "$wanted" > "$VENV/.installed"
echo "environment: ready" >&2
