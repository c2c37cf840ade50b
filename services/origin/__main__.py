"""Build the files of the self-hosted reference services in build/origin.

python -m services.origin
"""

import sys

from scripts.base.commands import parser_of
from scripts.base.errors import reporting
from scripts.base.files import ROOT
from scripts.model.services import read_service
from services.origin.content import build


@reporting
def main(argv: list[str] | None = None) -> int:
    """Build the files of all services in the catalogue."""
    parser_of("services.origin", __doc__).parse_args(argv)
    build(read_service(path) for path in sorted((ROOT / "services/catalogue").glob("*.yaml")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
