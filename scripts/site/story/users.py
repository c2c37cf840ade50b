"""What users notice: videos, calls and pages alone, and beside the contender that is worst for them."""

from collections.abc import Sequence

from scripts.figures.figure import Figure
from scripts.figures.words import bound_mark, interval_words, number, scaled, unit_of
from scripts.site import Row
from scripts.site.drawn.strip import Strip, StripDot, drawn_strip
from scripts.site.story.names import Names, page_of
from scripts.site.story.quality import (
    HARMS,
    ITSELF,
    Harm,
    QoeComparison,
    apart,
    change_for_worse,
    comparisons,
    judged,
)

KINDS = {
    "video_bitrate_kbps": "bitrate",
    "rtc_frames_per_s": "frames per second",
    "web_visually_complete_s": "time until it is 95\u00a0% visible",
}
"""The metric of each kind of service that a row shows, and what it is called there."""

MOST = 5
"""So many rows are shown: those of the services whose users lose most."""


def user_rows(figures: Sequence[Figure], setting: str, names: Names) -> list[Row]:
    """A row for each video, call and page that was measured alone and beside another service.

    Returns:
        At most `MOST` rows, the largest loss first, with `title`, `stands_for`, `what` (is measured, with its
        range), `page` (of the worst pair) and `strip`: a line alone, and a dot beside each contender,
        `losing` if it is worse beyond chance.
    """
    rows: list[tuple[float, Row]] = []
    for harm in HARMS:
        if harm.metric in KINDS and (compared := comparisons(figures, setting, harm.metric)):
            top = max(_shown(row) for pair in compared for row in pair)
            for name in dict.fromkeys(now.service for _alone, now in compared):
                pairs = [pair for pair in compared if pair[1].service == name]
                most = max(pairs, key=lambda pair: (change_for_worse(pair, harm.worse), pair[1].contender))
                rows.append((change_for_worse(most, harm.worse), _row(harm, pairs, most, top, names)))
    return [row for _change, row in sorted(rows, key=lambda one: -one[0])[:MOST]]


def _row(harm: Harm, pairs: Sequence[QoeComparison], most: QoeComparison, top: float, names: Names) -> Row:
    alone, now = most
    worse = apart((alone, now), harm.worse)
    medians = " → ".join(
        bound_mark(row.median or 0, row.at_least) + number(row.median or 0, row.unit) for row in (alone, now)
    )
    other = ITSELF if now.against_itself else names.short(now.contender)
    certainty = ", ".join(filter(None, [interval_words(now), f"n\u00a0=\u00a0{now.n}"]))
    strip = Strip(
        number=f"{medians}\u00a0{unit_of(now)}",
        words=f"beside {other} ({certainty})",
        dots=tuple(
            StripDot(_shown(pair[1]), "losing" if apart(pair, harm.worse) else None, hollow=not judged(pair))
            for pair in pairs
        ),
        median=_shown(alone),
        verdict="losing" if worse else None,
        high=top or 1,
    )
    return {
        "title": names.short(now.service),
        "stands_for": names.stands_for(now.service),
        "what": f"{KINDS[harm.metric]}, 0 to {top:.3g}\u00a0{unit_of(now)}",
        "page": page_of(now),
        "strip": drawn_strip(strip),
    }


def _shown(row: Figure) -> float:
    return scaled(row.median or 0, row.unit)
