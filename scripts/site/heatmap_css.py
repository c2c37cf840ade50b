"""Print the colours of the heatmap tables as CSS, from the scales of the charts:

python -m scripts.site.heatmap_css > site/common/assets/css/heatmap-colours.css
"""

from scripts.charts.scales import INKS, SCALES


def heatmap_css() -> str:
    """A rule for each bin of each scale: background and text."""
    rules = [
        f".{kind}-{level} {{ background: {colour}; color: {INKS[scale.ink(level)]}; }}"
        for kind, scale in SCALES.items()
        for level, colour in enumerate(scale.colours)
    ]
    return "/* Made by python -m scripts.site.heatmap_css. */\n\n" + "\n".join(rules) + "\n"


if __name__ == "__main__":
    print(heatmap_css(), end="")
