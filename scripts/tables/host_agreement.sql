-- host_agreement: whether a service gets the same on two hosts, over all its pairs.
-- Grain:      one row per setting, service and two hosts, with a pair of which both have three trials.
-- Units:      shifts are fractions of the median over both hosts; p is a probability.
-- Sources:    trial_services, validity.
-- Parameters: $beyond (the services judged by what their users see: they have no rows), $controls (the baselines).
-- A cell has few trials on each host, so no single cell tells that hosts agree; the whole cycle does. The trials are
-- compared within each pair, and the pairs of a service are taken together, as in the table service_changes. The trials are
-- those of the table hosts, without self-pairs. Services alone are left out, too: they fill the link on any host, and would
-- dilute a difference in pairs. Throughput is divided by the median over both hosts in the same pair. A pair in which that
-- is 0 is left out.
-- The verdicts have the same margin of 10 %, and need six trials on either side. Equivalent: the 90 % interval of the shift
-- lies within the margin. Different: p_corrected is below 0.05. p is that of a shift beyond the margin, and p_corrected is
-- p after Holm's correction over the family: baselines, each over its pairs with other baselines, or all others. So if no
-- host differs by more than the margin, the probability that any is called different is at most 5 % in each family.
with
-- What breaks another rule than the one on the host.
broken as (
    select distinct setting, pair, trial
    from read_parquet($validity)
    where not valid and class = 'testbed' and rule <> 'host_set_aside'
),

clients as (
    select trials.*, list_contains($controls::varchar[], service) as control
    from read_parquet($trial_services) as trials
    anti join broken using (setting, pair, trial)
    where
        clients > 1 and host is not null and instance = 'first' and not list_contains($beyond::varchar[], service)
),

cells as (
    select
        setting,
        service,
        contender,
        control,
        host,
        bool_or(not valid) as set_aside,
        list(throughput_mbps order by throughput_mbps) as mbps
    from clients
    where not control or list_has_all($controls::varchar[], contenders_of(contender))
    group by setting, service, contender, control, host
    having count(*) >= 3
),

strata as (
    select
        setting,
        service,
        contender,
        control,
        one.host as host,
        other.host as other_host,
        one.set_aside or other.set_aside as set_aside,
        [mbps / list_median(list_concat(one.mbps, other.mbps)) for mbps in one.mbps] as host_shares,
        [mbps / list_median(list_concat(one.mbps, other.mbps)) for mbps in other.mbps] as other_shares
    from cells as one
    inner join cells as other using (setting, service, contender, control)
    where one.host < other.host and list_median(list_concat(one.mbps, other.mbps)) > 0
),

services as (
    select
        setting,
        service,
        control,
        host,
        other_host,
        bool_or(set_aside) as set_aside,
        count(*)::integer as pairs,
        sum(len(host_shares))::integer as host_n,
        sum(len(other_shares))::integer as other_n,
        list(host_shares order by contender) as host_shares,
        list(other_shares order by contender) as other_shares
    from strata
    group by setting, service, control, host, other_host
),

shifts as (
    select
        *,
        case when control then 'control' else 'services' end as family,
        stratified_shift_of(host_shares, other_shares) as difference,
        least(host_n, other_n) >= 6 as judged
    from services
),

tests as (
    select
        *,
        case
            when judged
                then p_beyond(host_shares, other_shares, difference.shift, getvariable('margin_of_shifts'))
        end as p,
        count(*) filter (judged) over (partition by family) as tested,
        row_number() over (partition by family, judged order by setting, service, host, other_host) as place
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
    host,
    other_host,
    set_aside,
    pairs,
    host_n,
    other_n,
    difference.shift as shift,
    difference.low as shift_low,
    difference.high as shift_high,
    getvariable('margin_of_shifts') as margin,
    tested::integer as tested,
    p,
    case when judged then corrections.p_corrected[place] end as p_corrected,
    case
        when not judged then null
        when corrections.p_corrected[place] < 0.05 then 'different'
        when within_margin({low: shift_low, high: shift_high}, margin) then 'equivalent'
        else 'undecided'
    end as verdict
from tests
left join corrections using (family)
order by setting, service, host, other_host
