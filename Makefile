# Illusion: `make play` plays, `make test` checks everything. Both need only Python 3.11 or newer, and the network once.
.DEFAULT_GOAL := help
.PHONY: help play test lint types layers tests faults bench mutants lock clean
export PYTHON

BIN := .venv/bin

help: ## show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

play: .venv/ready-to-play ## play in your browser; make play LAN=1 lets phones on the same network join
	@$(BIN)/illusion play $(if $(LAN),--lan) $(ARGS)

test: lint types layers tests ## lint, types, layering, tests, coverage and the documents' examples

lint: .venv/ready-to-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/ready-to-test
	$(BIN)/mypy

layers: .venv/ready-to-test
	$(BIN)/lint-imports

tests: .venv/ready-to-test
	@sh tools/browser
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report --include='src/illusion/rules/*' --fail-under=100

faults: .venv/ready-to-test ## kill servers and stores a hundred times under load, and check that nothing is lost (half an hour)
	ILLUSION_FAULT_ROUNDS=100 $(BIN)/pytest tests/faults tests/tables/test_model.py

bench: .venv/ready-to-test ## print the figures of speed
	@$(BIN)/python -m bench

mutants: .venv/ready-to-test ## change the rules in every small way and see whether the tests notice (minutes)
	rm -rf mutants
	$(BIN)/mutmut run
	$(BIN)/mutmut results

lock: .venv/ready-to-test ## pin every dependency anew, with hashes
	$(BIN)/uv pip compile --quiet --upgrade --universal --generate-hashes --all-extras --python-version 3.11 \
		--no-header pyproject.toml --output-file requirements.lock

clean: ## remove what was installed and built
	rm -rf .venv mutants build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/ready-to-%: pyproject.toml requirements.lock tools/venv
	@sh tools/venv $*
