-- calibration: what the testbed measured of itself.
-- Grain:      one row per calibration trial.
-- Units:      in the names; 1 Mbps is 10^6 bit/s on the wire (frame bytes plus the overhead per packet).
-- Sources:    clients, packets and queue of one trial (scripts/extract), validity, facts (the round, and what the
--             sender reported: scripts/tables/calibration_table.py).
-- Parameters: $probe_bytes and $flood_bytes (frame sizes, the smallest first: scripts/plan/calibration.py), and the
--             tolerances by name (`calibration` of the configuration).
-- Packets: the delay line keeps their order, so the k-th packet that left the queue is the k-th packet captured.
-- Rates: a stretch is a run of packets of one size that all had to wait, so that queue and link were never idle; the
-- longest stretch of each size counts. The rate is the median, in the capture, of the rates between packets that are
-- half a stretch apart: a short pause of the whole machine hardly changes it. It is null if the stretch lasted less
-- than half a second. A wait below 0.1 ms counts as none, because BESS delays every packet by some microseconds.
-- Delay: the added delay of a probe is the time from its arrival at the switch to its capture at the client, less its
-- time on the link.
-- Capacity: the largest number of packets that waited at once, from arrivals and departures. The log does not say
-- when an AQM drops a packet that it held; under an AQM the capacity is the largest backlog that an arrival found. It
-- is null if nothing was dropped at the tail, and it is judged if the setting gives the queue in packets. The packets
-- of a calibration are one flow: if a flow may hold only a fraction of the queue (FQ), this is what they can fill.
-- Verdict: wrong rates, a wrong capacity, lost probes and most broken rules of validity fail a calibration. Delays, a
-- late sender, a starved host and a late bottleneck are warnings: they say nothing about the next trials, each of which
-- has these rules itself. The rule on the RTT does not count: it needs TCP, and the probes measure the delay better. Nor
-- does the rule on the host: a host that is set aside is calibrated like any other.
-- With random loss in the setting, the lost probes may differ from the expectation by four standard deviations.
with
clients as (select * from read_parquet($clients)),

facts as (select * from read_parquet($facts)),

departed as (
    select
        *,
        row_number() over (order by departure_ns) as place
    from read_parquet($queue)
    where departure_ns is not null
),

captured as (
    select time_ns, frame_bytes, row_number() over (order by time_ns) as place
    from read_parquet($packets)
    where direction = 'down'
),

delivered as (
    select
        place,
        time_ns,
        arrival_ns,
        frame_bytes,
        frame_bytes + overhead_bytes as wire_bytes,
        tcp_seq is null and frame_bytes = $probe_bytes as is_probe,
        count(*) filter (departure_ns - arrival_ns < 100_000) over (order by place) as stretch
    from departed
    inner join captured using (place, frame_bytes)
    cross join clients
),

probes as (
    select
        count(*) as arrived_probes,
        quantile_cont(added_ns, [0.5, 0.99, 1.0]) as added_ns
    from (
        select time_ns - arrival_ns - wire_bytes * 8e3 / rate_mbps as added_ns
        from delivered, clients
        where is_probe
    )
),

stretches as (
    select stretch, count(*) // 2 as half
    from delivered
    group by stretch
    having
        count(distinct frame_bytes) = 1
        and list_contains($flood_bytes, any_value(frame_bytes))
        and count(*) >= 10
        and max(time_ns) - min(time_ns) >= 500_000_000
    qualify row_number() over (partition by any_value(frame_bytes) order by count(*) desc, stretch) = 1
),

halves as (
    select one.frame_bytes, half * one.wire_bytes as bytes, other.time_ns - one.time_ns as ns
    from delivered as one
    inner join stretches using (stretch)
    inner join delivered as other on other.stretch = one.stretch and other.place = one.place + half
),

rates as (
    select frame_bytes, 8e3 * any_value(bytes) / median(ns) as rate_mbps
    from halves
    group by frame_bytes
),

rate as (
    select
        max(rates.rate_mbps) filter (frame_bytes = $flood_bytes[1]) as small_rate_mbps,
        max(rates.rate_mbps) filter (frame_bytes = $flood_bytes[2]) as medium_rate_mbps,
        max(rates.rate_mbps) filter (frame_bytes = $flood_bytes[3]) as large_rate_mbps,
        max(abs(rates.rate_mbps / clients.rate_mbps - 1)) as rate_error_fraction
    from clients
    left join rates on true
),

changes as (
    select arrival_ns as time_ns, 1 as change from departed
    union all
    select departure_ns, -1 from departed
),

waiting as (
    select sum(change) over (order by time_ns, change rows unbounded preceding) as packets from changes
),

