"""The loads of pages as dots: one for each valid trial."""

from collections.abc import Iterable
from statistics import median

from scripts.charts.chart_labels import Labels
from scripts.charts.qoe_figures import row_name
from scripts.charts.table_rows import PageLoadRow, ServiceRow
from scripts.charts.theme import Datum
from scripts.model.trials import TrialKey


def load_dots(
    loads: Iterable[PageLoadRow], trials: Iterable[ServiceRow], setting: str, labels: Labels
) -> list[Datum]:
    """The median load of each client of a setting, without further clients of a service in a trial.

    It is a lower bound if it may depend on a load that had not ended, as in scripts/tables/figures.sql.

    Args:
        loads: the rows of `qoe_web` of valid trials.
        trials: the table `trial_services`, which tells the instances of self-pairs.
        setting: the setting.
        labels: titles of the services.
    """
    own: dict[tuple[TrialKey, str], list[PageLoadRow]] = {}
    for load in loads:
        if load.setting == setting:
            own.setdefault((load.key, load.client), []).append(load)
    instances = {(row.key, row.client): row.instance for row in trials if row.instance != "further"}
    return [_dot(found, instances[client], labels) for client, found in own.items() if client in instances]


def _dot(loads: list[PageLoadRow], instance: str, labels: Labels) -> Datum:
    first, value = loads[0], median(load.visually_complete_s for load in loads)
    bound = min((load.visually_complete_s for load in loads if load.censored), default=float("inf"))
    known = [load.visually_complete_s for load in loads if load.visually_complete_s < bound]
    return {
        "row": row_name(first.contender, instance, labels),
        "series": labels.service(first.service),
        "value": value,
        "censored": bound < float("inf") and value > max(known, default=-1.0),
    }
