"""Pairs by name: the services of a trial, sorted and joined by `~`.

`a~b` are two services, `a~a` two instances of one, `a~b~c` three. Three or more of one service are written
with their number, `a~b_16`, so that the name still fits a file's; the name of a pair always has a `~`:
three of `a` and nothing else are `a~a_2`. A name without `~` is a service alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

FEW = 2
"""As many of one service are written out."""


def members(pair: str) -> list[str]:
    """The services of a pair or a solo, one a client, sorted; how it was written does not matter."""
    services: list[str] = []
    for part in pair.split("~"):
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
    return "~".join(parts)


def is_contender(service: Mapping[str, Any]) -> bool:
    """Whether a service is judged by its throughput; calls and web pages only meet such (Prudentia, 5)."""
    return bool(service.get("metric", "throughput") == "throughput")


def meet_in(setting: Mapping[str, Any], pair: str) -> bool:
    """Whether a pair, or a service alone, is measured in a setting."""
    return "services" not in setting or set(members(pair)) <= set(setting["services"])
