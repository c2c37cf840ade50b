"""How every command with a page of `--help` begins."""

import argparse


def parser_of(module: str, page: str | None) -> argparse.ArgumentParser:
    """A parser of the words behind `python -m <module>`, whose help shows the module's docstring as it is."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=page,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
