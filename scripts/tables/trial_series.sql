-- trial_series: one trial in slots of 100 ms.
-- Grain:   one row per trial, client and whole slot from the start of the trial; none if the trial failed.
-- Units:   in the names; time_s is the start of the slot, after the start of the trial.
-- Sources: clients and queue of one trial (scripts/extract).
-- Bytes and delays belong to the slot in which the packet left the queue, drops and the backlog to the slot in which
-- it arrived. Backlog and delay are null if the client had no such packet in the slot.
with
clients as (select * from read_parquet($clients) where status = 'completed'),

queue as (
    select queue.*, trial_start_ns
    from read_parquet($queue) as queue
    inner join clients using (client)
),

slots as (
    select
        setting,
        pair,
        trial,
        client,
        service,
        unnest(range((trial_stop_ns - trial_start_ns) // 100_000_000))::integer as slot
    from clients
),

arrivals as (
    select
        client,
        (arrival_ns - trial_start_ns) // 100_000_000 as slot,
        count(*) filter (departure_ns is null) as dropped_packets,
        avg(backlog_packets) as backlog_packets_mean,
        max(backlog_packets) as backlog_packets_max
    from queue
    where arrival_ns >= trial_start_ns and verdict <> 'lost_before'
    group by 1, 2
),

departures as (
    select
        client,
        (departure_ns - trial_start_ns) // 100_000_000 as slot,
        sum(ip_bytes)::bigint as ip_bytes,
        sum(departure_ns - arrival_ns) / (count(*) * 1e6) as queueing_delay_mean_ms
    from queue
    where departure_ns >= trial_start_ns
    group by 1, 2
)

select
    setting,
    pair,
    trial,
    client,
    service,
    slot,
    slot / 10 as time_s,
    coalesce(ip_bytes, 0) * 8 / 1e5 as throughput_mbps,
    coalesce(dropped_packets, 0) as dropped_packets,
    backlog_packets_mean,
    backlog_packets_max,
    queueing_delay_mean_ms,
    coalesce(ip_bytes, 0) as ip_bytes
from slots
left join arrivals using (client, slot)
left join departures using (client, slot)
order by setting, pair, trial, client, slot
