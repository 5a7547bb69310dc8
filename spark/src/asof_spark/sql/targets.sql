-- @name   targets
-- @doc    The symbols that a path means at a moment: definitions, external names, and external
--         names that other projects use for the definition.
-- @param  path: VARCHAR
-- @param  at: BIGINT  as of, microseconds
-- @column symbol: BIGINT
-- @cost   scan of the paths of `definition` and `external`

SELECT symbol FROM definition
WHERE path = :path AND valid_from <= :at AND :at < valid_to
UNION
SELECT symbol FROM external WHERE text = :path
UNION
SELECT l.external FROM link l JOIN definition d ON d.symbol = l.symbol
WHERE d.path = :path AND d.valid_from <= :at AND :at < d.valid_to;
