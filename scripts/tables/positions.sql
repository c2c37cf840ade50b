-- positions: whether it matters which client is c1: services that meet themselves.
-- Grain:      one row per setting with a valid trial of a service that meets itself.
-- Units:      p is a probability.
-- Sources:    trial_services.
-- Parameters: $beyond (the services judged by what their users see), $bound (the settings in which a client has a start, an
--             RTT or an access of its own). Neither has rows here.
-- Both clients use the same service, so only their places on the testbed differ. p is that of the exact sign test: without
-- an effect of the place, one setting in twenty has a p below 0.05. Trials in which both got the same do not count in it.
with
trials as (
    select
        setting,
        pair,
        trial,
        any_value(wire_bytes) filter (client = 'c1') as first_bytes,
        any_value(wire_bytes) filter (client = 'c2') as second_bytes
    from read_parquet($trial_services)
    where
        self_pair and clients = 2 and valid
        and not list_contains($beyond::varchar[], service) and not list_contains($bound::varchar[], setting)
    group by setting, pair, trial
),

counts as (
    select
        setting,
        count(*)::integer as n,
        count(*) filter (first_bytes > second_bytes)::integer as c1_more,
        count(*) filter (first_bytes < second_bytes)::integer as c2_more
    from trials
    group by setting
)

select setting, n, c1_more, c2_more, nullif(sign_p(c1_more, c2_more), 'nan'::double) as p
from counts
order by setting
