"""The generated flows of every trial in a few figures, for the pages of trials."""

from collections.abc import Mapping

from scripts.model.trials import TrialKey
from scripts.site.cycle.inputs import Inputs, Row
from scripts.tables.database import connect

QUERY = """
    select
        setting,
        pair,
        trial,
        client,
        count(*)::integer as planned,
        count(started_ns)::integer as started,
        count(*) filter (trial_completions.counted)::integer as counted,
        count(*) filter (trial_completions.counted and censored)::integer as censored,
        quantile_cont(late_ms, 0.99) as late_p99_ms,
        list_avg(list(trial_completions.slowdown order by flow) filter (trial_completions.counted)) as mean,
        max(trial_completions.slowdown) filter (trial_completions.counted) as maximum,
        list_avg(list(ideal.slowdown order by flow) filter (trial_completions.counted)) as ideal_mean,
        max(ideal.slowdown) filter (trial_completions.counted) as ideal_maximum
    from read_parquet($trial_completions) as trial_completions
    left join read_parquet($srpt) as ideal using (setting, pair, trial, client, flow)
    group by setting, pair, trial, client
    order by setting, pair, trial, client
"""
"""A row a client: the number of its flows, how late they started (ms), and the mean and the maximum slowdown.

The slowdowns are those of the flows that started in the steady window (`counted`).
"""

SOURCES = ("trial_completions", "srpt")

Completions = Mapping[tuple[TrialKey, str], Row]
"""The figures of the flows of each client, by trial and client."""


def completions_of_trials(inputs: Inputs) -> Completions:
    """The figures of QUERY.

    A slowdown is a lower bound if one of its flows is censored.
    """
    paths = {name: inputs.tables_dir / f"{name}.parquet" for name in SOURCES}
    with connect() as connection:
        found = connection.sql(QUERY, params={name: str(path) for name, path in paths.items()})
        rows = found.to_arrow_table().to_pylist()
    return {(TrialKey(row["setting"], row["pair"], row["trial"]), row["client"]): row for row in rows}
