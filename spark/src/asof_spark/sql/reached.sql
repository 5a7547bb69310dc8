-- @name   reached
-- @doc    Names of what is `reached` by callers, callees or impact, each with its distance.
-- @param  at: BIGINT  as of, microseconds
-- @column symbol: BIGINT, depth: BIGINT, project: VARCHAR, path: VARCHAR, kind: VARCHAR
-- @cost   scan of the names in `definition` and `external`

SELECT r.symbol, r.depth, coalesce(d.project, '') AS project, coalesce(d.path, e.text) AS path,
       coalesce(d.kind, 'external') AS kind
FROM reached r
LEFT JOIN definition d ON d.symbol = r.symbol AND d.valid_from <= :at AND :at < d.valid_to
LEFT JOIN (SELECT DISTINCT symbol, text FROM external) e ON e.symbol = r.symbol
ORDER BY r.depth, project, path NULLS LAST, r.symbol;
