-- service_changes: what every service got over all its pairs, compared with the previous cycle.
-- Grain:      one row per setting and service with a pair of which both cycles have three valid trials.
-- Units:      shifts are fractions of what the service got before; p is a probability.
-- Sources:    trial_services of this cycle and of the previous one.
-- Parameters: $beyond (the services judged by what their users see: they have no rows), $controls (the baselines).
-- A service that gets less everywhere shows in no single cell of so few trials, but in all of them together. So the trials
-- are compared within each pair, and the pairs are taken together: the rank-sum test of van Elteren (1960), its strata the
-- contenders (scripts/metrics/stratified.py). Self-pairs are left out: the worse-off instance tells how far two instances
-- differ. For comparison between pairs, throughput is divided by the median of the previous cycle in the same pair. A pair
-- in which that is 0 is left out.
-- Two tests are made of the same shift, with the same margin of 10 %, and both need six trials on either side. As before:
-- its 90 % interval lies within the margin (two one-sided tests at 5 %: Schuirmann 1987). Changed: p_corrected is below
-- 0.05. p is that of a shift beyond the margin, and p_corrected is p after Holm's correction over the services of the
-- family. So a shift that the reboot of a host might cause is not called a change of a service. Undecided: neither.
-- The family control has the baselines, each over its pairs with other baselines. These do not change by themselves: if
-- one changed, the testbed did. What one service loses its contenders get, so in a panel of few services a change of one
-- also moves the others; among twelve services it moves each of them by an eleventh.
with
clients as (
    select *, 'after' as cycle from read_parquet($trial_services)
    union all by name
    select *, 'before' as cycle from read_parquet($earlier_trial_services)
),

trials as (
    select *, list_contains($controls::varchar[], service) as control
    from clients
    where clients > 1 and valid and instance = 'first' and not list_contains($beyond::varchar[], service)
),

cells as (
    select
        setting,
        service,
        contender,
        control,
        list(throughput_mbps order by throughput_mbps) filter (cycle = 'before') as before_mbps,
        list(throughput_mbps order by throughput_mbps) filter (cycle = 'after') as after_mbps
    from trials
    where not control or list_has_all($controls::varchar[], contenders_of(contender))
    group by setting, service, contender, control
),

strata as (
    select
        *,
        [mbps / list_median(before_mbps) for mbps in before_mbps] as before,
        [mbps / list_median(before_mbps) for mbps in after_mbps] as after
    from cells
    where len(before_mbps) >= 3 and len(after_mbps) >= 3 and list_median(before_mbps) > 0
),

services as (
    select
        setting,
        service,
        control,
        count(*)::integer as pairs,
        sum(len(before))::integer as before_n,
        sum(len(after))::integer as after_n,
        list(before order by contender) as before,
        list(after order by contender) as after
    from strata
    group by setting, service, control
),

shifts as (
    select
        *,
        case when control then 'control' else 'services' end as family,
        stratified_shift_of(before, after) as difference,
        least(before_n, after_n) >= 6 as judged
    from services
),

tests as (
    select
        *,
        case when judged then p_beyond(before, after, difference.shift, getvariable('margin_of_shifts')) end as p,
        count(*) filter (judged) over (partition by family) as tested,
        row_number() over (partition by family, judged order by setting, service) as place
    from shifts
),

corrections as (
    select family, holm(list(p order by place)) as p_corrected from tests where judged group by family
)

select
    setting,
    service,
    control,
    family,
    pairs,
    before_n,
    after_n,
    difference.shift as shift,
    difference.low as shift_low,
    difference.high as shift_high,
    getvariable('margin_of_shifts') as margin,
    tested::integer as tested,
    p,
    case when judged then corrections.p_corrected[place] end as p_corrected,
    case
        when not judged then null
        when corrections.p_corrected[place] < 0.05 then 'changed'
        when within_margin({low: shift_low, high: shift_high}, margin) then 'as before'
        else 'undecided'
    end as verdict
from tests
left join corrections using (family)
order by setting, service
