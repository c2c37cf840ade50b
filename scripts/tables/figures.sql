-- figures: every figure of the cycle, over the valid trials. Charts, pages, expectations and summaries read it.
-- Grain:   one row per setting, service, contender (empty: alone), instance, subject, size class, metric and statistic,
--          also if no trial is valid (n = 0). The setting of k_percentile is a sweep.
-- Units:   that of the metric (scripts/figures/catalogue.yaml).
-- Sources: samples, trial_services, fmp.
-- Parameters: $relative (the metrics that compare a trial with medians of other trials).
-- n counts the valid trials in which the metric has a value. all_median is over all completed trials, also the invalid
-- ones. If the metric is undefined in one trial, the figure has no value.
-- Trials of one day (UTC) are alike, so from five days on the interval is by days. Below, and where a value is censored, it
-- is by trials.
-- The interval of a figure of $relative holds the uncertainty of those medians too: how far their intervals move the figure,
-- and how far its own trials do, add up as the root of their squares, because both are independent (Zou and Donner 2008).
-- These figures are fractions, and at most 1.
--
-- A time that had not ended when the trial stopped waiting for it is censored: its value is a lower bound. All figures
-- are the order statistics of the values, with lower bounds taken as they are. Let c be the smallest censored value. A
-- figure up to the largest value below c is exact: what is smaller than c is known, and every censored time is at least
-- c, so none of them can move in front. A figure above that value is a lower bound: it depends on a value of at least
-- c, and no true time is smaller than its lower bound. A quartile or median may lie between the two, because it is
-- interpolated. at_least is c or the smallest of these. If all limits are equal, this is the Kaplan-Meier estimate;
-- otherwise that one may know more. The interval keeps its confidence: its low end is at most the true order
-- statistic, and an exact high end is the true one. A high end that is a lower bound says that the interval is open.
with
days as (
    select setting, pair, trial, day_of(min(trial_start_ns)) as day
    from read_parquet($trial_services)
    group by setting, pair, trial
),

defined as (
    select
        *,
        case when valid and not bool_or(undefined and valid) over figure then value end as valid_value,
        case when completed and not bool_or(undefined and completed) over figure then value end as any_value,
        min(value) filter (valid and lower_bound) over figure as smallest_censored
    from read_parquet($samples)
    left join days using (setting, pair, trial)
    window
        figure as (partition by setting, service, contender, instance, subject, size_class, metric, statistic)
),

summaries as (
    select
        setting,
        pair,
        service,
        contender,
        instance,
        subject,
        size_class,
        metric,
        statistic,
        summary_by_day(valid_value, case when smallest_censored is null then day end) as value,
        quantile_cont(reference_low, 0.5) filter (valid_value is not null) as reference_low,
        quantile_cont(reference_high, 0.5) filter (valid_value is not null) as reference_high,
        count(value) filter (valid and lower_bound)::integer as lower_bounds,
        any_value(smallest_censored) as smallest_censored,
        largest_exact_of(valid_value, smallest_censored) as largest_exact,
        quantile_cont(any_value, 0.5) as all_median,
        string_agg(trial, ',' order by trial) filter (valid_value is not null) as trials
    from defined
    group by setting, pair, service, contender, instance, subject, size_class, metric, statistic
),

over_trials as (
    select
        * exclude (value, reference_low, reference_high, smallest_censored, largest_exact),
        value.n as n,
        value.median as median,
        value.q25 as q25,
        value.q75 as q75,
        case
            when list_contains($relative::varchar[], metric)
                then value.median - root_of_squares(value.median - value.low, value.median - reference_low)
            else value.low
        end as low,
        case
            when list_contains($relative::varchar[], metric)
                then at_most_one(
                    value.median + root_of_squares(value.high - value.median, reference_high - value.median)
                )
            else value.high
        end as high,
        lower_bounds_from([value.q25, value.median, value.q75], smallest_censored, largest_exact) as at_least
    from summaries
),

over_settings as (
    select
        sweep as setting,
        pair,
        service,
        contender,
        'first' as instance,
        'flow' as subject,
        'all' as size_class,
        'k_percentile' as metric,
        '' as statistic,
        n,
        k_percentile as median,
        low,
        high,
        0 as lower_bounds
    from read_parquet($fmp)
    where key = ''
)

select
    setting,
    pair,
    service,
    contender,
    instance,
    subject,
    size_class,
    metric,
    statistic,
    n,
    median,
    q25,
    q75,
    low,
    high,
    lower_bounds,
    at_least,
    all_median,
    coalesce(trials, '') as trials
from (from over_trials union all by name from over_settings)
order by setting, service, contender, instance, subject, size_class, metric, statistic
