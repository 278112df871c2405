#!/usr/bin/env bash
# Releases, a tiny random model, two verdicts and a smoke plan for examples/case-cpu/config.yaml, below runs/case-cpu.
# Run it from the checkout's root. Minutes on two cores; nothing is downloaded.
set -euo pipefail

example=examples/steel/small
out=runs/case-cpu
[ -d "$example" ] || { echo "run this from the root of a checkout: $example is not here" >&2; exit 2; }
[ ! -e "$out" ] || { echo "$out exists; move it away, or go on with the plan that is in it" >&2; exit 2; }
mkdir -p "$out"

autoresearch data preprocess --input "$example/raw/steel.xlsx" --mapping "$example/assets/mappings/steel.mapping.json" \
  --output "$out/processed/steel/all.json" --dataset steel --grading-config "$example/standards/steel.grading.json"
autoresearch data build --processed-dir "$out/processed" --canonical-dir "$out/canonical" \
  --config-file "$example/config/datasets.json" --registry-dir "$example/assets/registries" \
  --corpus-dir "$example/assets/corpora" --dataset steel
autoresearch data split --canonical-dir "$out/canonical" --dataset steel --split-type group

inputs=(--canonical "$out/canonical/steel/all.json" --registry "$example/assets/registries/steel.registry.json"
  --corpus "$example/assets/corpora/steel.corpus.json" --task-config "$example/config/steel.task.json"
  --grading-config "$example/standards/steel.grading.json" --dataset steel --no-enable-thinking)
autoresearch sft assemble "${inputs[@]}" --output-dir "$out/releases/trajectory"
autoresearch rl export "${inputs[@]}" --output-dir "$out/releases/pairs"
cp "$example/standards/steel.grading.json" "$out/grading.json"
printf '{"datasets": {"steel": {"path": "grading.json", "sha256": "%s"}}}\n' \
  "$(sha256sum "$out/grading.json" | cut -d' ' -f1)" > "$out/grading-manifest.json"
autoresearch rl mixture --family rl-cascade --input "steel=$out/releases/pairs" \
  --grading-manifest "$out/grading-manifest.json" --output-dir "$out/releases/cascade"

python examples/case-cpu/make_model.py "$out/releases/trajectory" "$out/model"
autoresearch sft budget --release "$out/releases/cascade" --model "$out/model" --rollout-prompt 1024 \
  --verdict "$out/verdicts/budget-rl.json"
autoresearch gate host --for rl --device cpu --engine transformers --model "$out/model" --out "$out/verdicts/host-rl.json"
autoresearch train rl --algorithm grpo --release "$out/releases/cascade" --model "$out/model" --run "$out/plan" \
  --device cpu --n 2 --prompts 2 --steps 3 --max-prompt 1024 --max-response 256 --entropy-coef 0.001 \
  --kl-coef 0.0 --no-val-before --eval-every 0 --purpose smoke --verdicts "$out/verdicts" --dry-run
