"""Needs the tables, charts and published trials of the cycle. Makes the static site.

Snakemake deletes the output of a rule before the rule runs. The declared output is therefore an empty file (a
stamp), and the old site stays until the new one replaces it.
"""


def equivalence_if_there(wildcards):
    """The table that compares the bottlenecks, if the campaign was measured over both."""
    both = cycle_of_other_bottleneck(DATA, CAMPAIGN, CYCLE) is not None
    return expand(rules.equivalence.output, campaign=CAMPAIGN, cycle=CYCLE) if both else []


rule site:
    """The site of the campaign's current cycle."""
    input:
        config=f"{DATA}/{CAMPAIGN}/{CYCLE}/plan/config.json",
        cycle=f"{DATA}/{CAMPAIGN}/{CYCLE}/tables/cycle.json",
        tables=expand(
            rules.cycle_tables.output + rules.plan_table.output + rules.calibration_table.output,
            campaign=CAMPAIGN,
            cycle=CYCLE,
        ),
        equivalence=equivalence_if_there,
        charts=f"{DATA}/{CAMPAIGN}/{CYCLE}/charts/cycle",
        trial_charts=f"{DATA}/{CAMPAIGN}/{CYCLE}/charts/trials",
        published=of_every_trial(DATA + "/{campaign}/{cycle}/published/{setting}/{pair}/{nn}"),
        calibrations=of_every_calibration(DATA + "/{campaign}/{cycle}/published/{setting}/{pair}/{nn}"),
        code=[
            code_of("scripts.site.__main__"),
            sorted(glob("scripts/tables/*.sql") + glob("scripts/tables/*.yaml")),
            [file for file in sorted(glob("site/**", recursive=True)) if Path(file).is_file()],
        ],
    output:
        touch(f"{DATA}/{CAMPAIGN}/{CYCLE}/stamps/site"),
    params:
        tables=f"{DATA}/{CAMPAIGN}/{CYCLE}/tables",
        charts=f"{DATA}/{CAMPAIGN}/{CYCLE}/charts",
        published=f"{DATA}/{CAMPAIGN}/{CYCLE}/published",
    log:
        f"{DATA}/{CAMPAIGN}/{CYCLE}/logs/site.log",
    shell:
        "python -m scripts.site --tables {params.tables:q} --charts {params.charts:q} --published {params.published:q} "
        "--config {input.config:q} --provenance {input.cycle:q} -o {PUBLIC:q} > {log:q} 2>&1"
