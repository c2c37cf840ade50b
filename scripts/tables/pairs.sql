-- pairs: what an incumbent got against a contender, over the valid trials: the wide form of the table figures.
-- Grain:      one row per setting, incumbent and contender, also if no trial is valid (n = 0); two per self-pair.
-- Units:      in the names; columns without a unit are fractions.
-- Sources:    trial_services, solo, figures, stability, verdicts.
-- Parameters: $beyond (the services judged by what their users see).
-- A service of $beyond has no rows as incumbent: its results are in qoe_pairs. Other services have rows against it
-- (Prudentia, Observation 7), but these are not cells of the throughput matrix.
-- The verdict is that of `verdict` in scripts/metrics/fairness.py. Two instances of one service have none: the worse of two
-- is below 100 % in every trial by its definition. scatter_difference is how far they would differ by chance alone: the
-- median, over the service's pairs with others, of `scatter` in verdicts.
-- settled says whether the share still changed within the steady windows.
-- figures explains the metrics. Only the metrics that are listed below have columns here: others are in figures alone.
with
incumbents as (
    select *, service as incumbent
    from read_parquet($trial_services)
    inner join allocations($trial_services, $solo) using (setting, pair, service)
    where instance <> 'further' and not list_contains($beyond::varchar[], service)
),

cells as (
    select
        setting,
        pair,
        incumbent,
        contender,
        instance,
        bool_or(self_pair) as self_pair,
        count(*) filter (valid)::integer as n,
        count(*) filter (not valid)::integer as excluded,
        count(*) filter (status = 'completed')::integer as n_all,
        min(allocation_mbps) as allocation_mbps,
        string_agg(trial, ',' order by trial) filter (valid) as trials
    from incumbents
    group by setting, pair, incumbent, contender, instance
),

broken as (
    select setting, list(service) as services from read_parquet($solo) where not able group by setting
),

scattered as (
    select setting, unnest([service, contender]) as incumbent, scatter
    from read_parquet($verdicts)
    where difference_low is not null
),

scatters as (
    select setting, incumbent, quantile_cont(scatter, 0.5) as scatter_difference
    from scattered
    group by setting, incumbent
),

-- The test of a pair, seen from either service.
differences as (
    select setting, pair, service as incumbent, p_adjusted, difference_median as difference
    from read_parquet($verdicts)

    union all

    select setting, pair, contender as incumbent, p_adjusted, -difference_median as difference
    from read_parquet($verdicts)
),

changes as (
    select
        setting,
        service as incumbent,
        contender,
        instance,
        median as share_change_median,
        low as share_change_low,
        high as share_change_high,
        n as share_change_n
    from read_parquet($figures)
    where metric = 'share_change'
),

modes as (
    select setting, incumbent, contender, instance, bimodal from read_parquet($stability)
),

measured as (
    from (
        select setting, service as incumbent, contender, instance, metric, n, median, q25, q75, low, high, all_median
        from read_parquet($figures)
        where contender <> ''
    )
        pivot (
            first(median) as median,
            first(q25) as q25,
            first(q75) as q75,
            first(low) as low,
            first(high) as high,
            first(all_median) as all_median,
            first(n) as n
            for metric in (
                'share', 'throughput_mbps', 'wire_rate_mbps', 'loss_rate', 'queueing_delay_ms', 'utilization', 'jain',
                'product', 'epsilon', 'fness', 'k', 'harm_throughput', 'harm_delay', 'harm_loss'
            )
            group by setting, incumbent, contender, instance
        )
)

select
    setting,
    pair,
    incumbent,
    contender,
    instance,
    self_pair,
    coalesce(
        array_to_string(list_sort(list_intersect(services_of(incumbent, contender), broken.services)), ','), ''
    ) as unable,
    n,
    excluded,
    n_all,
    allocation_mbps,
    measured.* exclude (setting, incumbent, contender, instance),
    coalesce(trials, '') as trials,
    verdict(share_median, share_low, share_high, p_adjusted, difference, bimodal) as verdict,
    case when self_pair then scatter_difference end as scatter_difference,
    share_change_median,
    share_change_low,
    share_change_high,
    share_change_n,
    settled(share_change_low, share_change_high) as settled
from cells
left join broken using (setting)
left join measured using (setting, incumbent, contender, instance)
left join changes using (setting, incumbent, contender, instance)
left join differences using (setting, pair, incumbent)
left join modes using (setting, incumbent, contender, instance)
left join scatters using (setting, incumbent)
order by setting, incumbent, contender, instance
