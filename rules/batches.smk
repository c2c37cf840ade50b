"""Over Slurm only: what follows the trials of a round, in batches.

A batch is another Snakemake, which makes the files of its trials by the same rules as on one host. It starts once for
many trials: a job of Slurm for each step of each trial would take longer to start than the step takes. Rounds depend on
the batches before them, so all files of trials are there when the tables of the cycle are made.
"""


def trials_of_batch(wildcards):
    """The trials of a batch, in the order of the plan."""
    lines = lines_of(round_file(wildcards, int(wildcards.round)))
    first = SLURM.batch_trials * (int(wildcards.batch) - 1)
    return [line.key for line in lines[first : first + SLURM.batch_trials]]


def of_batch(*patterns):
    """An input function: these files of every trial of a batch."""

    def files(wildcards):
        return [filled(pattern, wildcards, key) for key in trials_of_batch(wildcards) for pattern in patterns]

    return files


def variables_of_batch():
    """The variables of the other Snakemake: those of this one, without Slurm."""
    given = {name: value for name, value in config.items() if name not in ("slurm", "provisional")}
    return [f"{name}={value}" for name, value in (given | {"cycle": CYCLE, "provisional": False}).items()]


if SLURM:
    BATCH, BATCH_CORES = ("submit-batch", SLURM.batch_cpus) if SLURM.batch_partition else ("batch", workflow.cores)

    rule batch:
        """What is made of a batch of trials. The other Snakemake knows which of it is up to date."""
        input:
            of_batch(rules.trial.output[0]),
            config=rules.merged_config.output,
            code=rules.extract.input.code,
        output:
            DATA + "/{campaign}/{cycle}/stamps/batches/round-{round}/{batch}",
        params:
            files=of_batch(ROWS),
        log:
            DATA + "/{campaign}/{cycle}/logs/batches/round-{round}/{batch}.log",
        priority: 1_500_000  # before further trials are submitted
        threads: 0 if SLURM.batch_partition else workflow.cores
        shell:
            "python -m scripts.hosts {BATCH} {output:q} -- python -m snakemake {params.files:q} --nolock "
            "--cores {BATCH_CORES} --scheduler greedy --rerun-incomplete --config {VARIABLES:q} > {log:q} 2>&1"

    VARIABLES = variables_of_batch()
