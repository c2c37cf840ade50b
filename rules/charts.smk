"""Needs the tables. Makes every chart, as Vega-Lite (JSON) and SVG."""


rule charts:
    """Heatmaps of every setting and time series of every trial."""
    input:
        tables=rules.cycle_tables.output,
        config=rules.merged_config.output,
        code=code_of("scripts.charts.__main__"),
    output:
        directory(DATA + "/{campaign}/{cycle}/charts"),
    params:
        tables=lambda wildcards, input: str(Path(input.tables[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/charts.log",
    shell:
        "python -m scripts.charts {params.tables:q} --config {input.config:q} -o {output:q} > {log:q} 2>&1"
