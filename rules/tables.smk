"""Needs the rows of the trials and the merged configuration. Makes the tables of the cycle."""

from scripts.tables.table_list import MACROS, OPTIONAL, every_table, files_of


rule cycle_tables:
    """Every table of the cycle, when and with what it was measured, and the cycles that it is compared with.

    No table of another cycle is an input: Snakemake would rebuild it, with this run's configuration. No CSV is a declared
    output, because a large table has none (scripts/tables/output.py). Nor is a table that few cycles have.
    """
    input:
        plan=DATA + "/{campaign}/{cycle}/plan/plan.csv",
        set_aside=set_aside,
        config=rules.merged_config.output,
        rows=of_every_trial(ROWS),
        calibrations=of_every_calibration(ROWS),
        library=lambda wildcards: glob("data/library/recognition.parquet"),
        code=stamp_of("cycle_tables", code_of("scripts.tables.cycle") + files_of(every_table()) + [MACROS]),
    output:
        DATA + "/{campaign}/{cycle}/" + NAMES,
        DATA + "/{campaign}/{cycle}/tables/cycle.json",
        tables=[DATA + f"/{{campaign}}/{{cycle}}/tables/{table}.parquet" for table in every_table() if table not in OPTIONAL],
    params:
        cycle=DATA + "/{campaign}/{cycle}",
        compared=lambda wildcards: str(comparison(Path(DATA, *cycle_of(wildcards).values()))),  # another result reruns the rule
    log:
        DATA + "/{campaign}/{cycle}/logs/cycle_tables.log",
    shell:
        "python -m scripts.tables.cycle {params.cycle:q} > {log:q} 2>&1"
