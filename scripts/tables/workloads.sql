-- workloads: what the catalogue says of every service, and what was measured of it: Prudentia's Table 1.
-- Grain:   one row a setting and service.
-- Units:   Mbps, as IP throughput.
-- Sources: trial_services, trial_flows, qoe_web, solo; of the config's services, one list a column: $services, $categories,
--          $drivers, $ccas (the catalogue's), $kernel_ccas (whether it is the kernel's), $flows and $caps_mbps.
-- What is measured is of the valid solos, where nothing holds a service back but itself and the link: the median
-- of concurrent_flows, of a page of the flows it took for a load (the footnotes of Table 1), and the congestion
-- controls the kernel had in effect. What the kernel cannot tell (QUIC,
-- WebRTC) is as the catalogue says, and not measured.
with
catalogue as (
    select
        unnest($services::varchar[]) as service,
        unnest($categories::varchar[]) as category,
        unnest($drivers::varchar[]) as driver,
        unnest($ccas::varchar[]) as cca_asked,
        unnest($kernel_ccas::boolean[]) as of_kernel,
        unnest($flows::integer[]) as flows_declared,
        unnest($caps_mbps::double[]) as cap_mbps
),

trials as (select * from read_parquet($trial_services)),

solos as (
    select * from trials where clients = 1 and valid
),

ccas as (
    select setting, service, array_to_string(list_sort(list_distinct(list(cca))), ',') as cca
    from (select setting, service, unnest(string_split(cca, ',')) as cca from solos) as each_cca
    group by setting, service
),

loads as (
    select setting, pair, trial, count(*) as loads from read_parquet($qoe_web) group by setting, pair, trial
),

flows as (
    select
        setting,
        service,
        trial,
        coalesce(count(*) filter (workload) / any_value(loads), max(concurrent_flows)) as flows
    from read_parquet($trial_flows)
    inner join (select setting, pair, trial from solos) as of_solos using (setting, pair, trial)
    left join loads using (setting, pair, trial)
    group by setting, service, trial
),

at_once as (
    select setting, service, quantile_cont(flows, 0.5) as flows_measured from flows group by setting, service
)

select
    setting,
    service,
    category,
    driver,
    cca_asked,
    coalesce(case when of_kernel then cca end, cca_asked) as cca_in_effect,
    of_kernel and cca is not null as cca_measured,
    flows_declared,
    flows_measured::double as flows_measured,
    cap_mbps,
    throughput_median_mbps as solo_throughput_mbps,
    coalesce(n, 0) as n
from (select distinct setting, service from trials) as measured_services
left join catalogue using (service)
left join ccas using (setting, service)
left join at_once using (setting, service)
left join read_parquet($solo) as solo using (setting, service)
order by setting, service
