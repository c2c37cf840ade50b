"""Needs the tables and the rows of the trials. Makes every chart, as Vega-Lite (JSON) and SVG."""


def rows_of_cell(wildcards):
    """The rows of every trial of a pair or solo in one setting.

    One job writes all tables of a trial, so one of them stands for all. Snakemake asks for the size of every input of
    every job that could run next, each time a job has ended: more files would cost minutes in a cycle of 1,800 trials.
    """
    rows = DATA + "/{campaign}/{cycle}/rows/{setting}/{pair}/{nn}/trial_series.parquet"
    keys = [line.key for line in lines_of(checkpoints.plan.get(**cycle_of(wildcards)).output[0])]
    cell = (wildcards.setting, wildcards.pair)
    return sorted(filled(rows, wildcards, key) for key in keys if (key.setting, key.pair) == cell)


rule cycle_charts:
    """Heatmaps, dots, and all other charts that need more than one trial."""
    input:
        tables=rules.cycle_tables.output,
        config=rules.merged_config.output,
        code=code_of("scripts.charts.cycle_charts", "scripts.charts.render") + ["scripts/charts/__main__.py"],
    output:
        directory(DATA + "/{campaign}/{cycle}/charts/cycle"),
    params:
        tables=lambda wildcards, input: str(Path(input.tables[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/cycle_charts.log",
    shell:
        "python -m scripts.charts cycle {params.tables:q} --config {input.config:q} -o {output:q} > {log:q} 2>&1"


rule trial_charts:
    """Every trial of a pair or solo in one setting over time. One job a trial would mostly import libraries."""
    input:
        series=rows_of_cell,
        config=rules.merged_config.output,
        code=code_of("scripts.charts.trial_charts", "scripts.charts.render") + ["scripts/charts/__main__.py"],
    output:
        directory(DATA + "/{campaign}/{cycle}/charts/trials/{setting}/{pair}"),
    params:
        trials=lambda wildcards, input: [str(Path(rows).parent) for rows in input.series],
    log:
        DATA + "/{campaign}/{cycle}/logs/trial_charts/{setting}/{pair}.log",
    shell:
        "python -m scripts.charts trials {params.trials:q} --config {input.config:q} -o {output:q} > {log:q} 2>&1"


rule charts:
    """All charts of this cycle."""
    input:
        f"{DATA}/{CAMPAIGN}/{CYCLE}/charts/cycle",
        of_every_trial(DATA + "/{campaign}/{cycle}/charts/trials/{setting}/{pair}"),
