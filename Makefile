# Everything a newcomer needs: `make demo` shows ragguard at work, `make test` runs the whole suite.

PYTHON  ?= $(shell command -v python3 || command -v python)
VENV    ?= .venv
BIN     := $(VENV)/bin
WORKERS ?= auto
PIP     := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test unit check format install clean

help: ## List these targets
	@sed -n 's/^\([a-z]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 12

demo: $(BIN)/.installed ## Lint, evaluate, break something, compare, show the comment
	@$(BIN)/ragguard demo --output build/demo

test: $(BIN)/.developing ## Run the whole test suite, end-to-end tests included
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

unit: $(BIN)/.developing ## Run what takes seconds
	@$(BIN)/python -m pytest -n $(WORKERS) -m 'not slow and not e2e'

check: $(BIN)/.developing ## Static checks: ruff, mypy, zizmor, schemas
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/shellcheck .ci/run .github/action/*.sh
	@$(BIN)/zizmor --offline --quiet action.yml .github/workflows
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	@$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --check-metaschema schemas/*.json

format: $(BIN)/.developing ## Format the code
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

install: $(BIN)/.installed ## Make the environment

clean: ## Remove the environment and what was built
	rm -rf $(VENV) build dist .cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ragguard needs Python 3.11 or newer; set PYTHON=... to one")'
	@$(PYTHON) -m venv $(VENV) || $(PYTHON) -m virtualenv $(VENV) \
		|| { echo "no environment could be made: install python3-venv, or pip install virtualenv"; exit 1; }

$(BIN)/.installed: $(BIN)/python pyproject.toml
	@$(PIP) --editable .
	@touch $@

$(BIN)/.developing: $(BIN)/python pyproject.toml
	@$(PIP) --upgrade 'pip>=25.1'
	@$(PIP) --editable . --group dev
	@touch $@ $(BIN)/.installed
