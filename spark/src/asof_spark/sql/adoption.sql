-- @name   adoption
-- @doc    How many items and projects use an API at moments in time: an item by its path, or all
--         paths that begin with it. `used` are the uses of the symbols that `targets_below.sql`
--         found, given as a literal list.
-- @param  path: VARCHAR  canonical path, or external path as users write it
-- @param  first: BIGINT  first moment, microseconds
-- @param  last: BIGINT  last moment
-- @param  step: BIGINT  microseconds between moments
-- @column at: BIGINT, projects: BIGINT, users: BIGINT, places: BIGINT
-- @cost   seek for each target: `use` is sorted by it

WITH moment AS (
    SELECT explode(CASE WHEN :first <= :last THEN sequence(:first, :last, :step)
                        ELSE array() END) AS at
)
SELECT m.at, count(DISTINCT u.project) AS projects, count(DISTINCT u.project, u.source) AS users,
       CAST(coalesce(sum(u.count), 0) AS BIGINT) AS places
FROM moment m LEFT JOIN used u
    ON u.valid_from <= m.at AND m.at < u.valid_to AND u.kind <> 'keyword'
GROUP BY m.at
ORDER BY m.at;
