"""Needs the plan; makes a trial directory for every trial in it, and a stamp that it stands there.

The stamp is all Snakemake knows of a measurement, so it never deletes or repeats one: the testbed returns
at once where the trial exists.
"""


def cycle_of(wildcards):
    """The cycle a rule is for: its wildcards, or the one this run is about."""
    return {"campaign": wildcards.get("campaign", CAMPAIGN), "cycle": wildcards.get("cycle", CYCLE)}


def plan_of(wildcards):
    """The lines of the cycle's plan, once it is made."""
    return read_plan(Path(checkpoints.plan.get(**cycle_of(wildcards)).output[0]))


def of_every_trial(pattern):
    """An input function: `pattern` filled in for every trial of the cycle, sorted by name."""

    def files(wildcards):
        return sorted(pattern.format(**cycle_of(wildcards), **line) for line in plan_of(wildcards))

    return files


def earlier_first(wildcards):
    """A trial's priority: the order of the plan, and before everything that is not a trial."""
    order = {(line["setting"], line["pair"], line["nn"]): int(line["order"]) for line in plan_of(wildcards)}
    return 1_000_000 - order[wildcards.setting, wildcards.pair, wildcards.nn]


rule trial:
    """One trial on the testbed, alone on the host: it takes every core."""
    input:
        ancient(DATA + "/{campaign}/{cycle}/plan/specs/{setting}/{pair}/{nn}.json"),
    output:
        touch(DATA + "/{campaign}/{cycle}/stamps/{setting}/{pair}/{nn}"),
    params:
        into=DATA + "/{campaign}/{cycle}/trials/{setting}/{pair}/{nn}",
    log:
        DATA + "/{campaign}/{cycle}/logs/trials/{setting}/{pair}/{nn}.log",
    priority: earlier_first
    threads: workflow.cores
    resources:
        testbed=1,
    shell:
        "python -m testbed run {input:q} --into {params.into:q} 2>&1 | tee {log:q}"
