-- orders: the queue, the retransmissions and the fairness of two clients, and which of them started first.
-- Grain:      one row per setting, pair or solo, client and metric, also if no trial is valid (n = 0).
-- Units:      queue_fraction and fness_in_order: fraction; retransmitted_packets: packets.
-- Sources:    trial_services, trial_flows, trial_fairness.
-- Parameters: $links (the limit of every setting's queue in packets), $starts (when clients start, in settings that say
--             so), $pages (the web pages, which start after their contender).
-- Trials of three and more clients are left out.
-- The mean queue of a trial follows from Little's law: the packets that left the queue in the steady window, times their
-- mean time in the queue, over the window. It is that of all clients together, so both have the same queue_fraction. A
-- packet that CoDel or FQ-CoDel drops leaves the queue too, but its time there does not count.
-- Retransmissions are those of all TCP flows of a client over the whole trial. Kunze et al. (IV-D) count the same. They
-- are null if a flow other than DNS is not TCP: QUIC encrypts what would tell.
-- fness takes the client as a: below 0 it dominates (trial_fairness).
with
links as (select * from links_of($links)),

starts as (
    select unnest($starts::struct(setting varchar, client varchar, start_s double)[], recursive := true)
),

clients as (
    select
        *,
        sum(forwarded_packets * coalesce(queueing_delay_mean_ms, 0)) over trial_of / (window_s * 1e3) as queued_packets,
        coalesce(start_s, 0) + list_contains($pages::varchar[], service)::integer as place,
        min(place) over trial_of as first_place,
        max(place) over trial_of as last_place
    from read_parquet($trial_services)
    left join starts using (setting, client)
    where clients <= 2
    window trial_of as (partition by setting, pair, trial)
),

retransmitted as (
    select
        setting,
        pair,
        trial,
        client,
        case
            when not bool_or(protocol = 'udp' and source_port <> 53) then sum(retransmissions)::double
        end as retransmitted_packets
    from read_parquet($trial_flows)
    group by setting, pair, trial, client
),

measured as (
    select
        setting,
        pair,
        trial,
        client,
        clients.service as service,
        clients.contender as contender,
        case when self_pair and client = 'c2' then 'second' else 'first' end as instance,
        case
            when clients = 1 then 'alone'
            when first_place = last_place then 'together'
            when place = first_place then 'first'
            else 'second'
        end as started,
        clients.valid as valid,
        unnest([
            {metric: 'queue_fraction', value: queued_packets / queue_packets},
            {metric: 'retransmitted_packets', value: retransmitted_packets},
            {metric: 'fness_in_order', value: fness}
        ], recursive := true)
    from clients
    inner join links using (setting)
    left join retransmitted using (setting, pair, trial, client)
    left join read_parquet($trial_fairness) as fairness using (setting, pair, trial, client)
),

summaries as (
    select
        setting,
        pair,
        client,
        service,
        contender,
        instance,
        started,
        metric,
        summary(case when valid then value end) as value,
        string_agg(trial, ',' order by trial) filter (valid and value is not null) as trials
    from measured
    where started <> 'alone' or metric <> 'fness_in_order'
    group by setting, pair, client, service, contender, instance, started, metric
)

select
    setting,
    pair,
    client,
    service,
    contender,
    instance,
    started,
    metric,
    value.n as n,
    value.median as median,
    value.q25 as q25,
    value.q75 as q75,
    value.low as low,
    value.high as high,
    coalesce(trials, '') as trials
from summaries
order by setting, pair, client, metric
