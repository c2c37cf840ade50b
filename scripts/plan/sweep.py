"""Sweeps: a setting with lists where one value is wanted stands for a setting for each of their product.

    8mbps: {queue_bdp: [0.5, 1], …}    is    8mbps-queue-bdp-0p5 and 8mbps-queue-bdp-1

A swept value may stand deeper: discipline_options.target_ms, or a client's, c2.rtt_ms.
"""

import copy
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from scripts.base.errors import UserError
from scripts.model.schemas import load_schema

Place = tuple[str | int, ...]
"""The keys that lead to a value in a setting."""

Origin = Callable[[list[Any]], str]
"""Tells from a path of keys which file to name."""

SETTING_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

WORDS = {
    "rate_mbps": "{} Mbps",
    "rtt_ms": "{} ms",
    "queue_bdp": "queue of {} BDP",
    "queue_ms": "queue of {} ms",
    "queue_packets": "queue of {} packets",
    "queue_bytes": "queue of {} bytes",
}
"""How a swept value stands in a setting's title; of any other key its own words and the value."""


def expanded(settings: dict[str, Any], origin: Origin) -> tuple[dict[str, Any], dict[str, Any]]:
    """Every setting, sweeps as the settings they stand for, in the order they were written.

    Returns:
        The settings by name, and what was swept by the name of each setting of a sweep:
        `{"of": "8mbps", "at": {"queue_bdp": 0.5}}`.

    Raises:
        UserError: a list is empty, has a value twice, stands where no key of a setting is or has a value
            that cannot name a setting; or two settings get one name.
    """
    found: dict[str, Any] = {}
    sweeps: dict[str, Any] = {}
    for name, setting in settings.items():
        swept = dict(_lists(setting)) if isinstance(setting, dict) else {}
        for place, values in swept.items():
            _check(name, place, values, origin)
        for point in product(*swept.values()):
            chosen = dict(zip(swept, point, strict=True))
            at = {_key(place): value for place, value in chosen.items()}
            own = "-".join([name, *(_slug(key, value) for key, value in at.items())])
            if own in found:
                raise UserError(
                    f"{origin(['settings', name])}: settings.{name}: there is already a setting named "
                    f"{own}; rename one of the two"
                )
            found[own] = _at(setting, chosen)
            if swept:
                sweeps[own] = {"of": name, "at": at}
    return found, sweeps


def _lists(value: Any, place: Place = ()) -> Iterator[tuple[Place, list[Any]]]:
    """Every list in a setting but those of its clients and services, with its place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _lists(inner, (*place, key))
    elif isinstance(value, list) and place == ("clients",):
        for position, inner in enumerate(value):
            yield from _lists(inner, (*place, position))
    elif isinstance(value, list) and place != ("services",):
        yield place, value


def _key(place: Place) -> str:
    """A place in words: `queue_bdp`, `discipline_options.target_ms`, `c2.rtt_ms`."""
    first, *rest = place
    if first == "clients" and rest:
        first, rest = f"c{int(rest[0]) + 1}", rest[1:]
    return ".".join(map(str, [first, *rest]))


def _check(name: str, place: Place, values: list[Any], origin: Origin) -> None:
    """Raise UserError if these values cannot be swept."""
    where = f"{origin(['settings', name, *place])}: settings.{name}.{_key(place)}"
    known = load_schema("campaign")["$defs"]["setting"]["properties"]
    if place[0] not in known:
        raise UserError(f"{where}: unknown key, it cannot be swept; known are: {', '.join(sorted(known))}")
    if not values:
        raise UserError(f"{where}: is an empty list; give the values to sweep, or one value")
    for position, value in enumerate(values):
        if value in values[:position]:
            raise UserError(f"{where}: {value} stands there twice; name it once")
        if isinstance(value, list | dict) or not SETTING_NAME.fullmatch(_slug(_key(place), value)):
            raise UserError(f"{where}: {value!r} cannot be a part of a setting's name, so cannot be swept")


def _at(setting: Any, values: dict[Place, Any]) -> Any:
    """The setting with one value in each place, and what they are in its title."""
    if not values:
        return setting
    one = copy.deepcopy(setting)
    for place, value in values.items():
        holder = one
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = value
    if "title" in one:
        words = [_words(_key(place), value) for place, value in values.items()]
        one["title"] = ", ".join([one["title"], *words])
    return one


def _slug(key: str, value: Any) -> str:
    """A swept value as a part of a setting's name: `queue-bdp-0p5`."""
    own = str(value).lower().replace(".", "p")
    return f"{key}-{own}".replace("_", "-").replace(".", "-")


def _words(key: str, value: Any) -> str:
    words = WORDS.get(key)
    return words.format(value) if words else f"{key.replace('_', ' ').replace('.', ' ')} {value}"
