"""The rules of the address of a submission, and of its workload's host names.

No name is looked up here: what a name leads to may change later. The firewall of a trial is the wall.
"""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass

from scripts.base.errors import UserError
from scripts.base.plain import shown
from scripts.submissions.host_names import checked_host, is_public, owned_domain

PORTS = {"https": 443, "http": 80}

_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(//([^/?#]*))?(.*)", re.DOTALL)
_REST = re.compile(r"([A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*")
_CONTROL = re.compile(r"%([01][0-9A-Fa-f]|7[Ff])")
_DOTS = re.compile(r"(^|/)([.]|%2[eE]){1,2}(/|$)")


@dataclass(frozen=True)
class Address:
    """An address that a client may open.

    Attributes:
        url: the address; its host is in ASCII (IDNA).
        host: the host in ASCII.
        shown_host: the host in Unicode.
        ports: the ports that a trial opens for it.
    """

    url: str
    host: str
    shown_host: str
    ports: tuple[int, ...]


def checked_address(
    text: str, where: str, http: bool = False, is_public: Callable[[str], bool] = is_public
) -> Address:
    """Check an address.

    Args:
        text: the address as it was sent.
        where: the file and the key that an error names.
        http: whether it may be http:.
        is_public: whether a host name is public.

    Raises:
        UserError: it is not an address of a public host, or has more than a submission needs.
    """
    schemes = ("https", "http") if http else ("https",)
    parts = _PARTS.fullmatch(text)
    scheme = parts[1].lower() if parts else ""
    if parts is None or scheme not in schemes or not parts[3]:
        raise UserError(
            f"{where}: cannot be {shown(text)}; write an address that begins with {schemes[-1]}://"
        )
    authority, rest = parts[3], parts[4]
    if "@" in authority:
        raise UserError(f"{where}: has a user name or a password; remove it")
    if "#" in rest:
        raise UserError(f"{where}: has a fragment (#); remove it")
    host, port = _split(authority, where)
    if port not in ("", str(PORTS[scheme])):
        raise UserError(f"{where}: has the port {shown(port)}; only {PORTS[scheme]} is possible, remove it")
    ascii_host, shown_host = checked_host(host, where, is_public)
    _check_rest(rest, where)
    path = rest if rest.startswith("/") else f"/{rest}"
    url = f"{scheme}://{ascii_host}{path}"
    return Address(url, ascii_host, shown_host, (443,) if scheme == "https" else (80, 443))


def check_workload(patterns: tuple[str, ...], where: str) -> None:
    """Raise UserError if a pattern could match hosts of several owners, or no host name."""
    for pattern in patterns:
        if not all(pattern.split(".")) or "*" in (owned_domain(pattern) or "*"):
            raise UserError(
                f"{where}: cannot be {shown(pattern)}; write a host name, with stars only before the domain "
                "that its owner registered, such as *.cdn.example.org"
            )


def _split(authority: str, where: str) -> tuple[str, str]:
    """The host and the port."""
    try:
        ipaddress.ip_address(authority.strip("[]").split("%")[0])
    except ValueError:
        pass
    else:
        raise UserError(f"{where}: has a number instead of a host name; write a host name")
    if "[" in authority or "]" in authority:
        raise UserError(f"{where}: has a number instead of a host name; write a host name")
    host, _, port = authority.partition(":")
    return host, port


def _check_rest(rest: str, where: str) -> None:
    """Raise UserError if the path and the query have characters that a URL has only in percent-encoding."""
    if not _REST.fullmatch(rest):
        raise UserError(
            f"{where}: {shown(rest)} has characters that a URL cannot have; percent-encode them, such as %20"
        )
    if _CONTROL.search(rest):
        raise UserError(f"{where}: has an encoded control character; remove it")
    if _DOTS.search(rest.partition("?")[0]):
        raise UserError(f"{where}: has a part . or .. in its path; write the path without it")
