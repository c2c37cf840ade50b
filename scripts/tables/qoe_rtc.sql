-- qoe_rtc: the quality of a call in one trial.
-- Grain:   one row per trial and client that had a call; none if the trial failed.
-- Units:   in the names; high_delay_fraction is a fraction of packets; 1 Mbps is 10^6 bit/s.
-- Sources: clients, queue and qoe of one trial (scripts/extract), trial_services.
-- Prudentia, Table 2, over the steady window. The browser reports its counters about every second. Frames, freezes
-- (by the definition of that table) and received bytes are the difference between the last report before the window and
-- the last report in it; without one before, all counters are 0 when the window begins. A height holds until the next report. The height held longest counts; if several were held
-- equally long, the lowest. A call without a picture before the end of the window has height 0, no frames and no
-- freezes to count; so has a call that reported nothing in a completed trial.
-- The RTT of a packet is the sum of the base RTT measured before the trial, the delay added in both directions, the
-- packet's time in the queue, and its time on the link. Packets count if they left the queue towards the client in
-- the window. ITU-T's limit for calls is 190 ms. Dropped packets have no RTT.
with
clients as (select * from read_parquet($clients) where status = 'completed'),

calls as (
    select
        clients.*,
        coalesce(seconds_of_call, []) as seconds_of_call,
        [second for second in seconds_of_call if second.height > 0] as with_picture,
        (window_start_ns - since_ns) / 1e9 as start_s,
        (window_stop_ns - since_ns) / 1e9 as stop_s
    from clients
    left join read_parquet($qoe) using (client)
    where
        seconds_of_call is not null
        or list_contains($calls::varchar[], service)
),

seconds as (
    select client, start_s, stop_s, unnest(seconds_of_call, recursive := true) from calls
),

ends as (
    select
        client,
        max(at_s) filter (at_s <= start_s) as before_s,
        max(at_s) filter (at_s <= stop_s) as last_s
    from seconds
    group by client
),

counted as (
    select
        client,
        max(frames) - if(any_value(before_s) is null, 0, min(frames)) as frames,
        case
            when max(frames) > 0 then max(freezes) - if(any_value(before_s) is null, 0, min(freezes))
        end as freezes,
        max(received_bytes) - if(any_value(before_s) is null, 0, min(received_bytes)) as received_bytes,
        nullif(max(at_s) - coalesce(any_value(before_s), any_value(start_s)), 0) as seconds
    from seconds
    inner join ends using (client)
    where at_s between coalesce(before_s, at_s) and last_s
    group by client
),

pictures as (
    select
        client,
        len(seconds_of_call) = 0 as silent,
        nullif(
            held_longest(
                [second.at_s for second in with_picture],
                [second.height for second in with_picture],
                start_s,
                stop_s
            ),
            'nan'::double
        ) as height
    from calls
),

delays as (
    select
        client,
        coalesce(base_rtt_ns + delay_down_ns + delay_up_ns, rtt_ms * 1e6)
        + departure_ns - arrival_ns + (frame_bytes + overhead_bytes) * 8e3 / rate_mbps as rtt_ns
    from read_parquet($queue)
    inner join calls using (client)
    where departure_ns >= window_start_ns and departure_ns < window_stop_ns
),

delayed as (
    select client, count(*) filter (rtt_ns > 190_000_000) / count(*) as high_delay_fraction
    from delays
    group by client
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    valid,
    coalesce(height, 0)::integer as held_height,
    case when silent or frames is null then 0 else frames / seconds end as frames_per_s,
    freezes * 60 / seconds as freezes_per_minute,
    high_delay_fraction,
    case when silent or frames is null then 0 else received_bytes * 8 / (seconds * 1e6) end as received_mbps
from read_parquet($trial_services)
inner join pictures using (client)
left join counted using (client)
left join delayed using (client)
order by setting, pair, trial, client
