//! The tables: names, columns, order of rows. The only place that says so; `docs/tables.md` is
//! compared with it.
//!
//! Every table is partitioned by `project`, whose value is in the path of a file and not in it.
//! A table with intervals ends in `valid_from` and `valid_to`: microseconds since 1970, half-open;
//! a row that still holds ends at [`super::OPEN`].

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// INT64.
    Long,
    Double,
    Bool,
    /// UTF-8.
    Text,
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether it may be null.
    pub optional: bool,
    pub doc: &'static str,
}

/// A table.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    pub name: &'static str,
    pub doc: &'static str,
    /// In the order of the file. Rows are sorted by them from the first on.
    pub columns: &'static [Column],
    /// Whether it has intervals; the last two columns are then `valid_from` and `valid_to`.
    pub intervals: bool,
}

const fn long(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Long, optional: false, doc }
}
const fn double(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Double, optional: false, doc }
}
const fn text(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Text, optional: false, doc }
}
const fn yes_no(name: &'static str, doc: &'static str) -> Column {
    Column { name, kind: Kind::Bool, optional: false, doc }
}
const fn or_null(column: Column) -> Column {
    Column { optional: true, ..column }
}

const FROM: Column = long("valid_from", "first microsecond at which the row holds");
const TO: Column = long("valid_to", "first microsecond at which it no longer holds");

impl Table {
    /// The table of this name.
    pub fn find(name: &str) -> Option<&'static Table> {
        TABLES.iter().find(|table| table.name == name)
    }
}

/// Name of the table that lists the files of exports.
pub const EXPORT: &str = "export";

