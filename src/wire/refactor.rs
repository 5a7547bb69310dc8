//! What is known of the names of a workspace before a change of every use of an item is written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the new texts mean, compared with the old ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// Whether every name is known to mean what it meant: no place is left to look at.
    pub proven: bool,
    /// Number of places where the name is rewritten, the definition included.
    pub rewritten: usize,
    /// Number of uses whose meanings before and after were compared.
    pub compared: usize,
    /// Number of files that these are in.
    pub files: usize,
    /// Places that nothing is certain about, by file and line.
    pub look_at: Vec<PlaceToLookAt>,
}

/// A place of which it is not known whether it means the item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlaceToLookAt {
    /// File of the place, relative to the root.
    pub file_path: String,
    /// Line of the place, from 1.
    pub line: u32,
    /// Offset of the place in the file before the change, in bytes.
    pub byte: u32,
    /// Why it is listed.
    pub reason: Doubt,
    /// Confidence that it means the item, from 0 to 1.
    pub confidence: f64,
    /// Whether it is rewritten.
    pub rewritten: bool,
}

/// Why a place is not certain.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// A receiver of unknown type has a member of this name.
    UnknownReceiver,
    /// A name in tokens that are not read: of a macro, or of an attribute.
    Tokens,
    /// A name in the rules of a macro.
    MacroRules,
    /// A name that a macro's expansion gives its meaning.
    Expansion,
    /// Several items may be meant.
    Ambiguous,
    /// The path does not resolve.
    Unresolved,
    /// The file does not parse.
    Unparsed,
    /// The file is of no target.
    NoTarget,
    /// A call on a receiver of unknown type, which may mean the item under its new name.
    NewName,
    /// Prose or code in documentation.
    Documentation,
    /// A text in quotes.
    Text,
    /// A file of another language that a macro may read: a template, a query.
    OtherFile,
    /// A name in new code, which does not resolve.
    NewCode,
}

impl Doubt {
    /// The printed form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownReceiver => "the type of the receiver is not known",
            Self::Tokens => "in tokens that are not read as code",
            Self::MacroRules => "in the rules of a macro",
            Self::Expansion => "by the expansion of a macro",
            Self::Ambiguous => "several items may be meant",
            Self::Unresolved => "the path does not resolve",
            Self::Unparsed => "in a file that does not parse",
            Self::NoTarget => "in a file that no target has",
            Self::NewName => "may mean the item under its new name",
            Self::Documentation => "in documentation",
            Self::Text => "in a text",
            Self::OtherFile => "in a file that a macro may read",
            Self::NewCode => "new code, whose name does not resolve",
        }
    }
}

impl Proof {
    /// The outcome in a few words.
    pub fn headline(&self) -> String {
        match self.look_at.len() {
            0 => "proven".to_owned(),
            1 => "1 place to look at".to_owned(),
            n => format!("{n} places to look at"),
        }
    }
}
