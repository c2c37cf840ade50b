"""Parts of a page in Markdown."""


def row(*cells: str) -> str:
    """A row of a table. A bar in a cell is escaped."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def head(*names: str) -> str:
    """The first two lines of a table."""
    return f"{row(*names)}\n{row(*('---' for _ in names))}"
