-- share_over_time: how the share of a service moves in the course of its trials.
-- Grain:      one row per setting, pair, service, instance and bin of the time since the trials' start.
-- Units:      in the names; the statistics are those of the MmF share, a fraction.
-- Sources:    trial_services, trial_fairness, trial_series.
-- Parameters: $beyond (the services judged by what their users see).
-- The clients are those of the metric `share`, and so are the allocations. A bin is as wide as the largest of 1, 2, 5, 10,
-- 20, 50 s and so on of which 15 fit before the end of the steady window: all trials of a pair have the same bins. They are
-- those that end before the second with the last packet of the trial. A slot of trial_series has no wire bytes: its IP bytes
-- count by the wire bytes per IP byte of the client in the steady window, or by those of full packets if nothing was sent in
-- it. Whole seconds are enough for all of this, so a lean snapshot, which has no other slots, gives the same rows.
with
clients as (
    select
        trial_services.*,
        allocation_mbps,
        coalesce(wire_bytes / nullif(ip_bytes, 0), 1538 / 1500) as wire_per_ip_byte
    from read_parquet($trial_services) as trial_services
    inner join read_parquet($trial_fairness) as trial_fairness using (setting, pair, trial, client)
    where
        trial_services.valid and trial_services.instance <> 'further' and allocation_mbps > 0
        and not list_contains($beyond::varchar[], trial_services.service)
),

longest as (
    select setting, pair, max(window_stop_s) as window_stop_s from clients group by setting, pair
),

widths as (
    select
        setting,
        pair,
        list_max(list_filter(
            [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
            lambda seconds: seconds = 1 or 15 * seconds <= window_stop_s
        ))::integer as width_s
    from longest
),

bins as (
    select
        setting,
        pair,
        trial,
        client,
        width_s,
        slot // 10 // width_s as bin,
        sum(trial_series.ip_bytes) as ip_bytes,
        max(slot // 10) filter (trial_series.ip_bytes > 0) as last_s
    from read_parquet($trial_series) as trial_series
    inner join widths using (setting, pair)
    semi join clients using (setting, pair, trial, client)
    group by setting, pair, trial, client, width_s, bin
),

whole as (
    select * from bins
    qualify (bin + 1) * width_s <= max(last_s) over (partition by setting, pair, trial)
),

shares as (
    select
        clients.*,
        (bin * width_s)::double as start_s,
        width_s::double as width_s,
        whole.ip_bytes * wire_per_ip_byte * 8 / (width_s * 1e6) / allocation_mbps as share
    from whole
    inner join clients using (setting, pair, trial, client)
)

select
    setting,
    pair,
    service,
    contender,
    instance,
    start_s,
    width_s,
    count(*)::integer as n,
    quantile_cont(share, 0.5) as median,
    quantile_cont(share, 0.25) as q25,
    quantile_cont(share, 0.75) as q75,
    min(share) as minimum,
    max(share) as maximum,
    median(window_start_s) as window_start_s,
    median(window_stop_s) as window_stop_s
from shares
group by setting, pair, service, contender, instance, start_s, width_s
order by setting, pair, service, instance, start_s
