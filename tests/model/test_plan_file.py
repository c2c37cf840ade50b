"""Plans that others wrote name no folders elsewhere."""

import pytest

from scripts.base.errors import UserError
from scripts.model.plan_file import PlanLine, read_plan, write_plan_table
from scripts.model.trials import TrialKey

HEAD = "order,round,setting,pair,trial,duration_s\n"


def test_a_plan_is_read_as_it_was_written(tmp_path):
    lines = [PlanLine(1, 1, TrialKey("8mbps", "iperf-bbr_2~iperf-cubic", 3), 60)]
    write_plan_table(lines, tmp_path / "plan.csv")
    assert lines == read_plan(tmp_path / "plan.csv")


def test_an_empty_file_is_no_plan_without_trials(tmp_path):
    """A round without trials ends a cycle; a file that a power cut has emptied does not."""
    (tmp_path / "plan.csv").touch()
    with pytest.raises(UserError, match=r"plan\.csv: is no plan: its first line is not order,round,"):
        read_plan(tmp_path / "plan.csv")


@pytest.mark.parametrize(
    "line",
    [
        "1,1,../../../etc,a~b,1,60",
        "1,1,8mbps,/etc,1,60",
        "1,1,8mbps,..,1,60",
        "1,1,8mbps,a~b,x,60",
        "1,1,8mbps",
        "1,1,\x1b[2J,a~b,1,60",
    ],
)
def test_other_names_and_lines_are_refused(tmp_path, line):
    (tmp_path / "plan.csv").write_text(f"{HEAD}{line}\n")
    with pytest.raises(UserError, match=r"plan\.csv: line 2 is no planned trial: .*; restore the file"):
        read_plan(tmp_path / "plan.csv")
