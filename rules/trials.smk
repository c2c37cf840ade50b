"""Needs the plan. Makes the directory of every trial, and an empty file (a stamp) that records that it exists.

In every setting, a round begins with a calibration trial.

The stamp is the only output that Snakemake knows, so Snakemake never deletes or repeats a measurement: the
testbed does nothing if the trial exists.
"""


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


def calibration_of(wildcards):
    """The stamp of the calibration with which the trial's round begins.

    None for a frozen cycle, and for a trial that was measured without a calibration. It must not be marked
    `ancient`: if only jobs upstream of an ancient file have to run, Snakemake ends before the next checkpoint.
    """
    cycle = Path(DATA, wildcards.campaign, wildcards.cycle)
    trial = TrialKey(wildcards.setting, wildcards.pair, int(wildcards.nn))
    for file in [] if FROZEN else sorted(cycle.glob("plan/round-*.csv")):
        if trial in order_of_trials(file, file.stat().st_mtime_ns):
            stamp = cycle / "stamps" / wildcards.setting / CALIBRATION / file.stem
            measured = (cycle / "trials" / trial.path).is_dir()
            return [str(stamp)] if stamp.exists() or not measured else []
    return []


rule calibration:
    """The trial with which the testbed measures itself before a round; without a passed one the cycle stops.

    A passed calibration of this round is reused. A failed one is kept, and another one is measured. The
    configuration is not an input: it exists since the round was planned, and a change needs no new calibration.
    """
    output:
        touch(DATA + "/{campaign}/{cycle}/stamps/{setting}/" + CALIBRATION + "/round-{round}"),
    params:
        cycle=DATA + "/{campaign}/{cycle}",
        config=DATA + "/{campaign}/{cycle}/plan/config.json",
    log:
        DATA + "/{campaign}/{cycle}/logs/calibration/{setting}/round-{round}.log",
    priority: 2_000_000
    threads: workflow.cores
    resources:
        testbed=1,
    shell:
        "{{ nn=$(python -m scripts.tables.calibration_gate next {wildcards.setting:q} {wildcards.round} --config {params.config:q} "
        "--cycle {wildcards.cycle:q} --directory {params.cycle:q}) && "
        "{TESTBED} run {params.cycle:q}/plan/specs/{wildcards.setting:q}/{CALIBRATION}/$nn.json "
        "--into {params.cycle:q}/trials/{wildcards.setting:q}/{CALIBRATION}/$nn && "
        "python -m scripts.tables.calibration_gate judge {wildcards.setting:q} $nn --config {params.config:q} "
        "--directory {params.cycle:q}; }} > {log:q} 2>&1"


rule trial:
    """One trial on the testbed. It takes all cores, so no other job runs beside it."""
    input:
        spec=ancient(DATA + "/{campaign}/{cycle}/plan/specs/{setting}/{pair}/{nn}.json"),
        calibration=calibration_of,
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
        "{TESTBED} run {input.spec:q} --into {params.into:q} > {log:q} 2>&1"
