-- @name   keys
-- @doc    A list of keys as rows. Made without Python on the workers.
-- @param  keys: VARCHAR  JSON: list of integers
-- @column symbol: BIGINT
-- @cost   none

SELECT explode(from_json(:keys, 'array<bigint>')) AS symbol;
