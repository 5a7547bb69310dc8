//! Makes two files of the headers of `queries/`: `rows.rs`, the list of programs and the row types,
//! and `calls.rs`, the typed calls. A header that breaks the rules fails the build.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[allow(dead_code, reason = "the library uses the rest")]
#[path = "header.rs"]
mod header;

use header::{Call, ParamType, Program};

type Failure = Box<dyn Error>;

/// Name and Rust type of each field.
type Fields = Vec<(String, String)>;

/// Columns and parameters of these names are times in microseconds.
const TIMES: &[&str] = &[
    "at", "since", "until", "last", "from", "to", "before", "after", "floor", "clock", "created",
    "decided", "basis_at", "committed", "authored", "times",
];

fn main() -> Result<(), Failure> {
    println!("cargo::rerun-if-changed=queries");
    println!("cargo::rerun-if-changed=header.rs");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("queries");
    let mut programs = Vec::new();
    for path in files(&root)? {
        let relative = path.strip_prefix(&root)?.to_str().ok_or("a path that is not UTF-8")?;
        let name = relative.trim_end_matches(".cozo").replace('\\', "/");
        let program = Program::parse(&fs::read_to_string(&path)?)
            .map_err(|e| format!("queries/{relative}:{}: {}", e.line, e.message))?;
        if program.name != name {
            return Err(format!("queries/{relative}: its `@name` is `{}`", program.name).into());
        }
        programs.push(program);
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let (rows, calls) = generate(&programs)?;
    fs::write(out.join("rows.rs"), rows)?;
    fs::write(out.join("calls.rs"), calls)?;
    Ok(())
}

/// The program files, sorted: those of the folders in `root`, not the prelude beside them.
fn files(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for area in fs::read_dir(root)? {
        let area = area?.path();
        if area.is_dir() {
            found.extend(cozo_files(&area)?);
        }
    }
    found.sort();
    Ok(found)
}

fn cozo_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for file in fs::read_dir(folder)? {
        found.push(file?.path());
    }
    found.retain(|path| path.extension().is_some_and(|e| e == "cozo"));
    found.sort();
    Ok(found)
}

/// The programs with the types of their rows, and the calls.
fn generate(programs: &[Program]) -> Result<(String, String), Failure> {
    let mut out = String::from(
        "/// Name and text of each program, sorted.\npub(super) const FILES: &[(&str, &str)] = &[\n",
    );
    for program in programs {
        // A target directory may serve several checkouts.
        let path = format!("/queries/{}.cozo", program.name);
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?})");
        writeln!(out, "    ({:?}, include_str!({path})),", program.name)?;
    }
    out.push_str("];\n");
    let mut rows: BTreeMap<&str, (&Program, Fields)> = BTreeMap::new();
    let mut methods = String::new();
    for program in programs {
        let Some(call) = &program.call else { continue };
        let fields = fields(program, call)?;
        let scalar = match fields.as_slice() {
            [(name, kind)] if *kind == call.row => Some(name.clone()),
            _ => None,
        };
        if scalar.is_none() {
            match rows.get(call.row.as_str()) {
                Some((other, same)) if sorted(same) != sorted(&fields) => {
                    let (name, other) = (&program.name, &other.name);
                    return Err(
                        format!("{name}: a `{}` of other columns than {other}", call.row).into()
                    );
                }
                Some(_) => {}
                None => _ = rows.insert(&call.row, (program, fields)),
            }
        }
        if let Some(name) = &call.method {
            methods.push_str(&method(program, call, name, scalar.as_deref())?);
        }
    }
    for (row, (program, fields)) in rows {
        let doc = format!("A row of `{}`.", program.name);
        writeln!(
            out,
            "\n#[doc = {doc:?}]\n#[derive(Debug, Clone, PartialEq)]\npub struct {row} {{"
        )?;
        for (name, kind) in &fields {
            writeln!(out, "    pub {name}: {kind},")?;
        }
        writeln!(out, "}}\n\nimpl FromRow for {row} {{")?;
        writeln!(out, "    fn from_row(row: &Row<'_>) -> Result<Self, StoreError> {{")?;
        writeln!(out, "        Ok(Self {{")?;
        for (name, _) in &fields {
            writeln!(out, "            {name}: row.get({name:?})?,")?;
        }
        writeln!(out, "        }})\n    }}\n}}")?;
    }
    Ok((out, format!("impl Queries<'_> {{{methods}}}\n")))
}

fn sorted(fields: &Fields) -> Fields {
    let mut fields = fields.clone();
    fields.sort();
    fields
}

