"""Needs the plan; makes a trial directory for every trial in it, and a stamp that it stands there.

The stamp is all Snakemake knows of a measurement, so it never deletes or repeats one: the testbed returns
at once where the trial exists.
"""


def earlier_first(wildcards):
    """A trial's priority: the order of the plan, and before everything that is not a trial."""
    rounds = sorted(Path(DATA, wildcards.campaign, wildcards.cycle, "plan").glob("round-*.csv"))
    orders = [order_of_trials(file, file.stat().st_mtime_ns) for file in rounds]
    trial = (wildcards.setting, wildcards.pair, wildcards.nn)
    return 1_000_000 - next((order[trial] for order in orders if trial in order), 0)


@cache
def order_of_trials(path, changed_ns):
    """The place in the cycle of every trial of a round's file as it was at that time."""
    return {(line["setting"], line["pair"], line["nn"]): int(line["order"]) for line in read_plan(path)}


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
        "{TESTBED} run {input:q} --into {params.into:q} 2>&1 | tee {log:q}"
