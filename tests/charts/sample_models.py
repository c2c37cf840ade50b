"""Rows of the tables models and predictions, made by hand: BBR in several queues, and three services."""

from scripts.charts.model_charts import ModelRow
from scripts.charts.table_rows import MetricRow
from scripts.model.campaign import Campaign
from scripts.model.pairs import contender_name, members, pair_name
from scripts.model.settings import Setting
from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.sample_sweep import QUEUES_BDP, swept_setting

BBR, CUBIC, RENO = "iperf-bbr", "iperf-cubic", "iperf-reno"
ONE, SIXTEEN, TWO = (
    pair_name(services) for services in ([BBR, CUBIC], [BBR, *[CUBIC] * 16], [BBR, BBR, RENO])
)
MODEL = {ONE: 0.6, SIXTEEN: 0.6, TWO: 0.7}
ALL = pair_name([BBR, CUBIC, RENO])


def models_campaign() -> Campaign:
    """The campaign of the made-up cycle."""
    return campaign_of(merged_config())


def queue_sweep() -> dict[str, Setting]:
    """Settings that differ in their queue only."""
    return {
        f"link-{place}": swept_setting("Link", {"queue_bdp": queue}) for place, queue in enumerate(QUEUES_BDP)
    }


def metric_row(pair: str, service: str, metric: str, median: float | None, **more) -> MetricRow:
    """A figure of six trials, with an interval of 0.1 to both sides."""
    others = members(pair)
    others.remove(service)
    sure = median is not None and more.get("n", 6) >= 6
    values = {
        "setting": "8mbps",
        "pair": pair,
        "service": service,
        "contender": contender_name(others),
        "metric": metric,
        "n": 6,
        "median": median,
        "low": median - 0.1 if sure else None,
        "high": median + 0.1 if sure else None,
    }
    kind = ModelRow if "model_median" in more else MetricRow
    return kind(**values | more)


def fractions() -> list[MetricRow]:
    """What BBR gets against one flow, against sixteen, and what two clients get, in every queue."""
    return [
        metric_row(pair, BBR, "link_fraction", model + error, setting=setting, model_median=model)
        for pair, error in ((ONE, -0.05), (SIXTEEN, 0.02), (TWO, 0.1))
        for model in (MODEL[pair],)
        for setting in queue_sweep()
    ]


def predictions(**more) -> list[MetricRow]:
    """Three services: BBR gets more than predicted, Reno nearly nothing."""
    figures = {BBR: (0.6, 0.4), CUBIC: (0.3, 0.35), RENO: (0.05, 0.2)}
    return [
        metric_row(ALL, service, metric, value, **more)
        for service, (measured, predicted) in figures.items()
        for metric, value in (
            ("measured_fraction", measured),
            ("predicted_fraction", predicted),
            ("prediction_error", measured - predicted),
        )
    ]
