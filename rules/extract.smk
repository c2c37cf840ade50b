"""Needs the trials; makes Parquet of captures and queue logs, and what of a trial is published."""


rule extract:
    """Packets, queue log, flows, the clients' facts and what their programs saw, of one trial."""
    input:
        rules.trial.output,
        code_of("scripts.extract.__main__"),
        sorted(glob("scripts/extract/native/*")),
    output:
        expand(
            DATA + "/{{campaign}}/{{cycle}}/parquet/{{setting}}/{{pair}}/{{nn}}/{table}.parquet",
            table=["clients", "packets", "queue", "flows", "senders", "qoe"],
        ),
    params:
        trial=rules.trial.params.into,
        directory=lambda wildcards, output: str(Path(output[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/extract/{setting}/{pair}/{nn}.log",
    priority: 1_500_000  # a trial is judged before the next one begins
    shell:
        "python -m scripts.extract {params.trial:q} -o {params.directory:q} > {log:q} 2>&1"


rule publish:
    """The trial without payload, addresses of pages, process output: what readers download."""
    input:
        rules.trial.output,
        code_of("scripts.extract.published_trial"),
        sorted(glob("scripts/extract/native/*")),
    output:
        directory(DATA + "/{campaign}/{cycle}/published/{setting}/{pair}/{nn}"),
    params:
        trial=rules.trial.params.into,
    log:
        DATA + "/{campaign}/{cycle}/logs/publish/{setting}/{pair}/{nn}.log",
    shell:
        "python -m scripts.extract.published_trial {params.trial:q} -o {output:q} > {log:q} 2>&1"
