-- @name   open
-- @doc    Opens the tables in the folder `tables`: a view for each, over the files that the newest
--         export of each project lists. Run it first, and again to see newer exports. `link` and
--         `linked` are views over them: uses with external names replaced by the definitions that
--         other projects have at these public paths.
-- @param  tables: VARCHAR  folder that `asof export tables --out` wrote to
-- @param  projects: VARCHAR[]  only these projects; all if it is not set
-- @cost   footers of the listings

-- A table: what is listed is read once, so that all views are of the same exports. A listing that
-- names anything but a file of its table is refused: it could lead out of the folder.
CREATE OR REPLACE TEMP TABLE export AS
SELECT * REPLACE (CASE WHEN "table" = 'export'
        OR regexp_full_match(path, "table" || '/project=[A-Za-z0-9_.%-]+/[A-Za-z0-9_.-]+[.]parquet')
    THEN path ELSE error('an export of `' || project || '` lists `' || path || '`') END AS path)
FROM read_parquet(getvariable('tables') || '/export/*/[0-9]*.parquet',
    hive_partitioning = true, hive_types = {'project': VARCHAR})
WHERE getvariable('projects') IS NULL OR list_contains(getvariable('projects'), project)
QUALIFY sequence = max(sequence) OVER (PARTITION BY project);

CREATE OR REPLACE TEMP MACRO files_of(name) AS (
    SELECT list(getvariable('tables') || '/' || path ORDER BY path) FROM export WHERE "table" = name);

SET VARIABLE files_project = files_of('project');
SET VARIABLE files_revision = files_of('revision');
SET VARIABLE files_symbol = files_of('symbol');
SET VARIABLE files_definition = files_of('definition');
SET VARIABLE files_use = files_of('use');
SET VARIABLE files_occurrence = files_of('occurrence');
SET VARIABLE files_place = files_of('place');
SET VARIABLE files_external = files_of('external');
SET VARIABLE files_public_path = files_of('public_path');
SET VARIABLE files_package = files_of('package');
SET VARIABLE files_dependency = files_of('dependency');
SET VARIABLE files_item_match = files_of('item_match');
SET VARIABLE files_metric = files_of('metric');

CREATE OR REPLACE TEMP MACRO table_of(files) AS TABLE
    SELECT * FROM read_parquet(files, hive_partitioning = true, hive_types = {'project': VARCHAR});

CREATE OR REPLACE TEMP VIEW project AS FROM table_of(getvariable('files_project'));
CREATE OR REPLACE TEMP VIEW revision AS FROM table_of(getvariable('files_revision'));
CREATE OR REPLACE TEMP VIEW symbol AS FROM table_of(getvariable('files_symbol'));
CREATE OR REPLACE TEMP VIEW definition AS FROM table_of(getvariable('files_definition'));
CREATE OR REPLACE TEMP VIEW "use" AS FROM table_of(getvariable('files_use'));
CREATE OR REPLACE TEMP VIEW occurrence AS FROM table_of(getvariable('files_occurrence'));
CREATE OR REPLACE TEMP VIEW place AS FROM table_of(getvariable('files_place'));
CREATE OR REPLACE TEMP VIEW external AS FROM table_of(getvariable('files_external'));
CREATE OR REPLACE TEMP VIEW public_path AS FROM table_of(getvariable('files_public_path'));
CREATE OR REPLACE TEMP VIEW package AS FROM table_of(getvariable('files_package'));
CREATE OR REPLACE TEMP VIEW dependency AS FROM table_of(getvariable('files_dependency'));
CREATE OR REPLACE TEMP VIEW item_match AS FROM table_of(getvariable('files_item_match'));
CREATE OR REPLACE TEMP VIEW metric AS FROM table_of(getvariable('files_metric'));

-- Which definition of another project an external name of a project means. The first segment of the
-- name is that of a dependency. The package of that name has this public path; or it has that of the
-- type or trait before the last segment, which has a member of this name (a field only if it
-- is public: a method may have the same name); or the name is the crate's. A public path that is
-- another crate's item is followed there, and once more.
CREATE OR REPLACE TEMP VIEW link AS
WITH named AS (
    SELECT DISTINCT e.project, e.symbol AS external, e.text, e.crate, d.dependency AS package
    FROM external e JOIN dependency d ON d.project = e.project AND d.name = e.crate
    WHERE e.known
),
direct AS (
    SELECT project, external, package, text AS path, CAST(NULL AS VARCHAR) AS member FROM named
    UNION ALL
    SELECT project, external, package, regexp_replace(text, '::[^:]*$', ''), regexp_extract(text, '[^:]*$')
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
-- Materialized: else all definitions of a package would be joined with all of its public paths.
member AS MATERIALIZED (
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

CREATE OR REPLACE TEMP VIEW linked AS
SELECT coalesce(l.symbol, u.target) AS target, u.source, u.kind, u.provenance, u.confidence,
       u.count, u.valid_from, u.valid_to, u.project
FROM "use" u LEFT JOIN link l ON l.project = u.project AND l.external = u.target
WHERE u.kind <> 'keyword';
