"""The page status/ in a browser: it tells the age of the last success by the reader's clock."""

import pytest

from tests.site.root.sample_operation import OPERATION


def set_clock(reader, now):
    """Let the pages that are opened from now on see this time."""
    source = f"Date.now = () => Date.parse('{now}')"
    added = reader.page.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
    return added["identifier"]


@pytest.mark.parametrize(
    ("now", "strong", "words"),
    [
        ("2026-12-14T12:00:00Z", False, "The last success is less than a day old."),
        ("2026-12-15T06:00:00Z", False, "The last success is 1 day old."),
        ("2027-01-04T05:00:00Z", False, "The last success is 20 days old."),
        ("2027-01-04T06:00:00Z", True, "Stale: the last success is 21 days old, more than 21."),
        ("2028-01-04T06:00:00Z", True, "The observatory stands still."),
    ],
)
def test_a_reader_sees_whether_the_observatory_stands_still(reader, now, strong, words):
    assert OPERATION.last_success.at == "2026-12-14T05:06:07Z"
    identifier = set_clock(reader, now)
    try:
        reader.open("status/")
        (line,) = reader.all("#age")
        assert words in line.text
        assert strong == ("strong" in line.get_attribute("class").split())
    finally:
        reader.page.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": identifier})
