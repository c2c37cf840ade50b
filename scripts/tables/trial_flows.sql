-- trial_flows: the connections of one trial, and how many of them a service uses at once.
-- Grain:      one row per trial and flow on which the client received a packet; none if the trial failed.
-- Units:      in the names; counts of packets that the client received over the whole trial.
-- Sources:    clients, packets and flows of one trial (scripts/extract).
-- Parameters: $patterns (of the host names of every service's workload), $intermittent (web pages and generated flows).
-- A flow is a 5-tuple, the service's end first. It carries workload if its payload is at least 100 kB and if its name
-- matches one of the service's patterns, where the service has any. Web pages and generated flows
-- consist of many short flows: for $intermittent any payload will do, except that of DNS answers.
-- TCP segments are classified from the client's capture (scripts/extract/native/connection.h): which segments of the
-- service were retransmitted or out of order, and which acknowledgements of the client are duplicates. The RTT is
-- that from the client to the service and back, from the client's timestamps (RFC 7323).
-- concurrent_flows is the largest number of the service's workload flows that have payload in the same slot of 20 ms
-- of the steady window (Prudentia, Table 1: flows that transfer workload data at the same time). Two flows that a
-- client uses one after the other are not concurrent: more than half a round-trip time lies between them.
with
patterns as (
    select unnest($patterns::struct(service varchar, pattern varchar)[], recursive := true)
),

clients as (select * from read_parquet($clients) where status = 'completed'),

packets as not materialized (
    select flow, time_ns, ip_bytes, payload_bytes
    from read_parquet($packets)
    where direction = 'down' and flow is not null
),

flows as (
    select
        flow,
        client,
        protocol,
        source,
        source_port,
        destination,
        destination_port,
        name,
        known_by,
        retransmissions_down as retransmissions,
        out_of_order_down as out_of_order,
        duplicate_acks_up as duplicate_acks,
        rtt_min_ns,
        rtt_median_ns,
        not exists (select 1 from patterns where patterns.service = clients.service)
        or exists (
            select 1 from patterns where patterns.service = clients.service and name glob pattern
        ) as asked_for,
        case
            when not list_contains($intermittent::varchar[], clients.service) then 100_000
            when source_port <> 53 then 1
        end as least_bytes
    from read_parquet($flows)
    inner join clients using (client)
),

start as (
    select
        any_value(trial_start_ns) as trial_start_ns,
        any_value(window_start_ns) as window_start_ns,
        any_value(window_stop_ns) as window_stop_ns
    from clients
),

slots as (
    select
        flow,
        (time_ns - trial_start_ns) // 20_000_000 as slot,
        count(*) as packets,
        sum(ip_bytes)::bigint as ip_bytes,
        coalesce(sum(payload_bytes), 0)::bigint as payload_bytes,
        min(time_ns) as first_ns,
        max(time_ns) as last_ns
    from packets
    cross join start
    group by 1, 2
),

totals as (
    select
        flow,
        sum(packets)::bigint as packets,
        sum(ip_bytes)::bigint as ip_bytes,
        sum(payload_bytes)::bigint as payload_bytes,
        min(first_ns) as first_ns,
        max(last_ns) as last_ns,
        coalesce(sum(payload_bytes) >= any_value(least_bytes), false) and any_value(asked_for) as workload
    from slots
    inner join flows using (flow)
    group by flow
),

at_once as (
    select client, slot, count(*) as flows
    from slots
    inner join (select flow, workload from totals) as carrying using (flow)
    inner join flows using (flow)
    cross join start
    where workload and payload_bytes > 0 and first_ns >= window_start_ns and last_ns < window_stop_ns
    group by client, slot
),

concurrent as (
    select client, max(flows)::integer as concurrent_flows from at_once group by client
)

select
    setting,
    pair,
    trial,
    client,
    service,
    flow,
    case protocol when 6 then 'tcp' else 'udp' end as protocol,
    source,
    source_port,
    destination,
    destination_port,
    name,
    known_by,
    packets,
    ip_bytes,
    payload_bytes,
    first_ns,
    last_ns,
    retransmissions,
    out_of_order,
    duplicate_acks,
    rtt_min_ns / 1e6 as rtt_min_ms,
    rtt_median_ns / 1e6 as rtt_median_ms,
    workload,
    coalesce(concurrent_flows, 0) as concurrent_flows
from totals
inner join flows using (flow)
inner join clients using (client)
left join concurrent using (client)
order by setting, pair, trial, client, flow
