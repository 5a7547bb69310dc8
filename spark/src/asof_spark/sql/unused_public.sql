-- @name   unused_public
-- @doc    Items that other crates could name, and that nothing in any project uses.
-- @param  at: BIGINT  as of, microseconds
-- @param  min_confidence: DOUBLE  less certain uses do not count, 0 to 1
-- @column project: VARCHAR, package: VARCHAR, symbol: BIGINT, kind: VARCHAR, path: VARCHAR
-- @cost   scan of `use` and `public_path` as of the moment

WITH used AS (
    SELECT DISTINCT target FROM linked
    WHERE source <> target AND confidence >= :min_confidence AND kind <> 'use'
        AND valid_from <= :at AND :at < valid_to
)
SELECT p.project, p.package, p.symbol, p.kind, min(p.path) AS path
FROM public_path p LEFT ANTI JOIN used u ON u.target = p.symbol
WHERE p.symbol IS NOT NULL AND p.kind <> 'module' AND NOT p.hidden
    AND p.valid_from <= :at AND :at < p.valid_to
GROUP BY p.project, p.package, p.symbol, p.kind
ORDER BY project, package, path, symbol, kind;
