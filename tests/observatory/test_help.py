"""The --help of the commands that a newcomer meets first has an example, and the default of every option."""

import re

import pytest

from scripts.gate import __main__ as gate
from services.endpoint import __main__ as endpoint
from testbed import __main__ as testbed

COMMANDS = [
    (gate, [], "python -m scripts.gate --candidate iperf-bbr-5 --base iperf-cubic "),
    (testbed, ["pair"], "python -m testbed pair iperf-bbr iperf-cubic"),
    (endpoint, ["check"], "python -m services.endpoint check services/stacks/ngtcp2:bbr"),
]


@pytest.mark.parametrize(("module", "words", "example"), COMMANDS)
def test_help_has_an_example_and_every_default(module, words, example, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        module.main([*words, "--help"])
    printed = capsys.readouterr().out
    assert f"\n    {example}" in printed
    _, _, listed = printed.partition("\noptions:\n")
    options = re.split(r"\n  (?=-)", f"\n{listed}")[1:]
    untold = [option.split()[0] for option in options if not re.search(r"\((default:|required)", option)]
    assert len(options) > 1 and ["-h,"] == untold
