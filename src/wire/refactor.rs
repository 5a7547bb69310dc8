//! The proof of a change of every use of an item, and the places to look at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A change of a function's signature. Parameters are named by their names, by their places without
/// `self` (`0` is the first), or by the text of their patterns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SignatureChange {
    /// A new parameter.
    #[serde(rename_all = "snake_case")]
    Add {
        /// Its name.
        name: String,
        /// Its type.
        #[serde(rename = "type")]
        ty: String,
        /// The expression that each call passes.
        value: String,
        /// The parameter that it comes before; the last place if null.
        #[serde(default)]
        before: Option<String>,
    },
    /// The parameter goes; its argument is dropped at each call.
    Remove(String),
    /// A parameter gets another name.
    Rename {
        /// The name that it has.
        from: String,
        /// The new name.
        to: String,
    },
    /// A parameter gets another type.
    Retype {
        /// The parameter.
        name: String,
        /// Its new type.
        #[serde(rename = "type")]
        ty: String,
    },
    /// Every parameter without `self`, in the new order.
    Order(Vec<String>),
    /// The type that is returned; nothing if null.
    Returns(Option<String>),
    /// Whether it is `async`.
    Async(bool),
    /// Whether it is `unsafe`.
    Unsafe(bool),
    /// Whether it is `const`.
    Const(bool),
}

/// What the new texts mean, compared with the old ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proof {
    /// Whether every name is known to mean what it meant: no place is left to look at.
    pub proven: bool,
    /// Number of places that are rewritten, the definition included.
    pub rewritten: usize,
    /// Number of uses whose meanings before and after were compared.
    pub compared: usize,
    /// Number of files that these are in.
    pub files: usize,
    /// Places that nothing is certain about, by file and line.
    pub look_at: Vec<PlaceToLookAt>,
    /// What had to be shown, and what showed it. It is proven if none has open places.
    #[serde(default)]
    pub obligations: Vec<Discharge>,
}

/// An obligation of a proof.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Discharge {
    /// What had to be shown.
    pub obligation: Obligation,
    /// Number of places, names or files that were checked.
    pub checked: usize,
    /// Number of places that are left to look at.
    pub open: usize,
}

asof_model::named! {
    /// What must hold for a change of every use of an item to change nothing else.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Obligation {
        /// Every use that resolves means the same item before and after.
        Meaning => "every use means the same item",
        /// Every place where the old name is written is rewritten, or means something else.
        Names => "every place that has the old name is accounted for",
        /// Macros expand to what they expanded to.
        Macros => "macro calls expand to the same meaning",
        /// Files that the code reads, and those that it is in, are the same.
        Files => "paths of files lead to the same files",
        /// Cargo finds the same targets.
        Targets => "Cargo finds the same targets",
        /// No method or trait becomes a second candidate of a call.
        Candidates => "no call has a second candidate",
        /// What only the outside calls stays.
        EntryPoints => "entry points and impls stay",
        /// Discriminants, positions and derived code stay.
        Layout => "discriminants, positions and derived code stay",
        /// Links and the code of examples.
        Documentation => "documentation resolves as before",
        /// Arguments and values of calls keep their types, their order and their effects.
        Calls => "calls fit the signature, and evaluate the same",
    }
}

/// A place of which something is not known.
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

