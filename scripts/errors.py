"""The one error type for what a user can mend."""


class UserError(Exception):
    """Something the user can mend: says the file, what is wrong and what to do.

    Commands print it as one line, `error: …`, and exit with status 2; every other exception keeps its
    traceback.
    """
