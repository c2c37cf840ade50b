"""The data of the pages that other sites show in a frame: the shares of a pair as strips."""

from scripts.charts.chart_labels import of_instance
from scripts.charts.table_rows import grouped
from scripts.figures.figure import SHARE, Figure
from scripts.model.pairs import contenders
from scripts.site import Row
from scripts.site.cycle.inputs import Inputs
from scripts.site.drawn.strip import cell_strip, drawn_strip


def embeds(inputs: Inputs) -> dict[str, Row]:
    """The page of each pair that has shares, by `<setting>/<pair>`.

    `sides` has the `title`, the `strip`, the `verdict` and whether the share still `moves`, of each service.
    """
    return {
        f"{setting}/{pair}": {
            "setting": setting,
            "pair": pair,
            "sides": [_side(inputs, share) for share in shares],
        }
        for (setting, pair), shares in shares_of_pairs(inputs).items()
    }


def shares_of_pairs(inputs: Inputs) -> dict[tuple[str, str], list[Figure]]:
    """The shares of both sides, by setting and pair; the worse-off instance comes first."""
    known = [
        figure
        for figure in inputs.figures
        if figure.figure == SHARE and figure.median is not None and len(contenders(figure.contender)) == 1
    ]
    ordered = sorted(known, key=lambda share: (share.service, share.instance == "better_off"))
    return grouped(ordered, lambda share: (share.setting, share.pair))


def title_of_side(inputs: Inputs, share: Figure) -> str:
    """The title of a service, and which of two instances it is."""
    return inputs.labels.service(share.service) + of_instance(share.instance)


def _side(inputs: Inputs, share: Figure) -> Row:
    return {
        "title": title_of_side(inputs, share),
        "strip": drawn_strip(cell_strip(share, ())),
        "verdict": share.verdict,
        "moves": share.moves,
    }
