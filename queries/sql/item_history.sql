-- @name   item_history
-- @doc    Versions of an item, the oldest first, with the revision that began each. What it was
--         before it was moved or renamed is included.
-- @param  path: VARCHAR  canonical, at any time
-- @column project: VARCHAR, symbol: BIGINT, path: VARCHAR, kind: VARCHAR, signature: VARCHAR
-- @column tracking_hash: VARCHAR, valid_from: BIGINT, valid_to: BIGINT, cause: VARCHAR
-- @column commit: VARCHAR, actor: VARCHAR, message: VARCHAR
-- @cost   scan of `definition`

WITH RECURSIVE was(project, symbol) AS (
    SELECT DISTINCT project, symbol FROM definition WHERE path = getvariable('path')
    UNION
    SELECT m.project, m.old FROM was JOIN item_match m ON m.project = was.project AND m.new = was.symbol
    WHERE m.kind IN ('moved', 'renamed')
)
SELECT d.project, d.symbol, d.path, d.kind, d.signature, d.tracking_hash, d.valid_from, d.valid_to,
       r.cause, r.commit, r.actor, r.message
FROM definition d
JOIN was ON was.project = d.project AND was.symbol = d.symbol
LEFT JOIN revision r ON r.project = d.project AND r.at = d.valid_from
ORDER BY d.project, d.valid_from, d.path, d.symbol, d.valid_to;
