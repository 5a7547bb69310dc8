//! Program files: the header that documents a program, and the text that it documents. The build
//! script includes this file too, so it uses nothing of the crate.

use std::fmt;

/// A documented program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// `area/name`.
    pub name: String,
    pub doc: String,
    pub params: Vec<Param>,
    pub columns: Vec<Column>,
    pub cost: Cost,
    /// How Rust calls it; `None` for programs that only users run.
    pub call: Option<Call>,
    /// The whole file: headers are comments of the language.
    pub text: String,
}

/// A parameter of a program: `$name` in its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    pub name: String,
    pub kind: ParamType,
    /// As written; an optional parameter is null by default.
    pub default: Option<String>,
    pub doc: String,
}

/// A column of a program's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// As in the schema: `Uuid`, `String?`, `[Int]`.
    pub kind: String,
}

/// `@row Type[?] [method] [column=Type …]`: the build script generates a row type, and a method of
/// `Queries` that returns such rows, or, with `?`, the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// A struct with the program's columns, or the type of its only column.
    pub row: String,
    pub at_most_one: bool,
    /// `None` if the method is written by hand.
    pub method: Option<String>,
    /// Columns and parameters whose Rust type does not follow from their name and declared type.
    pub types: Vec<(String, String)>,
}

/// An invalid header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderError {
    /// From 1 on.
    pub line: usize,
    pub message: String,
}

/// Type of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParamType {
    Bool,
    Int,
    Float,
    String,
    Uuid,
    Json,
    /// Any value: for rows of several columns.
    Any,
    List(Box<ParamType>),
    Optional(Box<ParamType>),
}

/// How a program's work grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// With its answer and its parameters only.
    Seek,
    /// With one file, container or path, never with the workspace.
    Bounded,
    /// With the workspace.
    Scan,
}

impl Cost {
    /// As in a header.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seek => "seek",
            Self::Bounded => "bounded",
            Self::Scan => "scan",
        }
    }
}

impl fmt::Display for ParamType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("Bool"),
            Self::Int => f.write_str("Int"),
            Self::Float => f.write_str("Float"),
            Self::String => f.write_str("String"),
            Self::Uuid => f.write_str("Uuid"),
            Self::Json => f.write_str("Json"),
            Self::Any => f.write_str("Any"),
            Self::List(inner) => write!(f, "[{inner}]"),
            Self::Optional(inner) => write!(f, "{inner}?"),
        }
    }
}

impl ParamType {
    /// Reads a type as headers write it; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(inner) = text.strip_suffix('?') {
            return Self::parse(inner).map(|t| Self::Optional(Box::new(t)));
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            return Self::parse(inner).map(|t| Self::List(Box::new(t)));
        }
        Some(match text {
            "Bool" => Self::Bool,
            "Int" => Self::Int,
            "Float" => Self::Float,
            "String" => Self::String,
            "Uuid" => Self::Uuid,
            "Json" => Self::Json,
            "Any" => Self::Any,
            _ => return None,
        })
    }
}

