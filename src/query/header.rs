//! Program files: the header that documents a program, and the text that it documents.

use std::fmt;

use super::error::QueryError;
use super::params;
use crate::store::Value;

/// A documented program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// `area/name`.
    pub name: String,
    pub doc: String,
    pub params: Vec<Param>,
    pub columns: Vec<Column>,
    pub cost: Cost,
    /// The whole file: headers are comments of the language.
    pub text: String,
}

/// A parameter of a program: `$name` in its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    pub name: String,
    pub kind: ParamType,
    pub default: Option<Value>,
    pub doc: String,
}

/// A column of a program's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// As in the schema: `Uuid`, `String?`, `[Int]`.
    pub kind: String,
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
            Self::List(inner) => write!(f, "[{inner}]"),
            Self::Optional(inner) => write!(f, "{inner}?"),
        }
    }
}

impl ParamType {
    /// Reads a type as headers write it; `None` if it is no type.
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
            _ => return None,
        })
    }
}

impl Program {
    /// Reads a program. `file` is where it comes from, for messages. A header needs `@name`,
    /// `@doc`, one `@column` at least, and `@cost`.
    pub fn parse(file: &str, text: &str) -> Result<Self, QueryError> {
        let fail = |line: usize, message: String| QueryError::Header {
            file: file.to_owned(),
            line,
            message,
        };
        let (mut name, mut doc, mut cost) = (None, None::<String>, None);
        let (mut params, mut columns) = (Vec::<Param>::new(), Vec::<Column>::new());
        let mut in_doc = false;
        for (number, line) in (1..).zip(text.lines()) {
            let Some(comment) = line.strip_prefix('#') else { break };
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
                "name" => return Err(fail(number, format!("`{rest}` is no name: area/name"))),
                "doc" => doc = Some(rest.to_owned()),
                "cost" => {
                    cost = Some(match rest {
                        "seek" => Cost::Seek,
                        "bounded" => Cost::Bounded,
                        "scan" => Cost::Scan,
                        _ => {
                            return Err(fail(
                                number,
                                format!("no cost `{rest}`: seek, bounded or scan"),
                            ));
                        }
                    });
                }
                "param" => {
                    let param = parse_param(rest).map_err(|m| fail(number, m))?;
                    if params.iter().any(|p| p.name == param.name) {
                        return Err(fail(number, format!("a second parameter `{}`", param.name)));
                    }
                    params.push(param);
                }
                "column" => {
                    for part in rest.split("  ").next().unwrap_or(rest).split(", ") {
                        let (column, kind) = part.split_once(':').ok_or_else(|| {
                            fail(number, format!("`{part}` has no type: name: Type"))
                        })?;
                        columns.push(Column {
                            name: column.trim().to_owned(),
                            kind: kind.trim().trim_end_matches(',').to_owned(),
                        });
                    }
                }
                _ => {
                    return Err(fail(
                        number,
                        format!("no tag `@{tag}`: name, doc, param, column, cost"),
                    ));
                }
            }
        }
        let missing = |what: &str| fail(1, format!("the header has no `@{what}`"));
        if columns.is_empty() {
            return Err(missing("column"));
        }
        Ok(Self {
            name: name.ok_or_else(|| missing("name"))?,
            doc: doc.ok_or_else(|| missing("doc"))?,
            params,
            columns,
            cost: cost.ok_or_else(|| missing("cost"))?,
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

/// `name: Type`, `name: Type = default`, either with a text after two spaces.
fn parse_param(text: &str) -> Result<Param, String> {
    let (declared, doc) = text.split_once("  ").unwrap_or((text, ""));
    let (name, rest) =
        declared.split_once(':').ok_or_else(|| format!("`{declared}` has no type: name: Type"))?;
    let (kind, default) = match rest.split_once('=') {
        Some((kind, default)) => (kind, Some(default.trim())),
        None => (rest, None),
    };
    let kind = ParamType::parse(kind).ok_or_else(|| {
        format!("no type `{}`: Bool, Int, Float, String, Uuid, Json, [T], T?", kind.trim())
    })?;
    let default = match default {
        Some(text) => Some(
            params::from_text(&kind, text)
                .ok_or_else(|| format!("the default `{text}` is not {kind}"))?,
        ),
        None if matches!(kind, ParamType::Optional(_)) => Some(Value::Null),
        None => None,
    };
    Ok(Param { name: name.trim().to_owned(), kind, default, doc: doc.trim().to_owned() })
}
