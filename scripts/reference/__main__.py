"""Write the pages of docs/ that follow from the code and the configuration.

    python -m scripts.reference

writes docs/campaigns.md, commands.md, settings.md and tables.md.
"""

import sys
from collections.abc import Callable

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import ROOT, write_text
from scripts.reference import campaigns, commands, settings, tables

PAGES: dict[str, Callable[[], str]] = {
    "campaigns.md": campaigns.page,
    "commands.md": commands.page,
    "settings.md": settings.page,
    "tables.md": tables.page,
}


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Write the pages; see the module's docstring."""
    parser_of("scripts.reference", __doc__).parse_args(arguments)
    for name, page in PAGES.items():
        write_text(ROOT / "docs" / name, page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
