-- @name   tables
-- @doc    Views over the tables that `open` has made: which definition of another project an
--         external name means (`link`), and uses with such names replaced (`linked`). As in
--         queries/sql/open.sql.
-- @cost   none before they are read

CREATE OR REPLACE TEMPORARY VIEW link AS
SELECT DISTINCT e.project, e.symbol AS external, p.project AS defined_in, p.symbol
FROM external e
JOIN dependency d ON d.project = e.project AND d.name = e.crate
JOIN public_path p ON p.path = e.text AND p.package = d.dependency
WHERE e.known AND p.symbol IS NOT NULL AND p.project <> e.project;

CREATE OR REPLACE TEMPORARY VIEW linked AS
SELECT coalesce(l.symbol, u.target) AS target, u.source, u.kind, u.provenance, u.confidence,
       u.count, u.valid_from, u.valid_to, u.project
FROM `use` u LEFT JOIN link l ON l.project = u.project AND l.external = u.target;
