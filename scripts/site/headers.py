"""The headers of every file of the site, by its address. docs/serving.md has the same for other servers."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".sig": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".parquet": "application/vnd.apache.parquet",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".xml": "application/xml",
    # Without Content-Encoding: browsers store the compressed bytes, whose checksum is published.
    ".zst": "application/zstd",
}
NAMES = {
    "feed.xml": "application/atom+xml",
    "SHA256SUMS": "text/plain; charset=utf-8",
    "allowed_signers": "text/plain; charset=utf-8",
}
"""The types of files whose suffix does not tell them."""

OTHER_TYPE = "application/octet-stream"

FROZEN = "public, max-age=31536000, immutable"
"""Files that never change at their address."""

SHORT = "public, max-age=300"
"""Files that another build may change. After five minutes browsers ask whether they did."""

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


CHART_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The policy of an SVG file: a chart has a style of its own, and loads nothing."""


def headers_of(address: str, captures: str) -> Mapping[str, str]:
    """The headers of a file.

    Args:
        address: its path below the root of the site.
        captures: the base of the addresses of captures: a folder of the site or a URL, ends with a slash.
    """
    frozen = address.startswith(captures) or FROZEN_ADDRESSES.fullmatch(address)
    return {
        "Content-Type": type_of(address),
        "Cache-Control": FROZEN if frozen else SHORT,
        **security(address, captures),
        **(CORS if is_shared(address, captures) else {}),
    }


def type_of(address: str) -> str:
    """The type of a file, by its name."""
    path = PurePosixPath(address)
    return NAMES.get(path.name) or TYPES.get(path.suffix, OTHER_TYPE)


def is_shared(address: str, captures: str) -> bool:
    """Whether pages of other sites may read a file: data and captures."""
    return address.startswith(("data/", captures))


def security(address: str, captures: str) -> Mapping[str, str]:
    """The headers of every answer that concern security, by the address of the file."""
    policy = CHART_POLICY if address.endswith(".svg") else page_policy(captures)
    return {
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'",
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
