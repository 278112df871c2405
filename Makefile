# make demo    sets everything up and goes the whole way on the shipped example
# make test    sets everything up, checks style and types, runs the tests
.PHONY: demo test lint unit bench bench-B1 bench-B2 bench-B3 bench-B4 bench-B5 bench-B6 bench-B7 bench-B8 bench-B9 bench-B10 bench-figures bench-page bench-scale bench-predict bench-training masks measurements quickstart-seeds environment clean
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
	@bash script/test.sh $(PYTEST_ARGS)

quickstart-seeds: environment
	for seed in 42 43 44; do $(PY) -m autoresearch quickstart --dir runs/quickstart-$$seed --seed $$seed || exit 1; done

# the data line, then the figures B1 to B10 of formal-case.md 17, long ones shortened: their JSON then says "whole": false
bench: environment
	$(PY) bench/data_line.py
	@$(MAKE) --no-print-directory bench-figures

bench-figures: environment
	@failed=""; \
	for figure in "telemetry.py B1 --seconds 20" "telemetry.py B2 --seconds 20" "rows.py B3 --seconds 15" \
	  "verify.py --mebibytes 512" "report.py" "telemetry.py B6 --cases 4 --hours 0.5" "log_parser.py" "rows.py B8" \
	  "commands.py" "telemetry.py B10 --seconds 60"; \
	do $(PY) bench/$$figure || failed="$$failed, $$figure"; done; \
	[ -z "$$failed" ] || { echo "not reached:$${failed#,}"; exit 1; }

bench-predict: environment
	$(PY) bench/predict_baseline.py

bench-B1 bench-B2 bench-B6 bench-B10: environment
	$(PY) bench/telemetry.py $(@:bench-%=%) --output bench/$(@:bench-%=%).json

bench-B3 bench-B8: environment
	$(PY) bench/rows.py $(@:bench-%=%) --output bench/$(@:bench-%=%).json

bench-B4: environment
	$(PY) bench/verify.py --output bench/B4.json

bench-B5: environment
	$(PY) bench/report.py --output bench/B5.json

bench-B7: environment
	$(PY) bench/log_parser.py --output bench/B7.json

bench-B9: environment
	$(PY) bench/commands.py --output bench/B9.json

bench-page: environment
	$(PY) bench/figures.py

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
