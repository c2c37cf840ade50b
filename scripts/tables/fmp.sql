-- fmp: how fair the beginning of a session is over the settings of a sweep (fairness measurement procedure, FMP).
-- Grain:      one row per sweep and pair for all settings (key and value empty), and one per value of each swept key.
-- Units:      fractions; K is in [-0.5, 0.5].
-- Sources:    fmp_settings.
-- Parameters: $sweeps (the swept values of every setting of a sweep).
-- Corbel et al., VI. Each setting gives one value, so n counts settings. k_percentile is 1 - the 90th percentile of |K|,
-- which Table II has: 1 is fair, 0.5 is not. Percentiles are interpolated between the settings' values, as in every table.
-- low and high are the exact 95 % interval of k_percentile from binomial order statistics; null below 36 settings, of which
-- the largest is too often below the 90th percentile.
with
sweeps as (select * from sweeps_of($sweeps)),

settings as (select * from read_parquet($fmp_settings)),

members as (
    select settings.*, '' as key, '' as value, -1 as place from settings

    union all by name

    select settings.*, sweeps.key, sweeps.value, sweeps.place
    from settings
    inner join sweeps using (sweep, setting)
),

figures as (
    select
        sweep,
        pair,
        any_value(service) as service,
        any_value(contender) as contender,
        key,
        value,
        min(place) as place,
        count(*)::integer as settings,
        summary(k_abs) as k_abs,
        quantile_cont(k_abs, 0.9) as k_abs_p90,
        list(k_abs order by k_abs) filter (k_abs is not null) as values_in_order,
        count(*) filter (k < 0)::integer as first_dominates,
        count(*) filter (k > 0)::integer as other_dominates
    from members
    group by sweep, pair, key, value
)

select
    sweep,
    pair,
    service,
    contender,
    key,
    value,
    settings,
    k_abs.n as n,
    k_abs.q25 as k_abs_q25,
    k_abs.median as k_abs_median,
    k_abs.q75 as k_abs_q75,
    k_abs.low as k_abs_low,
    k_abs.high as k_abs_high,
    k_abs_p90,
    1 - k_abs_p90 as k_percentile,
    1 - nullif(quantile_interval(values_in_order, 0.9)[2], 'nan'::double) as low,
    1 - nullif(quantile_interval(values_in_order, 0.9)[1], 'nan'::double) as high,
    first_dominates,
    other_dominates,
    first_dominates / nullif(k_abs.n, 0) as first_dominates_fraction,
    other_dominates / nullif(k_abs.n, 0) as other_dominates_fraction
from figures
order by sweep, pair, min(place) over (partition by sweep, pair, key), place
