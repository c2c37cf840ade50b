-- qoe_video: the quality of a video in one trial.
-- Grain:   one row per trial and client that played a video; none if the trial failed.
-- Units:   in the names; bitrates are those of the ladder's rungs.
-- Sources: clients and qoe of one trial (scripts/extract), trial_services.
-- A rung holds from one switch to the next. The mean bitrate is weighted by time. If several rungs were held equally
-- long, the lowest counts as the one held longest. Both figures are taken from the steady window, and are 0 if
-- nothing was fetched before its end. Until the first rung, the bitrate is 0. The first choice of a rung is not a switch. A stall counts if part of it is in
-- the window, with that part. Startup and frames are of the whole trial. The bitrates of a live service are unknown;
-- its height is that of the picture.
-- A video that never started has bitrate and height 0. Its startup time is censored: longer than it was watched. It
-- cannot stall, nor can one that starts after the window, so its stalls are null.
with
clients as (select * from read_parquet($clients) where status = 'completed'),

videos as (
    select
        client,
        coalesce(startup_s, watched_s) as startup_s,
        startup_s is null and watched_s is not null as startup_censored,
        frames,
        stalls,
        switches,
        [rung.at_s for rung in switches] as times_s,
        [rung.bitrate_bps for rung in switches] as bitrates_bps,
        [picture.at_s for picture in heights] as pictures_s,
        [picture.height for picture in heights] as heights,
        (window_start_ns - since_ns) / 1e9 as start_s,
        (window_stop_ns - since_ns) / 1e9 as stop_s
    from read_parquet($qoe)
    inner join clients using (client)
    where switches is not null or heights is not null or watched_s is not null
),

played as (
    select
        *,
        mean_over_time(times_s, bitrates_bps, start_s, stop_s)
        * if(times_s[1] > start_s, (stop_s - times_s[1]) / (stop_s - start_s), 1) as mean_bps,
        nullif(held_longest(times_s, bitrates_bps, start_s, stop_s), 'nan'::double) as held_bps,
        nullif(held_longest(pictures_s, heights, start_s, stop_s), 'nan'::double) as held_picture,
        startup_censored or coalesce(held_bps, held_picture) is null as no_picture,
        startup_censored or coalesce(startup_s >= stop_s, false) as cannot_stall,
        switches is null and heights is not null as live,
        [
            greatest(least(stall[2], stop_s) - greatest(stall[1], start_s), 0)
            for stall in stalls
            if stall[1] < stop_s and stall[2] > start_s
        ] as stalled_s
    from videos
)

select
    setting,
    pair,
    trial,
    client,
    service,
    contender,
    valid,
    case when live then null when no_picture then 0 else mean_bps / 1e3 end as mean_bitrate_kbps,
    case when live then null when no_picture then 0 else held_bps / 1e3 end as held_bitrate_kbps,
    case
        when no_picture then 0
        when live then held_picture
        else switches[list_position(bitrates_bps, held_bps::bigint)].height
    end::integer as held_height,
    len([at_s for at_s in times_s[2:] if at_s >= start_s and at_s < stop_s])::integer as switches,
    case when not cannot_stall then len(stalled_s)::integer end as stalls,
    case when not cannot_stall then coalesce(list_sum(stalled_s), 0)::double end as stalled_s,
    startup_s,
    startup_censored,
    frames.shown as frames_shown,
    frames.dropped as frames_dropped
from read_parquet($trial_services)
inner join played using (client)
order by setting, pair, trial, client
