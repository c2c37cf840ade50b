"""What the head and the foot of every page need: Hugo's data file `frame`."""

from scripts.base.records import Json
from scripts.site.headers import page_policy
from scripts.site.settings import Unlisted


def frame(
    address: str,
    doi: str | None,
    captures: str | None,
    pages: str = "",
    unlisted: Unlisted | None = None,
) -> dict[str, object]:
    """The content of the data file `frame`.

    Args:
        address: the URL of the site, which ends with a slash; empty if pages have no permanent one.
        doi: the DOI of the data, if it has one.
        captures: the base of the addresses of captures; None if the pages have none.
        pages: the folder of these pages in the site; empty for those of the root.
        unlisted: what unlisted pages say; None for others.
    """
    said: Json = {"until": unlisted.until} if unlisted else None
    policy = page_policy(captures or "")
    return {"address": address, "doi": doi, "policy": policy, "pages": pages, "unlisted": said}
