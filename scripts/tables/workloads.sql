-- workloads: what the catalogue says about every service, and what was measured: Prudentia's Table 1.
-- Grain:      one row per setting and service.
-- Units:      Mbps, as IP throughput.
-- Sources:    trial_services, trial_flows, qoe_web, solo.
-- Parameters: $catalogue (what the catalogue says, one record per service).
-- The measured figures are those of the valid solos, in which only the service and the link set limits: the median
-- of concurrent_flows, or for a page the median of the flows of a load (the footnotes of Table 1), and the congestion
-- controls that the kernel reported. The kernel cannot report those of QUIC and WebRTC: cca_in_effect is then what
-- the catalogue says, or what an endpoint says of itself, and cca_measured is false.
with
catalogue as (
    select
        unnest(
            $catalogue::struct(
                service varchar,
                category varchar,
                driver varchar,
                cca_asked varchar,
                of_kernel boolean,
                flows_declared integer,
                cap_mbps double
            )[],
            recursive := true
        )
),

trials as (select * from read_parquet($trial_services)),

solos as (
    select * from trials where clients = 1 and valid
),

ccas as (
    select setting, service, array_to_string(list_sort(list_distinct(list(cca))), ',') as cca
    from (select setting, service, unnest(string_split(cca, ',')) as cca from solos) as separate_ccas
    group by setting, service
),

told as (
    select setting, service, string_agg(distinct controller, ',' order by controller) as controller
    from solos
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
    coalesce(case when of_kernel then cca end, controller, cca_asked) as cca_in_effect,
    of_kernel and cca is not null as cca_measured,
    flows_declared,
    flows_measured::double as flows_measured,
    cap_mbps,
    throughput_median_mbps as solo_throughput_mbps,
    coalesce(n, 0) as n
from (select distinct setting, service from trials) as measured_services
left join catalogue using (service)
left join ccas using (setting, service)
left join told using (setting, service)
left join at_once using (setting, service)
left join read_parquet($solo) as solo using (setting, service)
order by setting, service
