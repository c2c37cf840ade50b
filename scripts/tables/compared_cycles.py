"""Find the cycles that a cycle is compared with, and keep the tables that the comparison needs.

    python -m scripts.tables.compared_cycles CYCLE_DIR

CYCLE_DIR is data/<campaign>/<cycle>. The command looks at the campaign's other cycles, published and not, and
writes CYCLE_DIR/compared/, which scripts/model/comparison.py describes.
"""

import json
import shutil
import sys
from dataclasses import asdict
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import replacing, write_text
from scripts.model.comparison import BEFORE, NAMES, OTHER_BOTTLENECK, TABLE, comparison, folders_with_tables


def keep_compared(cycle: Path) -> None:
    """Write compared/ of a cycle, anew if it exists."""
    found, folders = comparison(cycle), folders_with_tables(cycle)
    for name, file in ((found.before, BEFORE), (found.other_bottleneck, OTHER_BOTTLENECK)):
        if name is None:
            (cycle / file).unlink(missing_ok=True)
        else:
            with replacing(cycle / file) as copy:
                shutil.copyfile(folders[name] / TABLE, copy)
    write_text(cycle / NAMES, json.dumps(asdict(found), indent=1) + "\n")


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.tables.compared_cycles", __doc__)
    parser.add_argument("cycle", type=Path, metavar="CYCLE_DIR", help="data/<campaign>/<cycle>")
    keep_compared(parser.parse_args(argv).cycle)
    return 0


if __name__ == "__main__":
    sys.exit(main())
