"""Needs all products of the complete cycle. Makes its snapshot, which is published and never changes.

Snakemake deletes the output of a rule before the rule runs. The declared output is therefore an empty file (a
stamp). If the snapshot exists, the rule leaves it as it is, also if code that was changed later made other tables.
"""


rule snapshot:
    """The published files of the cycle, frozen, with checksums."""
    input:
        tables=rules.cycle_tables.output,
        charts=rules.cycle_charts.output,
        trial_charts=rules.trial_charts.output,
    output:
        touch(DATA + "/{campaign}/{cycle}/stamps/snapshot"),
    params:
        cycle=DATA + "/{campaign}/{cycle}",
    log:
        DATA + "/{campaign}/{cycle}/logs/snapshot.log",
    shell:
        "python -m scripts.snapshot freeze {params.cycle:q} --once > {log:q} 2>&1"
