-- @name   was
-- @doc    What items were before they were moved or renamed: one step. A driver loop repeats it,
--         because two renames may lead back, and Spark's recursion would not end.
-- @param  items: VARCHAR  JSON: list of objects with project and symbol
-- @column project: VARCHAR, symbol: BIGINT
-- @cost   scan of `item_match`

SELECT DISTINCT m.project, m.old AS symbol
FROM item_match m
JOIN (SELECT inline(from_json(:items, 'array<struct<project:string,symbol:bigint>>'))) was
    ON m.project = was.project AND m.new = was.symbol
WHERE m.kind IN ('moved', 'renamed');
