# Each target installs its requirements into .venv. A fresh machine needs make, and Python ≥ 3.11 with
# pip.
PYTHON ?= python3
VENV ?= .venv
# Versions with which the tests passed. `make newest` installs the newest ones instead.
CONSTRAINTS ?= constraints.txt
INSTALL = $(BIN)/python -m pip install --quiet $(addprefix --constraint ,$(CONSTRAINTS))
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Hundreds of tests start Python. Without compiled files on disk, each would compile all sources.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: validate test test-long test-hosts processors nox lowest lint bench peers campaign mutants masters docs
.PHONY: book wheel wheel-trial distributions newest constraints clean

validate: $(STAMP)
	$(BIN)/wearfmu validate --out build

test: lint
	$(BIN)/python -m pytest --numprocesses auto

# Longer tests that need only Python: hundreds of random problems, complete service lives.
test-long: $(STAMP)
	$(BIN)/python -m pytest --numprocesses auto -m "long and not hosts and not campaign"

# Tests with other masters, native FMUs, a Dask cluster and the report in a browser. They need gcc and
# chromium.
test-hosts: $(STAMP)
	$(INSTALL) --editable '.[test-hosts]'
	$(BIN)/python -m pytest --numprocesses auto -m "hosts and not campaign"

# The tests of `make test` with the routines of the mathematical libraries for two older processors,
# which round differently. TESTS= selects tests.
processors: $(STAMP)
	$(BIN)/python -m tests.processors $(TESTS)

# The tests that need only Python, on each installed Python from 3.11 to 3.14 and with the lowest
# versions that pyproject.toml allows. `make lowest` runs only the latter.
nox: $(STAMP)
	$(INSTALL) --editable '.[dev]'
	$(BIN)/nox

lowest: $(STAMP)
	$(INSTALL) --editable '.[dev]'
	$(BIN)/nox --session lowest

# The tests with the newest versions, in a separate environment. `make constraints` writes these
# versions to constraints.txt.
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

# Runs other programs on the same problems, with pinned versions in environments below build/peers.
# This takes two minutes of processor time after the installation. It writes docs/peers.json, a part
# of docs/benchmarks.md and its pictures. gcc, python3-siconos, libblas3 and liblapack3 are packages
# of Debian. The page lists missing programs.
peers: $(STAMP)
	$(INSTALL) --editable '.[docs,native]'
	$(BIN)/python -m tests.peers
	$(BIN)/python docs/make_pictures.py peers_sdnd104 peers_ball peers_tube

# Thousands of random runs, random call sequences of the FMUs, long sweeps, and the libraries of other
# platforms. This takes half an hour. It needs the programs of test-hosts, Wine, and qemu with the C
# library of Linux on ARM.
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

# Changes the sources in a hundred places, one at a time, and checks whether a test fails. This takes
# an hour or more on two cores and needs gcc. MUTANTS= gives further options, such as --count 400.
SEED ?= 4545
mutants: $(STAMP)
	$(INSTALL) --editable '.[mutants]'
	$(BIN)/python -m tests.mutants --seed $(SEED) $(MUTANTS)

# The tables of docs/masters: other masters with the Python FMU and with the native FMUs of FMI 2.0
# and 3.0. The tables list masters that cannot be installed on this machine.
masters: $(STAMP)
	-$(INSTALL) --editable '.[masters,native]'
	$(BIN)/python -m tests.masters --markdown docs/masters/table.md
	$(BIN)/python -m tests.masters --native --markdown docs/masters/native_table.md
	$(BIN)/python -m tests.masters --native --fmi 3 --markdown docs/masters/fmi3_table.md

# Builds the wheel in build/wheel, with the libraries of all models for all platforms. The first time
# takes eight minutes of processor time. PLATFORMS= selects platforms, as `wearfmu build --platform`
# does.
wheel: $(STAMP)
	$(INSTALL) --editable '.[native]'
	$(BIN)/python -m fmu_src $(PLATFORMS)
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir build/wheel .

# Runs the commands of the wheel in an empty environment and writes their times and sizes to
# docs/release.md.
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

# Writes the verification book, one page with the errors of a run of all cases.
book: $(STAMP)
	$(INSTALL) --editable '.[docs]'
	$(BIN)/wearfmu validate --out build --json build/results.json
	$(BIN)/python docs/book.py build/results.json build/book_source
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --builder singlehtml -c docs --fresh-env --write-all --doctree-dir build/book_doctrees build/book_source build/book
	@echo "The verification book is build/book/index.html"

clean:
	rm -rf $(VENV) .newest .nox
	find build -mindepth 1 ! -path build/README.md -delete

# The stamp is newer than pyproject.toml if all requirements are installed.
$(STAMP): pyproject.toml $(CONSTRAINTS)
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(INSTALL) --editable '.[native,test]'
	touch $@
