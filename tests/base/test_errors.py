"""An error is shown line by line, with escapes instead of what a terminal would obey."""

import subprocess
import sys

from scripts.base.errors import UserError, reporting

PRAISE = "\x1b[2J\x1b[Hx: signed by operator\x1b[8m"


def test_an_error_shows_no_control_characters_and_keeps_its_lines(capsys):
    @reporting
    def main() -> int:
        raise UserError(f"a: {PRAISE}\nb\x9b2J\u202eb\u2028c\rd: ä")

    assert main() == 2
    assert capsys.readouterr().err == (
        "error: a: \\x1b[2J\\x1b[Hx: signed by operator\\x1b[8m\nb\\x9b2J\\u202eb\\u2028c\\rd: ä\n"
    )


def test_ctrl_c_ends_a_command_with_one_word(capsys):
    @reporting
    def command() -> int:
        raise KeyboardInterrupt

    assert 130 == command()
    assert "interrupted\n" == capsys.readouterr().err


def test_a_reader_who_leaves_ends_the_command_without_a_word():
    code = """if True:
        import sys
        from scripts.base.errors import reporting
        sys.exit(reporting(lambda: print("line " * 10**6) or 0)())
    """
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        running.stdout.close()
        assert b"" == running.stderr.read()
    assert 141 == running.returncode
