"""Needs the plan. Makes the directory of every trial, and an empty file (a stamp) that records that it exists.

Before its first trial in a round and setting, each host measures itself: a calibration trial. If it fails, the cycle
stops. It is kept, and the next start of the cycle measures another one.

The stamp is the only output that Snakemake knows, so Snakemake never deletes or repeats a measurement: nothing is
done if the trial exists. Each trial is claimed before it is measured (scripts/hosts/).
"""

MEASURE = "submit" if SLURM else "measure"


def earlier_first(wildcards):
    """The priority of a trial: earlier in the plan is higher. Jobs that judge a measured trial are above all trials."""
    rounds = sorted(Path(DATA, wildcards.campaign, wildcards.cycle, "plan").glob("round-*.csv"))
    orders = [order_of_trials(file, file.stat().st_mtime_ns) for file in rounds]
    trial = TrialKey(wildcards.setting, wildcards.pair, int(wildcards.nn))
    return 1_000_000 - next((order[trial] for order in orders if trial in order), 0)


@cache
def order_of_trials(path, changed_ns):
    """The position in the cycle of every trial of a round; the time of change makes a new cache entry."""
    return {line.key: line.order for line in read_plan(path)}


rule trial:
    """One trial on the testbed, measured here or as a job of Slurm.

    Here it takes all cores, so no other job runs beside it, unless the campaign has several trials run at once: each
    takes its part of the cores, or none if there are fewer cores than trials. A job of Slurm is only waited for.
    """
    input:
        ancient(DATA + "/{campaign}/{cycle}/plan/specs/{setting}/{pair}/{nn}.json"),
    output:
        touch(DATA + "/{campaign}/{cycle}/stamps/{setting}/{pair}/{nn}"),
    params:
        into=DATA + "/{campaign}/{cycle}/trials/{setting}/{pair}/{nn}",
    log:
        DATA + "/{campaign}/{cycle}/logs/trials/{setting}/{pair}/{nn}.log",
    priority: earlier_first
    threads: 0 if SLURM else workflow.cores // AT_ONCE
    resources:
        testbed=1 if SLURM else 12 // AT_ONCE,
    shell:
        "python -m scripts.hosts {MEASURE} {params.into:q} --testbed {TESTBED:q} > {log:q} 2>&1"
