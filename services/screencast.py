"""What a browser shows while it loads a page: pictures with their times, and how complete each is.

Completeness is SpeedIndex's: how far the colour histograms of a picture have come from those of the first to
those of the last.
"""

import base64
import io
import json
import time
from typing import Any

import numpy as np
from PIL import Image
from selenium import webdriver

POLL_S = 0.03
WIDTH, HEIGHT = 640, 400


class Screencast:
    """The screencast of one browser; its events come through chromedriver's performance log."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self._browser = browser
        self._frames: list[tuple[float, Any]] = []
        self._navigated = False
        self.loaded: float | None = None
        """When the page's load event came, by the monotonic clock."""

    def start(self) -> None:
        """Begin; what is shown until the load is the empty page."""
        self._browser.execute_cdp_cmd(
            "Page.startScreencast",
            {"format": "jpeg", "quality": 70, "maxWidth": WIDTH, "maxHeight": HEIGHT, "everyNthFrame": 1},
        )

    def poll(self) -> None:
        """Take what was shown since the last time, after a short wait."""
        time.sleep(POLL_S)
        for entry in self._browser.execute("getLog", {"type": "performance"})["value"]:
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Page.frameNavigated" and "parentId" not in event["params"]["frame"]:
                # The empty page of a new browser has a load event too, which may come late.
                self._navigated = event["params"]["frame"]["url"].startswith("http")
            if event["method"] == "Page.loadEventFired" and self._navigated:
                self.loaded = time.monotonic()
            if event["method"] == "Page.screencastFrame":
                self._keep(event["params"])

    def _keep(self, shown: dict[str, Any]) -> None:
        """Keep a picture and ask for the next."""
        picture = _histograms(base64.b64decode(shown["data"]))
        self._frames.append((shown["metadata"]["timestamp"], picture))
        self._browser.execute_cdp_cmd("Page.screencastFrameAck", {"sessionId": shown["sessionId"]})

    def completeness(self, start_s: float) -> tuple[list[float], list[float]]:
        """Seconds since `start_s` (Unix time) and completeness, 0 to 1, of every picture from then on.

        The page counts as empty at the start, and until the first picture of it.
        """
        frames = sorted(self._frames, key=lambda frame: frame[0])  # a busy browser sends some late
        before = [picture for at, picture in frames if at <= start_s]
        after = [(at - start_s, picture) for at, picture in frames if at > start_s]
        blank = before[-1] if before else _BLANK
        last = after[-1][1] if after else blank
        whole = int(np.abs(last - blank).sum()) or 1
        parts = [1 - min(1.0, int(np.abs(last - picture).sum()) / whole) for _, picture in after]
        return [0.0, *[round(at, 6) for at, _ in after]], [0.0, *parts]


def _histograms(jpeg: bytes) -> Any:
    """Pixels of each value, for red, green and blue, as fractions of a million."""
    pixels = np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"))
    counts = np.stack([np.bincount(pixels[..., colour].ravel(), minlength=256) for colour in range(3)])
    return counts * 1_000_000 // (pixels.shape[0] * pixels.shape[1])


_WHITE = io.BytesIO()
Image.new("RGB", (WIDTH, HEIGHT), "white").save(_WHITE, "jpeg")
_BLANK = _histograms(_WHITE.getvalue())
