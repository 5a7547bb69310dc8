//! Questions about code, in parsed form.

use asof_model::{NodeKind, OrNever};

/// A question, as far as it can be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// Lines of text.
    Pattern(TextPattern),
    /// Facts about items.
    Structural(Structural),
    /// An explanation, which cannot be checked.
    Semantic,
    /// None of the questions that can be checked.
    Unreadable,
}

/// A text search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPattern {
    pub pattern: String,
    pub regex: bool,
    /// Whether a number is asked for.
    pub count: bool,
    /// What is counted: matches (`occurrences`), lines, or unsaid.
    pub counted: super::lines::Counted,
    /// Whether all matches are asked for.
    pub complete: bool,
    /// Only whole words are meant, or perhaps.
    pub words: bool,
    pub ignore_case: bool,
    /// Only comments are meant.
    pub comments: bool,
    /// Only Rust code is meant.
    pub rust: bool,
    /// Only in this file, folder, crate, module or item.
    pub place: Option<String>,
    /// The moment that the question names.
    pub moment: Option<String>,
}

/// A question about items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structural {
    pub ask: Ask,
    /// The item or module it is about; empty if it is about the workspace.
    pub subject: String,
    /// Kind of the subject, if the question names it.
    pub kind: Option<NodeKind>,
    /// The second item: of `Calls`, `Implements`, `Has`, `Returns`, `Is` and `SinceCalls`.
    pub other: Option<String>,
    /// The file, module, crate or type that the subject is in.
    pub place: Option<String>,
    /// Whether only public entries are asked for.
    pub public: bool,
    /// What `Has` asks about; of `Methods`, whether functions without `self` are asked for.
    pub member: Option<Member>,
    /// Whether a number is asked for.
    pub count: bool,
    /// Only in this file.
    pub file: Option<String>,
    /// The moment that the question names.
    pub moment: Option<String>,
}

impl Structural {
    /// The second item of a question that has one.
    pub fn other(&self) -> &str {
        self.other.as_deref().or_never("the phrase of such a question names a second item")
    }
}

/// A kind of member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Member {
    Field,
    Variant,
    Method,
    /// A function without `self`.
    Function,
    Parameter,
}

/// What is asked about an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    Signature,
    Parameters,
    ReturnType,
    /// The type of a field, constant or static; `other` is the field's name if the subject has it.
    TypeOf,
    /// Whether it returns a type.
    Returns,
    /// Whether it has a member of a name.
    Has,
    /// Whether it is of a kind, or has a qualifier.
    Is,
    Fields,
    Variants,
    Methods,
    /// Types that implement a trait.
    Implementors,
    /// Traits that a type implements.
    Traits,
    /// Whether a type implements a trait.
    Implements,
    Callers,
    Callees,
    /// Items that use it.
    Users,
    /// Whether anything uses it.
    IsUsed,
    IsUnused,
    /// Whether one item calls another.
    Calls,
    CallsItself,
    IsPublic,
    IsPrivate,
    /// What a module exports.
    Exports,
    /// The items of these kinds, in a file, module or the workspace.
    Items(&'static [NodeKind]),
    /// Where it is defined.
    Place,
    /// When it changed.
    Changed(Change),
    /// Since when one item calls another.
    SinceCalls,
}

/// Which change is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Any of its changes.
    Any,
    /// The last one.
    Last,
    /// The one that added it.
    Added,
    /// The one that removed it.
    Removed,
}

impl Ask {
    /// Whether the answer is yes or no.
    pub fn is_yes_or_no(self) -> bool {
        matches!(
            self,
            Self::Implements
                | Self::IsUsed
                | Self::IsUnused
                | Self::Calls
                | Self::CallsItself
                | Self::Has
                | Self::Is
                | Self::Returns
                | Self::IsPublic
                | Self::IsPrivate
        )
    }

    /// Whether only the subject's own text decides the answer.
    pub fn is_local(self) -> bool {
        matches!(
            self,
            Self::Signature
                | Self::Parameters
                | Self::ReturnType
                | Self::Fields
                | Self::Variants
                | Self::Callees
                | Self::Calls
                | Self::CallsItself
                | Self::Returns
                | Self::TypeOf
                | Self::Is
                | Self::Place
        )
    }
}
