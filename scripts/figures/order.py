"""The order of services in pictures: by result, the same in every setting of a cycle."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import median

Share = tuple[str, str, float]
"""A service, its contender, and its median share against it."""


def by_result(shares: Iterable[Share]) -> list[str]:
    """The services from the one that takes most to the one that loses most.

    Args:
        shares: the shares of every setting of a cycle. Those of a service against itself do not count.

    Returns:
        Every service by its median share over all opponents and settings, the highest first. Of two that are
        equal, the one that leaves its opponents less is first. A service without a share is last.
    """
    gets, leaves = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    names = set[str]()
    for service, contender, share in shares:
        names |= {service, contender}
        if service != contender:
            gets[service].append(share)
            leaves[contender].append(share)

    def key(name: str) -> tuple[bool, float, float, str]:
        own, left = gets[name], leaves[name]
        return not own, -median(own or [0.0]), median(left or [0.0]), name

    return sorted(names, key=key)
