"""Made-up K of pairs over the settings of a sweep, and random draws of these settings."""

from dataclasses import replace

from scripts.charts.fmp_charts import AccuracyRow, FmpRow, SettingK
from scripts.charts.setting_groups import SweepGroup, sweep_groups
from scripts.model.settings import Setting, Sweep
from tests.charts.sample_sweep import swept_setting

SWEEP = "link"
FIRST, OTHER = "iperf-bbr", "iperf-cubic"
PAIR = f"{FIRST}~{OTHER}"
LOSSES, DISCIPLINES = (0, 0.01, 0.2), ("droptail", "red")


def fmp_settings() -> dict[str, Setting]:
    """The settings of a sweep over three loss rates and two disciplines: link-1 to link-6."""
    values = [{"random_loss": loss, "discipline": name} for loss in LOSSES for name in DISCIPLINES]
    return {
        f"{SWEEP}-{number}": replace(swept_setting("Swept link"), sweep=Sweep(SWEEP, at))
        for number, at in enumerate(values, start=1)
    }


def fmp_sweep() -> SweepGroup:
    """That sweep."""
    (sweep,) = sweep_groups(fmp_settings())
    return sweep


def ks(*values: float | None, pair: str = PAIR) -> list[SettingK]:
    """K in link-1, link-2, …"""
    return [SettingK(SWEEP, f"{SWEEP}-{number}", pair, k) for number, k in enumerate(values, start=1)]


def fmp_row(key: str = "", value: str = "", k: float | None = 0.2, **other: object) -> FmpRow:
    """A row of fmp: a median |K| of six settings unless `other` says otherwise."""
    low, high = (None, None) if k is None else (k / 2, min(0.5, 2 * k))
    row = FmpRow(SWEEP, PAIR, FIRST, OTHER, key, value, 6, k, low, high)
    return replace(row, **other)


def of_losses(*medians: float | None, **other: object) -> list[FmpRow]:
    """The rows of fmp by loss rate, and that of all settings."""
    rows = zip(LOSSES, medians, strict=True)
    return [fmp_row(**other), *(fmp_row("random_loss", str(loss), k, **other) for loss, k in rows)]


def draws(drawn_settings: int, spread: float = 0.1, **other: object) -> AccuracyRow:
    """A row of fmp_accuracy: 90 % of the draws are within `spread` of 0.7."""
    ends = [0.7 + part * spread for part in (-2, -1, -0.5, 0, 0.5, 1, 2)]
    row = AccuracyRow(SWEEP, PAIR, FIRST, drawn_settings, 100, 0.7, 1000, *ends)
    return replace(row, **other)
