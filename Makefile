# Each target sets up what it needs in .venv; a fresh machine needs Python ≥ 3.11 with pip, and make.
PYTHON ?= python3
VENV ?= .venv
# Versions with which the tests passed. `make newest` installs the newest ones instead.
CONSTRAINTS ?= constraints.txt
INSTALL = $(BIN)/python -m pip install --quiet $(addprefix --constraint ,$(CONSTRAINTS))
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Hundreds of tests start a Python, and each would compile all sources where none may keep them.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: validate test test-long test-hosts processors nox lowest lint bench peers campaign mutants masters docs
.PHONY: book wheel wheel-trial distributions newest constraints clean

validate: $(STAMP)
	$(BIN)/wearfmu validate --out build

test: lint
	$(BIN)/python -m pytest --numprocesses auto

# The tests that need Python alone and take longer: random problems by the hundred, whole lives.
test-long: $(STAMP)
	$(BIN)/python -m pytest --numprocesses auto -m "long and not hosts and not campaign"

# Other masters, the native FMU, a Dask cluster, the report in a browser: needs gcc and chromium on
# the machine.
test-hosts: $(STAMP)
	$(INSTALL) --editable '.[test-hosts]'
	$(BIN)/python -m pytest --numprocesses auto -m "hosts and not campaign"

# `make test`'s tests with the mathematical libraries' routines for two older processors, which round
# in other ways; TESTS= names some of them.
processors: $(STAMP)
	$(BIN)/python -m tests.processors $(TESTS)

# The tests that need Python alone on every Python from 3.11 to 3.14 that is here, and with the lowest
# versions that pyproject.toml allows; `make lowest` does the latter alone.
nox: $(STAMP)
	$(INSTALL) --editable '.[dev]'
	$(BIN)/nox

lowest: $(STAMP)
	$(INSTALL) --editable '.[dev]'
	$(BIN)/nox --session lowest

# The tests with the newest versions, in an environment of its own. `make constraints` then keeps them.
newest:
	rm -rf .newest
	$(MAKE) VENV=.newest CONSTRAINTS= test

constraints:
	rm -rf .newest
	$(MAKE) VENV=.newest CONSTRAINTS= .newest/.installed
	.newest/bin/python -m pip install --quiet --editable '.[dev,mutants]'
	.newest/bin/python -m pip freeze --exclude-editable > constraints.txt

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python docs/plain_english.py

bench: $(STAMP)
	$(BIN)/python -m pytest tests/benchmarks --benchmark-only --benchmark-json=build/benchmarks.json

# Other programs on the same problems, each with pinned versions in an environment below build/peers:
# two minutes of a processor once these are installed. It writes docs/peers.json, a part of
# docs/benchmarks.md and its pictures. gcc, python3-siconos, libblas3 and liblapack3 are packages of
# Debian. What is missing is listed in the page.
peers: $(STAMP)
	$(INSTALL) --editable '.[docs,native]'
	$(BIN)/python -m tests.peers
	$(BIN)/python docs/make_pictures.py peers_sdnd104 peers_ball peers_tube

# Random runs by the thousand, torture of the FMUs, long sweeps, the libraries of other platforms: half
# an hour. Needs what test-hosts needs, Wine, and qemu with the C library of Linux on ARM.
campaign: $(STAMP)
	$(INSTALL) --editable '.[test-hosts]'
	WEARFMU_CAMPAIGN=1000 $(BIN)/python -m pytest tests/wearmodel/models/frictional_shock
	$(BIN)/python -m pytest -m campaign
	$(BIN)/python -m tests.rates --markdown docs/rates.md
	$(BIN)/python -m tests.rates.slow
	$(BIN)/python -m tests.fits --markdown docs/fits.md
	$(BIN)/python -m tests.rates.lives examples/life_of_a_pad.toml --years 6 --reference
	$(BIN)/python -m tests.rates.lives examples/life_of_a_tube.toml --years 4 --reference
	$(BIN)/python -m tests.rates.sides

# Small changes of the sources, and whether a test fails because of each: a hundred mutants, an hour or
# more on two cores. Needs gcc. MUTANTS= gives further options, for example --count 400.
SEED ?= 4545
mutants: $(STAMP)
	$(INSTALL) --editable '.[mutants]'
	$(BIN)/python -m tests.mutants --seed $(SEED) $(MUTANTS)

# The tables of docs/masters: other masters with the Python FMU, with the native one, and with the
# native ones of FMI 3.0. What cannot be installed on this machine is called so in the tables.
masters: $(STAMP)
	-$(INSTALL) --editable '.[masters,native]'
	$(BIN)/python -m tests.masters --markdown docs/masters/table.md
	$(BIN)/python -m tests.masters --native --markdown docs/masters/native_table.md
	$(BIN)/python -m tests.masters --native --fmi 3 --markdown docs/masters/fmi3_table.md

# The wheel, with the libraries of all models for all platforms: eight minutes of a processor the first time.
# PLATFORMS= names some, as `wearfmu build --platform` does. It lies in build/wheel.
wheel: $(STAMP)
	$(INSTALL) --editable '.[native]'
	$(BIN)/python -m fmu_src $(PLATFORMS)
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .

# The commands of the wheel in an empty environment, with times and sizes. The table is in docs/release.md.
wheel-trial: $(STAMP)
	$(BIN)/python -m tests.wheel_trial build/wheel/*.whl --markdown docs/release.md

# The tests of wearmodel and fmu_src with the installed wheel and source distribution.
distributions: $(STAMP)
	$(INSTALL) --editable '.[dev]'
	$(BIN)/nox --session distributions

docs: $(STAMP)
	$(INSTALL) --editable '.[docs]'
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --fresh-env --write-all --doctree-dir build/doctrees docs build/site
	@echo "The documentation is in build/site/index.html"

# The evidence for the results in one page, with the errors of a run of all cases.
book: $(STAMP)
	$(INSTALL) --editable '.[docs]'
	$(BIN)/wearfmu validate --out build --json build/results.json
	$(BIN)/python docs/book.py build/results.json build/book_source
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --builder singlehtml -c docs --fresh-env --write-all --doctree-dir build/book_doctrees build/book_source build/book
	@echo "The verification book is build/book/index.html"

clean:
	rm -rf $(VENV) .newest .nox
	find build -mindepth 1 ! -path build/README.md -delete

# The stamp is newer than pyproject.toml once everything in it is installed.
$(STAMP): pyproject.toml $(CONSTRAINTS)
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(INSTALL) --editable '.[native,test]'
	touch $@
