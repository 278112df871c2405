# make demo    sets everything up and goes the whole way on the shipped example
# make test    sets everything up, checks style and types, runs the tests
.PHONY: demo test lint unit bench bench-B1 bench-B2 bench-B3 bench-B6 bench-B8 bench-B10 bench-scale bench-predict bench-training masks measurements quickstart-seeds environment clean
PY := .venv/bin/python
DIR ?= runs/quickstart
SEED ?= 42
export OMP_NUM_THREADS ?= 2

demo: environment
	@$(PY) -m autoresearch quickstart --dir $(DIR) --seed $(SEED)

test: lint unit

lint: environment
	$(PY) -m ruff check src tests examples bench script
	$(PY) -m ruff format --check src tests examples bench script
	$(PY) -m mypy src script

unit: environment
	$(PY) -m pytest $(PYTEST_ARGS)

quickstart-seeds: environment
	for seed in 42 43 44; do $(PY) -m autoresearch quickstart --dir runs/quickstart-$$seed --seed $$seed || exit 1; done

bench: environment
	$(PY) bench/data_line.py

bench-predict: environment
	$(PY) bench/predict_baseline.py

bench-B1 bench-B2 bench-B6 bench-B10: environment
	$(PY) bench/telemetry.py $(@:bench-%=%)

bench-B3 bench-B8: environment
	$(PY) bench/rows.py $(@:bench-%=%)

bench-scale: environment
	$(PY) bench/data_line.py --only scale

bench-training: environment
	$(PY) bench/training.py

masks: environment
	$(PY) examples/steel/masks.py

measurements: environment
	$(PY) bench/gpu/table.py

environment:
	@bash script/environment.sh

clean:
	rm -rf .venv runs .pytest_cache .mypy_cache .ruff_cache .hypothesis build
