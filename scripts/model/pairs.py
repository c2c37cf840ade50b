"""Names of pairs: the services of a trial, sorted and joined by `~`.

`a~b` is two services, `a~a` two instances of one service, `a~b~c` three services. Three or more instances of
one service are written as a count, `a~b_16`, which keeps the name short enough for a file name. The name of a
pair always contains a `~`: three instances of `a` and nothing else are `a~a_2`. A name without `~` is a
service alone.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

from scripts.base.records import about

SEPARATOR = "~"
NAME = "[a-z0-9]+(-[a-z0-9]+)*"
JOINED = f"{NAME}(_[1-9][0-9]*)?(~{NAME}(_[1-9][0-9]*)?)*"
"""The regular expressions of the name of a service or a setting, and of services joined by `~`."""

Name = Annotated[str, about(pattern=f"^{NAME}$")]

FEW = 2
"""Up to this many instances of one service are written out instead of counted."""


def members(pair: str) -> list[str]:
    """The services of a pair or of a service alone, one for each client, sorted. Any spelling is accepted."""
    services: list[str] = []
    for part in pair.split(SEPARATOR):
        service, _, count = part.partition("_")
        services += [service] * int(count or 1)
    return sorted(services)


def pair_name(services: Iterable[str]) -> str:
    """The canonical name of the pair of these services."""
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
    """Whether the name stands for a service alone."""
    return SEPARATOR not in pair


def parts(pair: str) -> list[tuple[str, int]]:
    """The parts of a pair's name in their order, each as a service and its number of instances."""
    split = (part.partition("_") for part in pair.split(SEPARATOR))
    return [(service, int(count or 1)) for service, _, count in split]


def contender_name(services: Iterable[str]) -> str:
    """The column `contender` of the tables: the other clients' services, in the order of the pair's name.

    It is empty for a service alone. Each client is listed, also if several have the same service.
    """
    return SEPARATOR.join(services)


def contenders(name: str) -> list[str]:
    """The services in a value of the column `contender`: the reverse of contender_name."""
    return name.split(SEPARATOR) if name else []
