-- @name   users_of_version_range
-- @doc    Who was built with a package in a range of versions, and when. Versions are compared by
--         their numbers; what follows `-` or `+` is left out of the comparison.
-- @param  package: VARCHAR
-- @param  from_version: VARCHAR  first version
-- @param  before_version: VARCHAR  first version that is not in the range
-- @column project: VARCHAR, package: VARCHAR, version: VARCHAR, valid_from: BIGINT, valid_to: BIGINT
-- @cost   seek: `dependency` is sorted by dependency

-- What is no number is after all numbers, as in DuckDB, where nulls in lists are.
WITH bounds AS (
    SELECT transform(split(regexp_replace(:from_version, '[-+].*', ''), '[.]'),
               part -> coalesce(try_cast(part AS BIGINT), 9223372036854775807)) AS first,
           transform(split(regexp_replace(:before_version, '[-+].*', ''), '[.]'),
               part -> coalesce(try_cast(part AS BIGINT), 9223372036854775807)) AS last
),
numbered AS (
    SELECT *, transform(split(regexp_replace(version, '[-+].*', ''), '[.]'),
               part -> coalesce(try_cast(part AS BIGINT), 9223372036854775807)) AS numbers
    FROM dependency WHERE dependency = :package AND version IS NOT NULL
)
SELECT DISTINCT project, package, version, valid_from, valid_to
FROM numbered CROSS JOIN bounds
WHERE numbers >= first AND numbers < last
ORDER BY project, package, valid_from, version, valid_to;
