-- validity: whether a trial may count, rule by rule.
-- Grain:      one row per trial and rule; a failed trial has only the rule `completed`.
-- Units:      in the name of the rule; `completed`, `capture_status` and `cca` count trials or clients at fault,
--             `capture_cut_headers`, `capture_time_jumps` and `capture_zero_length` packets.
-- Sources:    clients, packets, queue, senders and qoe of one trial (scripts/extract), upstream_loss.
-- Parameters: $thresholds (every rule that applies, with its threshold), $upstream_loss_min_packets.
-- A trial keeps a rule if figure <= threshold; a null figure breaks the rule.
-- cpu_pressure_fraction applies only if the kernel measures it.
-- upstream_loss_fraction is lost / (arrived + lost) of the service that lost most, and 0 for a service that lost
-- fewer than $upstream_loss_min_packets. It applies only to services that use TCP: nothing can be known about QUIC
-- and UDP.
-- rtt_error_ms needs a TCP handshake, so it does not apply to a trial that was served by UDP alone.
-- sender_limited_fraction is the fraction of the time in which a sender was held back by its receiver's window or its
-- own buffer, as counted by the kernel, for TCP services on the testbed. It is that of the service held back most, over
-- all its connections of more than 100 kB, between the samples next to the ends of the window.
-- render_limited_fraction is the part of the received pictures of a video or call, over the whole trial, that the
-- browser did not show in time (Prudentia, 3.3: such a client does not measure the network). It is that of the worst
-- client, and applies only if there are pictures.
with
clients as (select * from read_parquet($clients)),

packets as not materialized (select * from read_parquet($packets)),

queue as not materialized (select * from read_parquet($queue)),

upstream as (
    select
        client,
        case
            when lost_packets < $upstream_loss_min_packets then 0
            else lost_packets / (tcp_packets + lost_packets)
        end as upstream_loss_fraction
    from read_parquet($upstream_loss)
    where tcp_packets > 0
),

samples as (
    select
        senders.*,
        rwnd_limited_us + sndbuf_limited_us as limited_us,
        max(bytes_sent) over connection as sent_bytes,
        max(time_ns) filter (time_ns <= window_start_ns) over connection as first_ns,
        min(time_ns) filter (time_ns >= window_stop_ns) over connection as last_ns
    from read_parquet($senders) as senders
    inner join clients using (client)
    window connection as (partition by client, source, source_port, destination, destination_port)
),

connections as (
    select
        client,
        max(limited_us) - min(limited_us) as limited_us,
        max(time_ns) - min(time_ns) as sampled_ns
    from samples
    where
        sent_bytes > 100_000
        and time_ns between coalesce(first_ns, time_ns) and coalesce(last_ns, time_ns)
    group by client, source, source_port, destination, destination_port
),

limited as (
    select client, sum(limited_us) / nullif(sum(sampled_ns) / 1e3, 0) as sender_limited_fraction
    from connections
    group by client
),

pictures as (
    select client, frames.shown as shown, frames.dropped as dropped
    from read_parquet($qoe)
    where frames is not null

    union all

    select client, seconds_of_call[-1].frames as shown, seconds_of_call[-1].dropped as dropped
    from read_parquet($qoe)
    where len(seconds_of_call) > 0
),

rendered as (
    select client, dropped / nullif(shown + dropped, 0) as render_limited_fraction from pictures
),

thresholds as (
    select unnest($thresholds::struct(rule varchar, threshold double)[], recursive := true)
),

-- The packets in each client's capture and in the log, to compare with the bottleneck's own counters.
captured as (
    select client, count(*) as packets, sum(frame_bytes) as bytes
    from packets
    where direction = 'down'
    group by client
),

logged as (
    select
        client,
        count(*) filter (verdict in ('forwarded', 'marked')) as forwarded,
        count(*) filter (verdict in ('tail', 'aqm', 'random')) as dropped,
        count(*) filter (verdict = 'lost_before') as lost_before
    from queue
    group by client
),

counted as (
    select
        clients.*,
        coalesce(captured.packets, 0) as captured_packets,
        coalesce(captured.bytes, 0) as captured_bytes,
        coalesce(logged.forwarded, 0) as logged_forwarded,
        coalesce(logged.dropped, 0) as logged_dropped,
        coalesce(logged.lost_before, 0) as logged_lost_before
    from clients
    left join captured using (client)
    left join logged using (client)
),

-- The RTT is checked on each client's first TCP flow that carries at least 100 kB, or on its first TCP flow if none
-- does: from its last SYN (flags 2 of 18) to its first SYN-ACK (18), without the SYN-ACK's time in the queue. A
-- client that was served by UDP alone has no handshake that is answered at once.
tcp_flows as (
    select client, flow, sum(payload_bytes) >= 100_000 as workload
    from packets
    where direction = 'down' and protocol = 6
    group by client, flow
),

