"""Needs the trials. Makes Parquet files of captures and queue logs, and the published subset of each trial.

With reduce=True each trial is reduced before the next one begins: its published form takes its place, and its
large Parquet files go, which the same rule can make again from that form.
"""

from scripts.extract.trial_files import LARGE_TABLES
from scripts.model.campaign import read_campaign

# Made when the first trial with a live service needs it. It is never published or frozen, and `make clean` keeps it.
PSEUDONYM_KEY = DATA + "/{campaign}/{cycle}/private/pseudonyms.key"

PARQUET = DATA + "/{campaign}/{cycle}/parquet/{setting}/{pair}/{nn}"
LARGE = expand(PARQUET + "/{table}.parquet", table=LARGE_TABLES, allow_missing=True)
PUBLISHED = DATA + "/{campaign}/{cycle}/published/{setting}/{pair}/{nn}"


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
        config=ancient(MERGED_CONFIG),
    output:
        PARQUET + "/clients.parquet",
        temp(LARGE) if REDUCE else LARGE,
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
        extracted=PARQUET + "/clients.parquet",
        config=ancient(MERGED_CONFIG),
    output:
        directory(PUBLISHED),
    params:
        trial=rules.trial.params.into,
        key=PSEUDONYM_KEY,
        live=live_services,
    log:
        DATA + "/{campaign}/{cycle}/logs/publish/{setting}/{pair}/{nn}.log",
    priority: 1_500_000  # before the next trial, so that raw captures do not pile up
    shell:
        "python -m scripts.extract.published_trial {params.trial:q} -o {output:q} --extracted {input.extracted:q} "
        "--key {params.key:q} --config {input.config:q} > {log:q} 2>&1"


def until_reduced(*patterns):
    """An input function: files of a trial whose later changes do not reduce a reduced trial again."""

    def files(wildcards):
        found = expand(patterns, **wildcards)
        (stamp,) = map(Path, expand(REDUCED, **wildcards))
        reduced = stamp.is_file() and stamp.stat().st_size == 0
        return [ancient(file) for file in found] if reduced else found

    return files


def rows_of(wildcards):
    """The rows of a trial, or of a calibration, which are the last to need its large Parquet files."""
    name = "calibration" if wildcards.pair == CALIBRATION else "trial_services"
    return expand(DATA + "/{campaign}/{cycle}/rows/{setting}/{pair}/{nn}/{name}.parquet", name=name, **wildcards)


rule reduce:
    """The published form in the place of the raw one, if it gives the same tables; otherwise the stamp holds the reason.

    The job removes the large Parquet files itself: while checkpoints are left, Snakemake keeps temporary files.
    """
    input:
        rows_of,
        published=until_reduced(PUBLISHED),
        tables=until_reduced(PARQUET + "/clients.parquet", *LARGE),
    output:
        REDUCED,
    params:
        trial=rules.trial.params.into,
        tables=PARQUET,
    log:
        DATA + "/{campaign}/{cycle}/logs/reduce/{setting}/{pair}/{nn}.log",
    priority: 1_500_000
    shell:
        "python -m scripts.extract.reduced_trial {params.trial:q} --published {input.published:q} "
        "--tables {params.tables:q} -o {output:q} > {log:q} 2>&1"
