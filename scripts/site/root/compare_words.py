"""compare/words.json: the words of figures, units and verdicts for the script of the page that compares."""

import json
from pathlib import Path

from scripts.base.files import write_text
from scripts.charts.qoe_figures import METRICS
from scripts.site.figure_words import LARGE, TITLES, UNITS, VERDICTS, title_of
from scripts.site.root.archive_cycles import Archive

ADDRESS = "compare/words.json"

OTHERS = {
    "wire_rate_mbps": "Wire rate",
    "harm_throughput": "Harm to throughput",
    "harm_loss": "Harm by loss",
    "harm_delay": "Harm by delay",
    "jain": "Jain’s index",
    "product": "Product of shares",
    "epsilon": "ε of ε-fairness",
    "fness": "fness",
    "k": "K",
}
"""The titles of figures that no other page of the root shows, in the order in which they are shown."""

INDICES = ("jain", "product", "epsilon", "fness", "k")
"""Fractions that are shown as numbers, not as percent."""


def write_compare_words(fresh: Path, archive: Archive) -> None:
    """Write the words of all figures that a cycle has, the usual ones first."""
    seen = {row.figure for cycle in archive.cycles for row in cycle.figures}
    first = [name for name in (*TITLES, *METRICS, *OTHERS) if name in seen]
    figures = {name: OTHERS.get(name) or title_of(name) for name in [*first, *sorted(seen.difference(first))]}
    content = {
        "figures": figures,
        "indices": INDICES,
        "units": UNITS,
        "verdicts": VERDICTS,
        "large": LARGE,
    }
    write_text(fresh / ADDRESS, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
