-- @name   users_of_version_range
-- @doc    Who was built with a package in a range of versions, and when. Versions are compared by
--         their numbers; what follows `-` or `+` is left out of the comparison.
-- @param  package: VARCHAR
-- @param  from_version: VARCHAR  first version
-- @param  before_version: VARCHAR  first version that is not in the range
-- @column project: VARCHAR, package: VARCHAR, version: VARCHAR, valid_from: BIGINT, valid_to: BIGINT
-- @cost   seek: `dependency` is sorted by dependency

WITH bounds AS (
    SELECT list_transform(string_split(regexp_replace(getvariable('from_version'), '[-+].*', ''), '.'), lambda part: TRY_CAST(part AS BIGINT)) AS first,
           list_transform(string_split(regexp_replace(getvariable('before_version'), '[-+].*', ''), '.'), lambda part: TRY_CAST(part AS BIGINT)) AS last
),
numbered AS (
    SELECT *, list_transform(string_split(regexp_replace(version, '[-+].*', ''), '.'), lambda part: TRY_CAST(part AS BIGINT)) AS numbers
    FROM dependency WHERE dependency = getvariable('package') AND version IS NOT NULL
)
SELECT DISTINCT project, package, version, valid_from, valid_to
FROM numbered, bounds
WHERE numbers >= first AND numbers < last
ORDER BY project, package, valid_from, version;
