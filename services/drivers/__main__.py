"""Run one side of a service: the command behind every driver (see services/drivers/__init__.py)."""

import argparse
import importlib
import json
import sys
from pathlib import Path

from services.drivers import ServiceError


def main(argv: list[str] | None = None) -> int:
    """Call `serve` or `use` of a driver; `use` writes what it returns to --result, as JSON."""
    parser = argparse.ArgumentParser(prog="python -m services.drivers", description=__doc__)
    parser.add_argument("kind", help="a module of services/drivers/")
    parser.add_argument("side", choices=["serve", "use"])
    parser.add_argument("service", type=json.loads, help="the catalogue entry, as JSON")
    parser.add_argument("address", help="the address of the service's side")
    parser.add_argument("--seconds", type=int, help="use: for how long")
    parser.add_argument("--directory", type=Path, help="use: where to leave files")
    parser.add_argument("--result", type=Path, help="use: the JSON file to write")
    arguments = parser.parse_args(argv)
    driver = importlib.import_module(f"services.drivers.{arguments.kind}")
    try:
        if arguments.side == "serve":
            driver.serve(arguments.service, arguments.address)
        else:
            seen = driver.use(arguments.service, arguments.address, arguments.seconds, arguments.directory)
            arguments.result.write_text(json.dumps(seen), encoding="utf-8")
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
