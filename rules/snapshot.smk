"""Needs the measured cycle. Makes its snapshot, which `python -m scripts.snapshot reproduce` checks."""


rule snapshot:
    """The published files of the cycle, frozen, with checksums."""
    input:
        plan=ancient(DATA + "/{campaign}/{cycle}/plan/plan.csv"),
        stamps=ancient(of_every_trial(DATA + "/{campaign}/{cycle}/stamps/{setting}/{pair}/{nn}")),
    output:
        directory(DATA + "/snapshots/{campaign}-{cycle}"),
    params:
        cycle=DATA + "/{campaign}/{cycle}",
    log:
        DATA + "/{campaign}/{cycle}/logs/snapshot.log",
    shell:
        "python -m scripts.snapshot freeze {params.cycle:q} -o {output:q} > {log:q} 2>&1"