fn fields(program: &Program, call: &Call) -> Result<Fields, Failure> {
    let field = |name: &str, kind: &str| -> Result<(String, String), Failure> {
        let given = call.types.iter().find(|(of, _)| of == name).map(|(_, kind)| kind.clone());
        let kind = given.or_else(|| rust_type(name, kind));
        let kind = kind.ok_or_else(|| format!("{}: `{name}` needs a type", program.name))?;
        Ok((name.to_owned(), kind))
    };
    program.columns.iter().map(|column| field(&column.name, &column.kind)).collect()
}

/// The Rust type of a column; `None` if the declared type has no obvious one.
fn rust_type(name: &str, kind: &str) -> Option<String> {
    if let Some(inner) = kind.strip_suffix('?') {
        return rust_type(name, inner).map(|inner| format!("Option<{inner}>"));
    }
    if kind == "[Any]" {
        return Some("Json".to_owned());
    }
    if let Some(inner) = kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
        return rust_type(name, inner).map(|inner| format!("Vec<{inner}>"));
    }
    let found = match (kind, name) {
        ("Uuid", "namespace") => "Namespace",
        ("Uuid", _) => "NodeId",
        ("String", "kind") => "NodeKind",
        ("String", "raw_hash" | "file_hash") => "RawHash",
        ("String", "tracking_hash" | "token_hash") => "TrackingHash",
        ("String", "shape_hash") => "ShapeHash",
        ("String", "text_hash") => "TextHash",
        ("String", _) => "String",
        ("Int", name) if TIMES.contains(&name) => "Micros",
        ("Int", "limit") => "i64",
        ("Int", _) => "u32",
        ("Float", _) => "f64",
        ("Bool", _) => "bool",
        ("Bytes", _) => "Vec<u8>",
        ("Json", _) => "Json",
        _ => return None,
    };
    Some(found.to_owned())
}

/// The typed call. A program without `at` is a function of a store. `scalar` is the only column
/// of rows that are no struct. A call whose only parameter is an empty list is answered here.
fn method(
    program: &Program,
    call: &Call,
    name: &str,
    scalar: Option<&str>,
) -> Result<String, Failure> {
    let timed = program.params.iter().any(|param| param.name == "at");
    let mut declared = vec![if timed { "&self" } else { "store: &Store" }.to_owned()];
    let mut given = Vec::new();
    let mut empty = None;
    let params: Vec<_> = program.params.iter().filter(|param| param.name != "at").collect();
    for param in &params {
        let (name, kind) = (&param.name, param.kind.to_string());
        let chosen = call.types.iter().find(|(of, _)| of == name).map(|(_, kind)| kind.clone());
        let plain = |kind: &str| chosen.clone().or_else(|| rust_type(name, kind));
        let (kind, value) = match &param.kind {
            ParamType::List(inner) if **inner == ParamType::String && chosen.is_none() => (
                Some("&[impl AsRef<str>]".to_owned()),
                format!("Value::list({name}.iter().map(AsRef::as_ref))"),
            ),
            ParamType::List(inner) => (
                plain(&inner.to_string()).map(|kind| format!("&[{kind}]")),
                format!("Value::list({name}.iter().copied())"),
            ),
            _ => {
                (plain(&kind).map(|kind| kind.replace("String", "&str")), format!("{name}.into()"))
            }
        };
        let kind = kind.ok_or_else(|| format!("{}: `{name}` needs a type", program.name))?;
        declared.push(format!("{name}: {kind}"));
        given.push(format!("({name:?}, {value})"));
        if let (ParamType::List(_), [_]) = (&param.kind, params.as_slice()) {
            empty = Some(name);
        }
    }
    let (row, program, doc) = (&call.row, &program.name, &program.doc);
    let answer = if call.at_most_one { format!("Option<{row}>") } else { format!("Vec<{row}>") };
    let mut out = format!("\n    #[doc = {doc:?}]\n    pub fn {name}({}) -> ", declared.join(", "));
    writeln!(out, "Result<{answer}, QueryError> {{")?;
    if let (Some(empty), false) = (empty, call.at_most_one) {
        writeln!(out, "        if {empty}.is_empty() {{ return Ok(Vec::new()); }}")?;
    }
    let on = if timed { "self" } else { "Queries::at(store, Micros(0))" };
    let asked = format!("{on}.rows({program:?}, &[{}])?", given.join(", "));
    let decoded = match scalar {
        Some(column) => format!("{asked}.column::<{row}>({column:?})?"),
        None => format!("{asked}.decode::<{row}>()?"),
    };
    let end = if call.at_most_one { ".into_iter().next()" } else { "" };
    writeln!(out, "        Ok({decoded}{end})\n    }}")?;
    Ok(out)
}
