# Two commands for everybody: `make demo` and `make test`. Each sets up what it needs, once.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_DOCS := $(VENV)/.ready-docs

.PHONY: demo test check bench soak docs dist format clean help

help:
	@echo "make demo    learn a player from nothing and measure it, in about a minute"
	@echo "make test    run the tests"
	@echo "make check   format, lint, types, import directions"
	@echo "make bench   measure the speed of this machine"
	@echo "make soak    run the long campaigns, about an hour (PART=files for one, SOAK_MINUTES=5 for each)"
	@echo "make docs    build the site, French and English, in build/site"
	@echo "make dist    build the wheel and the source distribution"
	@echo "make clean   remove everything that was generated"

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "apprenti needs Python 3.11 or newer; point to one with: make PYTHON=/path/to/python3.11 ..."; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(READY_DEV): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $@

$(READY_DOCS): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	@touch $@

demo: $(READY)
	@$(BIN)/python -m apprenti.games.tetris.cli.demo

test: $(READY_DEV)
	$(BIN)/python -m pytest -n 3 --dist worksteal

check: $(READY_DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	@$(BIN)/apprenti bench

soak: $(READY_DEV)
	$(BIN)/python -m pytest tests/soak -p no:cacheprovider -n 0 -s -k "$(PART)"

docs: $(READY_DOCS)
	RUN_LESSONS=1 NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo "Open build/site/index.html, or with search: $(PYTHON) -m http.server --directory build/site"

dist: $(READY_DEV)
	rm -rf dist
	$(BIN)/python -m hatchling build

format: $(READY_DEV)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
