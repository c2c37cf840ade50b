"""The rules of a host name: public, no number, and no mixture of scripts that looks like another name."""

import re
import unicodedata
from collections.abc import Callable
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
    return owned_domain(name) is not None and not any(f".{name}".endswith(f".{one}") for one in RESERVED)


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
        if idna.alabel(decoded).decode("ascii") == label and all(one.isprintable() for one in decoded):
            return decoded
    except (idna.IDNAError, UnicodeError):
        pass
    raise UserError(f"{where}: {shown(label)} is not a name in IDNA; write it again")


def _mixes(label: str) -> bool:
    """Whether a label has letters of several scripts that no language writes together."""
    scripts = {_script(one) for one in label if not one.isdigit() and one != "-"} - {""}
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


def _script(character: str) -> str:
    """The script of a letter: the first word of its name in Unicode. A mark has none of its own."""
    if unicodedata.category(character).startswith("M"):
        return ""
    return re.split(r"[ -]", unicodedata.name(character, "UNKNOWN"))[0]
