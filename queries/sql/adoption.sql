-- @name   adoption
-- @doc    How many items and projects use an API at moments in time: an item by its path, or all
--         paths that begin with it.
-- @param  path: VARCHAR  canonical path, or external path as users write it
-- @param  first: BIGINT  first moment, microseconds
-- @param  last: BIGINT  last moment
-- @param  step: BIGINT  microseconds between moments
-- @column at: BIGINT, projects: BIGINT, users: BIGINT, places: BIGINT
-- @cost   seek for each target: `use` is sorted by it

WITH target AS (
    SELECT symbol FROM external
    WHERE text = getvariable('path') OR starts_with(text, getvariable('path') || '::')
    UNION
    SELECT symbol FROM definition
    WHERE path = getvariable('path') OR starts_with(path, getvariable('path') || '::')
),
used AS (
    SELECT * FROM "use" WHERE target IN (SELECT symbol FROM target) AND kind <> 'keyword'
),
moment AS (
    SELECT unnest(range(getvariable('first'), getvariable('last') + 1, getvariable('step'))) AS at
)
SELECT m.at, count(DISTINCT u.project) AS projects, count(DISTINCT (u.project, u.source))
           FILTER (u.source IS NOT NULL) AS users,
       coalesce(sum(u.count), 0)::BIGINT AS places
FROM moment m LEFT JOIN used u ON u.valid_from <= m.at AND m.at < u.valid_to
GROUP BY m.at
ORDER BY m.at;
