-- services: how contentious and how sensitive each service is.
-- Grain:   one row a setting and service that stands in a cell.
-- Units:   shares are fractions of the max-min fair allocation.
-- Sources: pairs.
-- contentiousness is the median, over the service's incumbents, of their median share against it; sensitivity
-- the median of its own median shares over its contenders (Prudentia, 2.3 and 4). The lower either is, the
-- more contentious or sensitive the service. A self-pair counts in both, once. Only pairs of two are cells.
-- Rank 1 is the most contentious and the most sensitive; equal values have the same rank.
with
pairs as (select * from read_parquet($pairs)),

cells as (
    select setting, incumbent, contender, share_median
    from pairs
    where contender not like '%~%'
),

services as (
    select setting, incumbent as service from cells
    union
    select setting, contender as service from cells
),

as_contender as (
    select
        setting,
        contender as service,
        quantile_cont(share_median, 0.5) as contentiousness,
        min(share_median) as incumbents_share_lowest,
        max(share_median) as incumbents_share_highest,
        count(share_median)::integer as incumbents
    from cells
    group by setting, contender
),

as_incumbent as (
    select
        setting,
        incumbent as service,
        quantile_cont(share_median, 0.5) as sensitivity,
        min(share_median) as own_share_lowest,
        max(share_median) as own_share_highest,
        count(share_median)::integer as contenders
    from cells
    group by setting, incumbent
)

select
    setting,
    service,
    contentiousness,
    case
        when contentiousness is not null
            then rank() over (partition by setting order by contentiousness nulls last)
    end::integer as contentiousness_rank,
    incumbents_share_lowest,
    incumbents_share_highest,
    coalesce(incumbents, 0) as incumbents,
    sensitivity,
    case
        when sensitivity is not null
            then rank() over (partition by setting order by sensitivity nulls last)
    end::integer as sensitivity_rank,
    own_share_lowest,
    own_share_highest,
    coalesce(contenders, 0) as contenders
from services
left join as_contender using (setting, service)
left join as_incumbent using (setting, service)
order by setting, service
