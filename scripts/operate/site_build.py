"""Add the new snapshots to the site, and make its pages about all cycles and the status again."""

import sys

from scripts.model.submission import FOLDER as SUBMISSIONS
from scripts.operate.children import run_child
from scripts.operate.context import Context
from scripts.operate.status import FILE as STATUS


def build(context: Context) -> str:
    """Run `python -m scripts.site build`.

    Raises:
        UserError: a snapshot is damaged, or the site cannot be written.
    """
    context.snapshots.mkdir(parents=True, exist_ok=True)
    words = [sys.executable, "-m", "scripts.site", "build", "--snapshots", str(context.snapshots)]
    # A host that was restored has no submissions; the page then keeps the number that it has.
    count = ["--submissions", str(context.data)] if (context.data / SUBMISSIONS).is_dir() else []
    told = ["--status", str(context.folder / STATUS), *count]
    run_child(context, [*words, *told, "-o", str(context.public)])
    return f"built: {context.public}"
