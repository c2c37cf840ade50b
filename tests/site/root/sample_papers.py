"""A made-up paper, and cycles of its campaigns with expectations."""

from dataclasses import replace

from scripts.figures.keys import key_words
from scripts.model.expectations import FigureKey
from scripts.site.addresses import Place
from scripts.site.data.expectation import CheckSummary, ExpectationSummary, NotComparable
from scripts.site.data.summary import Summary
from scripts.site.root.paper_files import Paper, PaperFigure, PrintedNumber, PrintedResult
from tests.site.root.sample_summaries import make_summary

SHORT = FigureKey(setting="8mbps", service="short", metric="slowdown", statistic="median")
LONG = replace(SHORT, service="long")
SHARE = FigureKey(setting="8mbps", service="bbr", contender="cubic", metric="share")
BOTH, ONE = ("short", "shorter"), ("largest",)

FIGURE = PaperFigure(
    "Fig 4",
    "Slowdown by size",
    "The slowdown of flows alone.",
    (
        PrintedResult(
            "2",
            "slowdown of the shortest flows",
            "section 4",
            {"form": BOTH, "form-short": BOTH, "other": ONE},
            numbers=(PrintedNumber(2, measured=(SHORT, LONG)),),
        ),
        PrintedResult("5.5", "maximum slowdown", "section 4", {"form": ONE, "form-short": ONE}),
        PrintedResult("BBRv2", "a congestion control", "Table 1", not_measured="No kernel has it."),
        PrintedResult(
            "60 % to 90 %",
            "share",
            "section 4",
            shown_in=("form",),
            shown_by="chart a",
            numbers=(PrintedNumber(low=0.6, high=0.9, measured=(SHARE,)),),
        ),
    ),
    campaigns=("form", "form-short", "other"),
    charts=("slowdown-by-size-", "slowdown-beside"),
)
PAPER = Paper(
    "Slowdown", ("A. Author", "B. Author"), "Venue", "It says.", (FIGURE,), ("Why.",), 2023, "10.1/x"
)

CAME_OUT = CheckSummary(key_words(SHORT), "between 1.9 and 2.2", "came out", 6, 2.04, 2.01, 2.1)
DID_NOT = CheckSummary(key_words(LONG), "below 3", "did not", 6, 3.5, 3.2, 4.0)
UNDECIDED = CheckSummary("median slowdown", "below 3", "undecided", 7, 3.0, 2.5, 3.5)
OUTSIDE = CheckSummary(
    "link fraction",
    "below 3",
    "not comparable",
    0,
    why=NotComparable("outside the domain of the model", "fewer than five ProbeRTT cycles"),
)
MOVING = CheckSummary(
    "share", "below 0.3", "not comparable", 6, 0.5, 0.4, 0.6, why=NotComparable("not settled", "still moving")
)
FEW = CheckSummary(
    "median slowdown", "below 3", "not comparable", 5, 2.0, why=NotComparable("fewer trials than it needs")
)


def expectation(name: str, check: CheckSummary) -> ExpectationSummary:
    """An expectation with one check."""
    return ExpectationSummary(name, f"What is expected of {name}.", "paper Fig 4", check.verdict, (check,))


def paper_summary(campaign: str, cycle: str, **checks: CheckSummary) -> Summary:
    """The summary of a cycle with an expectation of one check for each name, and three charts."""
    found = tuple(expectation(name, check) for name, check in checks.items())
    charts = ("share-8mbps", "slowdown-beside-all", "slowdown-by-size-8mbps")
    return replace(make_summary(Place(campaign, cycle), ["bbr"]), expectations=found, charts=charts)
