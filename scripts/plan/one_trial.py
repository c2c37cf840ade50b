"""Plan one trial that no campaign has: its configuration and its specification.

    python -m scripts.plan.one_trial DEFINITION SETTING PAIR -o PLAN_DIR

DEFINITION is a campaign's definition (scripts/plan/campaign_file.py). The command writes config.json and
specs/<setting>/<pair>/01.json into PLAN_DIR, as the plan of a cycle does.
"""

import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import load_campaign, write_merged
from scripts.plan.specification_writer import write_specifications

CAMPAIGN, CYCLE = "pair", "one"
"""The names of its campaign and its cycle, from which the seed follows."""


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("scripts.plan.one_trial", __doc__)
    parser.add_argument("definition", type=Path, metavar="DEFINITION", help="the folder of the definition")
    parser.add_argument("setting", metavar="SETTING", help="one of its settings")
    parser.add_argument("pair", metavar="PAIR", help="one of its pairs, or a service alone")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="PLAN_DIR", help="a folder")
    arguments = parser.parse_args(argv)
    campaign = load_campaign(CAMPAIGN, definition=arguments.definition)
    if arguments.setting not in campaign.settings:
        raise UserError(
            f"--setting: {arguments.setting} is unknown; known are: {', '.join(campaign.settings)}"
        )
    write_merged(campaign, arguments.output / "config.json")
    write_specifications(campaign, CYCLE, [TrialKey(arguments.setting, arguments.pair, 1)], arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
