"""The state of an open page, as a script in our own world of it reads it (services/tab.py)."""

from dataclasses import dataclass
from pathlib import Path

OBSERVER = Path(__file__).with_name("observer.js").read_text(encoding="utf-8")

STATE = """
(() => {
  const [page] = performance.getEntriesByType("navigation");
  if (document.fullscreenElement) document.exitFullscreen();
  return {
    url: location.href, status: page ? page.responseStatus : null, origin_ms: performance.timeOrigin,
    full_screen: document.fullscreenElement !== null,
    protocols: performance.getEntries().map((entry) => entry.nextHopProtocol).filter(Boolean),
    ...(Object.hasOwn(globalThis, "observation") ? observation() : { video: null, seconds_of_call: [] }),
  };
})()
"""


@dataclass(frozen=True)
class Height:
    """The height of the picture from this time on."""

    at_s: float
    height: int


@dataclass(frozen=True)
class Frames:
    """The pictures of a video."""

    shown: int
    dropped: int


@dataclass(frozen=True)
class VideoState:
    """What a person notices of a video. `startup_s` is None before it plays."""

    startup_s: float | None
    stalls: list[tuple[float, float]]
    heights: list[Height]
    played_s: float
    frames: Frames


@dataclass(frozen=True)
class CallSecond:
    """The totals of a call at this time."""

    at_s: float
    height: int
    frames: int
    dropped: int
    freezes: int


@dataclass(frozen=True)
class PageState:
    """The result of STATE."""

    url: str
    status: int | None
    origin_ms: float
    full_screen: bool
    protocols: list[str]
    video: VideoState | None
    seconds_of_call: list[CallSecond]
