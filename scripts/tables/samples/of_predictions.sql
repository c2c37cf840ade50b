-- Whether pairs predict what services get when three or more of them share the link.
-- Sources: trial_services.
-- Several clients of one service and nothing else have no row: nobody needs pairs to predict equal parts.
-- No paper has such a prediction (Prudentia, 9, asks for it). Ours takes it that services keep the ratios of their pairs:
-- r_ij is the median wire rate of i against j, over that of j against i; 1 for two clients of one service. The ratios of
-- three pairs may contradict each other. The weight of i is w_i, the geometric mean of r_ij over all clients j: these
-- weights fit all ratios best, in least squares of the logarithms.
-- The prediction of a trial is w_i / sum of w, times the utilization of this trial: it is about how the clients divide
-- what they get together, not about how well they fill the link. The error is the measured fraction minus it. It is null
-- if a pair was not measured in this setting, or if a median of it is 0. The ratios have their own uncertainty, which the
-- interval of an error does not contain. A service with several clients has one value a trial: their mean.
with
clients as (
    select *, ltrim(client, 'c')::integer as number from read_parquet($trial_services)
),

pair_rates as (
    select setting, service, contender, quantile_cont(wire_rate_mbps, 0.5) as rate_mbps
    from clients
    where clients = 2 and not self_pair and valid
    group by setting, service, contender
),

ratios as (
    select own.setting, own.service, own.contender as other, own.rate_mbps / others.rate_mbps as ratio
    from pair_rates as own
    inner join pair_rates as others
        on own.setting = others.setting and own.service = others.contender and own.contender = others.service
    where own.rate_mbps > 0 and others.rate_mbps > 0
),

combined as (
    select distinct setting, pair, number, service from clients where clients > 2 and not self_pair
),

log_ratios as (
    select
        one.setting,
        one.pair,
        one.number,
        other.number as other_number,
        case when one.service = other.service then 0 else ln(ratio) end as log_ratio
    from combined as one
    inner join combined as other using (setting, pair)
    left join ratios
        on ratios.setting = one.setting and ratios.service = one.service and ratios.other = other.service
),

weights as (
    select
        setting,
        pair,
        number,
        case
            when count(log_ratio) = count(*) then exp(list_avg(list(log_ratio order by other_number)))
        end as weight
    from log_ratios
    group by setting, pair, number
),

totals as (
    select setting, pair, list_sum(list(weight order by number)) as total
    from weights
    group by setting, pair
    having count(weight) = count(*)
),

trials as (
    select
        setting,
        pair,
        trial,
        service,
        arg_min(contender, number) as contender,
        list_avg(list(wire_rate_mbps / rate_mbps order by number)) as measured,
        arg_min(weight / total * utilization, number) as predicted
    from clients
    inner join weights using (setting, pair, number)
    left join totals using (setting, pair)
    group by setting, pair, trial, service
)

select
    setting,
    pair,
    trial,
    service,
    contender,
    'first' as instance,
    unnest([
        {metric: 'measured_fraction', value: measured},
        {metric: 'predicted_fraction', value: predicted},
        {metric: 'prediction_error', value: measured - predicted}
    ], recursive := true)
from trials
