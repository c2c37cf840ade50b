"""Needs the trials. Makes Parquet files of captures and queue logs, and the published subset of each trial."""

from scripts.model.campaign import read_campaign

# Made when the first trial with a live service needs it. It is never published or frozen, and `make clean` keeps it.
PSEUDONYM_KEY = DATA + "/{campaign}/{cycle}/private/pseudonyms.key"


# A changed configuration reruns these rules only if it changes this: the configuration is an old input.
def live_services(wildcards, input):
    """The live services with the patterns of their workload, which decide what is published of host names."""
    if not Path(input.config).exists():
        return []
    services = read_campaign(Path(input.config)).services.values()
    return [f"{service.name} {' '.join(service.workload)}" for service in services if service.live]


rule extract:
    """Packets, queue log, flows, senders, clients and QoE of one trial.

    A trial whose files cannot be read counts as failed, so that the cycle goes on without it.
    """
    input:
        rules.trial.output,
        code_of("scripts.extract.__main__", "scripts.extract.worker"),
        sorted(glob("scripts/extract/native/*")),
        config=ancient(rules.merged_config.output[0]),
    output:
        expand(
            DATA + "/{{campaign}}/{{cycle}}/parquet/{{setting}}/{{pair}}/{{nn}}/{table}.parquet",
            table=["clients", "packets", "queue", "flows", "senders", "qoe"],
        ),
    params:
        trial=rules.trial.params.into,
        key=PSEUDONYM_KEY,
        live=live_services,
        directory=lambda wildcards, output: str(Path(output[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/extract/{setting}/{pair}/{nn}.log",
    priority: 1_500_000  # before the next trial, so that its verdict is known at once
    shell:
        "python -m scripts.extract {params.trial:q} -o {params.directory:q} --salvage "
        "--key {params.key:q} --config {input.config:q} > {log:q} 2>&1"


rule publish:
    """The published subset of a trial, which readers download: no payload, no web addresses, no program output."""
    input:
        rules.trial.output,
        code_of("scripts.extract.published_trial", "scripts.extract.worker"),
        sorted(glob("scripts/extract/native/*")),
        extracted=DATA + "/{campaign}/{cycle}/parquet/{setting}/{pair}/{nn}/clients.parquet",
        config=ancient(rules.merged_config.output[0]),
    output:
        directory(DATA + "/{campaign}/{cycle}/published/{setting}/{pair}/{nn}"),
    params:
        trial=rules.trial.params.into,
        key=PSEUDONYM_KEY,
        live=live_services,
    log:
        DATA + "/{campaign}/{cycle}/logs/publish/{setting}/{pair}/{nn}.log",
    shell:
        "python -m scripts.extract.published_trial {params.trial:q} -o {output:q} --extracted {input.extracted:q} "
        "--key {params.key:q} --config {input.config:q} > {log:q} 2>&1"
