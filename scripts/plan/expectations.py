"""A campaign's expectations: completed from the keys that all checks share, and checked before any trial."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scripts.base.errors import UserError
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.keys import SELF_PAIR_INSTANCES, table_of
from scripts.model.campaign import Campaign
from scripts.model.expectations import Check, FigureKey
from scripts.model.pairs import contender_name, is_solo, members
from scripts.model.size_classes import SIZE_CLASSES

NEEDED = ("setting", "service", "metric")
"""The keys that every figure needs."""

OF_COMPLETIONS = ("statistic", "subject", "size_class")
"""The keys that only figures of completion times have. The first has no default."""

ALONE = ("completions", "orders", "qoe_pairs", "solo")
"""The tables with rows of services alone."""

Written = Mapping[str, Any]
"""A part of a campaign's file that matches its schema."""

Refuse = Callable[[str], UserError]
"""Makes the error of a check from the reason and what to do."""


def with_whole_figures(written: Iterable[Written], where: str) -> list[dict[str, object]]:
    """The expectations with all keys of every figure; a check's own keys precede those that its checks share.

    Args:
        written: as a campaign's file has them.
        where: the file, for errors.

    Raises:
        UserError: a key is missing.
    """
    return [
        {
            **expectation,
            "checks": [
                _check(check, expectation.get("figure", {}), _refusal(where, expectation["name"], number))
                for number, check in enumerate(expectation["checks"], start=1)
            ],
        }
        for expectation in written
    ]


def _check(check: Written, shared: Written, refuse: Refuse) -> dict[str, object]:
    bounds = {
        relation: bound | {"figure": _figure(bound["figure"], shared, refuse)}
        for relation, bound in check.items()
        if relation != "figure" and isinstance(bound, dict)
    }
    return {**check, "figure": _figure(check.get("figure", {}), shared, refuse), **bounds}


def _figure(own: Written, shared: Written, refuse: Refuse) -> dict[str, object]:
    figure = {**shared, **own}
    for key in NEEDED:
        if key not in figure:
            raise refuse(f"a figure has no {key}; add it there, or to the figure that all checks share")
    table = {name: metric.table for name, metric in CATALOGUE.items() if metric.table}.get(figure["metric"])
    if table is None:
        known = ", ".join(name for name, metric in CATALOGUE.items() if metric.table)
        raise refuse(f"unknown metric {figure['metric']}; known are: {known}")
    if table != "completions":
        for key in OF_COMPLETIONS:
            if key in figure:
                raise refuse(f"{figure['metric']} has no {key}; remove it")
    elif "statistic" not in figure:
        raise refuse("a figure has no statistic; add it there, or to the figure that all checks share")
    if contender := figure.get("contender"):
        figure["contender"] = contender_name(members(contender))
    return figure


def check_expectations(campaign: Campaign, where: str) -> None:
    """Check that the campaign measures every figure that it expects something of.

    Args:
        campaign: the campaign with completed settings.
        where: its file, for errors.

    Raises:
        UserError: it does not, a name is a duplicate, or no number lies between two numbers.
    """
    names = Counter(expectation.name for expectation in campaign.expectations)
    for name, count in names.items():
        if count > 1:
            raise UserError(f"{where}: expectations: {count} have the name {name}; rename all but one")
    for expectation in campaign.expectations:
        for number, check in enumerate(expectation.checks, start=1):
            _check_numbers(check, _refusal(where, expectation.name, number))
            for figure in check.figures:
                _check_figure(figure, campaign, _refusal(where, expectation.name, number))


def _refusal(where: str, name: str, number: int) -> Refuse:
    return lambda reason: UserError(f"{where}: expectations: {name}: check {number}: {reason}")


def _check_numbers(check: Check, refuse: Refuse) -> None:
    if check.between is not None and check.between[0] > check.between[1]:
        raise refuse(f"between: {check.between[0]} is more than {check.between[1]}; exchange them")


def _check_figure(figure: FigureKey, campaign: Campaign, refuse: Refuse) -> None:
    """Raise UserError if the campaign does not measure a figure."""
    settings = _settings(figure, campaign)
    if not settings:
        sweeps = {setting.sweep.of for setting in campaign.settings.values() if setting.sweep}
        kind, known = (
            ("sweep", sorted(sweeps)) if table_of(figure) == "fmp" else ("setting", campaign.settings)
        )
        raise refuse(f"unknown {kind} {figure.setting}; the campaign has: {', '.join(known)}")
    for name in members(figure.pair):
        if name not in campaign.services:
            raise refuse(f"unknown service {name}; the campaign has: {', '.join(campaign.services)}")
    _check_kind(figure, campaign, refuse)
    if not any(_is_measured(figure, campaign, setting) for setting in settings):
        raise refuse(f"{figure.pair} is not measured in {figure.setting}; add it there, or name another pair")
    _check_instance(figure, refuse)
    known = [size_class.name for size_class in SIZE_CLASSES]
    if figure.size_class not in known:
        raise refuse(f"unknown size_class {figure.size_class}; known are: {', '.join(known)}")


def _settings(figure: FigureKey, campaign: Campaign) -> list[str]:
    """The setting of a figure, or those of its sweep; none if the campaign does not have it."""
    if table_of(figure) != "fmp":
        return [name for name in campaign.settings if name == figure.setting]
    return [
        name
        for name, setting in campaign.settings.items()
        if setting.sweep is not None and setting.sweep.of == figure.setting
    ]


def _check_kind(figure: FigureKey, campaign: Campaign, refuse: Refuse) -> None:
    """Raise UserError if no service of this kind has such a figure, or none alone or in a pair."""
    service = campaign.services[figure.service]
    if table_of(figure) == "completions" and service.metric != "completion":
        raise refuse(f"{figure.service} has no completion times; name a service of generated flows")
    if table_of(figure) == "qoe_pairs" and service.metric != "web":
        raise refuse(f"{figure.service} has no page load time; name a web page")
    if table_of(figure) == "pairs" and not service.judged_by_throughput:
        raise refuse(f"{figure.service} is not judged by its throughput; name a service that is")
    if figure.contender and table_of(figure) == "solo":
        raise refuse(f"{figure.metric} is of a service alone; remove the contender, or name throughput_mbps")
    if table_of(figure) == "fmp" and figure.service != (first := members(figure.pair)[0]):
        raise refuse(f"{figure.metric} is of the pair {figure.pair}; exchange the service and {first}")
    if not figure.contender and table_of(figure) not in ALONE:
        raise refuse(f"{figure.metric} is of a pair; name a contender")


def _check_instance(figure: FigureKey, refuse: Refuse) -> None:
    """Raise UserError if the figure's table has no such instance."""
    if not figure.of_self_pair:
        if figure.instance != "first":
            raise refuse(
                f"instance: {figure.instance} is of a service against itself; name that pair, or first"
            )
        return
    known = SELF_PAIR_INSTANCES.get(table_of(figure), ("first",))
    if figure.instance not in known:
        choices = " or ".join(known)
        raise refuse(f"instance: {figure.metric} of a self-pair has no {figure.instance}; name {choices}")


def _is_measured(figure: FigureKey, campaign: Campaign, setting: str) -> bool:
    listed = campaign.trials.solo > 0 if is_solo(figure.pair) else figure.pair in campaign.pairs
    return listed and campaign.settings[setting].measures(figure.pair)
