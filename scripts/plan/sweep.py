"""Sweeps: a setting with lists instead of single values stands for one setting per combination of values.

    8mbps: {queue_bdp: [0.5, 1], …}    becomes    8mbps-queue-bdp-0p5 and 8mbps-queue-bdp-1

A swept value may be nested: discipline_options.target_ms, or a client's, c2.rtt_ms.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import product

from scripts.base.errors import UserError
from scripts.base.records import Scalar
from scripts.model.settings import Setting, Sweep

KeyPath = tuple[str | int, ...]
"""The path of keys to a value in a setting."""

KeyOrigin = Callable[[Sequence[str | int]], str]
"""Gives the file that a path of keys comes from."""

SETTING_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
KEYS = sorted({field.name for field in fields(Setting)} - {"sweep"})
"""The keys that a setting of a campaign's file may have."""

WORDS = {
    "rate_mbps": "{} Mbps",
    "rtt_ms": "{} ms",
    "queue_bdp": "queue of {} BDP",
    "queue_ms": "queue of {} ms",
    "queue_packets": "queue of {} packets",
    "queue_bytes": "queue of {} bytes",
}
"""How a swept value is written in a setting's title. Other keys are written as words before the value."""


def expanded(settings: Mapping[str, object], origin: KeyOrigin) -> tuple[dict[str, object], dict[str, Sweep]]:
    """All settings in the order they were written, each sweep replaced by the settings it stands for.

    Returns:
        The settings by name, and the sweep of each swept setting by the setting's name.

    Raises:
        UserError: a list is empty, has a duplicate value, an unknown key, or a value that cannot be a part of
            a setting's name; or two settings have the same name.
    """
    single: dict[str, object] = {}
    sweeps: dict[str, Sweep] = {}
    for name, setting in settings.items():
        if not isinstance(name, str):
            raise UserError(
                f"{origin(['settings'])}: settings: {name} is no name; write “{name}mbps” or alike"
            )
        lists = {place: _checked(name, place, values, origin) for place, values in _lists(setting)}
        for combination in product(*lists.values()):
            chosen = dict(zip(lists, combination, strict=True))
            by_key = {_key(place): value for place, value in chosen.items()}
            full_name = "-".join([name, *(_slug(key, value) for key, value in by_key.items())])
            if full_name in single:
                raise UserError(
                    f"{origin(['settings', name])}: settings.{name}: there is already a setting named "
                    f"{full_name}; rename one of the two"
                )
            single[full_name] = _titled(_chosen(setting, chosen), by_key)
            if chosen:
                sweeps[full_name] = Sweep(of=name, at=by_key)
    return single, sweeps


def _lists(value: object, place: KeyPath = ()) -> Iterator[tuple[KeyPath, list[object]]]:
    """All lists in a setting with their places, except `clients` and `services` themselves."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _lists(inner, (*place, key))
    elif isinstance(value, list) and place == ("clients",):
        for position, inner in enumerate(value):
            yield from _lists(inner, (*place, position))
    elif isinstance(value, list) and place not in ((), ("services",)):
        yield place, value


def _key(place: KeyPath) -> str:
    """A place as a key: `queue_bdp`, `discipline_options.target_ms`, `c2.rtt_ms`."""
    first, *rest = place
    if first == "clients" and rest:
        first, rest = f"c{int(rest[0]) + 1}", rest[1:]
    return ".".join(map(str, [first, *rest]))


def _checked(name: str, place: KeyPath, values: list[object], origin: KeyOrigin) -> list[Scalar]:
    """The values of one list, once it is certain that they can be swept.

    Raises:
        UserError: they cannot.
    """
    where = f"{origin(['settings', name, *place])}: settings.{name}.{_key(place)}"
    if place[0] not in KEYS:
        raise UserError(f"{where}: unknown key, it cannot be swept; known keys: {', '.join(KEYS)}")
    if not values:
        raise UserError(f"{where}: is an empty list; give the values to sweep, or one value")
    checked: list[Scalar] = []
    for value in values:
        if value in checked:
            raise UserError(f"{where}: the value {value} is a duplicate; give it once")
        if not isinstance(value, str | int | float) or not SETTING_NAME.fullmatch(_slug(_key(place), value)):
            raise UserError(f"{where}: {value!r} cannot be a part of a setting's name, so cannot be swept")
        checked.append(value)
    return checked


def _chosen(value: object, values: Mapping[KeyPath, Scalar], place: KeyPath = ()) -> object:
    """A setting, or the part of it at `place`, with one value instead of each list."""
    if place in values:
        return values[place]
    if isinstance(value, dict):
        return {key: _chosen(inner, values, (*place, key)) for key, inner in value.items()}
    if isinstance(value, list):
        return [_chosen(inner, values, (*place, position)) for position, inner in enumerate(value)]
    return value


def _titled(setting: object, values: Mapping[str, Scalar]) -> object:
    """The setting with its swept values in its title."""
    if not isinstance(setting, dict) or not isinstance(setting.get("title"), str):
        return setting
    return setting | {"title": ", ".join([setting["title"], *(_words(*swept) for swept in values.items())])}


def _slug(key: str, value: Scalar) -> str:
    """A swept value as a part of a setting's name: `queue-bdp-0p5`."""
    text = str(value).lower().replace(".", "p")
    return f"{key}-{text}".replace("_", "-").replace(".", "-")


def _words(key: str, value: Scalar) -> str:
    words = WORDS.get(key)
    return words.format(value) if words else f"{key.replace('_', ' ').replace('.', ' ')} {value}"
