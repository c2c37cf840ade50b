"""Pages that read published files in Chromium, and what they say when these files are hostile."""

import re
import time
from hashlib import sha256
from pathlib import Path
from random import Random

from selenium import webdriver

from tests.fuzz.mutator import mutated
from tests.fuzz.readers import FAILED
from tests.site.root.sample_tables_site import EARLIER, LATER
from tests.site.served import Served

MOST_S = 15
POLL_S = 0.02
PAIR = "8mbps/iperf-bbr~iperf-reno"
TRIAL = f"demo/{EARLIER.cycle}/{PAIR}/1"
BOTH = f"demo/{EARLIER.cycle},demo/{LATER.cycle}"
PLOT = "x=contender&y=share_median&colour=cycle"
PAGES = {
    f"explore/?cycles={BOTH}&where=n:over:1&sort=-share_median&{PLOT}&one={TRIAL}": (
        "data/v1/index.json",
        EARLIER.table("pairs", "parquet"),
        EARLIER.table("trial_series", "parquet"),
    ),
    f"explore/compare/?a=demo/{EARLIER.cycle}/{PAIR}&b=demo/{LATER.cycle}/{PAIR}": (
        EARLIER.pages + "summary.json",
        EARLIER.pages + "summary.parquet",
        "explore/compare/words.json",
    ),
}
"""The pages, and the files that they read."""

SAID = """
return location.search.endsWith(arguments[0]) && document.readyState === "complete" &&
  [...document.querySelectorAll("[role=status]")].map((status) => status.textContent)
"""


def check(browser: webdriver.Chrome, served: Served, root: Path, runs: int, seed: int) -> set[str]:
    """Open pages whose files were changed at random; return what the pages said.

    Raises:
        AssertionError: a page said nothing for MOST_S, did not handle an error, or took text for markup.
    """
    random, told = Random(seed), set[str]()
    originals = {name: (root / name).read_bytes() for names in PAGES.values() for name in names}
    for number in range(runs):
        page, names = random.choice([*PAGES.items()])
        name = random.choice(names)
        content = mutated(random, [originals[name]])
        (root / name).write_bytes(content)
        try:
            told.add(_said(browser, served.address(f"{page}&number={number}"), f"&number={number}"))
        except BaseException as error:
            FAILED.mkdir(parents=True, exist_ok=True)
            file = FAILED / f"failed-{Path(name).name}-{sha256(content).hexdigest()[:8]}"
            file.write_bytes(content)
            error.add_note(f"{page}: the {name} is in {file}")
            raise
        finally:
            (root / name).write_bytes(originals[name])
    return told


def _said(browser: webdriver.Chrome, address: str, end: str) -> str:
    """What a page says once it is ready."""
    browser.get_log("browser")
    browser.get(address)
    until, texts = time.monotonic() + MOST_S, None
    while not texts or not texts[0] or any(text.endswith("…") for text in texts):
        assert time.monotonic() < until, f"after {MOST_S} s the page says {texts}"
        time.sleep(POLL_S)
        texts = browser.execute_script(SAID, end)
    messages = [entry["message"] for entry in browser.get_log("browser")]
    wrong = [text for text in messages if "Uncaught" in text or "inline" in text]
    assert not wrong, wrong
    return re.split("[:.]", texts[0])[0]
