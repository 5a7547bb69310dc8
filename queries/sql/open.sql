-- @name   open
-- @doc    Opens the tables in the folder `tables`: a view for each, over the files that the newest
--         export of each project lists. Run it first, and again to see newer exports. `link` and
--         `linked` are views over them: uses with external names replaced by the definitions that
--         other projects have at these public paths.
-- @param  tables: VARCHAR  folder that `asof export tables --out` wrote to
-- @param  projects: VARCHAR[]  only these projects; all if it is not set
-- @cost   footers of the listings

-- A table: what is listed is read once, so that all views are of the same exports.
CREATE OR REPLACE TEMP TABLE export AS
SELECT * FROM read_parquet(getvariable('tables') || '/export/*/[0-9]*.parquet',
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
-- name is that of a dependency, and the package of that name has this public path.
CREATE OR REPLACE TEMP VIEW link AS
SELECT DISTINCT e.project, e.symbol AS external, p.project AS defined_in, p.symbol
FROM external e
JOIN dependency d ON d.project = e.project AND d.name = e.crate
JOIN public_path p ON p.path = e.text AND p.package = d.dependency
WHERE e.known AND p.symbol IS NOT NULL AND p.project <> e.project;

CREATE OR REPLACE TEMP VIEW linked AS
SELECT coalesce(l.symbol, u.target) AS target, u.source, u.kind, u.provenance, u.confidence,
       u.count, u.valid_from, u.valid_to, u.project
FROM "use" u LEFT JOIN link l ON l.project = u.project AND l.external = u.target;
