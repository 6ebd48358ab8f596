# `make play` plays, `make test` checks everything. Both need Python 3.11 or newer, and the network the first time.
.DEFAULT_GOAL := help
.PHONY: help play test checks js covered tests quick quick-tests faults fuzz audit bench load soak siege lighthouse screenshots browsers mutants messages floors newest pythons lock release docs clean
export PYTHON
# Where it is set, each of the hundreds of processes that tests start would compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
WORKERS ?= 6
# More than a small machine has cores, because many tests wait. A file's tests share its browser and servers.
IN_PARALLEL = --numprocesses=$(WORKERS) --dist=loadfile --no-loadscope-reorder
# These run with coverage measured, and not a second time without it. The laws try thousands of games, which it would slow down.
COVERED = $(filter-out %/test_laws.py %/test_leaks.py,$(wildcard tests/rules/test_*.py))
BANDIT = $(BIN)/bandit --quiet --configfile pyproject.toml --recursive src tools bench
QUICK = tests/rules tests/languages tests/tables tests/web tests/test_house.py --ignore=tests/web/browser --ignore=tests/web/server
SLOW = postgres or linearizable or export_import or fuzz or processes

help: ## list these commands
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

play: .venv/ready-to-play ## play in your browser; make play LAN=1 lets phones on the same network join
	@$(BIN)/illusion play $(if $(LAN),--lan) $(ARGS)

test: .venv/ready-to-test ## lint, types, layering, weaknesses, JavaScript, tests, coverage and the documents' examples (four minutes on two cores)
	@$(MAKE) --no-print-directory -j2 tests checks js covered

checks: .venv/ready-to-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@$(BIN)/python tools/messages.py --report
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BANDIT)

js: ## types, style and unit tests of the pages' scripts (needs Node.js 20.19 or newer)
	@sh tools/setup/js

covered: .venv/ready-to-test
	$(BIN)/coverage run -m pytest $(COVERED)
	$(BIN)/coverage report --include='src/illusion/rules/*' --fail-under=100

tests: .venv/ready-to-test
	@sh tools/setup/browser
	@sh tools/setup/in_memory $(BIN)/pytest $(IN_PARALLEL) $(COVERED:%=--ignore=%)

quick: .venv/ready-to-test ## in a minute, what a change most likely breaks: checks, and tests without browser, PostgreSQL and pictures
	@$(MAKE) --no-print-directory -j2 checks quick-tests

quick-tests: .venv/ready-to-test
	@sh tools/setup/in_memory $(BIN)/pytest $(IN_PARALLEL) -k "not ($(SLOW))" $(QUICK)

fuzz: .venv/ready-to-test ## send 50,000 malformed and random requests to a server; make fuzz COUNT=5000 sends fewer
	@$(BIN)/python -m tools.fuzz $(or $(COUNT),50000)

audit: .venv/ready-to-test ## look for weaknesses in our code, and for known ones in its dependencies (needs the network)
	$(BANDIT)
	@$(BIN)/python tools/audit.py $(ARGS)

faults: .venv/ready-to-test ## kill servers and stores a hundred times under load, and check that nothing is lost; all other long sweeps, too (five minutes on two cores)
	ILLUSION_LONG_SWEEPS=1 sh tools/setup/in_memory $(BIN)/pytest $(IN_PARALLEL) tests/faults $$(grep -rl --include='*.py' 'import sweep' tests | sort)

bench: .venv/ready-to-test ## measure and print the speed of each part
	@$(BIN)/python -m bench

load: .venv/ready-to-test bench/peers/node_modules/ready ## many tables at once, on our server and on others (half an hour); ARGS=evenings or ARGS=closed
	@$(BIN)/python -m bench.load $(ARGS)

soak: .venv/ready-to-test ## half an hour of pages at 200 tables; a server and PostgreSQL are killed; ARGS="--minutes 3 --tables 30"
	@$(BIN)/python -m bench.soak $(ARGS)

siege: .venv/ready-to-test ## one rude guest attacks in every way we know while four people play (twenty minutes); ARGS=--nginx, ARGS=--list
	@$(BIN)/python -m bench.siege $(ARGS)

bench/peers/node_modules/ready: bench/peers/package-lock.json
	@if command -v npm >/dev/null; then cd bench/peers && npm install --silent --ignore-scripts --no-save && touch node_modules/ready; fi

lighthouse: .venv/ready-to-test ## print the pages' Lighthouse scores (needs Node.js); ARGS=--preset=desktop
	@npm install --prefix bench/lighthouse --no-audit --no-fund --silent
	@$(BIN)/python -m tools.lighthouse $(ARGS)

screenshots: .venv/ready-to-test ## take every page in every language, and every state of a game on every screen, into screenshots/
	@$(BIN)/python -m tools.all_pages screenshots
	@$(BIN)/python -m tools.screenshots screenshots/states

browsers: .venv/ready-to-test ## play a whole game in Firefox and in WebKit (needs firefox-esr, webkit2gtk-driver and xvfb)
	@$(BIN)/python -m tools.browsers

mutants: .venv/ready-to-test ## mutation testing of the rules (minutes)
	rm -rf mutants
	$(BIN)/mutmut run
	$(BIN)/mutmut results

messages: .venv/ready-to-test ## collect every marked text into the languages' catalogues
	@$(BIN)/python tools/messages.py

floors: .venv/ready-to-test ## use Illusion with the lowest versions that pyproject.toml allows (needs the network)
	@$(BIN)/python tools/setup/resolutions.py lowest

newest: .venv/ready-to-test ## use Illusion with the newest versions that pyproject.toml allows (needs the network)
	@$(BIN)/python tools/setup/resolutions.py newest

pythons: ## run the tests on each supported Python found on this machine (needs the network); TESTS=tests/rules runs fewer
	@sh tools/setup/pythons $(TESTS)

lock: .venv/ready-to-test ## pin the newest version of every dependency, with hashes
	$(BIN)/python tools/setup/lock.py

release: .venv/ready-to-test ## build a release into dist/ and check it; uploads nothing (needs the network); ARGS=--try before it is ready
	@$(BIN)/python tools/setup/release.py $(ARGS)

docs: .venv/ready-to-test ## the documents as a site, with reference and gallery, in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build
	@echo "illusion: open build/site/index.html"

clean: ## remove everything installed and built
	rm -rf .venv bench/lighthouse/node_modules tests/js/node_modules screenshots mutants build dist .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/ready-to-%: pyproject.toml requirements.lock $(wildcard locks/*.lock) tools/setup/jaxmarl.lock src/illusion/__init__.py tools/setup/venv
	@sh tools/setup/venv $*
