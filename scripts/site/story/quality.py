"""What competition does to videos, calls and pages: alone, and against the contender that harms them most."""

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.figures.figure import Figure
from scripts.figures.words import certainty_words, interval_words, median_words
from scripts.model.pairs import contenders
from scripts.site.story.names import Names, Sentence, SentencePart, listed, page_of


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
        "the bitrate of videos",
        "the bitrate of {name} falls from {alone} to {now}",
        -1,
    ),
    Harm("video_stalled_s", "the stall time of videos", "{name} stalls for {now} instead of {alone}", 1),
    Harm(
        "rtc_frames_per_s",
        "the frame rate of calls",
        "the frame rate of {name} falls from {alone} to {now}",
        -1,
    ),
    Harm(
        "rtc_high_delay_fraction",
        "the late packets of calls",
        "the late packets (over 190\u00a0ms) of {name} rise from {alone} to {now}",
        1,
    ),
    Harm(
        "web_visually_complete_s",
        "the load time of pages",
        "{name} takes {now} instead of {alone} to show 95\u00a0% of itself",
        1,
    ),
)

QoeComparison = tuple[Figure, Figure]
"""A metric of a service alone, and against a contender."""


ITSELF = "itself, the instance that got less"
"""The contender of a self-pair, in words."""


def quality_sentences(figures: Sequence[Figure], setting: str, names: Names) -> list[Sentence]:
    """A sentence for each metric that gets worse, with the contender that does it; one for the others."""
    sentences: list[Sentence] = []
    same: list[str] = []
    for harm in HARMS:
        compared = comparisons(figures, setting, harm.metric)
        sure = [pair for pair in compared if judged(pair)]
        worse = [pair for pair in sure if apart(pair, harm.worse)]
        seen = [pair for pair in compared if change_for_worse(pair, harm.worse) > 0]
        if worse:
            sentences.append(_worst(harm, worse, names))
        elif sure:
            same.append(harm.what)
        elif seen:
            sentences.append((SentencePart("Seen in few trials: "), *_worst(harm, seen, names)))
    return (
        [*sentences, (SentencePart(f"Not certainly worse than alone: {listed(same)}."),)]
        if same
        else sentences
    )


def comparisons(figures: Sequence[Figure], setting: str, metric: str) -> list[QoeComparison]:
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


def _worst(harm: Harm, pairs: Sequence[QoeComparison], names: Names) -> Sentence:
    alone, now = max(
        pairs, key=lambda pair: (change_for_worse(pair, harm.worse), pair[1].service, pair[1].contender)
    )
    contender = ITSELF if now.against_itself else names.of(now.contender)
    words = harm.words.format(name=names.of(now.service), alone=_value(alone, " alone"), now=_value(now))
    return SentencePart(f"Against {contender}", page_of(now)), SentencePart(f", {words}.")


def _value(row: Figure, where: str = "") -> str:
    """`5.00 Mbps (4.50 to 5.50, n = 10)`, or `(seen in 2 trials)` without an interval."""
    interval = interval_words(row)
    certainty = f"{interval}, n\u00a0=\u00a0{row.n}" if interval else certainty_words(row)
    return f"{median_words(row)}{where} ({certainty})"


def judged(pair: QoeComparison) -> bool:
    """Whether both medians have an interval."""
    return all(row.low is not None and row.high is not None for row in pair)


def apart(pair: QoeComparison, worse: int) -> bool:
    """Whether the interval against the contender lies wholly on the worse side of that alone."""
    alone, now = pair
    if alone.low is None or alone.high is None or now.low is None or now.high is None:
        return False
    return now.low > alone.high if worse > 0 else now.high < alone.low


def change_for_worse(pair: QoeComparison, worse: int) -> float:
    """How much worse the median is: the difference to the service alone, relative to it where it is not 0."""
    alone, now = (row.median or 0 for row in pair)
    return worse * (now - alone) / (alone or 1)
