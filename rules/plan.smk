"""Needs the configuration, the catalogue and the tables of earlier trials. Makes the cycle's plan, round by round.

A round is planned from the trials of the rounds before it (scripts/plan/planner.py), so it is a checkpoint. The
first round without trials completes the cycle. A frozen cycle has a complete plan and no rounds.

A cycle that was planned with another configuration, or whose registration is damaged, is refused here, before any job
runs: Snakemake deletes the outputs of a job before it runs, so a job that refuses would lose the stored configuration
and the rounds. The registration is no declared output, so Snakemake never deletes it.
"""

from math import ceil

from scripts.base.errors import UserError
from scripts.plan.registration import read_registration
from scripts.plan.set_aside import FILE as SET_ASIDE
from scripts.plan.specification_writer import refuse_changes


def refuse_another_configuration():
    """End with one line and status 2 if this cycle was planned with another configuration, or its registration is damaged."""
    plan = Path(DATA, CAMPAIGN, CYCLE, "plan")
    if FROZEN:
        return
    try:
        read_registration(plan)
        if (plan / "specs").is_dir():
            refuse_changes(campaign_of_today(), CYCLE, plan)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


refuse_another_configuration()


def cycle_of(wildcards):
    """The campaign and cycle of a job: from its wildcards, else those of this run."""
    return {"campaign": wildcards.get("campaign", CAMPAIGN), "cycle": wildcards.get("cycle", CYCLE)}


@cache
def plan_lines(path, changed_ns):
    """The lines of a plan's file as it was at that time. Every job reads them."""
    return read_plan(path)


def lines_of(path):
    """The lines of a plan's file."""
    return plan_lines(Path(path), Path(path).stat().st_mtime_ns)


def round_file(wildcards, number):
    """The file of a round, as soon as the round is planned."""
    return checkpoints.round.get(**cycle_of(wildcards), round=f"{number:02d}").output[0]


def set_aside(wildcards):
    """The file that names the services set aside before the cycle, if there are any."""
    path = Path(DATA, *cycle_of(wildcards).values(), "plan", SET_ASIDE)
    return [str(path)] if path.is_file() else []


def rounds_before(wildcards):
    """The files of all rounds before this one."""
    return [round_file(wildcards, number) for number in range(1, int(wildcards.round))]


def every_round(wildcards):
    """The files of all rounds, as soon as the last one has no trials."""
    files = []
    while not FROZEN and (not files or lines_of(files[-1])):
        files.append(round_file(wildcards, len(files) + 1))
    return files


def filled(pattern, wildcards, key):
    """A pattern of file names with the cycle and one trial filled in."""
    return pattern.format(**cycle_of(wildcards), setting=key.setting, pair=key.pair, nn=key.nn)


def batches_before(wildcards):
    """The stamps of all batches of the rounds before this one (rules/batches.smk)."""
    cycle = Path(DATA, *cycle_of(wildcards).values())
    return [
        str(cycle / f"stamps/batches/{Path(file).stem}/{number:03d}")
        for file in rounds_before(wildcards)
        for number in range(1, 1 + ceil(len(lines_of(file)) / SLURM.batch_trials))
    ]


def of_rounds_before(pattern):
    """An input function: `pattern` for every trial of the rounds before this one; over Slurm, their batches."""

    def files(wildcards):
        if SLURM:
            return batches_before(wildcards)
        lines = [line for file in rounds_before(wildcards) for line in lines_of(file)]
        return [filled(pattern, wildcards, line.key) for line in lines]

    return files


def of_every_trial(pattern):
    """An input function: `pattern` for every trial of the complete cycle, sorted by name."""

    def files(wildcards):
        plan = checkpoints.plan.get(**cycle_of(wildcards)).output[0]
        return sorted({filled(pattern, wildcards, line.key) for line in lines_of(plan)})

    return files


def of_every_calibration(pattern):
    """An input function: `pattern` for every calibration trial of the complete cycle, sorted by name."""

    def files(wildcards):
        checkpoints.plan.get(**cycle_of(wildcards))
        cycle = cycle_of(wildcards)
        measured = Path(DATA, cycle["campaign"], cycle["cycle"], "trials").glob(f"*/{CALIBRATION}/[0-9]*")
        return [filled(pattern, wildcards, TrialKey.of(path)) for path in sorted(measured)]

    return files


def campaign_files(wildcards):
    """The file of the campaign, or the files of its definition."""
    if DEFINITION and wildcards.campaign == CAMPAIGN:
        return list(map(str, definition_files(Path(DEFINITION))))
    return f"config/campaigns/{wildcards.campaign}.yaml"


