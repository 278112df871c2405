#!/usr/bin/env bash
# The product's own plans on one card: six SFT steps with fused kernels, then three RLOO steps with vLLM.
#
#   bash bench/gpu/proof.sh six INPUTS WORK OUT     host verdicts, six SFT steps
#   bash bench/gpu/proof.sh sft INPUTS WORK OUT     a longer SFT run and its merge
#   bash bench/gpu/proof.sh rl  INPUTS WORK OUT     three RLOO steps from that model
#   bash bench/gpu/proof.sh gate INPUTS WORK OUT    the rollout gate on that model, sampled by vLLM
#   bash bench/gpu/proof.sh smoke INPUTS WORK OUT   a smoke run: the card under load, read by NVML, its bundle verified
#
# INPUTS  releases `trajectory` and `cascade`, tokenizer folder `base`, verdicts `conflict`, `budget-sft`, `budget-rl`:
#         all of them lie in the folder of a quickstart (data/releases, model, verdicts)
# WORK    where models and runs go     OUT  what is kept: verdicts, plans, results, logs
#
# The inputs fit a card without network. The random model is image-text, because vLLM takes no other class of Qwen3.5.
set -uo pipefail
part=$1 inputs=$2 work=$3 out=$4
python=${PYTHON:-python3}
mkdir -p "$work" "$out"
export PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1 TILELANG_CACHE_DIR=/tmp/tilelang TRITON_CACHE_DIR=/tmp/triton
export VLLM_USE_FLASHINFER_SAMPLER=0

say() { printf '\n=== %s  %s\n' "$(date -u +%H:%M:%S)" "$*"; }
auto() { say "autoresearch $*"; "$python" -m autoresearch "$@" 2> >(grep -v __AR_PROGRESS__ >&2); local code=$?; say "exit $code"; return $code; }
keep() {                              # keep RUN NAME: the records of a run
  for file in plan.json result.json signal.jsonl; do [ -f "$1/$file" ] && cp "$1/$file" "$out/$2-$file"; done
  for folder in "$1"/attempts/*/; do
    [ -d "$folder" ] && cp "$folder/trainer.log" "$out/$2-trainer.log" && cp "$folder"/metrics.jsonl "$out/$2-metrics.jsonl"
  done
  return 0
}
train() {                             # train NAME ARGUMENTS...: plan, run exactly the plan, keep its records
  local name=$1 kind=$2; shift 2
  auto train "$kind" --run "$work/$name" "$@" --dry-run >"$out/$name-dry-run.json" || { cat "$out/$name-dry-run.json"; return 1; }
  auto train "$kind" --plan "$work/$name/plan.json" >"$out/$name.json"
  local code=$?
  cat "$out/$name.json"; keep "$work/$name" "$name"
  [ $code = 0 ] || tail -60 "$out/$name-trainer.log"
  return $code
}

shared=(--release "$inputs/trajectory" --model "$work/base" --device cuda --verdicts "$work/verdicts" --eval-every 0 --purpose practice)
case $part in
six)
  cp -r "$inputs/verdicts" "$inputs/base" "$work/"
  say "model"
  "$python" -c "
import sys
from pathlib import Path
from autoresearch.training import tiny
tiny.build_model(Path(sys.argv[1]), 'gpu', 42)" "$work/base" || exit 1
  auto gate host --for sft --device cuda --model "$work/base" --out "$work/verdicts/host-sft.json" | head -c 6000 || exit 1
  auto gate host --for rl --device cuda --engine vllm --model "$work/base" --out "$work/verdicts/host-rl.json" | head -c 6000 || exit 1
  cp "$work"/verdicts/host-*.json "$out/"
  train sft6 sft "${shared[@]}" --steps 6 --batch 32 --micro-batch 8 --lr 1e-3
  ;;
sft)
  train sft sft "${shared[@]}" --steps "${SFT_STEPS:-240}" --batch 16 --micro-batch 16 --lr "${SFT_LR:-1e-3}" --warmup 0.1 --answer-weight 8 || exit 1
  auto train merge --run "$work/sft" --out "$work/merged" || exit 1
  ;;
rl)
  train rl rl --algorithm rloo --release "$inputs/cascade" --model "$work/merged" --verdicts "$work/verdicts" \
    --device cuda --engine vllm --n 8 --prompts 16 --micro 8 --steps 3 --max-response 512 --lr 1e-5 --kl-coef 0 \
    --purpose smoke --no-val-before
  code=$?
  head -c 3000000 "$work"/rl/transcripts/*.jsonl >"$out/rl-transcripts.jsonl" 2>/dev/null
  exit $code
  ;;
gate)
  auto gate rollout --model "$work/merged" --release "$inputs/cascade" --sft-release "$inputs/trajectory" \
    --out "$work/verdicts/rollout.json" --prompts 32 --samples 8 --max-response 512 \
    --engine vllm --gpu-memory-utilization 0.5 --enforce-eager
  code=$?
  cp "$work/verdicts/rollout.json" "$out/"
  exit $code
  ;;
smoke)
  printf '%s\n' 'version: 1' 'verl_case:' '  task: field-grpo' '  mode: training' '  plan: plan' "  cache_root: $work/cache" \
    '  row_timeout_seconds: 600' '  training_steps: 3' '  ladder: {batch_sizes: [1]}' \
    '  telemetry: {interval_seconds: 0.5, host: true, push: false}' >"$work/smoke.yaml"
  auto run smoke --config "$work/smoke.yaml" --seconds 30 --run-id smoke-card >"$out/smoke.json"
  code=$?
  cat "$out/smoke.json"
  auto bundle verify "$work/cache/runs/smoke-card" >"$out/smoke-verify.json"
  tar -czf "$out/smoke-bundle.tgz" -C "$work/cache/runs" smoke-card
  exit $code
  ;;
*)
  sed -n '2,9p' "$0" >&2
  exit 2
  ;;
esac
