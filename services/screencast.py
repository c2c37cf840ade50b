"""The pictures that a browser shows while it loads a page, with their times and completeness.

Completeness is that of SpeedIndex: the progress of a picture's colour histograms from those of the first
picture to those of the last.
"""

import base64
import io
import json
import time

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from selenium import webdriver

from services.browser import ERROR_PAGE

Histograms = NDArray[np.int64]
"""Pixels of each value, for red, green and blue, as fractions of a million; shape (3, 256)."""

POLL_S = 0.03
WIDTH, HEIGHT = 640, 400


class Screencast:
    """The screencast of one browser. Its events arrive through chromedriver's performance log."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self._browser = browser
        self._frames: list[tuple[float, Histograms]] = []
        self._navigated = False
        self.loaded: float | None = None
        """When the page's load event arrived (monotonic clock)."""
        self.unreachable = False
        """Whether the browser shows its own error page."""

    def start(self) -> None:
        """Begin. Pictures before the load show the empty page."""
        self._browser.execute_cdp_cmd(
            "Page.startScreencast",
            {"format": "jpeg", "quality": 70, "maxWidth": WIDTH, "maxHeight": HEIGHT, "everyNthFrame": 1},
        )

    def poll(self) -> None:
        """Read the pictures and events since the last call, after a short wait."""
        time.sleep(POLL_S)
        for entry in self._browser.execute("getLog", {"type": "performance"})["value"]:
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Page.frameNavigated" and "parentId" not in event["params"]["frame"]:
                # The empty page of a new browser has a load event too, which may arrive late.
                address = event["params"]["frame"]["url"]
                self._navigated = address.startswith("http")
                self.unreachable = address.startswith(ERROR_PAGE)
            if event["method"] == "Page.loadEventFired" and self._navigated:
                self.loaded = time.monotonic()
            if event["method"] == "Page.screencastFrame":
                frame = event["params"]
                self._keep(frame["data"], frame["metadata"]["timestamp"], frame["sessionId"])

    def _keep(self, jpeg_base64: str, timestamp: float, session: int) -> None:
        """Keep a picture and request the next one."""
        self._frames.append((timestamp, _histograms(base64.b64decode(jpeg_base64))))
        self._browser.execute_cdp_cmd("Page.screencastFrameAck", {"sessionId": session})

    def completeness(self, start_s: float) -> tuple[list[float], list[float]]:
        """The times and the completeness of all pictures after `start_s` (Unix time).

        The page counts as empty at the start.

        Returns:
            Seconds since `start_s`, and completeness from 0 to 1.
        """
        frames = sorted(self._frames, key=lambda frame: frame[0])  # A busy browser sends some pictures late.
        before = [picture for time_s, picture in frames if time_s <= start_s]
        after = [(time_s - start_s, picture) for time_s, picture in frames if time_s > start_s]
        blank = before[-1] if before else _BLANK
        last = after[-1][1] if after else blank
        whole = int(np.abs(last - blank).sum()) or 1
        completeness = [1 - min(1.0, int(np.abs(last - picture).sum()) / whole) for _, picture in after]
        return [0.0, *[round(time_s, 6) for time_s, _ in after]], [0.0, *completeness]


def _histograms(jpeg: bytes) -> Histograms:
    pixels = np.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB"))
    counts = np.stack([np.bincount(pixels[..., colour].ravel(), minlength=256) for colour in range(3)])
    histograms: Histograms = counts * 1_000_000 // (pixels.shape[0] * pixels.shape[1])
    return histograms


_WHITE = io.BytesIO()
Image.new("RGB", (WIDTH, HEIGHT), "white").save(_WHITE, "jpeg")
_BLANK = _histograms(_WHITE.getvalue())
