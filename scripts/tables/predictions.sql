-- predictions: whether pairs predict what services get when three or more of them share the link.
-- Grain:   one row per setting, combination of three or more clients, service in it and metric, also if no trial is valid.
-- Units:   fractions of the link.
-- Sources: figures (scripts/tables/samples/of_predictions.sql explains the metrics).
select setting, pair, service, contender, instance, metric, n, median, q25, q75, low, high, trials
from read_parquet($figures)
where metric in ('measured_fraction', 'predicted_fraction', 'prediction_error')
order by setting, pair, service, metric
