-- validity: what the testbed did in a trial and what a service could not do, rule by rule.
-- Grain:      one row per trial and rule; a failed trial has only the rule `completed`.
-- Units:      that of each rule in scripts/model/rules.yaml.
-- Sources:    clients, packets, queue, senders and qoe of one trial (scripts/extract), upstream_loss.
-- Parameters: $thresholds (every rule of scripts/model/rules.py that applies), $upstream_loss_min_packets,
--             $patterns (of the host names of every service's workload), $generators (the services that generate
--             flows, most of which are short), $hosts_set_aside (the hosts whose trials do not count), $tcp_rules (the
--             rules that read the TCP of a sender).
-- A trial keeps a rule if figure <= threshold; an unknown figure, which is null, breaks the rule. An optional rule does
-- not apply where no client has what it judges: TCP, pictures, a workload that is known by names, or a counter or a
-- host's name that an older trial lacks. The CTE `figures` has one expression for each rule; its NaN is unknown where
-- some clients have what the rule judges. Only a rule of class testbed excludes a trial. Rules on windows, pictures and unmet services are outcomes if services compete, because competition causes
-- them too; alone they tell whether service and client are able.
-- not_known names the endpoints whose sender is not the kernel's TCP: the rules that read TCP say nothing of them. Such a
-- rule keeps its class where it judges another client. Otherwise it is an outcome without a figure: it neither passes nor
-- excludes the trial. unfilled_fraction takes its place where an endpoint is alone: a sender that its window or its
-- processor limits does not fill the link.
-- The congestion control in effect, which the kernel tells, is compared with what an endpoint says that it is.
-- upstream_loss_fraction is that of the service that lost most, and 0 for a service that lost fewer than
-- $upstream_loss_min_packets.
-- A sender's time limited by its send buffer, or by a receive window at its configured maximum, is due to the testbed.
-- A smaller window is not: lost packets keep the data behind them in the receiver's buffer. The kernel counts both
-- times for TCP services on the testbed. Between two samples the window was at its maximum if it was so at either. The
-- figure is that of the service limited longest, over all its connections of more than 100 kB, between the samples next
-- to the ends of the window. The buffers hold the data of shorter ones whole.
-- render_limited_fraction is the part of the received pictures of a video or call, over the whole trial, that the
-- browser did not show in time (Prudentia, 3.3: such a client does not measure the network), of the worst client.
-- A trial is judged by how long its own programs waited for a processor. Other work on the host judges only an older
-- trial (cpu_pressure_fraction), which did not record that.
-- lateness_p99_fraction is a fraction of the time of a full frame (1514 bytes and 24 of overhead) on the link, or of 1 %
-- of the RTT if that is longer, as on a fast link. longest_stall_rtt counts in RTTs, or in times of a full frame if these
-- are longer, as on a slow link.
with
clients as (select * from read_parquet($clients)),

packets as not materialized (select * from read_parquet($packets)),

queue as not materialized (select * from read_parquet($queue)),

upstream as (
    select
        client,
        case
            when lost_packets < $upstream_loss_min_packets then 0
            else lost_packets / coalesce(sent_packets, tcp_packets + lost_packets)
        end as upstream_loss_fraction
    from read_parquet($upstream_loss)
    where method <> 'unknown'
),

samples as (
    select
        senders.*,
        receive_window_maximum_bytes,
        max(bytes_sent) over connection as sent_bytes,
        max(time_ns) filter (time_ns <= window_start_ns) over connection as first_ns,
        min(time_ns) filter (time_ns >= window_stop_ns) over connection as last_ns
    from read_parquet($senders) as senders
    inner join clients using (client)
    window connection as (partition by client, source, source_port, destination, destination_port)
),

-- From each sample of a connection to the next one.
steps as (
    select
        client,
        time_ns - lag(time_ns) over in_order as step_ns,
        sndbuf_limited_us - lag(sndbuf_limited_us) over in_order as buffer_us,
        rwnd_limited_us - lag(rwnd_limited_us) over in_order as window_us,
        coalesce(
            greatest(snd_wnd_bytes, lag(snd_wnd_bytes) over in_order) >= receive_window_maximum_bytes, false
        ) as at_maximum
    from samples
    where
        sent_bytes > 100_000
        and time_ns between coalesce(first_ns, time_ns) and coalesce(last_ns, time_ns)
    window in_order as (
        partition by client, source, source_port, destination, destination_port order by time_ns
    )
),

