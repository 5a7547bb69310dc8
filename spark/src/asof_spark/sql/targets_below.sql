-- @name   targets_below
-- @doc    The symbols that a path, or any path that begins with it, means at any time.
-- @param  path: VARCHAR
-- @column symbol: BIGINT
-- @cost   scan of the paths of `definition` and `external`

SELECT symbol FROM external WHERE text = :path OR startswith(text, :path || '::')
UNION
SELECT symbol FROM definition WHERE path = :path OR startswith(path, :path || '::');
