-- trial_services: what each service got in one trial.
-- Grain:   one row per trial and client.
-- Units:   in the names; 1 Mbps is 10^6 bit/s; counts and rates over the steady window [start, stop).
-- Sources: clients, packets and queue of one trial (scripts/extract), validity.
-- A rate is bytes * 8000 / ns, which is Mbps: whole numbers, divided once. Wire bytes are frame bytes plus the
-- overhead that the bottleneck charges per packet. Rates and delays are those of the packets that left the queue in
-- the window. Arrivals and drops are those of the packets that arrived in it. Goodput is that of the packets that the
-- client received in it. All are null if the trial failed. Each half of the window is [start, middle) or [middle, stop).
-- Loss events are what a sender reduces its window for: the drops of a flow in one round trip count once. A sender knows
-- of a drop when the third packet after it is acknowledged (RFC 5681, 3.2), which is one RTT without queueing after that
-- packet left the queue. Packets that arrived before then are of the same event. In six trials of Reno, Cubic and BBR this
-- gave 330 events, and the kernel counted as many recoveries (TcpExtTCPSackRecovery); samples of ssthresh each second
-- show half of them.
-- A burst is packets of a service alone that arrive at the bottleneck less than 0.1 ms apart; a packet of 1514 bytes takes as
-- long at 120 Mbps. Processor time per GB is that of the programs of one side over all that the bottleneck forwarded to the
-- client in the trial.
-- A client starts with its first packet at the bottleneck. startup_loss_rate is that of the packets that arrived in the 5 s
-- after the last client started, whichever it is: from then on, each start can cost the others packets. 5 s are 100 RTTs of
-- 50 ms, or 20 with 4 BDP in the queue. The steady window may begin within them, but not stop.
-- A trial is valid if it keeps every rule of class testbed, and a service alone is able if it keeps every rule of class
-- service. The clients of a self-pair are told apart by what they got; if they got the same, by their number.
with
clients as (select * from read_parquet($clients)),

packets as not materialized (select * from read_parquet($packets)),

queue as not materialized (select * from read_parquet($queue)),

validity as (select * from read_parquet($validity)),