limited as (
    select
        client,
        sum(buffer_us + case when at_maximum then window_us else 0 end) * 1000 / sum(step_ns) as buffer_limited_fraction,
        sum(case when at_maximum then 0 else window_us end) * 1000 / sum(step_ns) as window_limited_fraction
    from steps
    where step_ns > 0
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
    select unnest(
        $thresholds::struct(rule varchar, threshold double, class varchar, alone varchar, optional boolean)[], recursive := true
    )
),

patterns as (
    select unnest($patterns::struct(service varchar, pattern varchar)[], recursive := true)
),

-- Lost handshakes matter only where names tell the workload.
named as (
    select client, handshakes_lost_packets as lost_handshakes
    from clients
    where service in (select service from patterns)
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
        count(*) filter (verdict = 'lost_before') as lost_before,
        sum(frame_bytes) filter (tcp_seq is not null and departure_ns is not null) as tcp_bytes
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
        coalesce(logged.lost_before, 0) as logged_lost_before,
        coalesce(logged.tcp_bytes, 0) as logged_tcp_bytes
    from clients
    left join captured using (client)
    left join logged using (client)
),

-- The RTT is checked on one handshake of each client: from the SYN (flags 2 of 18) to the SYN-ACK (18), without the
-- SYN-ACK's time in the queue. It is that of the first flow that carries at least 100 kB, or of the first flow.
-- Every generated flow carries workload.
flows as (
    select
        client,
        flow,
        client in (select client from clients where list_contains($generators::varchar[], service))
        or coalesce(sum(payload_bytes) filter (direction = 'down') >= 100_000, false) as workload,
        count(*) filter (direction = 'up' and (tcp_flags & 18) = 2) as syns,
        max(time_ns) filter (direction = 'up' and (tcp_flags & 18) = 2) as syn_ns,
        min(time_ns) filter (direction = 'down' and (tcp_flags & 18) = 18) as syn_ack_ns,
        arg_min(tcp_seq, time_ns) filter (direction = 'down' and (tcp_flags & 18) = 18) as tcp_seq,
        arg_min(frame_bytes, time_ns) filter (direction = 'down' and (tcp_flags & 18) = 18) as frame_bytes
    from packets
    where protocol = 6
    group by client, flow
    having syns > 0 and syn_ack_ns is not null
),

-- How long each SYN-ACK was in the queue, and whether one like it was dropped. Competition drops SYN-ACKs, and the time
-- until the next one is that of a timer: such a handshake tells nothing about the RTT.
answers as (
    select
        flows.*,
        coalesce(max(departure_ns - arrival_ns), 0) as wait_ns,
        max(syns) > 1 or count(*) filter (arrival_ns is not null and departure_ns is null) > 0 as repeated
    from flows
    left join queue
        on flows.client = queue.client and flows.tcp_seq = queue.tcp_seq
            and flows.frame_bytes = queue.frame_bytes and arrival_ns between syn_ns and syn_ack_ns
    group by all
),

unfilled as (
    select
        clients.client as client,
        greatest(
            0,
            1 - coalesce(sum(frame_bytes + overhead_bytes), 0) * 8e3
                / (rate_mbps * (window_stop_ns - window_start_ns))
        ) as unfilled_fraction
    from clients
    left join queue
        on clients.client = queue.client and departure_ns >= window_start_ns and departure_ns < window_stop_ns
    where stack is not null
    group by clients.client, rate_mbps, window_start_ns, window_stop_ns
),

handshakes as (
    select
        client,
        arg_min(syn_ack_ns - syn_ns - wait_ns, (not workload, flow)) filter (not repeated) as rtt_ns
    from answers
    group by client
),

