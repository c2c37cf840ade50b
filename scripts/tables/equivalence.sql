-- equivalence: whether every service gets the same over BESS and over the embedded switch, in one campaign.
-- Grain:      one row per setting, pair (or service alone) and service with a valid trial over both; of a self-pair the
--             worse-off instance.
-- Units:      Mbps, as IP throughput.
-- Sources:    trial_services of a cycle over BESS and of one over the embedded switch.
-- Parameters: $tolerances (precision_mbps of every setting).
-- Two intervals that overlap do not show that two switches are alike. This is a test of equivalence: two one-sided
-- rank-sum tests at 5 % (Schuirmann 1987), with the setting's precision_mbps as the margin. The difference is the
-- median of all differences between a trial over BESS and one over the embedded switch (Hodges and Lehmann), with its
-- exact 90 % interval (scripts/metrics/rank_sum.py). The switches are equivalent in a cell if this interval lies within
-- the margin, different if it lies wholly beyond, and undecided otherwise.
with
clients as (
    select *, 'bess' as backend from read_parquet($bess_trial_services)
    union all by name
    select *, 'embedded' as backend from read_parquet($embedded_trial_services)
),

tolerances as (
    select unnest($tolerances::struct(setting varchar, tolerance_mbps double)[], recursive := true)
),

cells as (
    select
        setting,
        pair,
        service,
        nullif(any_value(contender), '') as contender,
        list(throughput_mbps order by throughput_mbps) filter (backend = 'bess') as bess_mbps,
        list(throughput_mbps order by throughput_mbps) filter (backend = 'embedded') as embedded_mbps,
        summary(case when backend = 'bess' then throughput_mbps end) as bess,
        summary(case when backend = 'embedded' then throughput_mbps end) as embedded
    from clients
    where valid and instance in ('first', 'worse_off')
    group by setting, pair, service
    having count(*) filter (backend = 'bess') > 0 and count(*) filter (backend = 'embedded') > 0
),

compared as (
    select *, shift_of(embedded_mbps, bess_mbps) as difference
    from cells
)

select
    setting,
    pair,
    service,
    contender,
    len(bess_mbps)::integer as bess_n,
    bess.median as bess_median_mbps,
    bess.low as bess_low_mbps,
    bess.high as bess_high_mbps,
    len(embedded_mbps)::integer as embedded_n,
    embedded.median as embedded_median_mbps,
    embedded.low as embedded_low_mbps,
    embedded.high as embedded_high_mbps,
    difference.shift as difference_mbps,
    difference.low as difference_low_mbps,
    difference.high as difference_high_mbps,
    tolerance_mbps as margin_mbps,
    case
        when within_margin(difference, margin_mbps) then 'equivalent'
        when beyond_margin(difference, margin_mbps) then 'different'
        else 'undecided'
    end as verdict
from compared
left join tolerances using (setting)
order by setting, pair, service