-- All clients have the same window, so that comparing with it needs no join. A failed trial has none.
steady as (
    select
        any_value(window_start_ns) as start_ns,
        any_value(window_start_ns + (window_stop_ns - window_start_ns) // 2) as middle_ns,
        any_value(window_stop_ns) as stop_ns
    from clients
    where status = 'completed'
),

arrivals as (
    select
        client,
        count(*) as arrived_packets,
        count(*) filter (departure_ns is null) as dropped_packets
    from queue
    where arrival_ns >= (select start_ns from steady) and arrival_ns < (select stop_ns from steady)
        and verdict <> 'lost_before'
    group by client
),

followed as (
    select
        client,
        flow,
        arrival_ns,
        departure_ns,
        lead(departure_ns, 3 ignore nulls) over in_order as third_ns
    from queue
    where verdict <> 'lost_before'
    window in_order as (partition by client, flow order by arrival_ns, departure_ns)
),

drops as (
    select
        client,
        flow,
        list(arrival_ns order by arrival_ns, third_ns) as arrivals_ns,
        list(coalesce(third_ns, arrival_ns) + (rtt_ms * 1e6)::bigint order by arrival_ns, third_ns) as known_ns
    from followed
    inner join clients using (client)
    where departure_ns is null
    group by client, flow
),

events as (select client, unnest(loss_event_starts(arrivals_ns, known_ns)) as start_ns from drops),

event_counts as (
    select client, count(*) as loss_events
    from events
    where start_ns >= (select start_ns from steady) and start_ns < (select stop_ns from steady)
    group by client
),

-- The 5 s after the last start; no row if the trial has none.
startup as (
    select max(first_ns) as start_ns, max(first_ns) + 5_000_000_000 as stop_ns
    from (
        select client, min(arrival_ns) as first_ns
        from queue
        inner join clients using (client)
        where arrival_ns >= start_ns and verdict <> 'lost_before'
        group by client
    ) as starts
    having
        count(*) > 1 and count(*) = (select count(*) from clients)
        and max(first_ns) + 5_000_000_000 <= (select stop_ns from steady)
),

startup_arrivals as (
    select client, count(*) filter (departure_ns is null) / count(*) as startup_loss_rate
    from queue
    where arrival_ns >= (select start_ns from startup) and arrival_ns < (select stop_ns from startup)
        and verdict <> 'lost_before'
    group by client
),

spaced as (
    select
        client,
        arrival_ns,
        arrival_ns - lag(arrival_ns) over (partition by client order by arrival_ns) < 100_000 as in_burst
    from queue
    where
        arrival_ns >= (select start_ns from steady) and arrival_ns < (select stop_ns from steady)
        and verdict <> 'lost_before'
        and (select any_value(clients) from clients) = 1
),

numbered as (
    select client, count(*) filter (in_burst is not true) over (partition by client order by arrival_ns) as burst
    from spaced
),

bursts as (
    select client, avg(packets) as burst_packets, quantile_cont(packets, 0.95) as burst_p95_packets
    from (select client, burst, count(*) as packets from numbered group by client, burst) as of_burst
    group by client
),

departures as (
    select
        client,
        count(*) as forwarded_packets,
        sum(frame_bytes)::bigint as frame_bytes,
        sum(ip_bytes)::bigint as ip_bytes,
        count(*) filter (departure_ns < (select middle_ns from steady)) as first_half_packets,
        sum(frame_bytes) filter (departure_ns < (select middle_ns from steady))::bigint as first_half_frame_bytes,
        sum(departure_ns - arrival_ns) / (count(*) * 1e6) as delay_mean_ms,
        quantile_cont(departure_ns - arrival_ns, [0.5, 0.95, 0.99]) as delay_ns
    from queue
    where departure_ns >= (select start_ns from steady) and departure_ns < (select stop_ns from steady)
    group by client
),

deliveries as (
    select client, sum(payload_bytes)::bigint as payload_bytes
    from packets
    where
        direction = 'down' and protocol = 6
        and time_ns >= (select start_ns from steady) and time_ns < (select stop_ns from steady)
    group by client
),

verdicts as (
    select
        setting,
        pair,
        trial,
        bool_and(valid) filter (class = 'testbed') as valid,
        coalesce(bool_and(valid) filter (class = 'service'), true) as able,
        string_agg(
            case
                when figure is null then rule || ': not known'
                else rule || ': ' || printf('%.6g', figure) || ' > ' || printf('%.6g', threshold)
            end,
            '; ' order by rule
        ) filter (not valid and class = 'testbed') as reason
    from validity
    group by setting, pair, trial
),

counted as (
    select
        clients.*,
        case when status = 'completed' then window_stop_ns - window_start_ns end as window_ns,
        case when status = 'completed' then coalesce(arrivals.arrived_packets, 0) end as window_arrived,
        case when status = 'completed' then coalesce(forwarded_in_window, 0) end as window_forwarded,
        case when status = 'completed' then coalesce(arrivals.dropped_packets, 0) end as window_dropped,
        case when status = 'completed' then coalesce(event_counts.loss_events, 0) end as window_events,
        case
            when status = 'completed' then coalesce(frame_bytes + forwarded_in_window * overhead_bytes, 0)
        end as wire_bytes,
        case
            when status = 'completed'
                then coalesce(first_half_frame_bytes + first_half_packets * overhead_bytes, 0)
        end as first_half_wire_bytes,
        case when status = 'completed' then coalesce(ip_bytes, 0) end as ip_bytes,
        case
            when status = 'completed' and capture_status <> 'missing' then coalesce(payload_bytes, 0)
        end as payload_bytes,
        delay_mean_ms,
        delay_ns,
        burst_packets,
        burst_p95_packets,
        startup_loss_rate
    from clients
    left join arrivals using (client)
    left join event_counts using (client)
    left join (select * rename (forwarded_packets as forwarded_in_window) from departures) as departed
        using (client)
    left join deliveries using (client)
    left join bursts using (client)
    left join startup_arrivals using (client)
),

placed as (
    select
        *,
        row_number() over (partition by service order by length(client), client) as place,
        row_number() over (order by wire_bytes, length(client), client) as place_by_rate
    from counted
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    clients,
    self_pair,
    status,
    verdicts.valid as valid,
    case when clients = 1 and status = 'completed' then able end as able,
    case
        when verdicts.valid then null
        when status = 'failed' then coalesce(placed.reason, 'failed')
        else verdicts.reason
    end as reason,
    cca,
    rate_mbps,
    window_ns / 1e9 as window_s,
    case when status = 'completed' then (window_start_ns - trial_start_ns) / 1e9 end as window_start_s,
    case when status = 'completed' then (window_stop_ns - trial_start_ns) / 1e9 end as window_stop_s,
    window_arrived as arrived_packets,
    window_forwarded as forwarded_packets,
    window_dropped as dropped_packets,
    wire_bytes,
    ip_bytes,
    wire_bytes * 8000 / window_ns as wire_rate_mbps,
    ip_bytes * 8000 / window_ns as throughput_mbps,
    payload_bytes * 8000 / window_ns as goodput_mbps,
    window_dropped / nullif(window_arrived, 0) as loss_rate,
    delay_mean_ms as queueing_delay_mean_ms,
    delay_ns[1] / 1e6 as queueing_delay_p50_ms,
    delay_ns[2] / 1e6 as queueing_delay_p95_ms,
    delay_ns[3] / 1e6 as queueing_delay_p99_ms,
    sum(wire_bytes) over (partition by setting, pair, trial) * 8000 / (window_ns * rate_mbps) as utilization,
    rtt_ms,
    case
        when self_pair and place_by_rate = 1 then 'worse_off'
        when self_pair and place_by_rate = clients then 'better_off'
        when not self_pair and place = 1 then 'first'
        else 'further'
    end as instance,
    host,
    kernel,
    switch,
    trial_start_ns,
    window_events as loss_events,
    first_half_wire_bytes,
    wire_bytes - first_half_wire_bytes as second_half_wire_bytes,
    cca_asked,
    stack,
    stack_version,
    controller,
    gso,
    pacing,
    shipped,
    burst_packets,
    burst_p95_packets,
    server_run_s * 1e9 / nullif(forwarded_bytes, 0) as server_s_per_gb,
    client_run_s * 1e9 / nullif(forwarded_bytes, 0) as client_s_per_gb,
    startup_loss_rate
from placed
inner join verdicts using (setting, pair, trial)
order by setting, pair, trial, client
