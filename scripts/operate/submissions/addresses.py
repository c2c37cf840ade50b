"""The rules of the address of a submission, and of host names: public, and in one script.

No name is looked up here: what a name leads to may change later. The firewall of a trial is the wall.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import idna
from publicsuffixlist import PublicSuffixList

from scripts.base.errors import UserError
from scripts.base.plain import shown

RESERVED = ("arpa", "example.com", "example.net", "example.org", "fritz.box", "onion")
"""Names below a public suffix that, with their subdomains, are not public: RFC 6761 and its registry, and the
name under which routers of many homes answer.
"""

MOST_CHARACTERS = 253
MOST_LABEL = 63

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")
_TOP = re.compile(r"[a-z]+|xn--[a-z0-9-]+")
_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA"}, {"CJK", "BOPOMOFO"}, {"CJK", "HANGUL"})
"""Scripts that one language writes together (Unicode Technical Standard 39, 5.2: highly restrictive)."""


def owned_domain(name: str) -> str | None:
    """The domain that one owner has, such as example.co.uk or jane.github.io; None for names without one.

    All suffixes of the list count, also those of companies that give names to others.
    """
    return _suffixes().privatesuffix(name)


def is_public(name: str) -> bool:
    """Whether a host name in ASCII can be one of the Internet, by its form."""
    reserved = any(f".{name}".endswith(f".{domain}") for domain in RESERVED)
    return owned_domain(name) is not None and not reserved


def checked_host(text: str, where: str, is_public: Callable[[str], bool] = is_public) -> tuple[str, str]:
    """Check a host name.

    Args:
        text: the name as it was sent.
        where: the file and the key that an error names.
        is_public: whether a host name is public.

    Returns:
        The name in ASCII (IDNA 2008 after the mapping of UTS 46), and in Unicode.

    Raises:
        UserError: it is not a public host name, or mixes scripts.
    """
    name = _in_ascii(text, where)
    labels = name.split(".")
    if any(not _LABEL.fullmatch(label) or len(label) > MOST_LABEL for label in labels):
        raise UserError(
            f"{where}: {shown(text)} is not a host name; write a public one, such as www.iana.org"
        )
    if len(labels) < 2 or len(name) > MOST_CHARACTERS:
        raise UserError(f"{where}: {shown(text)} is not a public host name; write one with a dot")
    if not _TOP.fullmatch(labels[-1]):
        raise UserError(f"{where}: has a number instead of a host name; write a host name")
    shown_labels = [_in_unicode(label, where) for label in labels]
    if not is_public(name):
        raise UserError(f"{where}: {shown(name)} is not a public host name; write one such as www.iana.org")
    for label in shown_labels:
        if _mixes(label):
            raise UserError(
                f"{where}: {shown(label)} ({shown(name)}) mixes letters of several scripts; use those of one"
            )
    return name, ".".join(shown_labels)


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)


def _in_ascii(text: str, where: str) -> str:
    """The name in ASCII, in small letters."""
    if text.isascii():
        return text.lower()
    try:
        return idna.encode(text, uts46=True, std3_rules=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError) as error:
        raise UserError(f"{where}: {shown(text)} is not a host name; write it in ASCII (xn--…)") from error


def _in_unicode(label: str, where: str) -> str:
    """A label in Unicode."""
    if not label.startswith("xn--"):
        return label
    try:
        decoded = idna.ulabel(label)
        if idna.alabel(decoded).decode("ascii") == label and decoded.isprintable():
            return decoded
    except (idna.IDNAError, UnicodeError):
        pass
    raise UserError(f"{where}: {shown(label)} is not a name in IDNA; write it again")


def _mixes(label: str) -> bool:
    """Whether a label has letters of several scripts that no language writes together."""
    letters = [character for character in label if not character.isdigit() and character != "-"]
    scripts = {_script(letter) for letter in letters} - {""}
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


def _script(character: str) -> str:
    """The script of a letter: the first word of its name in Unicode. A mark has none of its own."""
    if unicodedata.category(character).startswith("M"):
        return ""
    return re.split(r"[ -]", unicodedata.name(character, "UNKNOWN"))[0]


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
