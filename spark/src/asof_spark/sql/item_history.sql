-- @name   item_history
-- @doc    Versions of an item, the oldest first, with the revision that began each. What it was
--         before it was moved or renamed is included: `items` are what `was.sql` has found.
-- @param  path: VARCHAR  canonical, at any time
-- @column project: VARCHAR, symbol: BIGINT, path: VARCHAR, kind: VARCHAR, signature: VARCHAR
-- @column tracking_hash: VARCHAR, valid_from: BIGINT, valid_to: BIGINT, cause: VARCHAR
-- @column commit: VARCHAR, actor: VARCHAR, message: VARCHAR
-- @cost   scan of `definition`

SELECT d.project, d.symbol, d.path, d.kind, d.signature, d.tracking_hash, d.valid_from, d.valid_to,
       r.cause, r.commit, r.actor, r.message
FROM definition d
JOIN (SELECT inline(from_json(:items, 'array<struct<project:string,symbol:bigint>>'))) was
    ON was.project = d.project AND was.symbol = d.symbol
LEFT JOIN revision r ON r.project = d.project AND r.at = d.valid_from
ORDER BY d.project, d.valid_from, d.path NULLS LAST, d.symbol, d.valid_to;
