-- Whether pairs predict what services get when three or more of them share the link.
-- Sources: trial_services.
-- Several clients of one service and nothing else have no row: nobody needs pairs to predict equal parts.
-- No paper has such a prediction (Prudentia, 9, asks for it). Ours takes it that services keep the ratios of their pairs:
-- that of two services is the median, over the trials of their pair, of what one gets of what both get; 1/2 for two
-- clients of one service. scripts/metrics/pair_prediction.py makes the part of each client from all of these.
-- The prediction of a trial is this part times the utilization of the trial: it is about how the clients divide what they
-- get together, not about how well they fill the link. The error is the measured fraction minus it. It is null if a pair
-- was not measured in this setting, or if one service gets nothing in it. reference_low and reference_high are the values
-- at the ends of the part's interval. A service with several clients has one value a trial: their mean.
with
clients as (
    select *, place_in_name(setting, pair, trial, service, client) as number from read_parquet($trial_services)
),

-- What a service gets of what both get in its pairs.
fractions as (
    select setting, service, other, summary_by_day(fraction, day_of(trial_start_ns)) as fraction
    from (
        select
            setting,
            service,
            contender as other,
            valid,
            trial_start_ns,
            wire_rate_mbps / nullif(sum(wire_rate_mbps) over (partition by setting, pair, trial), 0) as fraction
        from clients
        where clients = 2 and not self_pair
    ) as trials
    where valid
    group by setting, service, other
    having quantile_cont(fraction, 0.5) > 0 and quantile_cont(fraction, 0.5) < 1
),

combined as (
    select distinct setting, pair, number, service from clients where clients > 2 and not self_pair
),

-- Every client beside every client of its combination, also itself.
beside as (
    select
        setting,
        pair,
        one.number,
        one.service,
        second.number as other_number,
        case when one.service = second.service then {median: 0.5, low: 0.5, high: 0.5} else fraction end as fraction
    from combined as one
    inner join combined as second using (setting, pair)
    left join (
        select setting, service, other, {median: fraction.median, low: fraction.low, high: fraction.high} as fraction
        from fractions
    ) as of_pairs
        on of_pairs.setting = one.setting and of_pairs.service = one.service and other = second.service
),

-- Of each client in their order: the low end, the part and the high end.
parts as (
    select
        setting,
        pair,
        parts_from_pairs(
            list(service order by number) filter (number = other_number),
            list(fraction.median order by number, other_number),
            list(coalesce(fraction.low, 'nan'::double) order by number, other_number),
            list(coalesce(fraction.high, 'nan'::double) order by number, other_number)
        ) as parts
    from beside
    group by setting, pair
    having count(fraction.median) = count(*)
),

trials as (
    select
        setting,
        pair,
        trial,
        service,
        arg_min(contender, number) as contender,
        list_avg(list(wire_rate_mbps / rate_mbps order by number)) as measured,
        arg_min(parts[number][2] * utilization, number) as predicted,
        nullif(arg_min(parts[number][1] * utilization, number), 'nan'::double) as lowest,
        nullif(arg_min(parts[number][3] * utilization, number), 'nan'::double) as highest
    from clients
    inner join (select distinct setting, pair from combined) as combinations using (setting, pair)
    left join parts using (setting, pair)
    group by setting, pair, trial, service
)

select
    setting,
    pair,
    trial,
    service,
    contender,
    'first' as instance,
    unnest([
        {metric: 'measured_fraction', value: measured, reference_low: null::double, reference_high: null::double},
        {metric: 'predicted_fraction', value: predicted, reference_low: lowest, reference_high: highest},
        {
            metric: 'prediction_error',
            value: measured - predicted,
            reference_low: measured - highest,
            reference_high: measured - lowest
        }
    ], recursive := true)
from trials
