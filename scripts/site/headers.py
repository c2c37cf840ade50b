"""The headers of every file of the site, by its address. docs/serving.md has the same for other servers."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

PLAIN = "text/plain; charset=utf-8"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": PLAIN,
    ".sig": PLAIN,
    ".jsonl": PLAIN,
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".xml": "application/xml",
    # Without Content-Encoding: browsers store the compressed bytes, whose checksum is published.
    ".zst": "application/zstd",
}
NAMED = {"feed.xml": "application/atom+xml", "allowed_signers": PLAIN, "SHA256SUMS": PLAIN}
"""The types of files that their endings do not tell."""
OTHER_TYPE = "application/octet-stream"

FROZEN = "public, max-age=31536000, immutable"
"""Files that never change at their address."""

SHORT = "public, max-age=300"
"""Files that another build may change. After five minutes browsers ask whether they did."""

UNLISTED_ADDRESSES = "unlisted/"
"""The pages of submissions before their release."""

PRIVATE = "private, max-age=300"
"""Files that go when a submission is released or withdrawn: no shared cache keeps them."""

UNLISTED = "noindex, nofollow"
"""What search engines read of them, in every page and in the header X-Robots-Tag."""

FROZEN_ADDRESSES = re.compile(
    r"data/v1/.+/part\.(parquet|csv)|cycles/.+/charts/.+|.*\.[0-9a-f]{64}\.(css|js)", re.DOTALL
)

CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "Accept-Ranges, Content-Length, Content-Range, ETag",
}
"""Pages of other sites may read data and captures, also by ranges."""

PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Range, If-Range, If-Match, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
"""The answer to the question of a browser whether it may send such a request (method OPTIONS)."""


EMBEDS = re.compile(r"(cycles/[^/]+/[^/]+/(r[0-9]+/)?|latest/[^/]+/)embed/[^/]+/[^/]+/index\.html")
"""The only pages that pages of other sites may show in a frame (scripts/site/addresses.py)."""

EMBED_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'"
"""The policy of these pages, also in their `<meta>`: they load nothing but their style."""

CHART_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The policy of an SVG file: a chart has a style of its own, and loads nothing."""


def headers_of(address: str, captures: str) -> Mapping[str, str]:
    """The headers of a file.

    Args:
        address: its path below the root of the site.
        captures: the base of the addresses of captures: a folder of the site or a URL, ends with a slash.
    """
    unlisted = address.startswith(UNLISTED_ADDRESSES)
    frozen = not unlisted and (address.startswith(captures) or FROZEN_ADDRESSES.fullmatch(address))
    return {
        "Content-Type": type_of(address),
        "Cache-Control": PRIVATE if unlisted else FROZEN if frozen else SHORT,
        **security(address, captures),
        **({"X-Robots-Tag": UNLISTED} if unlisted else {}),
        **(CORS if is_shared(address, captures) else {}),
    }


def type_of(address: str) -> str:
    """The type of a file, by its name."""
    path = PurePosixPath(address)
    return NAMED.get(path.name) or TYPES.get(path.suffix, OTHER_TYPE)


def is_shared(address: str, captures: str) -> bool:
    """Whether pages of other sites may read a file: data and captures."""
    return address.startswith(("data/", captures))


def security(address: str, captures: str) -> Mapping[str, str]:
    """The headers of every answer that concern security, by the address of the file."""
    policy, ancestors = page_policy(captures), "'none'"
    if address.endswith(".svg"):
        policy = CHART_POLICY
    elif EMBEDS.fullmatch(address):
        policy, ancestors = EMBED_POLICY, "*"
    return {
        "Content-Security-Policy": f"{policy}; frame-ancestors {ancestors}",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }


def page_policy(captures: str) -> str:
    """The policy of a page, also in its `<meta>`: it loads nothing but files of this site, and captures.

    Args:
        captures: the base of the addresses of captures, or the folder of those of a cycle.
    """
    elsewhere = f" {captures}" if "://" in captures else ""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self'{elsewhere}; base-uri 'none'; form-action 'none'"
    )
