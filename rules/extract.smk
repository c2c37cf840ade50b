"""Needs the trials. Makes Parquet files of captures and queue logs, and the published subset of each trial."""


rule extract:
    """Packets, queue log, flows, senders, clients and QoE of one trial.

    A trial whose files cannot be read counts as failed, so that the cycle goes on without it.
    """
    input:
        rules.trial.output,
        code_of("scripts.extract.__main__", "scripts.extract.worker"),
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
    priority: 1_500_000  # before the next trial, so that its verdict is known at once
    shell:
        "python -m scripts.extract {params.trial:q} -o {params.directory:q} --salvage > {log:q} 2>&1"


rule publish:
    """The published subset of a trial, which readers download: no payload, no page addresses, no program output."""
    input:
        rules.trial.output,
        code_of("scripts.extract.published_trial", "scripts.extract.worker"),
        sorted(glob("scripts/extract/native/*")),
        extracted=DATA + "/{campaign}/{cycle}/parquet/{setting}/{pair}/{nn}/clients.parquet",
    output:
        directory(DATA + "/{campaign}/{cycle}/published/{setting}/{pair}/{nn}"),
    params:
        trial=rules.trial.params.into,
    log:
        DATA + "/{campaign}/{cycle}/logs/publish/{setting}/{pair}/{nn}.log",
    shell:
        "python -m scripts.extract.published_trial {params.trial:q} -o {output:q} --extracted {input.extracted:q} > {log:q} 2>&1"
