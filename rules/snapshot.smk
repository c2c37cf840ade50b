"""Needs all products of the complete cycle. Makes its snapshot, which is published and never changes.

Snakemake deletes the output of a rule before the rule runs. The declared output is therefore an empty file (a
stamp). If the snapshot exists, the rule leaves it as it is, also if code that was changed later made other tables.
"""


rule snapshot:
    """The published files of the cycle, frozen, with checksums."""
    input:
        tables=rules.cycle_tables.output + rules.plan_table.output + rules.calibration_table.output,
        description=rules.describe_cycle.output,
        compared=rules.compared_cycles.output,
        equivalence=equivalence_if_there,
        charts=rules.cycle_charts.output,
        trial_charts=rules.trial_charts.output,
        trials=of_every_trial(ROWS),
        calibrations=of_every_calibration(ROWS),
    output:
        touch(DATA + "/{campaign}/{cycle}/stamps/snapshot"),
    params:
        cycle=DATA + "/{campaign}/{cycle}",
    log:
        DATA + "/{campaign}/{cycle}/logs/snapshot.log",
    shell:
        "python -m scripts.snapshot freeze {params.cycle:q} --once > {log:q} 2>&1"