first_flows as (
    select client, coalesce(min(flow) filter (workload), min(flow)) as flow from tcp_flows group by client
),

served_by_udp as (
    select client
    from packets
    where direction = 'down'
    group by client
    having count(*) filter (protocol = 6) = 0 and sum(frame_bytes) filter (protocol = 17) >= 100_000
),

syn_acks as (
    select
        client,
        flow,
        min(time_ns) as syn_ack_ns,
        arg_min(tcp_seq, time_ns) as tcp_seq,
        arg_min(frame_bytes, time_ns) as frame_bytes
    from packets
    inner join first_flows using (client, flow)
    where direction = 'down' and (tcp_flags & 18) = 18
    group by client, flow
),

handshakes as (
    select client, flow, syn_acks.tcp_seq, syn_acks.frame_bytes, syn_ack_ns, max(time_ns) as syn_ns
    from packets
    inner join syn_acks using (client, flow)
    where direction = 'up' and (tcp_flags & 18) = 2 and time_ns < syn_ack_ns
    group by all
),

syn_ack_waits as (
    select client, max(departure_ns - arrival_ns) as wait_ns
    from queue
    inner join handshakes using (client, tcp_seq, frame_bytes)
    where departure_ns between syn_ns and syn_ack_ns
    group by client
),

rtt_errors as (
    select
        clients.client,
        abs((syn_ack_ns - syn_ns - coalesce(wait_ns, 0)) / 1e6 - rtt_ms) as rtt_error_ms
    from clients
    left join handshakes using (client)
    left join syn_ack_waits using (client)
),

figures as (
    select
        setting,
        pair,
        trial,
        max(case when status = 'completed' then 0 else 1 end)::double as completed,
        sum(abs(arrived_packets - forwarded_packets - dropped_packets - left_packets))::double
            as conservation_packets,
        sum(abs(arrived_bytes - forwarded_bytes - dropped_bytes - left_bytes))::double
            as conservation_bytes,
        -- At the end, a packet may be logged as forwarded but still be on its way to the client (left).
        sum(
            greatest(forwarded_packets - logged_forwarded, 0)
            + greatest(logged_forwarded - forwarded_packets - left_packets, 0)
            + abs(dropped_packets - logged_dropped)
            + abs(coalesce(lost_before_packets, 0) - logged_lost_before)
        )::double as log_mismatch_packets,
        sum(abs(captured_packets - forwarded_packets))::double as capture_missing_packets,
        sum(abs(captured_bytes - forwarded_bytes))::double as capture_missing_bytes,
        sum(capture_dropped)::double as capture_dropped_packets,
        count(*) filter (capture_status <> 'ok')::double as capture_status,
        sum(capture_cut_headers)::double as capture_cut_headers,
        sum(capture_time_jumps)::double as capture_time_jumps,
        sum(capture_zero_length)::double as capture_zero_length,
        case
            when count(rtt_error_ms) = count(*) filter (served_by_udp.client is null) then max(rtt_error_ms)
        end::double as rtt_error_ms,
        max(abs(clock_step_ns) / 1e6)::double as clock_step_ms,
        max(log_lost)::double as log_lost_records,
        max(write_errors)::double as write_errors,
        count(*) filter (cca_asked is not null and cca is distinct from cca_asked)::double as cca,
        max(cpu_pressure_fraction)::double as cpu_pressure_fraction,
        max(upstream_loss_fraction)::double as upstream_loss_fraction,
        max(sender_limited_fraction)::double as sender_limited_fraction,
        max(render_limited_fraction)::double as render_limited_fraction
    from counted
    inner join rtt_errors using (client)
    left join served_by_udp using (client)
    left join upstream using (client)
    left join limited using (client)
    left join rendered using (client)
    group by setting, pair, trial
),

rules as (
    from figures
    unpivot include nulls (figure for rule in (columns(* exclude (setting, pair, trial))))
),

judged as (
    select rules.*, any_value(figure) filter (rule = 'completed') over () > 0 as failed
    from rules
)

select
    setting,
    pair,
    trial,
    rule,
    figure,
    threshold,
    coalesce(figure <= threshold, false) as valid
from judged
left join thresholds using (rule)
where
    threshold is not null
    and (rule = 'completed' or not failed)
    and not (
        rule in (
            'cpu_pressure_fraction',
            'upstream_loss_fraction',
            'sender_limited_fraction',
            'render_limited_fraction'
        )
        and figure is null
    )
    and not (rule = 'rtt_error_ms' and (select count(*) from clients anti join served_by_udp using (client)) = 0)
order by setting, pair, trial, rule
