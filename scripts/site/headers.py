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
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".xml": "application/xml",
    # Without Content-Encoding: browsers store the compressed bytes, whose checksum is published.
    ".zst": "application/zstd",
}
FEED, FEED_TYPE = "feed.xml", "application/atom+xml"
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
        **security(captures),
        **(CORS if is_shared(address, captures) else {}),
    }


def type_of(address: str) -> str:
    """The type of a file, by its name."""
    path = PurePosixPath(address)
    return FEED_TYPE if path.name == FEED else TYPES.get(path.suffix, OTHER_TYPE)


def is_shared(address: str, captures: str) -> bool:
    """Whether pages of other sites may read a file: data and captures."""
    return address.startswith(("data/", captures))


def security(captures: str) -> Mapping[str, str]:
    """The headers of every answer: a page loads nothing but files of this site, and captures."""
    elsewhere = f" {captures}" if "://" in captures else ""
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        # The bars of the front page and the charts have inline styles.
        "style-src": "'self' 'unsafe-inline'",
        # Each page has an empty icon, which is a data: address.
        "img-src": "'self' data:",
        "connect-src": f"'self'{elsewhere}",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