capacity as (
    select
        case
            when (select count(*) from read_parquet($queue) where verdict = 'tail') = 0 then null
            when discipline = 'droptail' then (select max(packets) from waiting)
            else (select max(backlog_packets) from read_parquet($queue))
        end::bigint as capacity_packets
    from clients
),

rules as (
    select unnest($rules::struct(rule varchar, place integer, warning varchar)[], recursive := true)
),

broken as (
    select
        string_agg(rule || ': ' || coalesce(figure::varchar, 'unknown') || ' > ' || threshold, '; ' order by rule)
            filter (warning is null) as broken,
        string_agg(printf(warning, figure), '; ' order by place) filter (figure is not null) as warnings
    from read_parquet($validity)
    inner join rules using (rule)
    where not valid
),

figures as (
    select
        clients.*,
        facts.* exclude (random_loss, flow_fraction),
        rate.*,
        capacity_packets,
        greatest(1, round(queue_packets * coalesce(flow_fraction, 1)))::bigint as fillable_packets,
        case
            when queue_packets is not null then abs(capacity_packets - fillable_packets)
        end as capacity_error_packets,
        probes_sent - arrived_probes as lost_probes,
        probes_sent * random_loss as lost_expected,
        4 * sqrt(probes_sent * random_loss * (1 - random_loss)) as lost_allowance,
        delay_down_ns / 1e6 as delay_ms,
        added_ns[1] / 1e6 as added_delay_p50_ms,
        added_ns[2] / 1e6 as added_delay_p99_ms,
        added_ns[3] / 1e6 as added_delay_max_ms,
        broken,
        warnings
    from clients, facts, rate, capacity, probes, broken
),

judged as (
    select
        *,
        concat_ws(
            '; ',
            case when status = 'failed' then coalesce(reason, 'failed') end,
            broken,
            case when rate_error_fraction > $rate_error_fraction
                then printf('rate off by %.4f of it, tolerance %g', rate_error_fraction, $rate_error_fraction::double)
            end,
            case when capacity_error_packets > $capacity_error_packets
                then printf(
                    'capacity %d packets instead of %d, tolerance %g',
                    capacity_packets, fillable_packets, $capacity_error_packets::double
                )
            end,
            case when abs(lost_probes - lost_expected) > $empty_queue_loss_packets + lost_allowance
                then printf(
                    '%d of %d probes lost with an empty queue, %g expected, tolerance %g',
                    lost_probes, probes_sent, lost_expected, $empty_queue_loss_packets + lost_allowance
                )
            end
        ) as faults,
        case when status = 'failed' then '' else concat_ws(
            '; ',
            case when small_rate_mbps is null or medium_rate_mbps is null or large_rate_mbps is null
                then 'a rate is unknown: the sender could not keep the queue filled'
            end,
            case when capacity_packets is null then 'capacity unknown: the queue never overflowed' end,
            case when abs(added_delay_p50_ms - delay_ms) > $delay_error_p50_ms
                then printf(
                    'added delay off by %.3f ms at the median, tolerance %g',
                    added_delay_p50_ms - delay_ms, $delay_error_p50_ms::double
                )
            end,
            case when abs(added_delay_p99_ms - delay_ms) > $delay_error_p99_ms
                then printf(
                    'added delay off by %.3f ms at p99, tolerance %g',
                    added_delay_p99_ms - delay_ms, $delay_error_p99_ms::double
                )
            end,
            case when late_p99_us > 1e3 * $sender_late_p99_ms
                then printf(
                    'sender late by %.3f ms at p99, tolerance %g', late_p99_us / 1e3, $sender_late_p99_ms::double
                )
            end,
            warnings
        ) end as doubts
    from figures
)

select
    setting,
    round,
    trial,
    status,
    case when faults <> '' then 'failed' when doubts <> '' then 'warning' else 'passed' end as verdict,
    nullif(concat_ws('; ', nullif(faults, ''), nullif(doubts, '')), '') as reason,
    rate_mbps,
    small_rate_mbps,
    medium_rate_mbps,
    large_rate_mbps,
    rate_error_fraction,
    discipline,
    queue_packets,
    capacity_packets,
    delay_ms,
    added_delay_p50_ms,
    added_delay_p99_ms,
    added_delay_max_ms,
    probes_sent,
    lost_probes,
    late_p50_us / 1e3 as sender_late_p50_ms,
    late_p99_us / 1e3 as sender_late_p99_ms,
    late_max_us / 1e3 as sender_late_max_ms,
    cpu_pressure_fraction,
    host,
    kernel,
    switch
from judged
order by setting, round, trial
