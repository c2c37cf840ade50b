-- services: how contentious and how sensitive each service is.
-- Grain:      one row per setting and service of a pair of two services.
-- Units:      shares are fractions of the max-min fair allocation.
-- Sources:    pairs.
-- Parameters: $beyond (the services judged by what their users see).
-- contentiousness is the median, over the service's incumbents, of their median share against it. sensitivity is the
-- median of the service's own median shares over its contenders (Prudentia, 2.3 and 4). A lower value means a more
-- contentious or more sensitive service. Cells are pairs of two different services, none of them in $beyond and all of
-- them able to do alone what they must. A self-pair does not count: the worse of two instances is below 100 % by its
-- definition.
-- A rank compares services that met the same opponents. The ranked services of a setting are the largest group, of
-- three or more, that have all met each other (scripts/metrics/ranking.py). The figures of a ranked service are over
-- the others of that group. The figures of another service are over all that it met; it has no rank. Rank 1 is the
-- most contentious or most sensitive service; equal values have equal ranks.
with
cells as (
    select setting, incumbent, contender, share_median
    from read_parquet($pairs)
    where incumbent <> contender and unable = '' and is_cell(contender, $beyond)
),

groups as (
    select setting, rankable(list(incumbent), list(contender)) as ranked
    from cells
    where share_median is not null
    group by setting
),

roles as (
    select setting, contender as service, incumbent as opponent, 'contender' as role, share_median from cells
    union all
    select setting, incumbent as service, contender as opponent, 'incumbent' as role, share_median from cells
),

-- Every service with the shares that count, and whether it is ranked.
counted as (
    select
        roles.* exclude (share_median),
        coalesce(list_contains(ranked, service), false) as is_ranked,
        case when not is_ranked or list_contains(ranked, opponent) then share_median end as share_median,
        case when is_ranked then len(ranked) - 1 else 0 end as common_opponents
    from roles
    left join groups using (setting)
),

summaries as (
    select
        setting,
        service,
        role,
        is_ranked,
        common_opponents,
        quantile_cont(share_median, 0.5) as median,
        min(share_median) as lowest,
        max(share_median) as highest,
        count(share_median)::integer as met
    from counted
    group by setting, service, role, is_ranked, common_opponents
),

ranked as (
    select
        *,
        case
            when is_ranked then rank() over (partition by setting, role, is_ranked order by median)
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
    coalesce(max(met) filter (role = 'incumbent'), 0) as contenders,
    max(common_opponents)::integer as common_opponents
from ranked
group by setting, service
order by setting, service
