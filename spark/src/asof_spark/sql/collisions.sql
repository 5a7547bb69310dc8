-- @name   collisions
-- @doc    Keys that two different symbols have: there are none unless two texts have the same 64
--         bits. Each export checks its own symbols; this checks those of all projects.
-- @column symbol: BIGINT, names: BIGINT
-- @cost   scan of `symbol`

SELECT symbol, count(DISTINCT struct(source, package, coalesce(id, path))) AS names
FROM symbol
GROUP BY symbol
HAVING names > 1
ORDER BY symbol;
