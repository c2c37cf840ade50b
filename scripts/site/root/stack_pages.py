"""The data of the pages of stacks: what each leaves kernel Cubic, over its versions, and how it sends alone.

A stack is a transport behind an endpoint (services/endpoint/), by the name that it has for itself. A cell is
a stack, a version and a controller.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf
from pathlib import Path

from scripts.base.files import ROOT
from scripts.charts.table_rows import grouped
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.figure import SHARE, Figure
from scripts.figures.words import certainty_words, median_words
from scripts.model.cycle_names import order_of
from scripts.model.pairs import is_solo
from scripts.site import Row
from scripts.site.data.summary import SettingSummary, StackSummary
from scripts.site.drawn.strip import judged_strip
from scripts.site.heatmap_table import UNMEASURED, share_cell
from scripts.site.root.archive_cycles import Archive, Cycle
from scripts.site.root.history_pages import cycle_entry
from scripts.site.story.names import listed, page_of, short_place

KERNEL_CUBIC = "iperf-cubic"
"""What every stack meets: one flow of the kernel's Cubic."""

ALONE = (
    "utilization",
    "loss_rate",
    "burst_packets",
    "burst_p95_packets",
    "server_s_per_gb",
    "client_s_per_gb",
)
"""The figures of a stack alone that its page shows."""

