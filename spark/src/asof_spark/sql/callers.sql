-- @name   callers
-- @doc    Functions that call an item, transitively, each with its distance.
--         `reached` is what the levels, or `shallow.sql`, have found.
-- @param  path: VARCHAR  canonical
-- @param  at: BIGINT  as of, microseconds
-- @param  depth: BIGINT  maximum number of steps
-- @param  min_confidence: DOUBLE  0 to 1
-- @column symbol: BIGINT, depth: BIGINT, project: VARCHAR, path: VARCHAR, kind: VARCHAR
-- @cost   the edges of what is reached, in the buckets that hold them; then names

SELECT r.symbol, r.depth, coalesce(d.project, '') AS project, coalesce(d.path, e.text) AS path,
       coalesce(d.kind, 'external') AS kind
FROM reached r
LEFT JOIN definition d ON d.symbol = r.symbol AND d.valid_from <= :at AND :at < d.valid_to
LEFT JOIN (SELECT DISTINCT symbol, text FROM external) e ON e.symbol = r.symbol
ORDER BY r.depth, project, path NULLS LAST, r.symbol;
