"""Needs the rows of the trials and the merged configuration. Makes the tables of the cycle."""

from scripts.tables.equivalence_table import BACKENDS
from scripts.tables.table_list import MACROS, files_of, names_of

CYCLE_TABLES = TRIAL_TABLES + names_of("cycle")


def compared(wildcards):
    """The cycles that this cycle is compared with; of a frozen cycle those that it was compared with."""
    cycle = Path(DATA, *cycle_of(wildcards).values())
    return kept_comparison(cycle) if FROZEN else comparison(cycle)


def earlier_trial_services(wildcards):
    """The option that names the table that `changes` compares with; empty if there is none."""
    before = Path(DATA, *cycle_of(wildcards).values(), BEFORE)
    return [] if compared(wildcards).before is None else ["--earlier", str(before)]


def comparison_options(wildcards):
    """The options that name the cycle that `changes` compares with, and those it passed over, with what differs."""
    found = compared(wildcards)
    words = [] if found.before is None else ["--compared-with", found.before]
    for name, different in found.passed_over.items():
        words += ["--not-compared", name, *different]
    return words


def of_both_bottlenecks(wildcards):
    """The options that name the tables for `equivalence`: this cycle's, and that of the other bottleneck."""
    cycle = Path(DATA, *cycle_of(wildcards).values())
    own = bottleneck_of(cycle)
    tables = {name: OTHER_BOTTLENECK for name in BACKENDS} | {own: "tables/trial_services.parquet"}
    return [word for name, table in tables.items() for word in (f"--{name}", str(cycle / table))]


def equivalence_if_there(wildcards):
    """The table that compares the bottlenecks, if the campaign was measured over both."""
    both = compared(wildcards).other_bottleneck is not None
    return expand(rules.equivalence.output, **cycle_of(wildcards)) if both else []


rule compared_cycles:
    """The cycles that this one is compared with, and copies of their tables that the comparison needs.

    Those tables are no inputs: Snakemake would rebuild them, with this run's configuration.
    """
    input:
        lambda wildcards: checkpoints.plan.get(**cycle_of(wildcards)).output[0],
        config=rules.merged_config.output,
        code=stamp_of("compared_cycles", code_of("scripts.tables.compared_cycles")),
    output:
        DATA + "/{campaign}/{cycle}/" + NAMES,
    params:
        cycle=DATA + "/{campaign}/{cycle}",
        found=lambda wildcards: str(compared(wildcards)),  # another result reruns the rule
    log:
        DATA + "/{campaign}/{cycle}/logs/compared_cycles.log",
    shell:
        "python -m scripts.tables.compared_cycles {params.cycle:q} > {log:q} 2>&1"


rule cycle_tables:
    """All rows of the cycle, and every table that summarises them, as Parquet and CSV.

    No CSV is a declared output, because a large table has none (scripts/tables/output.py).
    """
    input:
        plan=DATA + "/{campaign}/{cycle}/plan/plan.csv",
        config=rules.merged_config.output,
        rows=of_every_trial(ROWS),
        compared=rules.compared_cycles.output,
        code=stamp_of("cycle_tables", code_of("scripts.tables.cycle_tables") + files_of(names_of("cycle")) + [MACROS]),
    output:
        expand(DATA + "/{{campaign}}/{{cycle}}/tables/{table}.parquet", table=CYCLE_TABLES),
    params:
        rows=DATA + "/{campaign}/{cycle}/rows",
        directory=lambda wildcards, output: str(Path(output[0]).parent),
        earlier=earlier_trial_services,
    log:
        DATA + "/{campaign}/{cycle}/logs/cycle_tables.log",
    shell:
        "python -m scripts.tables.cycle_tables {input.plan:q} --rows {params.rows:q} --config {input.config:q} "
        "-o {params.directory:q} {params.earlier:q} > {log:q} 2>&1"


rule equivalence:
    """What every service got over BESS and over the embedded switch, if a campaign was measured over both."""
    input:
        DATA + "/{campaign}/{cycle}/tables/trial_services.parquet",
        config=rules.merged_config.output,
        compared=rules.compared_cycles.output,
        code=stamp_of("equivalence", code_of("scripts.tables.equivalence_table") + files_of(["equivalence"]) + [MACROS]),
    output:
        expand(DATA + "/{{campaign}}/{{cycle}}/tables/equivalence.{form}", form=["parquet", "csv"]),
    params:
        cycles=of_both_bottlenecks,
        directory=lambda wildcards, output: str(Path(output[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/equivalence.log",
    shell:
        "python -m scripts.tables.equivalence_table {params.cycles:q} --config {input.config:q} -o {params.directory:q} "
        "> {log:q} 2>&1"


rule calibration_table:
    """What every calibration trial of the cycle measured of the testbed."""
    input:
        plan=DATA + "/{campaign}/{cycle}/plan/plan.csv",
        rows=of_every_calibration(ROWS),
        code=stamp_of("calibration_table", code_of("scripts.tables.calibration_table") + files_of(["calibration"])),
    output:
        expand(DATA + "/{{campaign}}/{{cycle}}/tables/calibration.{form}", form=["parquet", "csv"]),
    params:
        rows=lambda wildcards, input: sorted(str(Path(row).parent) for row in input.rows),
        directory=lambda wildcards, output: str(Path(output[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/calibration_table.log",
    shell:
        "python -m scripts.tables.calibration_table {params.rows:q} -o {params.directory:q} > {log:q} 2>&1"


rule describe_cycle:
    """When and with what the cycle was measured, and which cycle it is compared with.

    It reads the published trials, as a snapshot has them. The trials of a frozen cycle are published ones.
    """
    input:
        plan=DATA + "/{campaign}/{cycle}/plan/plan.csv",
        trials=of_every_trial(DATA + "/{campaign}/{cycle}/stamps/{setting}/{pair}/{nn}" if FROZEN else ROWS),
        compared=rules.compared_cycles.output,
        code=stamp_of("describe_cycle", code_of("scripts.tables.describe_cycle")),
    output:
        DATA + "/{campaign}/{cycle}/tables/cycle.json",
    params:
        trials=DATA + "/{campaign}/{cycle}/" + ("trials" if FROZEN else "published"),
        compared=comparison_options,
    log:
        DATA + "/{campaign}/{cycle}/logs/describe_cycle.log",
    shell:
        "python -m scripts.tables.describe_cycle {input.plan:q} --trials {params.trials:q} -o {output:q} "
        "{params.compared:q} > {log:q} 2>&1"


rule plan_table:
    """The state of every pair and every service alone after each of its rounds, and why."""
    input:
        plan=DATA + "/{campaign}/{cycle}/plan/plan.csv",
        set_aside=set_aside,
        config=rules.merged_config.output,
        rows=DATA + "/{campaign}/{cycle}/tables/trial_services.parquet",
        code=stamp_of("plan_table", code_of("scripts.tables.plan_table") + files_of(["plan"])),
    output:
        expand(DATA + "/{{campaign}}/{{cycle}}/tables/plan.{form}", form=["parquet", "csv"]),
    params:
        directory=lambda wildcards, output: str(Path(output[0]).parent),
    log:
        DATA + "/{campaign}/{cycle}/logs/plan_table.log",
    shell:
        "python -m scripts.tables.plan_table {input.plan:q} --config {input.config:q} --rows {input.rows:q} "
        "-o {params.directory:q} > {log:q} 2>&1"
