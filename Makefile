# The observatory's commands. `make` alone lists them.
# The shell of a command ends when make does, however make ends. Snakemake and pytest end with their shell.
SHELL := /usr/bin/setpriv
.SHELLFLAGS := --pdeathsig KILL bash -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup stacks gate demo plan cycle site site-sample operate install-timer unit test soak fuzz reproduce serve bench recognise-library lint clean

# Commands start Python some hundred times. It keeps what it compiled.
unexport PYTHONDONTWRITEBYTECODE
export PATH := $(CURDIR)/.venv/bin:$(PATH):/usr/sbin:/sbin

CAMPAIGN ?= demo

# Whatever ends make ends these programs, too, from their first moment on: make itself ends only its shell.
ENDS_WITH_MAKE := setpriv --pdeathsig

# config/profiles/slurm runs trials as jobs of Slurm, on several hosts (docs/operating.md).
PROFILE ?= local
# Options of commands from variables: make cycle CAMPAIGN=demo cycle=2026-12-01 data=elsewhere
given = $(foreach name,$(1),$(if $($(name)),--$(name) "$($(name))"))
flags = $(foreach name,$(1),$(if $($(name)),--$(name)))

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 24

setup: ## install missing packages and build the C++ parts
	@.ci/setup
	$(if $(filter setup,$(MAKECMDGOALS)),@echo "setup is done; make demo measures the first trials")

stacks: setup ## build the transports of services/stacks with their own toolchains, or some: ONLY="quinn quic-go"
	@$(ENDS_WITH_MAKE) KILL -- python -m services.stacks $(ONLY)

gate: setup ## compare a build with another one: CANDIDATE=FOLDER [BASE=FOLDER] [AGAINST="name name"] [SETTINGS=name] [BUDGET=15m] [AT_ONCE=4] [INTO=FOLDER]
	@$(ENDS_WITH_MAKE) TERM -- observatory gate --candidate "$(CANDIDATE)" $(if $(BASE),--base "$(BASE)") \
	    $(if $(AGAINST),--against $(AGAINST)) $(if $(SETTINGS),--settings $(SETTINGS)) \
	    $(if $(BUDGET),--budget "$(BUDGET)") $(if $(AT_ONCE),--at-once "$(AT_ONCE)") $(if $(INTO),--into "$(INTO)")

demo: override CAMPAIGN := demo
demo: cycle ## run the demonstration campaign, publish it and build the site

plan: setup ## estimate the trials, time and disk of a campaign, also on several hosts: CAMPAIGN=name [cycle=name] [bottleneck=bess] [reduce=1] [HOSTS=N] [CORES=N] [STORE=MB_PER_S]
	@observatory plan "$(CAMPAIGN)" $(call given,cycle data bottleneck) $(call flags,reduce) \
	    $(if $(HOSTS),--hosts "$(HOSTS)") $(if $(CORES),--cores "$(CORES)") $(if $(STORE),--store "$(STORE)")

cycle: setup ## run a campaign, publish it and build the site: CAMPAIGN=name [cycle=name] [bottleneck=bess] [reduce=1] [force=1] [PROFILE=slurm]
	@$(ENDS_WITH_MAKE) KILL -- observatory cycle "$(CAMPAIGN)" --profile "$(PROFILE)" \
	    $(call given,cycle data public bottleneck) $(call flags,reduce force)

site: setup ## build the site of all published cycles; measures nothing
	@observatory site --snapshots "$(or $(data),data)/snapshots" -o "$(or $(public),public)"

operate: setup ## do what is next of the cycles that config/operate.yaml schedules, from the first trial to the published pages
	@observatory operate run

install-timer: setup ## let systemd run that every day [cron=1: print a line for cron instead]
	@python -m scripts.operate.timer install $(if $(cron),--cron)

site-sample: setup ## build a made-up site of paper size in build/site-sample, for work on the pages: minutes
	@python -m tests.site.site_sample build/site-sample

unit: setup ## run the tests that start nothing large: three minutes
	@$(ENDS_WITH_MAKE) TERM -- python -m tests.lanes unit

test: setup ## run all tests, in lanes (tests/lanes.py): half an hour
	@$(ENDS_WITH_MAKE) TERM -- python -m tests.lanes all

soak: setup ## run the longest tests, hours; or some: ONLY="kills truth"; or the one of RESTED=10 minutes that rested longest
	@$(ENDS_WITH_MAKE) TERM -- python -m tests.soak $(ONLY) $(if $(RESTED),--rested "$(RESTED)")

fuzz: setup ## run the readers in C++ on ten million random inputs each
	@python -m tests.fuzz

# The SHA-256 of SHA256SUMS of the pinned snapshot, which no key signs.
REFERENCE_SUMS := af21d1570102bf0e99c9975b263f980971fc90781ebb584ef16c2e93cd4c9b04

reproduce: setup ## rebuild a snapshot and compare it byte by byte: [SNAPSHOT=DIR|URL] [ONLY=pairs/8mbps/a~b | TABLE=name | CHART=name] [FROM=captures|parquet|rows] [WORK=DIR] [CAPTURES=DIR|URL] [ALLOW=unsigned]
	@observatory reproduce "$(or $(SNAPSHOT),data/snapshots/reference)" \
	    $(if $(ONLY),--only "$(ONLY)") $(if $(TABLE),--table "$(TABLE)") $(if $(CHART),--chart "$(CHART)") \
	    $(if $(FROM),--from "$(FROM)") $(if $(WORK),--work "$(WORK)") \
	    $(if $(CAPTURES),--captures "$(CAPTURES)") $(if $(ALLOW),--allow "$(ALLOW)") $(if $(SNAPSHOT),,--sums $(REFERENCE_SUMS))

serve: setup ## serve the site at http://localhost:8000
	@observatory serve "$(or $(public),public)" --captures "$(or $(data),data)/snapshots"

bench: setup ## measure speed, each figure beside that of a comparable program
	@python -m tests.bench

recognise-library: setup ## build the labelled traces that services are recognised by, from the cycles of `recognition` and `recognition-stacks`
	@python -m scripts.recognition $(call given,data)

lint: setup ## check style and types
	@ruff check . && mypy

# The site stays: pages of published cycles are built once. Without public/ they are built again from the snapshots
# that are there, with the layout of today.
clean: ## delete all computed files; keep measurements, snapshots, the site and the programs of stacks
	@find build -mindepth 1 -maxdepth 1 -not -name bess -exec rm -rf {} + 2>/dev/null || true
	@rm -rf .snakemake .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find data -mindepth 3 -maxdepth 3 -not -path 'data/snapshots/*' \
	    \( -name parquet -o -name rows -o -name tables -o -name charts -o -name provisional -o -name published -o -name stamps -o -name logs \) \
	    -exec rm -rf {} +
