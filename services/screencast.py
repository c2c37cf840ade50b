"""The pictures that a browser shows while it loads a page, with their times and completeness.

Completeness is that of SpeedIndex: the progress of a picture's colour histograms from those of the first
picture to those of the last.
"""

import base64
import io
import time

import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scripts.base.records import Json
from scripts.model.problems import Code, problem
from services.devtools import ANSWER_S, Event
from services.drivers import ServiceError
from services.tab import Tab

Histograms = NDArray[np.int64]
"""Pixels of each value, for red, green and blue, as fractions of a million; shape (3, 256)."""

WIDTH, HEIGHT = 640, 400

FIRST_S = 1
"""How long the first picture may take before they are requested again."""

POLL_S = 0.02


class _Metadata(msgspec.Struct, rename="camel"):
    timestamp: float


class _Picture(msgspec.Struct, rename="camel"):
    data: str
    metadata: _Metadata
    session_id: int


class Screencast:
    """The pictures of a tab from now on. Those before the load show the empty page.

    A busy browser sometimes sends none at all until it is asked again, whatever its page shows. So there is
    at least one picture before anything is opened.

    Raises:
        ServiceError: the browser sends no picture.
    """

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._frames: list[tuple[float, Histograms]] = []
        tab.listeners.append(self._hear)
        deadline = time.monotonic() + ANSWER_S
        while not self._starts():
            if time.monotonic() > deadline:
                raise ServiceError(problem(Code.BROWSER_SILENT, ANSWER_S))

    def _starts(self) -> bool:
        """Request the pictures; return whether one came in time."""
        size: dict[str, Json] = {"maxWidth": WIDTH, "maxHeight": HEIGHT}
        self._tab.send("Page.stopScreencast")
        self._tab.send("Page.startScreencast", format="jpeg", quality=70, everyNthFrame=1, **size)
        again = time.monotonic() + FIRST_S
        while not self._frames and time.monotonic() < again:
            self._tab.follow(POLL_S)
        return bool(self._frames)

    def _hear(self, event: Event) -> None:
        """Keep a picture and request the next one."""
        if event.method == "Page.screencastFrame":
            picture = event.read(_Picture)
            self._frames.append((picture.metadata.timestamp, _histograms(base64.b64decode(picture.data))))
            self._tab.send("Page.screencastFrameAck", sessionId=picture.session_id)

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
