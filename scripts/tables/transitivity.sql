-- transitivity: whether the outcomes of alpha against beta, and of beta against gamma, predict that of alpha against
-- gamma.
-- Grain:      one row per setting and three different services whose three outcomes are decided, and whose two premises
--             agree: both unfair, or both fair.
-- Units:      shares are medians, as fractions of the max-min fair allocation.
-- Sources:    pairs.
-- Parameters: $beyond (the services judged by what their users see; they are left out).
-- Prudentia, Table 3. An outcome is decided by the 95 % interval of the incumbent's share. It is unfair if all of the
-- interval is a losing share, and fair if none of it is: this is no verdict. A triple with an interval on both sides of
-- that limit, or with too few trials for an interval, has no row. The row is transitive if the third outcome is like the
-- first two.
with
pairs as (select * from read_parquet($pairs)),

cells as (
    select setting, incumbent, contender, share_median as share, losing(share_high) as unfair
    from pairs
    where
        incumbent <> contender and unable = '' and is_cell(contender, $beyond)
        and losing(share_low) = losing(share_high)
)

select
    beta_alpha.setting,
    beta_alpha.contender as alpha,
    beta_alpha.incumbent as beta,
    gamma_beta.incumbent as gamma,
    case when beta_alpha.unfair then 'unfair' else 'fair' end as premises,
    beta_alpha.share as share_beta_against_alpha,
    gamma_beta.share as share_gamma_against_beta,
    gamma_alpha.share as share_gamma_against_alpha,
    gamma_alpha.unfair = beta_alpha.unfair as transitive
from cells as beta_alpha
inner join cells as gamma_beta
    on
        beta_alpha.setting = gamma_beta.setting
        and beta_alpha.incumbent = gamma_beta.contender
        and beta_alpha.unfair = gamma_beta.unfair
inner join cells as gamma_alpha
    on
        beta_alpha.setting = gamma_alpha.setting
        and gamma_beta.incumbent = gamma_alpha.incumbent
        and beta_alpha.contender = gamma_alpha.contender
order by beta_alpha.setting, alpha, beta, gamma
