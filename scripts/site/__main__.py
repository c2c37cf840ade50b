r"""Build the static site of a cycle.

    python -m scripts.site --tables DIR --charts DIR --published DIR --config MERGED.json \
        --provenance cycle.json -o PUBLIC_DIR

The same input gives the same bytes: the command uses no clock and no network. It replaces PUBLIC_DIR once the
new site is complete. If it fails, PUBLIC_DIR stays as it was.
"""

import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.site.build import build_site
from scripts.site.inputs import read_inputs


@reporting
def main(arguments: list[str] | None = None) -> int:
    """Build the site; returns the exit status."""
    parser = parser_of("scripts.site", __doc__)
    parser.add_argument("--tables", type=Path, required=True, help="folder of the cycle's tables")
    parser.add_argument("--charts", type=Path, required=True, help="folder of the cycle's charts")
    parser.add_argument("--published", type=Path, required=True, help="folder of the published trials")
    parser.add_argument(
        "--config", type=Path, required=True, help="the campaign's merged configuration (JSON)"
    )
    parser.add_argument(
        "--provenance",
        type=Path,
        required=True,
        help="when and on which machine the cycle was measured (JSON)",
    )
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder of the site")
    options = parser.parse_args(arguments)
    inputs = read_inputs(
        options.tables, options.charts, options.published, options.config, options.provenance
    )
    build_site(inputs, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