asof_model::named! {
    /// Why a place is not certain.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Doubt {
        /// A receiver of unknown type has a member of this name.
        UnknownReceiver => "the type of the receiver is not known",
        /// A name in tokens that are not read: of a macro, or of an attribute.
        Tokens => "in tokens that are not read as code",
        /// A name in the rules of a macro.
        MacroRules => "in the rules of a macro",
        /// A name that a macro's expansion gives its meaning.
        Expansion => "by the expansion of a macro",
        /// Several items may be meant.
        Ambiguous => "several items may be meant",
        /// The path does not resolve.
        Unresolved => "the path does not resolve",
        /// The file does not parse.
        Unparsed => "in a file that does not parse",
        /// The file is of no target.
        NoTarget => "in a file that no target has",
        /// A call on a receiver of unknown type, which may mean the item under its new name.
        NewName => "may mean the item under its new name",
        /// Prose or code in documentation.
        Documentation => "in documentation",
        /// A text in quotes.
        Text => "in a text",
        /// A name in new code, which does not resolve.
        NewCode => "new code, whose name does not resolve",
        /// A file of another language that a macro may read: a template, a query.
        OtherFile => "in a file that a macro may read",
        /// The function is used as a value.
        Value => "used as a value, not called",
        /// An attribute may depend on the signature.
        Attribute => "an attribute may depend on the signature",
        /// A call has another number of arguments, or some with attributes.
        Arguments => "the arguments do not correspond to the parameters",
        /// An argument with an effect is no longer evaluated, or in another order.
        Evaluation => "an argument with an effect is no longer evaluated, or in another order",
        /// A type parameter may no longer be inferred from the arguments.
        Inference => "a type parameter may no longer be inferred",
        /// A value has another type than before.
        Retyped => "a value has another type than before",
        /// A type is written in another way than in the function that was named.
        OtherType => "the type is written in another way",
        /// No code around the call can wait for it.
        NotAsync => "no code around the call can wait for it",
        /// The function waits for itself.
        Recursion => "the function waits for itself",
        /// A trait with an async function, which cannot be used as `dyn`.
        AsyncTrait => "a trait with an async function is not for `dyn`",
        /// Nothing waits for the call directly.
        NotAwaited => "nothing waits for the call directly",
        /// The call is in an unsafe block now.
        Unsafe => "in an unsafe block now, which needs a safety argument",
        /// The body was that of an unsafe function.
        WasUnsafe => "the body may need unsafe blocks now",
        /// Something is evaluated at compile time.
        Const => "evaluated at compile time",
        /// The rules of a macro match the word, or define or name something of this name.
        MacroWord => "the rules of a macro match, define or use this word",
        /// The rules of a macro name something where it is called.
        MacroNames => "the rules of a macro name something else there",
        /// The rules of a macro are not known.
        UnknownMacro => "a macro whose rules are not known",
        /// A file is named relative to the text, which moves.
        RelativeFile => "names a file relative to the source file",
        /// A text in quotes names a file that moves.
        FileName => "names a file that moves",
        /// A call for which a trait, a blanket impl or a type of the standard library has a method, too.
        SecondCandidate => "another trait may have an item of this name",
        /// Something from outside calls it, or it is an impl for other types.
        EntryPoint => "something outside of the code may use it",
        /// Discriminants, positions, or what is derived, depend on it.
        Layout => "discriminants, positions or derived code depend on it",
    }
}

impl Doubt {
    /// The obligation that is open where this is the reason.
    pub fn obligation(self) -> Obligation {
        match self {
            Self::UnknownReceiver
            | Self::Ambiguous
            | Self::Unresolved
            | Self::NewName
            | Self::NewCode => Obligation::Meaning,
            Self::Tokens
            | Self::MacroRules
            | Self::Unparsed
            | Self::NoTarget
            | Self::Text
            | Self::OtherFile => Obligation::Names,
            Self::Expansion | Self::MacroWord | Self::MacroNames | Self::UnknownMacro => {
                Obligation::Macros
            }
            Self::RelativeFile | Self::FileName => Obligation::Files,
            Self::SecondCandidate => Obligation::Candidates,
            Self::EntryPoint => Obligation::EntryPoints,
            Self::Layout => Obligation::Layout,
            Self::Documentation => Obligation::Documentation,
            Self::Value
            | Self::Attribute
            | Self::Arguments
            | Self::Evaluation
            | Self::Inference
            | Self::Retyped
            | Self::OtherType
            | Self::NotAsync
            | Self::Recursion
            | Self::AsyncTrait
            | Self::NotAwaited
            | Self::Unsafe
            | Self::WasUnsafe
            | Self::Const => Obligation::Calls,
        }
    }
}

impl PlaceToLookAt {
    /// Whether the code may no longer compile there: it stays as it is, and may need the change.
    pub fn may_break(&self) -> bool {
        !self.rewritten
            && matches!(
                self.reason,
                Doubt::UnknownReceiver
                    | Doubt::Ambiguous
                    | Doubt::Unresolved
                    | Doubt::Unparsed
                    | Doubt::Tokens
                    | Doubt::MacroRules
                    | Doubt::Expansion
                    | Doubt::NewCode
                    | Doubt::Value
                    | Doubt::Arguments
                    | Doubt::NotAsync
                    | Doubt::Inference
                    | Doubt::Retyped
            )
    }
}

impl Proof {
    /// The places where the code may no longer compile, then the others.
    pub fn split_by_risk(&self) -> [Vec<&PlaceToLookAt>; 2] {
        let (risky, others) = self.look_at.iter().partition(|place| place.may_break());
        [risky, others]
    }

    /// The outcome in a few words.
    pub fn headline(&self) -> String {
        match self.look_at.len() {
            0 => "proven".to_owned(),
            1 => "1 place to look at".to_owned(),
            n => format!("{n} places to look at"),
        }
    }
}
