-- @name   tables
-- @doc    Views over the tables that `open` has made: which definition of another project an
--         external name means (`link`), and uses with such names replaced (`linked`). As in
--         queries/sql/open.sql.
-- @cost   none before they are read

CREATE OR REPLACE TEMPORARY VIEW link AS
WITH named AS (
    SELECT DISTINCT e.project, e.symbol AS external, e.text, e.crate, d.dependency AS package
    FROM external e JOIN dependency d ON d.project = e.project AND d.name = e.crate
    WHERE e.known
),
direct AS (
    SELECT project, external, package, text AS path, CAST(NULL AS STRING) AS member FROM named
    UNION ALL
    SELECT project, external, package, regexp_replace(text, '::[^:]*$', ''), regexp_extract(text, '[^:]*$', 0)
    FROM named WHERE text <> crate
),
once AS (
    SELECT n.project, n.external, d.dependency AS package, p.canonical_path AS path, n.member
    FROM direct n JOIN public_path p ON p.path = n.path AND p.package = n.package
    JOIN dependency d ON d.project = p.project AND d.package = p.package
        AND d.name = split_part(p.canonical_path, '::', 1)
    WHERE p.symbol IS NULL
),
twice AS (
    SELECT n.project, n.external, d.dependency AS package, p.canonical_path AS path, n.member
    FROM once n JOIN public_path p ON p.path = n.path AND p.package = n.package
    JOIN dependency d ON d.project = p.project AND d.package = p.package
        AND d.name = split_part(p.canonical_path, '::', 1)
    WHERE p.symbol IS NULL
),
meant AS (
    SELECT DISTINCT * FROM direct UNION SELECT * FROM once UNION SELECT * FROM twice
),
member AS (
    SELECT n.project, n.external, p.project AS defined_in, p.package, p.canonical_path || '::' || n.member AS path
    FROM meant n JOIN public_path p ON p.path = n.path AND p.package = n.package
    WHERE n.member IS NOT NULL AND p.symbol IS NOT NULL AND p.kind <> 'module' AND p.project <> n.project
)
SELECT n.project, n.external, p.project AS defined_in, p.symbol
FROM meant n JOIN public_path p ON p.package = n.package
    AND p.path = n.path || coalesce('::' || n.member, '')
WHERE p.symbol IS NOT NULL AND p.project <> n.project
UNION
SELECT n.project, n.external, m.project AS defined_in, m.symbol
FROM member n JOIN definition m ON m.project = n.defined_in AND m.package = n.package AND m.path = n.path
WHERE m.kind <> 'field' OR m.visibility = 'pub'
UNION
SELECT n.project, n.external, m.project AS defined_in, m.symbol
FROM named n JOIN definition m ON m.path = n.text AND m.package = n.package
WHERE n.text = n.crate AND m.kind = 'module' AND m.target_kind IN ('lib', 'proc_macro')
    AND m.project <> n.project;

CREATE OR REPLACE TEMPORARY VIEW linked AS
SELECT coalesce(l.symbol, u.target) AS target, u.source, u.kind, u.provenance, u.confidence,
       u.count, u.valid_from, u.valid_to, u.project
FROM `use` u LEFT JOIN link l ON l.project = u.project AND l.external = u.target
WHERE u.kind <> 'keyword';