-- A client to which the bottleneck forwarded TCP must have a handshake. Hosts of a live service have RTTs of their own.
rtt_errors as (
    select
        counted.client,
        abs(rtt_ns / 1e6 - rtt_ms) as rtt_error_ms,
        logged_tcp_bytes > 0 and handshakes.client is null as rtt_unknown
    from counted
    left join handshakes using (client)
    where coalesce(self_hosted, true)
),

measured as (
    select *
    from counted
    left join rtt_errors using (client)
    left join upstream using (client)
    left join limited using (client)
    left join rendered using (client)
    left join named using (client)
    left join (select client, unmet from read_parquet($qoe)) as unable using (client)
    left join unfilled using (client)
),

not_known as (
    select string_agg(distinct service, ',' order by service) as services
    from counted
    where stack is not null and logged_tcp_bytes < 100_000
),

figures as (
    select
        setting,
        pair,
        trial,
        clients,
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
        sum(lost_handshakes)::double as handshakes_lost_packets,
        count(*) filter (capture_status <> 'ok')::double as capture_status,
        sum(capture_cut_headers)::double as capture_cut_headers,
        sum(capture_time_jumps)::double as capture_time_jumps,
        sum(capture_zero_length)::double as capture_zero_length,
        case when bool_or(rtt_unknown) then 'nan'::double else max(rtt_error_ms) end::double as rtt_error_ms,
        max(abs(clock_step_ns) / 1e6)::double as clock_step_ms,
        max(log_lost)::double as log_lost_records,
        max(write_errors)::double as write_errors,
        -- A service without a connection has no congestion control. That of short generated flows may never be sampled.
        count(*) filter (
            cca_asked is not null and cca is distinct from cca_asked
            and (controller is null or cca is distinct from lower(controller))
            and (
                cca is not null
                or (logged_tcp_bytes >= 100_000 and not list_contains($generators::varchar[], service))
            )
        )::double as cca,
        max(cpu_pressure_fraction) filter (sender_wait_fraction is null)::double as cpu_pressure_fraction,
        max(sender_wait_fraction)::double as sender_wait_fraction,
        max(client_wait_fraction)::double as client_wait_fraction,
        max(upstream_loss_fraction)::double as upstream_loss_fraction,
        max(buffer_limited_fraction)::double as buffer_limited_fraction,
        max(lateness_p99_ns / greatest(1538 * 8e3 / rate_mbps, rtt_ms * 1e4))::double as lateness_p99_fraction,
        max(longest_stall_ns / 1e6 / greatest(1538 * 8e-3 / rate_mbps, rtt_ms))::double as longest_stall_rtt,
        case count(device_dropped_packets)
            when count(*) then sum(device_dropped_packets)
            when 0 then null
            else 'nan'::double
        end::double as device_dropped_packets,
        case count(uplink_arrived_packets)
            when count(*) then sum(abs(uplink_arrived_packets - uplink_forwarded_packets - uplink_left_packets))
            when 0 then null
            else 'nan'::double
        end::double as uplink_conservation_packets,
        max(list_contains($hosts_set_aside::varchar[], host)::int)::double as host_set_aside,
        max(window_limited_fraction)::double as window_limited_fraction,
        max(render_limited_fraction)::double as render_limited_fraction,
        max(unfilled_fraction) filter (clients = 1)::double as unfilled_fraction,
        count(unmet)::double as unmet_services
    from measured
    group by setting, pair, trial, clients
),

rules as (
    from figures
    unpivot include nulls (figure for rule in (columns(* exclude (setting, pair, trial, clients))))
),

judged as (
    select
        *,
        case when list_contains($tcp_rules::varchar[], rule) then (select services from not_known) end as not_known
    from rules
    inner join thresholds using (rule)
)

select
    setting,
    pair,
    trial,
    rule,
    case when figure is null and not_known is not null then 'outcome' when clients = 1 then alone else class end as class,
    case when not isnan(figure) then figure end as figure,
    threshold,
    coalesce(figure <= threshold, false) as valid,
    not_known
from judged
where
    rule = 'completed'
    or (
        (select bool_and(status = 'completed') from clients)
        and not (optional and figure is null and not_known is null)
    )
order by setting, pair, trial, rule
