# turnwright: the words that people and CI use. `make demo` and `make test` need only Python >= 3.11 and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEMO_STAMP := $(VENV)/.installed-demo
LOCK := requirements.lock
PACKAGES := core league learn tank world
PROJECTS := pyproject.toml $(PACKAGES:%=packages/%/pyproject.toml)
EXTENSION := packages/tank/src/turnwright_tank/backends/_rules*.so
TANK := packages/tank/src/turnwright_tank
GENERATED := $(addprefix $(TANK)/backends/c/,rules.h bots.h powers.h)
TRANSLATED := $(wildcard $(addprefix $(TANK)/,*.py rules/*.py bots/*.py bots/house/*.py bots/house/parts/*.py)) \
	$(wildcard tools/generate.py tools/rules_*/*.py tools/bots_to_c/*.py)
C_SOURCES := $(GENERATED) $(filter-out $(GENERATED),$(wildcard $(TANK)/backends/c/*))
PIP := $(BIN)/python -m pip --disable-pip-version-check
REPORTS := build/tests
PLACES ?= $(if $(PACKAGE),packages/$(PACKAGE)/tests)
# Of the quick tests, "impure" are those that another system or environment can alter.
PART ?= quick
WORKERS ?= $(shell expr $$(nproc) + 1)
PARALLEL = -n $(WORKERS) --maxprocesses 8 --dist worksteal
QUIET := -n 4 --dist worksteal
# Tests start hundreds of programs: modules are compiled once, not by each of them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo test test-alone test-portable test-all explore check lint types format lock golden schemas docs texts release clean

help:
	@sed -n 's/^| `\(make [^`]*\)` | \(.*\) |$$/\1\t\2/p' CONTRIBUTING.md | expand -t 31

# What is made from the rules. Its files are written only where they differ.
$(GENERATED): build/.generated
	@:
build/.generated: $(TRANSLATED)
	@mkdir -p build
	@$(PYTHON) tools/generate.py
	@touch $@

$(STAMP): $(PROJECTS) packages/tank/setup.py $(LOCK) $(C_SOURCES)
	$(PYTHON) -m venv $(VENV)
	rm -f $(EXTENSION)
	$(PIP) install --quiet -c $(LOCK) uv
	$(BIN)/python tools/install.py $(BIN)/python -c $(LOCK) '.[dev]' $(PACKAGES:%=-e packages/%)
	@touch $(STAMP) $(DEMO_STAMP)

$(DEMO_STAMP): $(PROJECTS) packages/tank/setup.py $(LOCK) $(C_SOURCES)
	$(PYTHON) -m venv $(VENV)
	rm -f $(EXTENSION)
	$(PIP) install --quiet -c $(LOCK) . $(patsubst %,-e packages/%,$(filter-out learn,$(PACKAGES)))
	@touch $(DEMO_STAMP)

setup: $(STAMP)

demo: $(DEMO_STAMP)
	$(BIN)/turnwright demo

test: $(STAMP)
	$(BIN)/python -m pytest --part quick $(PARALLEL) $(PLACES)

build/alone/%/.installed: $(STAMP) $(PROJECTS) packages/tank/setup.py $(LOCK) $(C_SOURCES)
	$(PYTHON) -m venv --without-pip build/alone/$*
	$(BIN)/python tools/install.py build/alone/$*/bin/python -c $(LOCK) \
		$(patsubst %,-e packages/%,$(sort core $* $(if $(filter learn,$*),tank))) \
		hypothesis mpmath packaging pytest pytest-timeout pytest-xdist websockets
	@touch $@

# The tests of one package in an environment with nothing but what that package needs.
test-alone:
	@[ -n "$(PACKAGE)" ] || { echo "say which: make test-alone PACKAGE=core" >&2; exit 2; }
	@$(MAKE) --no-print-directory build/alone/$(PACKAGE)/.installed
	build/alone/$(PACKAGE)/bin/python -m pytest --part $(PART) $(PARALLEL) packages/$(PACKAGE)/tests

# The quick part once more, with what Windows and macOS lack hidden from turnwright (tests/portable).
test-portable: $(STAMP)
	TURNWRIGHT_PORTABLE=1 PYTHONPATH=$(CURDIR)/tests/portable/site $(BIN)/python -m pytest --part $(PART) $(PARALLEL) $(PLACES)

# First what can share the machine, then what measures: four that sleep most of the time.
# Long tests, pages and peers wait for most of their time, for programs and for clocks: others compute then.
test-all: WORKERS := $(shell expr $$(nproc) + 4)
test-all: $(STAMP)
	@mkdir -p $(REPORTS)
	@$(BIN)/python -m pytest $(PARALLEL) -m 'not quiet' --junitxml=$(REPORTS)/shared.xml; shared=$$?; \
	$(BIN)/python -m pytest $(QUIET) -m quiet --junitxml=$(REPORTS)/alone.xml; alone=$$?; \
	[ $$shared = 0 ] && [ $$alone = 0 ]

explore: $(STAMP)
	$(BIN)/python -m pytest $(PARALLEL) -m 'hypothesis or explore' --hypothesis-profile explore
	$(BIN)/python -m pytest -m 'explore and quiet'

check: lint types test

lint: $(STAMP)
	$(BIN)/ruff check tests bench tools packages conftest.py
	$(BIN)/ruff format --check tests bench tools packages conftest.py

types: $(STAMP)
	$(BIN)/mypy
	MYPYPATH=packages/core/src:packages/tank/src:tools $(BIN)/mypy tools/generate.py tools/rules_source tools/rules_to_js tools/rules_to_c tools/bots_to_c
	$(BIN)/mypy tools/texts
	MYPYPATH=bench $(BIN)/mypy --follow-imports=silent bench/*.py
	MYPYPATH=tools $(BIN)/mypy tools/pictures tools/authors

format: $(STAMP)
	$(BIN)/ruff format tests bench tools packages conftest.py
	$(BIN)/ruff check --fix tests bench tools packages conftest.py

lock: $(STAMP)
	@# Our own packages are in no index: they are left out of what is compiled.
	for file in $(PROJECTS); do mkdir -p build/lock/$$(dirname $$file); \
		grep -v '"turnwright-\?[a-z]*\(\[.*\]\)\?==' $$file > build/lock/$$file; done
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --all-extras --no-annotate \
		--custom-compile-command "make lock" $(addprefix build/lock/,$(PROJECTS)) -o $(LOCK)

golden: $(STAMP)
	PYTHONPATH=. $(BIN)/python -m packages.tank.tests.golden.make

schemas: $(STAMP)
	PYTHONPATH=tools $(BIN)/python -m schemas

docs: $(STAMP)
	PYTHONPATH=tools $(BIN)/python -m pictures
	PYTHONPATH=tools $(BIN)/python -m authors
	rm -rf build/site
	$(BIN)/sphinx-build -q -W --keep-going -d build/site-cache -c tools/docs_site . build/site
	@mkdir -p dist
	cd build && ../$(BIN)/python -m zipfile -c ../dist/turnwright-docs.zip site
	$(BIN)/python tools/docs_site/pack.py build/site packages/core/src/turnwright/docs.tar.xz
	@echo "open build/site/index.html; dist/turnwright-docs.zip and \`turnwright docs\` have the same"

texts: $(STAMP)
	@mkdir -p build
	PYTHONPATH=tools $(BIN)/python -m texts > build/texts.md
	@echo "read build/texts.md"

release: $(STAMP)
	@PYTHONPATH=tools $(BIN)/python -m release

clean:
	rm -rf $(EXTENSION) $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
