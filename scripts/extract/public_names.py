"""The published part of the host names that a client of a live service requested.

A name is reduced to the pattern of its service's workload that it matches, such as *.nflxvideo.net, else to
its registrable domain. Nothing is left of a name below no public suffix, such as nas.lan, and of the names of
the operator's own addresses.
"""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList

from scripts.model.services import Service


class PublicNames:
    """Reduces the names that clients of one live service requested.

    Args:
        service: the service, with its workload.
        private: the host names of the operator's own addresses.
    """

    def __init__(self, service: Service, private: Iterable[str]) -> None:
        self._workload = service.workload
        live = service.live
        known = [service.probe.host, urlsplit(live.url).hostname if live and live.url else None]
        catalogue = {registrable_domain(name) for name in known if name}
        self._private = {registrable_domain(name) for name in private} - catalogue

    def of(self, name: str) -> str | None:
        """The published part of a name; None if there is none."""
        pattern = self._pattern(name)
        if pattern is not None:
            return pattern
        domain = registrable_domain(name)
        # A flow whose name is not of the workload must not become one whose name is.
        return None if domain is None or domain in self._private or self._pattern(domain) else domain

    def _pattern(self, name: str) -> str | None:
        return next((pattern for pattern in self._workload if fnmatchcase(name, pattern)), None)


def registrable_domain(name: str) -> str | None:
    """The domain that its owner registered, such as example.co.uk; None below no public suffix.

    Suffixes that are not those of a registry, such as duckdns.org, count as registered domains: the names
    below them often tell a person.
    """
    return None if _is_address(name) else _suffixes().privatesuffix(name)


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False, only_icann=True)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
