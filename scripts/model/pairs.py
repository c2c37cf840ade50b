"""Pairs by name: the services of a trial, sorted and joined by `~`.

`a~b` are two services, `a~a` two instances of one, `a~b~c` three. Three or more of one service are written
with their number, `a~b_16`, so that the name still fits a file's; the name of a pair always has a `~`:
three of `a` and nothing else are `a~a_2`. A name without `~` is a service alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

SEPARATOR = "~"
FEW = 2
"""As many of one service are written out."""


def members(pair: str) -> list[str]:
    """The services of a pair or a solo, one a client, sorted; how it was written does not matter."""
    services: list[str] = []
    for part in pair.split(SEPARATOR):
        service, _, count = part.partition("_")
        services += [service] * int(count or 1)
    return sorted(services)


def pair_name(services: Iterable[str]) -> str:
    """The one name of a pair of these services."""
    parts: list[str] = []
    counts = sorted(Counter(services).items())
    for service, count in counts:
        if count > FEW and len(counts) == 1:
            parts += [service, f"{service}_{count - 1}"]
        elif count > FEW:
            parts.append(f"{service}_{count}")
        else:
            parts += [service] * count
    return SEPARATOR.join(parts)


def is_solo(pair: str) -> bool:
    """Whether the name is that of a service alone."""
    return SEPARATOR not in pair


def parts(pair: str) -> list[tuple[str, int]]:
    """The services of a pair as its name lists them, each with how many of it that part stands for."""
    split = (part.partition("_") for part in pair.split(SEPARATOR))
    return [(service, int(count or 1)) for service, _, count in split]


def contender_name(services: Iterable[str]) -> str:
    """The column `contender` of the tables: the other clients' services, in the order of the clients.

    It is empty for a service alone. Every client stands there by itself, also three of one service.
    """
    return SEPARATOR.join(services)


def contenders(name: str) -> list[str]:
    """The services in a `contender`; the reverse of contender_name."""
    return name.split(SEPARATOR) if name else []


def is_contender(service: Mapping[str, Any]) -> bool:
    """Whether a service is judged by its throughput; calls and web pages only meet such (Prudentia, 5)."""
    return bool(service.get("metric", "throughput") == "throughput")


def meet_in(setting: Mapping[str, Any], pair: str) -> bool:
    """Whether a pair, or a service alone, is measured in a setting."""
    return "services" not in setting or set(members(pair)) <= set(setting["services"])
