-- @name   shallow
-- @doc    What is reached over `edge` from `seed` within few steps. Spark has no `UNION` in a
--         recursion: a symbol is reached again on each level that has a path to it, so that rows
--         are at most symbols times levels. `DISTINCT` in the step keeps it from counting paths.
-- @param  depth: BIGINT  maximum number of steps
-- @column symbol: BIGINT, depth: BIGINT
-- @cost   the edges as of the moment, on each level

WITH RECURSIVE reached(symbol, depth) AS (
    SELECT symbol, CAST(0 AS BIGINT) FROM seed
    UNION ALL
    SELECT DISTINCT e.there, r.depth + 1 FROM reached r JOIN edge e ON e.here = r.symbol
    WHERE r.depth < :depth
)
SELECT symbol, min(depth) AS depth FROM reached GROUP BY symbol;
