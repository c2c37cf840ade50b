-- qoe_video_series: a video second by second, in one trial.
-- Grain:   one row per trial, client that played a video, and whole second from the start of the trial to the end of
--          the client; none if the trial failed.
-- Units:   in the names; at_s is the start of the second, after the start of the trial; stalled is a fraction of it.
-- Sources: clients and qoe of one trial (scripts/extract), trial_services.
-- The bitrate is the mean of the fetched bitrates over the second. The height is the fetched height that was held
-- longest in it. Both are null before anything was fetched. The bitrate of a live service is unknown; its height is
-- that of the picture.
with
clients as (select * from read_parquet($clients) where status = 'completed'),

seconds as (
    select
        client,
        stalls,
        [rung.at_s for rung in switches] as times_s,
        [rung.bitrate_bps for rung in switches] as bitrates_bps,
        coalesce([rung.at_s for rung in switches], [picture.at_s for picture in heights]) as pictures_s,
        coalesce([rung.height for rung in switches], [picture.height for picture in heights]) as heights,
        unnest(range((stop_ns - trial_start_ns) // 1_000_000_000))::integer as at_s,
        (trial_start_ns - since_ns) / 1e9 as begin_s
    from read_parquet($qoe)
    inner join clients using (client)
    where switches is not null or heights is not null
),

spans as (
    select *, begin_s + at_s as start_s, begin_s + at_s + 1 as stop_s from seconds
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    valid,
    at_s,
    nullif(mean_over_time(times_s, bitrates_bps, start_s, stop_s), 'nan'::double) / 1e3 as bitrate_kbps,
    nullif(held_longest(pictures_s, heights, start_s, stop_s), 'nan'::double)::integer as height,
    -- The length of a second that does not start at a whole number can differ from 1 by a rounding error.
    least(
        coalesce(
            list_sum([greatest(least(stall[2], stop_s) - greatest(stall[1], start_s), 0) for stall in stalls]), 0
        ),
        1
    )::double as stalled
from read_parquet($trial_services)
inner join spans using (client)
order by setting, pair, trial, client, at_s
