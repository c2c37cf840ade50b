-- changes: what every incumbent got against every contender, compared with the previous cycle.
-- Grain:      one row per setting, incumbent and contender with a valid trial in both cycles.
-- Units:      Mbps, as IP throughput; p and superiority are probabilities.
-- Sources:    trial_services of this cycle and of the previous one.
-- Parameters: $beyond (the services judged by what their users see: they are no incumbents here), $controls (the
--             baselines).
-- Prudentia, Fig. 9. p is that of the two-sided Mann-Whitney test. p_corrected is p after Holm's correction over all
-- rows of the table. A cell changed if p_corrected is below 0.05. superiority is the size of the effect: the
-- probability that a trial of this cycle got more than a trial of the previous one; 0.5 means no difference. In a
-- control, all services are baselines. These do not change by themselves: if one of them changed, the testbed did.
with
clients as (
    select *, 'after' as cycle from read_parquet($trial_services)
    union all by name
    select *, 'before' as cycle from read_parquet($earlier_trial_services)
),

trials as (
    select *
    from clients
    where clients > 1 and valid and representative and not list_contains($beyond::varchar[], service)
),

cells as (
    select
        setting,
        any_value(pair) as pair,
        service as incumbent,
        contender,
        list(throughput_mbps order by throughput_mbps) filter (cycle = 'before') as before,
        list(throughput_mbps order by throughput_mbps) filter (cycle = 'after') as after
    from trials
    group by setting, service, contender
    having count(*) filter (cycle = 'before') > 0 and count(*) filter (cycle = 'after') > 0
),

tested as (
    select
        *,
        mann_whitney(before, after) as p,
        superiority(before, after) as superiority,
        list_median(before) as before_median_mbps,
        list_median(after) as after_median_mbps,
        row_number() over (order by setting, incumbent, contender) as place
    from cells
),

corrections as (
    select holm(list(p order by place)) as p_corrected from tested
),

corrected as (
    select tested.*, p_corrected[place] as p_corrected from tested cross join corrections
)

select
    setting,
    pair,
    incumbent,
    contender,
    list_has_all($controls::varchar[], services_of(incumbent, contender)) as control,
    len(before)::integer as before_n,
    before_median_mbps,
    len(after)::integer as after_n,
    after_median_mbps,
    after_median_mbps - before_median_mbps as difference_mbps,
    after_median_mbps / nullif(before_median_mbps, 0) - 1 as relative_difference,
    superiority,
    p,
    p_corrected,
    p_corrected < 0.05 as changed
from corrected
order by setting, incumbent, contender
