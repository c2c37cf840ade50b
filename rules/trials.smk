"""Needs the plan; makes a trial directory for every trial in it, and a stamp that it stands there. Before the
trials of a round, in every setting, a calibration.

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


def calibration_of(wildcards):
    """The stamp of the calibration that the trial's round begins with.

    None for a frozen cycle, and for a trial that was measured when rounds had none. Not to be called ancient:
    Snakemake ends before the next checkpoint if only what is upstream of an ancient file has to run.
    """
    cycle = Path(DATA, wildcards.campaign, wildcards.cycle)
    trial = (wildcards.setting, wildcards.pair, wildcards.nn)
    for file in [] if FROZEN else sorted(cycle.glob("plan/round-*.csv")):
        if trial in order_of_trials(file, file.stat().st_mtime_ns):
            stamp = cycle / "stamps" / wildcards.setting / CALIBRATION / file.stem
            measured = (cycle / "trials" / Path(*trial)).is_dir()
            return [str(stamp)] if stamp.exists() or not measured else []
    return []


rule calibration:
    """The trial by which the testbed measures itself before a round; the cycle goes on only if it passes.

    One that passed is taken again, one that failed is kept and another measured. The configuration is no
    input: it stands there since the round was planned, and its changes calibrate nothing anew.
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
    """One trial on the testbed, alone on the host: it takes every core."""
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
