"""Run one side of a service: the command behind every driver (see services/drivers/__init__.py)."""

import argparse
import importlib
import json
import sys
import traceback
from pathlib import Path

from scripts.model.schemas import check
from services.drivers import ServiceError


def main(argv: list[str] | None = None) -> int:
    """Call `serve` or `use` of a driver; `use` writes what it returns to --result, as JSON."""
    parser = argparse.ArgumentParser(prog="python -m services.drivers", description=__doc__)
    parser.add_argument("kind", help="a module of services/drivers/")
    parser.add_argument("side", choices=["serve", "use"])
    parser.add_argument("service", type=json.loads, help="the catalogue entry, as JSON")
    parser.add_argument("address", help="the address of the service's side")
    parser.add_argument("--seconds", type=int, help="use: for how long")
    parser.add_argument("--directory", type=Path, help="where to leave files; the same for both sides")
    parser.add_argument("--result", type=Path, help="use: the JSON file to write")
    arguments = parser.parse_args(argv)
    driver = importlib.import_module(f"services.drivers.{arguments.kind}")
    try:
        if arguments.side == "serve":
            driver.serve(arguments.service, arguments.address, arguments.directory)
        else:
            seen = driver.use(arguments.service, arguments.address, arguments.seconds, arguments.directory)
            check(seen, "qoe", lambda keys: f"services/drivers/{arguments.kind}.py")
            arguments.result.write_text(json.dumps(seen), encoding="utf-8")
    except ServiceError as error:
        if error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        print(error, file=sys.stderr)  # last: a failed trial's reason is the last line
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
