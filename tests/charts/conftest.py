"""The browser that measures the texts of charts."""

from collections.abc import Iterator

import pytest
from selenium import webdriver

from tests.services.local_site import local_browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory) -> Iterator[webdriver.Chrome]:
    """A browser with an empty page, for `texts_of`."""
    with local_browser(tmp_path_factory.mktemp("browser")) as opened:
        opened.get("about:blank")
        yield opened
