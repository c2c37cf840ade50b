-- hosts: whether a host measures something else than the other hosts of the cycle.
-- Grain:      one row per setting, pair (or service alone), service and host, where another host has a valid trial; of a
--             self-pair the worse-off instance.
-- Units:      Mbps, as IP throughput; p is a probability.
-- Sources:    trial_services, validity.
-- Parameters: $beyond (the services judged by what their users see: they have no rows), $controls (the baselines),
--             $tolerances (precision_mbps of every setting, the margin).
-- The trials of a host are compared with those of all other hosts together. Trials without the name of a host are left
-- out. So are trials that are not valid; those of a host that is set aside are shown, but are no part of the others.
-- Two tests are made of the same difference, host minus others, and both need six trials on either side. Equivalent: its
-- exact 90 % interval lies within the margin (two one-sided rank-sum tests at 5 %, as in the table equivalence). This is
-- nominal: of hosts that differ by just the margin, one cell in twenty is called equivalent. Different: p_corrected is
-- below 0.05. p is that of the two-sided rank-sum test after the host's trials are moved towards the others by the
-- margin; it is 1 if the difference is smaller. p_corrected is p after Holm's correction over all comparisons of a family,
-- control or services as in the table changes. Two hosts have one comparison, which both their rows tell, and so have the
-- two services of a pair; tested counts it once. So if no host differs by more than the margin, the probability
-- that any is called different is at most 5 % in each family. A service may change by itself, or differ between the
-- networks of two hosts; a baseline does not.
-- The table host_agreement tells whether hosts agree, over all cells of the cycle.
-- Of two hosts, the table does not tell which one is wrong. Of more, one that differs also moves the figures of the others.
with
trials as (select * from read_parquet($trial_services)),

-- What breaks another rule than the one on the host.
broken as (
    select distinct setting, pair, trial
    from read_parquet($validity)
    where not valid and class = 'testbed' and rule <> 'host_set_aside'
),

clients as (
    select trials.*
    from trials
    anti join broken using (setting, pair, trial)
    where
        host is not null and instance in ('first', 'worse_off') and not list_contains($beyond::varchar[], service)
),

compared as (
    select compared_host, clients.*
    from clients
    inner join (select distinct setting, pair, service, host as compared_host from clients)
        using (setting, pair, service)
),

tolerances as (
    select unnest($tolerances::struct(setting varchar, tolerance_mbps double)[], recursive := true)
),

cells as (
    select
        setting,
        pair,
        service,
        any_value(contender) as contender,
        compared_host,
        bool_or(not valid) filter (host = compared_host) as set_aside,
        list(distinct host order by host) filter (host <> compared_host and valid) as other_hosts,
        list(throughput_mbps order by throughput_mbps) filter (host = compared_host) as host_mbps,
        list(throughput_mbps order by throughput_mbps) filter (host <> compared_host and valid) as others_mbps,
        summary(case when host = compared_host then throughput_mbps end) as host_summary,
        summary(case when host <> compared_host and valid then throughput_mbps end) as others_summary
    from compared
    group by setting, pair, service, compared_host
    having count(*) filter (host <> compared_host and valid) > 0
),

shifts as (
    select
        cells.*,
        tolerance_mbps as margin_mbps,
        list_has_all($controls::varchar[], services_of(service, contender)) as control,
        concat_ws(
            ' ', setting, pair, list_sort([compared_host, array_to_string(other_hosts, ' ')])::varchar
        ) as comparison,
        shift_of(others_mbps, host_mbps) as difference,
        least(host_summary.n, others_summary.n) >= 6 as judged
    from cells
    left join tolerances using (setting)
),

tests as (
    select
        *,
        case when control then 'control' else 'services' end as family,
        case
            when not judged then null
            when abs(difference.shift) <= margin_mbps then 1
            else rank_sum_p(others_mbps, [mbps - sign(difference.shift) * margin_mbps for mbps in host_mbps])
        end as p,
        count(distinct comparison) filter (judged) over (partition by control) as tested,
        row_number() over (partition by control, judged order by setting, pair, service, compared_host) as place
    from shifts
),

corrections as (
    select family, holm_of_groups(list(p order by place), list(comparison order by place)) as p_corrected
    from tests
    where judged
    group by family
)

select
    setting,
    pair,
    service,
    nullif(contender, '') as contender,
    control,
    family,
    compared_host as host,
    set_aside,
    host_summary.n as host_n,
    host_summary.median as host_median_mbps,
    host_summary.low as host_low_mbps,
    host_summary.high as host_high_mbps,
    others_summary.n as others_n,
    others_summary.median as others_median_mbps,
    others_summary.low as others_low_mbps,
    others_summary.high as others_high_mbps,
    difference.shift as difference_mbps,
    difference.low as difference_low_mbps,
    difference.high as difference_high_mbps,
    margin_mbps,
    tested::integer as tested,
    p,
    case when judged then corrections.p_corrected[place] end as p_corrected,
    case when judged then tested * smallest_p(host_summary.n, others_summary.n) < 0.05 end as detectable,
    case
        when not judged then null
        when corrections.p_corrected[place] < 0.05 then 'different'
        when within_margin(difference, margin_mbps) then 'equivalent'
        else 'undecided'
    end as verdict
from tests
left join corrections using (family)
order by setting, pair, service, host
