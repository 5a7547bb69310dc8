-- @name   unused_public
-- @doc    Items that other crates could name, and that nothing in any project uses.
-- @param  at: BIGINT  as of, microseconds
-- @param  min_confidence: DOUBLE  less certain uses do not count, 0 to 1
-- @column project: VARCHAR, package: VARCHAR, symbol: BIGINT, kind: VARCHAR, path: VARCHAR
-- @cost   scan of `use` and `public_path` as of the moment

WITH used AS (
    SELECT DISTINCT target FROM linked
    WHERE source <> target AND confidence >= getvariable('min_confidence') AND kind <> 'use'
        AND valid_from <= getvariable('at') AND getvariable('at') < valid_to
)
SELECT project, package, symbol, kind, min(path) AS path
FROM public_path
WHERE symbol IS NOT NULL AND kind <> 'module' AND NOT hidden
    AND valid_from <= getvariable('at') AND getvariable('at') < valid_to
    AND symbol NOT IN (SELECT target FROM used)
GROUP BY ALL
ORDER BY project, package, path, symbol;
