"""Lists the rates of generated worlds beside their targets, at the end of a run that measured some."""

from tests.truth.rates import RATES


def pytest_terminal_summary(terminalreporter):
    """Write a table of the rates."""
    if RATES:
        terminalreporter.section("rates in generated worlds")
        for what, value, target in RATES:
            terminalreporter.write_line(f"{what} | {value} | {target}")
