"""The one line of a published page that may change: its status.

Hugo leaves the line empty. It is the only line of a page that begins with START.
"""

from pathlib import Path

START, END = "<!--status-->", "<!--/status-->"


def with_status(page: str, status: str) -> str:
    """A page with another status; `status` is HTML without a line break, empty for none.

    Raises:
        ValueError: the page has no line for its status.
    """
    head, start, rest = page.partition(START)
    _former, end, tail = rest.partition(END)
    if not start or not end:
        raise ValueError("the page has no line for its status")
    return f"{head}{START}{status}{END}{tail}"


def status_of(page: Path) -> str:
    """The status of a page."""
    return page.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
