-- equivalence: what every service got over BESS and over the embedded switch, in the same trials of one campaign.
-- Grain:   one row per setting, pair (or service alone) and service with a valid trial over both.
-- Units:   Mbps, as IP throughput.
-- Sources: trial_services of a cycle over BESS and of one over the embedded switch.
-- The two differ if the 95 % intervals of their medians do not overlap. Below six trials there is no interval, and
-- `differs` is null.
with
clients as (
    select *, 'bess' as backend from read_parquet($bess_trial_services)
    union all by name
    select *, 'embedded' as backend from read_parquet($embedded_trial_services)
),

cells as (
    select
        setting,
        pair,
        service,
        nullif(any_value(contender), '') as contender,
        count(*) filter (backend = 'bess') as bess_n,
        count(*) filter (backend = 'embedded') as embedded_n,
        summary(case when backend = 'bess' then throughput_mbps end) as bess,
        summary(case when backend = 'embedded' then throughput_mbps end) as embedded
    from clients
    where valid and representative
    group by setting, pair, service
)

select
    setting,
    pair,
    service,
    contender,
    bess_n::integer as bess_n,
    bess.median as bess_median_mbps,
    bess.low as bess_low_mbps,
    bess.high as bess_high_mbps,
    embedded_n::integer as embedded_n,
    embedded.median as embedded_median_mbps,
    embedded.low as embedded_low_mbps,
    embedded.high as embedded_high_mbps,
    bess.median - embedded.median as difference_mbps,
    bess.low > embedded.high or bess.high < embedded.low as differs
from cells
where bess_n > 0 and embedded_n > 0
order by setting, pair, service
