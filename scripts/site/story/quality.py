"""What competition does to videos, calls and pages: alone, and against the contender that harms them most."""

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.model.pairs import contenders
from scripts.site.data.figure_rows import Figure
from scripts.site.figure_words import certainty_words, median_words
from scripts.site.story.names import Names, Part, Sentence, page_of


@dataclass(frozen=True)
class Harm:
    """How a metric of qoe_pairs gets worse.

    Attributes:
        metric: its name.
        what: what is measured.
        words: the sentence, after the contender.
        worse: 1 if more is worse, -1 if less is.
    """

    metric: str
    what: str
    words: str
    worse: int


HARMS = (
    Harm(
        "video_bitrate_kbps",
        "video certainly has a lower bitrate",
        "the bitrate of {name} falls from {alone} to {now}",
        -1,
    ),
    Harm("video_stalled_s", "video certainly stalls longer", "{name} stalls for {now} instead of {alone}", 1),
    Harm(
        "rtc_frames_per_s",
        "call certainly has a lower frame rate",
        "the frame rate of {name} falls from {alone} to {now}",
        -1,
    ),
    Harm(
        "rtc_high_delay_fraction",
        "call certainly has more late packets",
        "the late packets (over 190\u00a0ms) of {name} rise from {alone} to {now}",
        1,
    ),
    Harm(
        "web_visually_complete_s",
        "page certainly takes longer",
        "{name} takes {now} instead of {alone} to show 95\u00a0% of itself",
        1,
    ),
)

Comparison = tuple[Figure, Figure]
"""A metric of a service alone, and against a contender."""


def quality_sentences(figures: Sequence[Figure], setting: str, names: Names) -> list[Sentence]:
    """A sentence for each metric that a setting has: the contender that makes it worst."""
    return [
        sentence
        for harm in HARMS
        if (sentence := _sentence(harm, _comparisons(figures, setting, harm.metric), names))
    ]


def _comparisons(figures: Sequence[Figure], setting: str, metric: str) -> list[Comparison]:
    """Every service alone beside itself against one contender; of a self-pair, its worse-off instance."""
    rows = [
        row for row in figures if (row.setting, row.figure) == (setting, metric) and row.median is not None
    ]
    alone = {row.service: row for row in rows if not row.contender}
    return [
        (alone[row.service], row)
        for row in rows
        if row.service in alone and len(contenders(row.contender)) == 1 and row.instance != "better_off"
    ]


def _sentence(harm: Harm, found: Sequence[Comparison], names: Names) -> Sentence | None:
    """The worst that certainly is worse; without any, that there is none; below six trials, what was seen."""
    judged = [pair for pair in found if _judged(pair)]
    certain = [pair for pair in judged if _apart(pair, harm.worse)]
    if certain:
        return _worst(harm, certain, names)
    if judged:
        return (Part(f"No {harm.what} than alone: the intervals overlap."),)
    seen = [pair for pair in found if _change(pair, harm.worse) > 0]
    return (Part("Seen in few trials: "), *_worst(harm, seen, names)) if seen else None


def _worst(harm: Harm, pairs: Sequence[Comparison], names: Names) -> Sentence:
    alone, now = max(pairs, key=lambda pair: (_change(pair, harm.worse), pair[1].service, pair[1].contender))
    contender = names.of(now.contender)
    words = harm.words.format(name=names.of(now.service), alone=_value(alone, " alone"), now=_value(now))
    return Part(f"Against {contender}", page_of(now)), Part(f", {words}.")


def _value(row: Figure, where: str = "") -> str:
    return f"{median_words(row)}{where} ({certainty_words(row)})"


def _judged(pair: Comparison) -> bool:
    return all(row.low is not None and row.high is not None for row in pair)


def _apart(pair: Comparison, worse: int) -> bool:
    """Whether the interval against the contender lies wholly on the worse side of that alone."""
    alone, now = pair
    if alone.low is None or alone.high is None or now.low is None or now.high is None:
        return False
    return now.low > alone.high if worse > 0 else now.high < alone.low


def _change(pair: Comparison, worse: int) -> float:
    """How much worse the median is: the difference to the service alone, relative to it where it is not 0."""
    alone, now = (row.median or 0 for row in pair)
    return worse * (now - alone) / (alone or 1)
