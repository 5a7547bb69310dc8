-- @name   where_used
-- @doc    Every place where an item is used, in any project. The path is canonical, or that of an
--         item of another crate as users write it (`std::fs::read`).
-- @param  path: VARCHAR
-- @param  at: BIGINT  as of, microseconds
-- @column project: VARCHAR, target: BIGINT, source: BIGINT, path: VARCHAR, kind: VARCHAR
-- @column provenance: VARCHAR, confidence: DOUBLE, file_path: VARCHAR, line: BIGINT
-- @column column: BIGINT, start_byte: BIGINT
-- @cost   seek: `occurrence` is sorted by target

WITH target AS (
    SELECT symbol FROM definition
    WHERE path = getvariable('path') AND valid_from <= getvariable('at') AND getvariable('at') < valid_to
    UNION
    SELECT symbol FROM external WHERE text = getvariable('path')
    UNION
    SELECT l.external FROM link l JOIN definition d ON d.symbol = l.symbol
    WHERE d.path = getvariable('path') AND d.valid_from <= getvariable('at') AND getvariable('at') < d.valid_to
)
SELECT o.project, o.target, o.source, d.path, o.kind, o.provenance, o.confidence, p.file_path,
       p.start_line + o.line AS line,
       1 + o."column" + CASE WHEN o.line = 0 THEN p.start_column ELSE 0 END AS "column",
       p.start_byte + o."offset" AS start_byte
FROM occurrence o
JOIN place p ON p.project = o.project AND p.symbol = o.source
    AND p.valid_from <= getvariable('at') AND getvariable('at') < p.valid_to
JOIN definition d ON d.project = o.project AND d.symbol = o.source AND d.file_path = p.file_path
    AND d.valid_from <= getvariable('at') AND getvariable('at') < d.valid_to
WHERE o.target IN (SELECT symbol FROM target) AND o.kind <> 'keyword'
    AND o.valid_from <= getvariable('at') AND getvariable('at') < o.valid_to
ORDER BY o.project, p.file_path, start_byte, o.kind, o.target, o.source, o.provenance;
