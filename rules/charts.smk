"""Needs the tables of the cycle. Makes every chart: SVG, and except of single trials PNG, CSV and Vega-Lite."""


rule cycle_charts:
    """Heatmaps, dots, and all other charts that need more than one trial, on all cores."""
    input:
        tables=rules.cycle_tables.output,
        config=rules.merged_config.output,
        code=stamp_of("cycle_charts", code_of("scripts.charts.cycle_files") + ["scripts/charts/__main__.py"]),
    output:
        directory(DATA + "/{campaign}/{cycle}/charts/cycle"),
    params:
        tables=DATA + "/{campaign}/{cycle}/tables",
    threads: workflow.cores
    log:
        DATA + "/{campaign}/{cycle}/logs/cycle_charts.log",
    shell:
        "python -m scripts.charts cycle {params.tables:q} --config {input.config:q} --jobs {threads} -o {output:q} "
        "> {log:q} 2>&1"


rule trial_charts:
    """The typical and the worst trial of every pair and solo over time, on all cores.

    One job: importing the libraries takes longer than drawing the two charts of a pair.
    """
    input:
        tables=rules.cycle_tables.output,
        config=rules.merged_config.output,
        code=stamp_of("trial_charts", code_of("scripts.charts.trial_charts") + ["scripts/charts/__main__.py"]),
    output:
        directory(DATA + "/{campaign}/{cycle}/charts/trials"),
    params:
        tables=DATA + "/{campaign}/{cycle}/tables",
    threads: workflow.cores
    log:
        DATA + "/{campaign}/{cycle}/logs/trial_charts.log",
    shell:
        "python -m scripts.charts trials {params.tables:q} --config {input.config:q} --jobs {threads} -o {output:q} "
        "> {log:q} 2>&1"