impl Program {
    /// Reads a program. A header needs `@name`, `@doc`, one `@column` at least, and `@cost`.
    ///
    /// # Errors
    /// The first line that is not a header line.
    pub fn parse(text: &str) -> Result<Self, HeaderError> {
        let (mut name, mut doc, mut cost, mut call) = (None, None::<String>, None, None);
        let (mut params, mut columns) = (Vec::<Param>::new(), Vec::<Column>::new());
        let mut in_doc = false;
        for (line, text) in (1..).zip(text.lines()) {
            let fail = |message: String| HeaderError { line, message };
            let Some(comment) = text.strip_prefix('#') else { break };
            let comment = comment.trim();
            let Some(tag) = comment.strip_prefix('@') else {
                if in_doc && let Some(doc) = &mut doc {
                    doc.push(' ');
                    doc.push_str(comment);
                }
                continue;
            };
            let (tag, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            let rest = rest.trim();
            in_doc = tag == "doc";
            match tag {
                "name" if is_program_name(rest) => name = Some(rest.to_owned()),
                "name" => return Err(fail(format!("`{rest}` is not a name: use `area/name`"))),
                "doc" => doc = Some(rest.to_owned()),
                "cost" => cost = Some(parse_cost(rest).map_err(fail)?),
                "row" => call = Some(parse_call(rest).map_err(fail)?),
                "param" => {
                    let param = parse_param(rest).map_err(fail)?;
                    if params.iter().any(|p| p.name == param.name) {
                        return Err(fail(format!("a second parameter `{}`", param.name)));
                    }
                    params.push(param);
                }
                "column" => {
                    for part in rest.split("  ").next().unwrap_or(rest).split(", ") {
                        columns.push(parse_column(part).map_err(fail)?);
                    }
                }
                _ => {
                    let known = "name, doc, param, column, cost, row";
                    return Err(fail(format!("unknown tag `@{tag}`; tags are: {known}")));
                }
            }
        }
        let missing =
            |tag: &str| HeaderError { line: 1, message: format!("the header has no `@{tag}`") };
        if columns.is_empty() {
            return Err(missing("column"));
        }
        Ok(Self {
            name: name.ok_or_else(|| missing("name"))?,
            doc: doc.ok_or_else(|| missing("doc"))?,
            params,
            columns,
            cost: cost.ok_or_else(|| missing("cost"))?,
            call,
            text: text.to_owned(),
        })
    }
}

fn is_program_name(text: &str) -> bool {
    !text.is_empty()
        && text.split('/').all(|part| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
        })
}

fn parse_cost(text: &str) -> Result<Cost, String> {
    match text {
        "seek" => Ok(Cost::Seek),
        "bounded" => Ok(Cost::Bounded),
        "scan" => Ok(Cost::Scan),
        _ => Err(format!("unknown cost `{text}`; costs are: seek, bounded, scan")),
    }
}

/// `Type`, or `Type?`, then the method, then `column=Type` for columns and parameters.
fn parse_call(text: &str) -> Result<Call, String> {
    let mut words = text.split_whitespace().peekable();
    let row = words.next().ok_or("`@row` needs a type")?;
    let method = words.next_if(|word| !word.contains('=')).map(str::to_owned);
    let pair = |word: &str| {
        let pair = word.split_once('=').map(|(name, kind)| (name.to_owned(), kind.to_owned()));
        pair.ok_or_else(|| format!("`{word}` is not `column=Type`"))
    };
    Ok(Call {
        row: row.trim_end_matches('?').to_owned(),
        at_most_one: row.ends_with('?'),
        method,
        types: words.map(pair).collect::<Result<_, _>>()?,
    })
}

/// `name: Type`.
fn parse_column(text: &str) -> Result<Column, String> {
    let (name, kind) =
        text.split_once(':').ok_or_else(|| format!("`{text}` has no type: use `name: Type`"))?;
    let kind = kind.trim().trim_end_matches(',');
    Ok(Column { name: name.trim().to_owned(), kind: kind.to_owned() })
}

/// `name: Type`, `name: Type = default`, either with a text after two spaces.
fn parse_param(text: &str) -> Result<Param, String> {
    let (declared, doc) = text.split_once("  ").unwrap_or((text, ""));
    let (name, rest) = declared
        .split_once(':')
        .ok_or_else(|| format!("`{declared}` has no type: use `name: Type`"))?;
    let (kind, default) = match rest.split_once('=') {
        Some((kind, default)) => (kind, Some(default.trim().to_owned())),
        None => (rest, None),
    };
    let kind = ParamType::parse(kind).ok_or_else(|| {
        let known = "Bool, Int, Float, String, Uuid, Json, Any, [T], T?";
        format!("unknown type `{}`; types are: {known}", kind.trim())
    })?;
    let default = match kind {
        ParamType::Optional(_) => default.or_else(|| Some("null".to_owned())),
        _ => default,
    };
    Ok(Param { name: name.trim().to_owned(), kind, default, doc: doc.trim().to_owned() })
}
