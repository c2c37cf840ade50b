-- services: how contentious and how sensitive each service is.
-- Grain:      one row per setting and service of a cell.
-- Units:      shares are fractions of the max-min fair allocation.
-- Sources:    pairs.
-- Parameters: $beyond (the services judged by what their users see).
-- contentiousness is the median, over the service's incumbents, of their median share against it. sensitivity is the
-- median of the service's own median shares over its contenders (Prudentia, 2.3 and 4). A lower value means a more
-- contentious or more sensitive service. A self-pair counts once in both. Cells are pairs of two services, none of
-- them in $beyond. Rank 1 is the most contentious or most sensitive service; equal values have equal ranks.
with
pairs as (select * from read_parquet($pairs)),

cells as (
    select setting, incumbent, contender, share_median
    from pairs
    where is_cell(contender, $beyond)
),

roles as (
    select setting, contender as service, 'contender' as role, share_median from cells
    union all
    select setting, incumbent as service, 'incumbent' as role, share_median from cells
),

summaries as (
    select
        setting,
        service,
        role,
        quantile_cont(share_median, 0.5) as median,
        min(share_median) as lowest,
        max(share_median) as highest,
        count(share_median)::integer as met
    from roles
    group by setting, service, role
),

ranked as (
    select
        *,
        case
            when median is not null
                then rank() over (partition by setting, role order by median nulls last)
        end::integer as place
    from summaries
)

select
    setting,
    service,
    max(median) filter (role = 'contender') as contentiousness,
    max(place) filter (role = 'contender') as contentiousness_rank,
    max(lowest) filter (role = 'contender') as incumbents_share_lowest,
    max(highest) filter (role = 'contender') as incumbents_share_highest,
    coalesce(max(met) filter (role = 'contender'), 0) as incumbents,
    max(median) filter (role = 'incumbent') as sensitivity,
    max(place) filter (role = 'incumbent') as sensitivity_rank,
    max(lowest) filter (role = 'incumbent') as own_share_lowest,
    max(highest) filter (role = 'incumbent') as own_share_highest,
    coalesce(max(met) filter (role = 'incumbent'), 0) as contenders
from ranked
group by setting, service
order by setting, service
