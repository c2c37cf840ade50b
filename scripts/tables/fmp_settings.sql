-- fmp_settings: K of every pair in every setting of a sweep.
-- Grain:      one row per sweep, pair and setting in which any trial has a K, also if no trial is valid (n = 0).
-- Units:      K is in [-0.5, 0.5], its absolute value in [0, 0.5].
-- Sources:    trial_fairness.
-- Parameters: $sweeps (the swept values of every setting of a sweep).
-- Corbel et al., IV. Of three and more clients, the K of a trial is that of the worst pair of clients (IV-B). It is below
-- 0 if the first client in the order of the pair's name dominates in it, and above 0 if another one does. k is the median
-- of the trials' K, and k_abs the median of their |K|: two trials that the two clients dominate in turn are not fair
-- together.
with
sweeps as (select distinct setting, sweep from sweeps_of($sweeps)),

clients as (
    select sweep, fairness.*, place_in_name(setting, pair, trial, service, client) as place
    from read_parquet($trial_fairness) as fairness
    inner join sweeps using (setting)
),

-- Both clients of the worst pair have its K, each with its own sign. The one that dominates has it below 0.
trials as (
    select
        sweep,
        setting,
        pair,
        trial,
        any_value(service) filter (place = 1) as service,
        any_value(contender) filter (place = 1) as contender,
        bool_and(valid) as valid,
        max(abs(k)) as k_abs,
        arg_min(place, (k, place)) filter (k is not null) as dominant
    from clients
    group by sweep, setting, pair, trial
),

of_worst_pair as (
    select *, case when dominant = 1 then 0 - k_abs else k_abs end as k
    from trials
    where k_abs is not null
)

select
    sweep,
    setting,
    pair,
    any_value(service) as service,
    any_value(contender) as contender,
    count(*) filter (valid)::integer as n,
    quantile_cont(k, 0.5) filter (valid) as k,
    quantile_cont(k_abs, 0.5) filter (valid) as k_abs,
    coalesce(string_agg(trial, ',' order by trial) filter (valid), '') as trials
from of_worst_pair
group by sweep, setting, pair
order by sweep, pair, setting