def campaign_options(wildcards):
    """What of this run belongs to the configuration of its campaign."""
    options = ["--bottleneck", BOTTLENECK] if BOTTLENECK and wildcards.cycle == CYCLE else []
    return options + (["--definition", DEFINITION] if DEFINITION and wildcards.campaign == CAMPAIGN else [])


# Rules mark this name as ancient. If one marked `rules.merged_config.output`, it would be ancient for all rules.
MERGED_CONFIG = DATA + "/{campaign}/{cycle}/plan/config.json"


rule merged_config:
    """The campaign merged with the defaults and its services, checked, and registered (scripts/plan/registration.py)."""
    input:
        "config/config.yaml",
        campaign_files,
        sorted(glob("services/drivers/*.yaml")),
        sorted(glob("services/catalogue/*.yaml") + glob("services/catalogue/*.csv")),
        code=stamp_of("merged_config", code_of("scripts.plan.campaign_file", "scripts.plan.registration")),
    output:
        MERGED_CONFIG,
    params:
        options=campaign_options,
        plan=lambda wildcards, output: str(Path(output[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/merged_config.log",
    shell:
        "python -m scripts.plan.campaign_file {wildcards.campaign:q} {params.options:q} -o {output:q} > {log:q} 2>&1\n"
        "python -m scripts.plan.registration {params.plan:q} >> {log:q} 2>&1"


# So many trials are on the first pages of a cycle.
FIRST_TRIALS = 10


def first_trials(wildcards):
    """The rows of the first trials of the first round."""
    return [filled(ROWS, wildcards, line.key) for line in lines_of(round_file(wildcards, 1))[:FIRST_TRIALS]]


def first_pages(wildcards):
    """The stamp of the first pages, before a round that follows a longer one."""
    if not PROVISIONAL or SLURM or int(wildcards.round) == 1 or len(lines_of(round_file(wildcards, 1))) <= FIRST_TRIALS:
        return []
    return ancient(DATA + "/{campaign}/{cycle}/stamps/first_pages".format(**cycle_of(wildcards)))


# Shows the trials so far of a running cycle. The cycle goes on without these pages if they cannot be built.
PROVISIONAL_PAGES = (
    "{{ python -m scripts.snapshot.trials_so_far {params.cycle:q} && "
    "python -m scripts.site provisional {params.cycle:q}/provisional -o {PUBLIC:q}; }} >> {log:q} 2>&1 || "
    "echo 'provisional pages: not built, the cycle goes on; see' {log:q} >> {log:q}"
)


checkpoint round:
    """The trials of a round, in order, and a specification of each; then provisional pages of the rounds before it.

    Specifications are written once. They are no declared output, so Snakemake never deletes them. The pages belong to
    this job because no trial runs beside it.
    """
    input:
        config=rules.merged_config.output,
        set_aside=set_aside,
        rounds=rounds_before,
        rows=of_rounds_before(ROWS),
        first_pages=first_pages,
        code=stamp_of("round", code_of("scripts.plan.rounds")),
    output:
        DATA + "/{campaign}/{cycle}/plan/round-{round}.csv",
    params:
        cycle=DATA + "/{campaign}/{cycle}",
        pages=lambda wildcards: PROVISIONAL and int(wildcards.round) > 1,
    log:
        DATA + "/{campaign}/{cycle}/logs/round-{round}.log",
    shell:
        "python -m scripts.plan.rounds write {wildcards.round} {input.config:q} --cycle {wildcards.cycle:q} "
        "--rows {params.cycle:q}/rows --trials {params.cycle:q}/trials -o {params.cycle:q}/plan > {log:q} 2>&1\n"
        f"if [ {{params.pages}} = True ]; then {PROVISIONAL_PAGES}; fi"


rule first_pages:
    """Provisional pages of the first trials, for whoever waits to see something."""
    input:
        ancient(first_trials),
    output:
        touch(DATA + "/{campaign}/{cycle}/stamps/first_pages"),
    params:
        cycle=DATA + "/{campaign}/{cycle}",
    log:
        DATA + "/{campaign}/{cycle}/logs/first_pages.log",
    priority: 1_200_000  # before the next trial
    shell:
        ": > {log:q}\n" + PROVISIONAL_PAGES


checkpoint plan:
    """All trials of the complete cycle, in order."""
    input:
        every_round,
    output:
        DATA + "/{campaign}/{cycle}/plan/plan.csv",
    log:
        DATA + "/{campaign}/{cycle}/logs/plan.log",
    shell:
        "python -m scripts.plan.rounds join {input:q} -o {output:q} > {log:q} 2>&1"
