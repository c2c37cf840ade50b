"""Reading pages in a browser, as the site's policy lets it work."""

from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.site.served import Served

WAIT_S = 20


class Browsed:
    """A browser on a served site; `root` is the folder of the site, `downloads` of what the browser keeps."""

    def __init__(self, browser: webdriver.Chrome, served: Served, root: Path, downloads: Path) -> None:
        self.browser, self.served, self.root, self.downloads = browser, served, root, downloads
        options = {"behavior": "allow", "downloadPath": str(downloads)}
        browser.execute_cdp_cmd("Browser.setDownloadBehavior", options)

    def open(self, address: str, words: str, where: str = "status") -> None:
        """Open a page, and wait until an element of it has these words."""
        self.browser.get_log("browser")
        self.browser.switch_to.new_window("tab")
        self.served.answers.clear()
        self.browser.get(self.served.address(address))
        self.wait(words, where)

    def wait(self, words: str, where: str = "status") -> str:
        """The text of an element, as soon as it has these words."""
        return self.until(lambda: words in self.text(where) and self.text(where), words)

    def until(self, found: Callable[[], object], what: str) -> str:
        """What a function returns, as soon as that is true."""
        return WebDriverWait(self.browser, WAIT_S).until(lambda _: found(), what)

    def text(self, name: str) -> str:
        """The text of the element with this id; empty if there is none yet."""
        return " ".join(element.text for element in self.browser.find_elements(By.ID, name))

    def all(self, selector: str) -> list[WebElement]:
        """The elements of a CSS selector."""
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def rows(self, place: str) -> list[list[str]]:
        """The cells of all table rows in a place."""
        script = (
            "return [...document.querySelectorAll(arguments[0] + ' tbody tr')]"
            ".map(row => [...row.cells].map(cell => cell.innerText.trim()))"
        )
        return self.browser.execute_script(script, place)

    def press(self, *keys: str) -> None:
        """Press keys, whatever has the focus."""
        for key in keys:
            self.browser.switch_to.active_element.send_keys(key)

    def tab_to(self, selector: str) -> None:
        """Press the tabulator until an element has the focus."""
        for _ in range(80):
            self.press(Keys.TAB)
            if self.browser.execute_script("return document.activeElement.matches(arguments[0])", selector):
                return
        raise AssertionError(f"no tabulator leads to {selector}")

    def query(self) -> str:
        """The query of the address."""
        return self.browser.execute_script("return location.search")

    def kept(self, name: str) -> bytes:
        """A downloaded file, as soon as it is whole."""
        file = self.downloads / name
        self.until(lambda: file.is_file() and not list(self.downloads.glob("*.crdownload")), name)
        content = file.read_bytes()
        file.unlink()  # The next one has the same name.
        return content
