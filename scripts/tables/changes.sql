-- changes: what every incumbent got against every contender in this cycle, against the cycle before.
-- Grain:   one row a setting, incumbent and contender with a valid trial in both cycles.
-- Units:   Mbps, as IP throughput; p and superiority are probabilities.
-- Sources: trial_services of this cycle and of the one before, $controls (the config's baseline services),
--          $beyond (its services that are judged by what their users see: they are no incumbents here).
-- Prudentia, Fig. 9. p is of the two-sided Mann-Whitney test; p_corrected is Holm's over all rows of the
-- table, and changed says whether it is below 0.05. superiority, the effect's size, is the probability that a
-- trial of this cycle got more than one of the cycle before; 0.5 is no difference. In a control all
-- services are baselines, which do not change by themselves: where one of them changed, the testbed did.
with
incumbents as (
    select *, 'after' as cycle from read_parquet($trial_services)
    union all by name
    select *, 'before' as cycle from read_parquet($earlier_trial_services)
),

trials as (
    select *
    from incumbents
    where clients > 1 and valid and not list_contains($beyond::varchar[], service)
    qualify row_number() over (partition by cycle, setting, pair, trial, service order by length(client), client) = 1
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
    list_has_all($controls::varchar[], string_split(incumbent || '~' || contender, '~')) as control,
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
