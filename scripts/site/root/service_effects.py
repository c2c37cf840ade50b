"""What happens to a service, and what it does to others, in one setting of one cycle."""

from collections import defaultdict
from collections.abc import Iterable

from scripts.figures.catalogue import metrics_of
from scripts.figures.figure import SHARE, SLOWDOWN, SLOWEST, THROUGHPUT, Figure
from scripts.figures.words import interval_words, median_words, title_of, verdict_words
from scripts.model.pairs import contenders, is_solo
from scripts.site.root.archive_cycles import Cycle
from scripts.site.root.history_pages import Row


def effects(cycle: Cycle, setting: str, service: str) -> Row:
    """What a cycle measured of a service.

    Returns:
        `alone`, the service without a contender; `happens`, its shares against each contender; `does`, the
        shares of the others against it; the lowest come first. `seen` are the figures of videos, calls and
        pages with their value alone: those of the service, and those of the others against it.
    """
    rows = [row for row in cycle.figures if row.setting == setting]
    shares = [row for row in rows if row.figure == SHARE and row.median is not None]
    mine = [row for row in shares if row.service == service]
    others = [row for row in shares if row.service != service and service in contenders(row.contender)]
    return {
        "cycle": cycle.name,
        "pages": cycle.pages,
        "alone": _alone(cycle, rows, setting, service),
        "happens": [_share(cycle, row, _opponent(cycle, row)) for row in sorted(mine, key=_lowest)],
        "does": [_share(cycle, row, _victim(cycle, row)) for row in sorted(others, key=_lowest)],
        "seen": _seen(cycle, rows, service),
    }


def _lowest(row: Figure) -> tuple[float, str, str, str]:
    return row.median or 0.0, row.service, row.contender, row.instance


def _opponent(cycle: Cycle, row: Figure) -> str:
    """What the service met: `BBR`, or `itself, worse-off instance`."""
    return cycle.labels.matchup(row.service, row.contender, row.instance).partition(" against ")[2]


def _victim(cycle: Cycle, row: Figure) -> str:
    """The other service, with all contenders if there was more than one."""
    several = len(contenders(row.contender)) > 1
    return cycle.labels.matchup(row.service, row.contender) if several else cycle.labels.service(row.service)


def _share(cycle: Cycle, row: Figure, title: str) -> Row:
    return {
        "title": title,
        "share": median_words(row),
        "interval": interval_words(row),
        "n": row.n,
        "verdict": "closed" if row.unable else verdict_words(row),
        "kind": row.verdict,
        "page": cycle.page(f"pairs/{row.setting}/{row.pair}/"),
    }


def _alone(cycle: Cycle, rows: Iterable[Figure], setting: str, service: str) -> Row | None:
    """Throughput, loss and queueing delay without a contender."""
    found = {row.figure: row for row in rows if row.service == service and is_solo(row.pair)}
    rate, loss = found.get(THROUGHPUT), found.get("loss_rate")
    if rate is None or rate.median is None:
        return None
    return {
        "throughput": median_words(rate),
        "loss": None if loss is None or loss.median is None else f"{100 * loss.median:.2f}\u00a0%",
        "delay": median_words(found.get("queueing_delay_ms")),
        "n": rate.n,
        "page": cycle.page(f"solos/{setting}/{service}/"),
    }


def _seen(cycle: Cycle, rows: Iterable[Figure], service: str) -> list[Row]:
    """What users notice in the pairs of the service, and slowdowns, each figure with its value alone."""
    found = [row for row in rows if row.figure in (*metrics_of("qoe_pairs"), SLOWEST, SLOWDOWN)]
    alone = {(row.service, row.figure): row for row in found if not row.contender}
    sides: dict[tuple[bool, str, str, str], list[Figure]] = defaultdict(list)
    for row in found:
        if row.contender and service in (row.service, *contenders(row.contender)):
            sides[row.service != service, row.service, row.contender, row.instance].append(row)
    return [
        {
            "title": cycle.labels.matchup(side[0].service, side[0].contender, side[0].instance),
            "figures": [
                {
                    "title": title_of(row.figure),
                    "median": median_words(row),
                    "alone": median_words(alone.get((row.service, row.figure))),
                }
                for row in side
            ],
            "n": max(row.n for row in side),
            "page": cycle.page(f"pairs/{side[0].setting}/{side[0].pair}/"),
        }
        for _key, side in sorted(sides.items(), key=lambda item: item[0])
    ]
