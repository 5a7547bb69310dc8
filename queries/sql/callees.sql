-- @name   callees
-- @doc    What an item calls, transitively, each with its distance.
-- @param  path: VARCHAR  canonical
-- @param  at: BIGINT  as of, microseconds
-- @param  depth: BIGINT  maximum number of steps
-- @param  min_confidence: DOUBLE  0 to 1
-- @column symbol: BIGINT, depth: BIGINT, project: VARCHAR, path: VARCHAR, kind: VARCHAR
-- @cost   scan of `use` as of the moment, once; then by what is reached

WITH RECURSIVE edge AS MATERIALIZED (
    SELECT DISTINCT source AS here, target AS there FROM linked
    WHERE kind IN ('call', 'method_call', 'implicit') AND confidence >= getvariable('min_confidence')
        AND valid_from <= getvariable('at') AND getvariable('at') < valid_to
),
reached(symbol, depth) USING KEY (symbol) AS (
    SELECT DISTINCT symbol, 0::BIGINT FROM definition
    WHERE path = getvariable('path') AND valid_from <= getvariable('at') AND getvariable('at') < valid_to
    UNION
    SELECT DISTINCT e.there, r.depth + 1 FROM reached r JOIN edge e ON e.here = r.symbol
    WHERE r.depth < getvariable('depth')
        AND NOT EXISTS (FROM recurring.reached known WHERE known.symbol = e.there)
)
SELECT r.symbol, r.depth, coalesce(d.project, '') AS project, coalesce(d.path, e.text) AS path,
       coalesce(d.kind, 'external') AS kind
FROM reached r
LEFT JOIN definition d ON d.symbol = r.symbol
    AND d.valid_from <= getvariable('at') AND getvariable('at') < d.valid_to
LEFT JOIN (SELECT DISTINCT symbol, text FROM external) e ON e.symbol = r.symbol
ORDER BY r.depth, project, path, r.symbol;
