# turnwright: the words that people and CI use. `make demo` and `make test` need only Python >= 3.11 and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: setup demo test check lint types format golden rules clean

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

setup: $(STAMP)

demo: $(STAMP)
	$(BIN)/turnwright demo

test: $(STAMP)
	$(BIN)/python -m pytest

check: lint types test

lint: $(STAMP)
	$(BIN)/ruff check src tests bench tools
	$(BIN)/ruff format --check src tests bench tools

types: $(STAMP)
	$(BIN)/mypy
	$(BIN)/mypy tools/rules_to_js

format: $(STAMP)
	$(BIN)/ruff format src tests bench tools
	$(BIN)/ruff check --fix src tests bench tools

golden: $(STAMP)
	PYTHONPATH=src:tests $(BIN)/python -m golden.make

rules: $(STAMP)
	PYTHONPATH=tools $(BIN)/python -m rules_to_js --write

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
