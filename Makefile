# turnwright: the words that people and CI use. `make demo` and `make test` need only Python >= 3.11 and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: setup demo test check lint types format golden clean

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
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench

types: $(STAMP)
	$(BIN)/mypy

format: $(STAMP)
	$(BIN)/ruff format src tests bench
	$(BIN)/ruff check --fix src tests bench

golden: $(STAMP)
	PYTHONPATH=src:tests $(BIN)/python -m golden.make

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