KNOWN = {True: "yes", False: "no", None: "unknown"}
FOLDERS = ROOT / "services/stacks"
ANSWER = re.compile(r"^## Your answer\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class StackFigure:
    """A figure of a stack in one cycle: its own alone, or the share that it leaves kernel Cubic."""

    stack: StackSummary
    service: str
    cycle: Cycle
    figure: Figure

    @property
    def setting(self) -> SettingSummary:
        """The setting as its cycle describes it."""
        return next(setting for setting in self.cycle.summary.settings if setting.name == self.figure.setting)

    @property
    def link(self) -> str:
        """The link in words, without what a campaign says of it: settings of one name may differ."""
        return self.setting.link.partition(";")[0]

    @property
    def rank(self) -> tuple[object, ...]:
        """The one of most trials counts, of equal ones the latest."""
        return self.figure.n, order_of(self.cycle.name)

    @property
    def page(self) -> str | None:
        """The address of the page of its pair or solo in the cycle."""
        return self.cycle.page(page_of(self.figure))


@dataclass(frozen=True)
class StackCell:
    """A version and a controller of a stack, with its best figures by link and metric.

    The share is that which it leaves kernel Cubic.
    """

    stack: StackSummary
    figures: Mapping[tuple[str, str], StackFigure]

    @property
    def order(self) -> tuple[object, ...]:
        """By controller, then by version: 0.9 before 0.10."""
        return self.stack.controller, version_order(self.stack.version)

    def share(self, link: str) -> StackFigure | None:
        """What it leaves kernel Cubic on a link."""
        return self.figures.get((link, SHARE))


@dataclass(frozen=True)
class Stack:
    """A stack with its cells, and the latest setting of each link."""

    cells: tuple[StackCell, ...]
    settings: Mapping[str, SettingSummary]

    @cached_property
    def latest(self) -> StackSummary:
        """What its latest version said."""
        return max((cell.stack for cell in self.cells), key=lambda stack: version_order(stack.version))

    @cached_property
    def short(self) -> Mapping[str, str]:
        """The short title of each link."""
        return {
            link: short_place(setting, [*self.settings.values()]) for link, setting in self.settings.items()
        }

    @property
    def title(self) -> str:
        """Its name, if the server is a program that the stack itself publishes."""
        return self.latest.name if self.latest.shipped else f"Our programs on {self.latest.name}"

    def least(self, link: str) -> tuple[float, float]:
        """The least judged share that a controller of its latest version leaves, then the least of all.

        Either is infinite if there is none. Shares beside what cannot fill the link alone do not count.
        """
        of_latest = [cell.share(link) for cell in self.cells if cell.stack.version == self.latest.version]
        known = [
            (one.figure.median, one.figure.judged)
            for one in of_latest
            if one and one.figure.median is not None and not one.figure.unable
        ]
        least_judged = min((median for median, judged in known if judged), default=inf)
        return least_judged, min((median for median, _judged in known), default=inf)

    def cell(self, controller: str) -> StackCell | None:
        """The cell of its latest version with a controller."""
        key = self.latest.version, controller
        return next((cell for cell in self.cells if (cell.stack.version, cell.stack.controller) == key), None)


def version_order(version: str) -> tuple[list[int], str]:
    """The numbers of a version, by which it is sorted, and itself."""
    return [int(number) for number in re.findall(r"\d+", version)], version


def stack_pages(archive: Archive, folders: Path = FOLDERS) -> Row:
    """What the pages of stacks show.

    Args:
        archive: the published cycles.
        folders: the folders of stacks, which may have an answer of maintainers (maintainers.md).

    Returns:
        `tables`, for each link with a share a matrix of the latest versions for heatmap-table.html, with
        `heading`; `pages`, the page of each stack by the end of its address.
    """
    stacks = measured_stacks(archive)
    settings = {link: setting for stack in stacks.values() for link, setting in stack.settings.items()}
    headings = {link: short_place(setting, [*settings.values()]) for link, setting in settings.items()}
    with_share = {
        link
        for stack in stacks.values()
        for link in stack.settings
        if any(cell.share(link) for cell in stack.cells)
    }
    return {
        "tables": [_table(stacks, link, heading) for link, heading in headings.items() if link in with_share],
        "pages": {name: _page(stack, folders / name) for name, stack in stacks.items()},
    }


def measured_stacks(archive: Archive) -> dict[str, Stack]:
    """Every stack that a cycle that counts has measured, by its name in lower case."""
    figures = [figure for campaign in archive.campaigns for figure in _figures(archive.counted(campaign))]
    stacks = grouped(figures, lambda figure: figure.stack.name.lower())
    return {name: _stack(of_stack) for name, of_stack in sorted(stacks.items())}


def _figures(cycles: Iterable[Cycle]) -> Iterator[StackFigure]:
    for cycle in cycles:
        stacks = {service.name: service.stack for service in cycle.summary.services if service.stack}
        for figure in cycle.figures if stacks else ():
            alone = is_solo(figure.pair) and figure.figure in ALONE
            beside = (figure.service, figure.figure) == (KERNEL_CUBIC, SHARE)
            name = figure.service if alone else figure.contender if beside else ""
            if name in stacks:
                yield StackFigure(stacks[name], name, cycle, figure)


def _stack(figures: Sequence[StackFigure]) -> Stack:
    cells = grouped(figures, lambda figure: (figure.stack.version, figure.stack.controller)).values()
    settings = {figure.link: figure.setting for figure in figures}
    return Stack(tuple(sorted(map(_cell, cells), key=lambda cell: cell.order)), settings)


def _cell(figures: Sequence[StackFigure]) -> StackCell:
    of_metric = grouped(figures, lambda figure: (figure.link, figure.figure.figure))
    latest = max(figures, key=lambda figure: order_of(figure.cycle.name))
    return StackCell(
        latest.stack, {key: max(of, key=lambda figure: figure.rank) for key, of in of_metric.items()}
    )


def _table(stacks: Mapping[str, Stack], link: str, heading: str) -> Row:
    """The matrix of the latest versions: stacks in rows, controllers in columns. The least is on top.

    Shares without a verdict order only stacks that have no others.
    """
    columns = sorted({cell.stack.controller for stack in stacks.values() for cell in stack.cells})
    on_link = [(name, stack) for name, stack in stacks.items() if link in stack.settings]
    on_link.sort(key=lambda named: named[1].least(link))
    return {
        "heading": heading,
        "corner": "stack",
        "question": "What stacks leave kernel Cubic",
        "reading": "The share of what is fair that kernel Cubic keeps beside each. The least share with a "
        "verdict is on top.",
        "columns": columns,
        "rows": [
            {
                "title": stack.title,
                "sub": stack.latest.version,
                "page": f"stacks/{name}/",
                "cells": [_shown(stack.cell(controller), link) for controller in columns],
            }
            for name, stack in on_link
        ],
        "legend": [],
    }


def _shown(cell: StackCell | None, link: str) -> Row:
    share = cell.share(link) if cell else None
    return share_cell(share.figure, share.page and share.page.rstrip("/")) if share else UNMEASURED


def _page(stack: Stack, folder: Path) -> Row:
    """The page of one stack."""
    links = list(stack.settings)
    with_share = [link for link in links if any(cell.share(link) for cell in stack.cells)] or links
    whose = {
        stack.latest.shipped: "",
        not stack.latest.shipped: ", our programs" if stack.latest.shipped else ", its own server",
    }
    text = folder / "maintainers.md"
    answer = ANSWER.search(text.read_text(encoding="utf-8")) if text.is_file() else None
    cycles = dict.fromkeys(figure.cycle for cell in stack.cells for figure in cell.figures.values())
    return {
        "title": stack.title,
        "version": stack.latest.version,
        "gso": KNOWN[stack.latest.gso],
        "pacing": KNOWN[stack.latest.pacing],
        "settings": [stack.short[link] for link in with_share],
        "changes": [words for link in with_share for words in version_changes(stack, link)],
        "leaves": [
            {
                "title": cell.stack.controller,
                "sub": cell.stack.version + whose[cell.stack.shipped],
                "cells": [_strip(cell.share(link)) for link in with_share],
            }
            for cell in stack.cells
        ],
        "metrics": [CATALOGUE[name].name for name in ALONE],
        "alone": [row for cell in stack.cells for link in links if (row := _alone(cell, stack, link))],
        "folder": f"services/stacks/{folder.name}" if folder.is_dir() else None,
        "answer": answer[1].strip() if answer else None,
        "campaigns": sorted({cycle.summary.campaign for cycle in cycles}),
        "cycles": [cycle_entry(cycle) | {"campaign": cycle.summary.campaign} for cycle in cycles],
    }


def _strip(share: StackFigure | None) -> Row | None:
    """The share that kernel Cubic keeps, with the page of the pair; None if it was not measured."""
    if share is None:
        return None
    if share.figure.unable:
        return {"page": share.page, "words": "cannot fill the link alone"}
    return {"page": share.page, "strip": judged_strip(share.figure)}


def version_changes(stack: Stack, link: str) -> Iterator[str]:
    """What kernel Cubic keeps beside each version of a controller that has several."""
    few: dict[str, list[str]] = {}
    for controller, cells in grouped(stack.cells, lambda cell: cell.stack.controller).items():
        shares = [(cell.stack.version, share.figure) for cell in cells if (share := cell.share(link))]
        where = f"{' → '.join(version for version, _share in shares)}, at {stack.short[link]}"
        if len(shares) > 1 and any(share.low is None for _version, share in shares):
            trials = " → ".join(str(share.n) for _version, share in shares)
            few.setdefault(where, []).append(f"{controller} (n\u00a0=\u00a0{trials})")
        elif len(shares) > 1:
            kept = " → ".join(
                f"{median_words(share)} ({certainty_words(share)})" for _version, share in shares
            )
            yield f"{controller}, {where}: kernel Cubic keeps {kept} of its fair share."
    for where, controllers in few.items():
        yield f"{where}: too few trials to tell a change of {listed(controllers)}."


def _alone(cell: StackCell, stack: Stack, link: str) -> Row | None:
    """The figures of a cell alone on a link; None if it was not measured."""
    figures = [cell.figures.get((link, name)) for name in ALONE]
    known = [figure for figure in figures if figure is not None]
    if not known:
        return None
    return {
        "title": f"{cell.stack.controller} {cell.stack.version}",
        "setting": stack.short[link],
        "service": f"services/{known[0].service}/",
        "page": known[0].page,
        "n": max(figure.figure.n for figure in known),
        "cells": [_median(figure.figure) if figure else None for figure in figures],
    }


def _unit(unit: str, shown: str) -> str:
    """The unit of a number, such as `packet` of 1."""
    return unit.removesuffix("s") if (unit, shown) == ("packets", "1") else unit


def _median(figure: Figure) -> Row:
    """The median with its unit, or a dash if there is none, and the interval if it has one."""
    metric = CATALOGUE[figure.figure]
    shown, low, high = (
        "–" if value is None else f"{value * metric.factor:.{metric.decimals}f}"
        for value in (figure.median, figure.low, figure.high)
    )
    return {
        "median": shown if figure.median is None else f"{shown}\u00a0{_unit(metric.shown_unit, shown)}",
        "interval": None if figure.low is None else f"{low} to {high}",
    }
