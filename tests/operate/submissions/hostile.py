"""Hostile submissions: each with a name, the file, and a part of the line that refuses it.

In a text file, CODE stands for a valid code.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from tests.operate.submissions.desk import TODAY

VALID = """\
name: Example Films
address: https://films.iana.org/
kind: video
contact: me@iana.org
code: CODE
release: public
"""


class Hostile(NamedTuple):
    """A file, or what changes in a valid one."""

    name: str
    expected: str
    content: bytes | str | None = None
    changes: dict[str, Any] | None = None


ADDRESSES = {
    "no scheme": ("films.iana.org/watch", "begins with https://"),
    "http": ("http://films.iana.org/", "begins with https://"),
    "ftp": ("ftp://films.iana.org/", "begins with https://"),
    "file": ("file:///etc/passwd", "begins with https://"),
    "javascript": ("javascript:alert(1)", "begins with https://"),
    "data": ("data:text/html,hello", "begins with https://"),
    "chrome": ("chrome://settings", "begins with https://"),
    "view-source": ("view-source:https://films.iana.org/", "begins with https://"),
    "blob": ("blob:https://films.iana.org/1", "begins with https://"),
    "one slash": ("https:/films.iana.org/", "begins with https://"),
    "no host": ("https:///watch", "begins with https://"),
    "user": ("https://iana.org@films.iana.org/", "user name"),
    "user and password": ("https://a:b@films.iana.org/", "user name"),
    "fragment": ("https://films.iana.org/#top", "fragment"),
    "decimal number": ("https://2130706433/", "not a public host name"),
    "decimal numbers": ("https://127.0.0.1/", "number instead"),
    "octal number": ("https://0177.0.0.1/", "number instead"),
    "hexadecimal number": ("https://0x7f000001/", "not a public host name"),
    "hexadecimal numbers": ("https://0x7f.0.0.0x1/", "number instead"),
    "short number": ("https://127.1/", "number instead"),
    "numbers in full width": ("https://１２７.０.０.１/", "number instead"),
    "numbers in circles": ("https://①②⑦.⓪.⓪.①/", "number instead"),
    "number with a dot": ("https://127.0.0.1./", "not a host name"),
    "IPv6": ("https://[::1]/", "number instead"),
    "IPv6-mapped": ("https://[::ffff:127.0.0.1]/", "number instead"),
    "IPv6-mapped hexadecimal": ("https://[::ffff:7f00:1]/", "number instead"),
    "NAT64": ("https://[64:ff9b::7f00:1]/", "number instead"),
    "IPv6 with a zone": ("https://[fe80::1%25eth0]/", "number instead"),
    "IPv6 without brackets": ("https://::1/", "number instead"),
    "public number": ("https://192.0.43.8/", "number instead"),
    "localhost": ("https://localhost/", "not a public host name"),
    "localhost.": ("https://localhost./", "not a host name"),
    "below localhost": ("https://films.localhost/", "not a public host name"),
    "capital localhost": ("https://films.LOCALHOST/", "not a public host name"),
    "local": ("https://printer.local/", "not a public host name"),
    "internal": ("https://metadata.google.internal/", "not a public host name"),
    "onion": ("https://abc.onion/", "not a public host name"),
    "home.arpa": ("https://router.home.arpa/", "not a public host name"),
    "reverse name": ("https://1.0.0.127.in-addr.arpa/", "not a public host name"),
    "test": ("https://text.test/", "not a public host name"),
    "example.com": ("https://www.example.com/", "not a public host name"),
    "suffix of a registry": ("https://co.uk/", "not a public host name"),
    "suffix of a company": ("https://github.io/", "not a public host name"),
    "below no suffix": ("https://kubernetes.default.svc/", "not a public host name"),
    "name of a router": ("https://fritz.box/", "not a public host name"),
    "name of DHCP": ("https://a.dhcp/", "not a public host name"),
    "single label": ("https://intranet/", "not a public host name"),
    "root": ("https://./", "not a host name"),
    "trailing dot": ("https://films.iana.org./", "not a host name"),
    "empty label": ("https://films..iana.org/", "not a host name"),
    "wide dots": ("https://films。localhost/", "not a public host name"),
    "underscore": ("https://my_films.iana.org/", "not a host name"),
    "encoded host": ("https://%6c%6f%63alhost.iana.org/", "not a host name"),
    "backslash": ("https://films.iana.org\\@127.0.0.1/", "user name"),
    "backslash in the host": ("https://films.iana.org\\.localhost/", "not a host name"),
    "backslash in the path": ("https://films.iana.org/\\evil", "percent-encode"),
    "space": ("https://films.iana.org/a b", "percent-encode"),
    "quote": ('https://films.iana.org/"onload=x', "percent-encode"),
    "pipe": ("https://films.iana.org/|ls", "percent-encode"),
    "backtick": ("https://films.iana.org/`ls`", "percent-encode"),
    "half an escape": ("https://films.iana.org/%4", "percent-encode"),
    "encoded NUL": ("https://films.iana.org/%00", "control character"),
    "encoded line break": ("https://films.iana.org/%0d%0aHost:x", "control character"),
    "encoded dots": ("https://films.iana.org/%2e%2e/x", ".. in its path"),
    "port 22": ("https://films.iana.org:22/", "port 22"),
    "port 80": ("https://films.iana.org:80/", "port 80"),
    "long port": (f"https://films.iana.org:{'4' * 500}/", "port 444"),
    "word as a port": ("https://films.iana.org:https/", "port https"),
    "Cyrillic a": ("https://www.аpple.org/", "mixes letters"),
    "Cyrillic a in IDNA": ("https://xn--pple-43d.org/", "mixes letters"),
    "Greek o": ("https://gοogle.org/", "mixes letters"),
    "broken IDNA": ("https://xn--a-ecp.ru.iana.org.xn--zzzzzzzzzz/", "IDNA"),
    "joiner": ("https://fil\u200bms.iana.org/", "\\u200b"),
    "2,049 characters": ("https://films.iana.org/" + "a" * 2026, "at most 2048"),
    "long label": (f"https://{'a' * 64}.iana.org/", "not a host name"),
    "long host": (f"https://{'a.' * 130}org/", "not a public host name"),
}
CALENDAR = {
    "yesterday": (TODAY - timedelta(days=1)).isoformat(),
    "in two years": (TODAY + timedelta(days=401)).isoformat(),
    "no such day": "2027-02-30",
    "month 13": "2027-13-01",
    "a moment": "2027-01-31T00:00:00",
    "empty": "",
    "a word": "soon",
}
PAYLOADS = {
    "path traversal": "../../../../etc/passwd",
    "HTML": "<script>alert(1)</script>",
    "Markdown": "[free](https://evil.iana.org)",
    "braces": "{{ .Site.Params }}",
    "dollar": "${7*7}",
    "percent": "{% include 'x' %}",
    "NUL": "a\0b",
    "terminal escape": "\x1b[2J\x1b]0;owned\x07",
    "right to left": "ab\u202edc",
    "left mark": "ab\u200edc",
    "line separator": "ab\u2028dc",
    "line break": "ab\nerror: all is well",
}
FIELDS = (
    "name",
    "address",
    "kind",
    "workload",
    "contact",
    "code",
    "release",
    "settings",
    "contenders",
    "other",
)
NAMES = {
    "a service's name": "youtube",
    "a service's title": "YouTube",
    "capitals": "NETFLIX",
    "spaces": "Y o u T u b e",
    "hyphens": "google-drive",
    "digits": "Y0uTube",
    "letters between signs": "N.e.t.f.l.i.x",
    "as we say it": "Netflix (submitted)",
    "as we say it twice": "Netflix (submitted) (submitted)",
    "wide letters": "Ｎetflix",
    "Cyrillic": "Netfliх",
    "nothing": "",
    "a space first": " Netflix",
    "61 letters": "a" * 61,
    "60,000 letters": "a" * 60_000,
}
FILES = {
    "empty": ("", "is empty"),
    "only a comment": ("# nothing\n", "is empty"),
    "a list": ("- name\n", "must be a mapping"),
    "a word": ("name\n", "must be a mapping"),
    "64 kB": (VALID + "# " + "a" * 64_000, "more than 64000 bytes"),
    "1 MB name": (VALID.replace("Example Films", "a" * 1_000_000), "more than 64000 bytes"),
    "UTF-16": (VALID.encode("utf-16"), "not UTF-8"),
    "broken UTF-8": (VALID.encode() + b"\xff\xfe", "not UTF-8"),
    "two marks of UTF-8": (b"\xef\xbb\xbf\xef\xbb\xbf" + VALID.encode(), "\\ufeff"),
    "NUL": (VALID.replace("Films", "Fil\0ms"), "\\x00"),
    "NUL in a comment": (VALID + "# \0", "\\x00"),
    "escape": (VALID.replace("Films", "\x1b[31mFilms"), "\\x1b"),
    "escaped escape": (VALID.replace("Example Films", r'"\e[31mFilms"'), "hidden character"),
    "escaped line break": (VALID.replace("public", r'"public\n"'), "line break"),
    "folded text": (VALID.replace("Example Films", ">\n  Example\n\n  Films"), "line break"),
    "tab": (VALID.replace("name: ", "name:\t"), "\\t"),
    "carriage return": (VALID.replace("Films", "Fi\rlms"), "\\r"),
    "duplicate key": (VALID + "name: Other\n", "duplicate"),
    "duplicate key in quotes": (VALID + '"name": Other\n', "duplicate"),
    "tag of Python": (VALID + "other: !!python/object/apply:os.system [ls]\n", "tag"),
    "tag of YAML": (VALID.replace("Example Films", "!!binary aGVsbG8="), "tag"),
    "tag alone": (VALID.replace("Example Films", "! Example"), "tag"),
    "tag of the file": ("!!map\n" + VALID, "tag"),
    "anchor": (VALID.replace("Example Films", "&a Example Films"), "anchor"),
    "alias": (VALID.replace("Example Films", "*a"), "anchor"),
    "merge": (VALID + "<<: {kind: page}\n", "merge"),
    "two documents": (VALID + "---\n" + VALID, "second document"),
    "directive": ("%YAML 1.1\n---\n" + VALID, "directive"),
    "directive of tags": ("%TAG ! tag:evil,2020:\n---\n" + VALID, "directive"),
    "not closed": (VALID + "settings: [8mbps", "not valid YAML"),
    "key that is a list": (VALID + "? [a, b]\n: c\n", "a key must be a word"),
    "key that is a mapping": (VALID + "? {a: b}\n: c\n", "a key must be a word"),
    "laughs": (
        "a: &a [x, x, x]\nb: &b [*a, *a, *a]\nc: &c [*b, *b, *b]\n" + VALID,
        "anchor",
    ),
    "deep list": (VALID + "settings: " + "[" * 30_000, "nested more than"),
    "deep mapping": (VALID + "settings: " + "{a: " * 15_000, "nested more than"),
    "deep dashes": (VALID + "settings:\n" + "- " * 30_000 + "x\n", "nested more than"),
    "many parts": (VALID + "settings: [" + "a," * 30_000 + "]\n", "more than 1000 parts"),
    "many keys": (VALID + "".join(f"k{n}: v\n" for n in range(6_000)), "more than 1000 parts"),
    "many documents": ("---\na: b\n" * 7_000, "second document"),
    "long key": ("k" * 60_000 + ": v\n", "must be a mapping"),
    "long number": (VALID + "other: " + "9" * 50_000, "unknown key"),
    "number of base 60": (VALID + "other: " + "1:" * 20_000 + "1", "unknown key"),
    "code four times": (VALID.replace("CODE", "CODE CODE CODE CODE"), "code: cannot be this"),
    "code as a key": (VALID + "CODE: x\n", "code: the file has it more than once"),
    "code as the name": (VALID.replace("Example Films", "CODE"), "code: the file has it more than once"),
    "code in a comment": (VALID + "# CODE\n", "code: the file has it more than once"),
    "unknown key": (VALID + "priority: high\n", "priority: is an unknown key"),
    "our own key": (VALID + "token: 00000000000000000000000000000000\n", "token: is an unknown key"),
    "state": (VALID + "approved: 2020-01-01T00:00:00Z\n", "approved: is an unknown key"),
}
VALUES: dict[str, tuple[dict[str, Any], str]] = {
    "kind call": ({"kind": "call"}, "kind: cannot be call"),
    "kind with a path": ({"kind": "../video"}, "kind: cannot be ../video"),
    "kind in a list": ({"kind": ["video"]}, "kind: cannot be this list"),
    "name in a mapping": ({"name": {"a": "b"}}, "name: cannot be a mapping"),
    "no name": ({"name": None}, "name: is missing"),
    "no code": ({"code": None}, "code: is missing"),
    "no contact": ({"contact": None}, "contact: is missing"),
    "long contact": ({"contact": "a" * 255}, "contact: cannot be"),
    "contact not ASCII": ({"contact": "mé@iana.org"}, "contact: cannot be"),
    "contact in brackets": ({"contact": "Me <me@iana.org>"}, "contact: cannot be"),
    "workload of everything": ({"workload": ["*"]}, "workload: cannot be *"),
    "workload of a top domain": ({"workload": ["*.com"]}, "workload: cannot be *.com"),
    "workload of a suffix": ({"workload": ["*.co.uk"]}, "workload: cannot be *.co.uk"),
    "workload of a company": ({"workload": ["*.github.io"]}, "workload: cannot be *.github.io"),
    "workload of several owners": ({"workload": ["films*.co.uk"]}, "workload: cannot be films*.co.uk"),
    "workload that is a suffix": ({"workload": ["co.uk"]}, "workload: cannot be co.uk"),
    "workload of stars": ({"workload": ["*.*"]}, "workload: cannot be *.*"),
    "workload of a number": ({"workload": ["10.0.0.1"]}, "workload: cannot be 10.0.0.1"),
    "workload in capitals": ({"workload": ["CDN.iana.org"]}, "workload: cannot be CDN.iana.org"),
    "workload twice": ({"workload": ["a.iana.org", "a.iana.org"]}, "workload: cannot be this list"),
    "workload of 21": ({"workload": [f"a{n}.iana.org" for n in range(21)]}, "workload: cannot be this list"),
    "workload as a word": ({"workload": "a.iana.org"}, "workload: cannot be a.iana.org"),
    "empty workload": ({"workload": []}, "workload: cannot be this list"),
    "unknown setting": ({"settings": ["1gbps"]}, "settings: the panel has no 1gbps"),
    "unknown contender": ({"contenders": ["evil"]}, "contenders: the panel has no evil"),
    "contender of the catalogue alone": ({"contenders": ["youtube"]}, "contenders: the panel has no youtube"),
    "calibration": ({"contenders": ["calibration"]}, "contenders: the panel has no calibration"),
    "page against page": (
        {"kind": "page", "contenders": ["ref-page-text"]},
        "a page meets only services judged by throughput",
    ),
    "no code but dashes": ({"code": "----"}, "has a typo"),
    "guessed code": ({"code": "0000-0000-0000-0000-0000-0000-0001"}, "has a typo"),
    "guessed code with its check": ({"code": "0" * 28}, "the code is not valid"),
    "code in wide digits": ({"code": "０" * 28}, "has a typo"),
    "code with a path": ({"code": "../codes/x.json"}, "has a typo"),
    "code with a star": ({"code": "*" * 28}, "has a typo"),
}


def hostile() -> Iterator[Hostile]:
    """All hostile submissions."""
    for name, (address, expected) in ADDRESSES.items():
        yield Hostile(f"address: {name}", expected, changes={"address": address})
    for name, release in CALENDAR.items():
        yield Hostile(f"release: {name}", "release", changes={"release": release})
    for name, written in NAMES.items():
        yield Hostile(f"name: {name}", "name", changes={"name": written})
    for name, (content, expected) in FILES.items():
        yield Hostile(f"file: {name}", expected, content=content)
    for name, (changes, expected) in VALUES.items():
        yield Hostile(f"value: {name}", expected, changes=changes)
    for field in FIELDS:
        for name, payload in PAYLOADS.items():
            value = [payload] if field in ("workload", "settings", "contenders") else payload
            expected = "" if set(payload) - set(map(chr, range(32, 127))) else field
            yield Hostile(f"{field}: {name}", expected, changes={field: value})
    for name, payload in PAYLOADS.items():
        yield Hostile(f"key: {name}", "", changes={payload: "x"})
        yield Hostile(f"address with {name}", "", changes={"address": f"https://films.iana.org/{payload}"})
