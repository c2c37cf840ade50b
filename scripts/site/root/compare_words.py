"""compare/words.json: the words of figures and verdicts for the script of the page that compares."""

import json
from pathlib import Path

from scripts.base.files import write_text
from scripts.figures.words import VERDICTS, metric_words
from scripts.site.root.archive_cycles import Archive

ADDRESS = "compare/words.json"


def write_compare_words(fresh: Path, archive: Archive) -> None:
    """Write the words of the metrics that any cycle has, in the order of the catalogue."""
    seen = {row.figure for cycle in archive.cycles for row in cycle.figures}
    words = metric_words()
    content = {"figures": {name: words[name] for name in words if name in seen}, "verdicts": VERDICTS}
    write_text(fresh / ADDRESS, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
