"""The command line parser of every command."""

import argparse


def parser_of(module: str, description: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m <module>`. Its --help shows the description with its line breaks."""
    return argparse.ArgumentParser(
        prog=f"python -m {module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
