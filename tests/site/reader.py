"""A browser that reads a served site as a person does: by clicks and keys, in any width, light or dark."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from scripts.base.files import ROOT
from tests.site.pages_read import Site

AXE = ROOT / "site/node_modules/axe-core/axe.min.js"
LOADED_S = 20
CYCLE_DEPTH = 3
"""The folders of a cycle's pages: cycles/<campaign>/<cycle>/."""


@dataclass
class Reader:
    """A browser, and the address of the site that it reads."""

    page: webdriver.Chrome
    root: str

    def open(self, address: str, width: int = 1280, scheme: str = "light") -> None:
        """Show a page of the site in a window of this width and in this colour scheme."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self.page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
        self.page.get_log("browser")
        self.page.execute_script("window.stop(); document.documentElement.id = 'former'")
        self.page.get(self.root + address)
        self.wait_for_new_page()

    def wait_for_new_page(self) -> None:
        """Wait until another page than the former one is loaded, and not one that only leads to it."""
        script = (
            "const root = document.documentElement;"
            "return root !== null && root.id !== 'former' && document.readyState === 'complete'"
            " && !document.querySelector('meta[http-equiv=refresh]')"
        )
        WebDriverWait(self.page, LOADED_S).until(lambda page: page.execute_script(script))

    def follow(self, selector: str) -> str:
        """Click the first visible link that matches; returns the new address below the root."""
        link = next(link for link in self.all(selector) if self.shows(link))
        self.page.execute_script("document.documentElement.id = 'former'")
        self.page.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
        link.click()
        self.wait_for_new_page()
        return self.address

    def press(self, key: str) -> WebElement:
        """Press a key; returns the element that then has the focus."""
        self.page.switch_to.active_element.send_keys(key)
        return self.page.switch_to.active_element

    def tab_to(self, selector: str, most: int) -> WebElement:
        """Press Tab until an element that matches has the focus."""
        for _ in range(most):
            focused = self.press(Keys.TAB)
            if focused in self.all(selector):
                return focused
        raise AssertionError(f"{selector}: not reached with {most} tabs")

    def all(self, selector: str) -> list[WebElement]:
        """Every element that matches."""
        return self.page.find_elements(By.CSS_SELECTOR, selector)

    def shows(self, element: WebElement) -> bool:
        """Whether an element is visible."""
        return bool(self.page.execute_script("return arguments[0].checkVisibility()", element))

    @property
    def address(self) -> str:
        """The path of the page below the root."""
        return unquote(urlsplit(self.page.current_url).path).lstrip("/")

    @property
    def foreign(self) -> list[str]:
        """What the page loaded from elsewhere."""
        script = "return performance.getEntriesByType('resource').map((entry) => entry.name)"
        return [name for name in self.page.execute_script(script) if not name.startswith(self.root)]

    @property
    def overflow(self) -> int:
        """By how many px the page is wider than its window."""
        script = "return document.scrollingElement.scrollWidth - window.innerWidth"
        return max(0, self.page.execute_script(script))

    def violations(self, *rules: str) -> list[str]:
        """What axe finds: rule and element. Without names of rules, it looks for all."""
        self.page.execute_script(AXE.read_text(encoding="utf-8"))
        found = self.page.execute_async_script(
            "const [rules, done] = arguments; const only = rules.length ? {runOnly: rules} : {};"
            "axe.run(document, {resultTypes: ['violations'], ...only}).then("
            "(result) => done(result.violations.flatMap((one) => one.nodes.map((node) =>"
            " `${one.id}: ${node.html.slice(0, 150)}`))), (error) => done([String(error)]));",
            list(rules),
        )
        return list(found)


def kinds_of_pages(site: Site) -> list[str]:
    """The first and the last page of every kind, by address; pages that only lead to others are none."""
    kinds: dict[tuple[object, ...], list[str]] = {}
    for path in site.pages:
        parts = PurePosixPath(path).parent.parts
        if parts[:1] == ("latest",) or path == "404.html":
            continue
        own = parts[CYCLE_DEPTH:] if parts[:1] == ("cycles",) and len(parts) >= CYCLE_DEPTH else parts
        kinds.setdefault((own is parts, *own[:1], len(own)), []).append("/".join((*parts, "")).lstrip("/"))
    return sorted({page for pages in kinds.values() for page in (pages[0], pages[-1])})