/// All tables, in the order in which they are committed: `export` is last.
pub static TABLES: &[Table] = &[
    Table {
        name: "project",
        doc: "The project of the partition.",
        columns: &[
            text("source", "where its packages come from; part of every symbol"),
            or_null(text("namespace", "id of the project in its database")),
            text("tool_version", "of `asof`"),
            text("schema_version", "of the database"),
            or_null(long("floor", "nothing is known before this moment, if versions were dropped")),
            or_null(long("first", "time of the first revision")),
            or_null(long("newest", "time of the newest revision that was exported")),
        ],
        intervals: false,
    },
    Table {
        name: "revision",
        doc: "What each moment means.",
        columns: &[
            long("at", "microseconds since 1970"),
            text("id", "UUID"),
            text("cause", "scan, commit, edit, …"),
            or_null(text("actor", "who made it")),
            or_null(text("message", "why")),
            or_null(text("commit", "imported Git commit")),
            long("files", "files added, changed or removed"),
            yes_no("matched", "whether the items that it moved are in `item_match`"),
        ],
        intervals: false,
    },
    Table {
        name: "symbol",
        doc: "Global symbols: the same key in every project and version.",
        columns: &[
            long("symbol", "64 bits of BLAKE3 of source, package and id"),
            text("text", "as SCIP writes symbols, without a version"),
            text("source", "of the package; empty for externals"),
            text("package", "package, or first segment of an external's path; may be empty"),
            or_null(text("id", "UUID of a definition in its database")),
            or_null(text("path", "canonical path, of the newest version")),
        ],
        intervals: false,
    },
    Table {
        name: "definition",
        doc: "Definitions; where they are is in `place`.",
        columns: &[
            long("symbol", "the definition"),
            text("kind", "function, method, struct, …"),
            text("name", "bare name"),
            or_null(text("path", "canonical path")),
            text("package", "the package that it is defined in"),
            text("target_kind", "lib, proc_macro, bin, test, …; of the crate"),
            or_null(long("parent", "symbol of the container")),
            text("file_path", "relative to the root"),
            text("visibility", "as written"),
            text("signature", "as written"),
            text("cfg", "own predicate"),
            yes_no("in_test", "test code"),
            text("tracking_hash", "of the tokens: differs if the item was changed"),
            FROM,
            TO,
        ],
        intervals: true,
    },
    Table {
        name: "use",
        doc: "Who uses what. Sorted for \"who uses this\".",
        columns: &[
            long("target", "symbol that is used: a definition, or a row of `external`"),
            long("source", "symbol of the item that contains the use"),
            text("kind", "call, method_call, value, type, …"),
            text("provenance", "rule that found it"),
            double("confidence", "0 to 1"),
            long("count", "number of places"),
            or_null(text(
                "condition",
                "what has to hold beside the presence conditions of the two",
            )),
            FROM,
            TO,
        ],
        intervals: true,
    },
    Table {
        name: "occurrence",
        doc: "Places of uses, counted from the start of the source item: those of `place` added, \
              they are places in the file.",
        columns: &[
            long("target", "symbol that is used"),
            long("source", "symbol of the item that contains the use"),
            text("kind", "of the use"),
            text("provenance", "of the use"),
            double("confidence", "of the use"),
            long("offset", "bytes from the item's start"),
            long("line", "lines from the item's first line"),
            long("column", "bytes from the start of the line; on line 0, from the item's start"),
            FROM,
            TO,
        ],
        intervals: true,
    },
    Table {
        name: "place",
        doc: "Where definitions are. A file that is included twice has its items twice.",
        columns: &[
            long("symbol", "the definition"),
            text("file_path", "relative to the root"),
            long("start_byte", "first byte"),
            long("end_byte", "first byte after it"),
            long("start_line", "from 1"),
            long("end_line", "from 1"),
            long("start_column", "bytes before it on its first line"),
            long("name_line", "line of the name, from 1"),
            FROM,
            TO,
        ],
        intervals: true,
    },
    Table {
        name: "external",
        doc: "Names that are used and not defined in the project.",
        columns: &[
            long("symbol", "target of uses"),
            text("text", "full path, or as written if it is not known"),
            text("crate", "first segment of the path; empty if it is not known"),
            yes_no("known", "whether it belongs to a dependency or a standard crate"),
        ],
        intervals: false,
    },
    Table {
        name: "public_path",
        doc: "Paths by which other crates can name a definition: re-exports are followed.",
        columns: &[
            text("path", "crate, modules and name"),
            or_null(long("symbol", "the definition; none for a re-export of another crate")),
            text("kind", "of the definition, or `external`"),
            text("package", "the package whose library has this path"),
            or_null(text("canonical_path", "of the definition")),
            yes_no("hidden", "`#[doc(hidden)]`"),
            yes_no("reexported", "through `pub use`"),
            FROM,
            TO,
        ],
        intervals: true,
    },
    Table {
        name: "package",
        doc: "Packages of the project, with their versions.",
        columns: &[
            text("package", "name"),
            text("version", "as in the manifest"),
            text("edition", "of the language"),
            text("manifest_path", "relative to the root; empty for a plain folder"),
            FROM,
            TO,
        ],
        intervals: true,
    },
    Table {
        name: "dependency",
        doc: "Which package depends on which, with the locked version.",
        columns: &[
            text("dependency", "package that is depended on"),
            text("package", "package that depends on it"),
            text("name", "first segment of paths into it, in the code"),
            or_null(text("version", "locked; null if no lock file says so")),
            or_null(text("source", "registry or repository, as in the lock file; null for a path")),
            FROM,
            TO,
        ],
        intervals: true,
    },
    Table {
        name: "item_match",
        doc: "What became of items that a revision removed or changed.",
        columns: &[
            long("new", "symbol"),
            long("old", "symbol"),
            long("at", "time of the revision"),
            text("kind", "moved, renamed, split, merged"),
            double("confidence", "0 to 1"),
            text("reason", "rule"),
        ],
        intervals: false,
    },
    Table {
        name: "metric",
        doc: "Measurements of items; `docs/quality.md` defines them.",
        columns: &[
            long("symbol", "the definition"),
            long("loc", "physical lines"),
            long("code_lines", "lines with code"),
            long("comment_lines", "lines with a comment"),
            long("parameters", "of a function"),
            or_null(long("cyclomatic", "none if it is no function or did not parse")),
            or_null(long("cognitive", "as above")),
            or_null(long("nesting", "as above")),
            or_null(text("big_o", "estimate")),
            or_null(double("tdg_score", "0 to 100, higher is better")),
            or_null(text("tdg_grade", "A+ to F")),
            long("satd", "number of markers of self-admitted debt"),
            FROM,
            TO,
        ],
        intervals: true,
    },
    Table {
        name: EXPORT,
        doc: "The files of each export. Of a project, those of its greatest `sequence` count, and \
              no others.",
        columns: &[
            long("sequence", "number of the export of this project, from 1"),
            long("at", "moment that the export includes"),
            text("chain", "digest of the revisions and settings that its rows follow from"),
            text("table", "name of the table; `export` itself has one row, without a file"),
            text("part", "closed: rows that have ended; open: rows that hold; all: no intervals"),
            text("path", "relative to the folder of the tables"),
            long("rows", "number of rows"),
            long("bytes", "size of the file"),
            text("digest", "BLAKE3 of the file's rows"),
        ],
        intervals: false,
    },
];
