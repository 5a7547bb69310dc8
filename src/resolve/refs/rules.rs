//! The rules that find references, and the confidence of each.
//!
//! Confidence is measured on workspaces with independent reference answers: of the tens of
//! thousands of places where a rule named a target, the share that agrees with the reference,
//! rounded to whole percent. Fields of tuples are left out, since the reference does not have them.
//! Rules that guess are set lower than measured if there were fewer than a hundred places.
//! `benches/scip_diff.py` prints the share of each rule against a SCIP index, and
//! `docs/confidence.md` has them. Not measured are `template`, since such an index is silent in the
//! rules of macros, and `conversion`, of which it has the library's function. Of `outside` and
//! `unscoped`, the share is of names of types and methods that agree.

/// Raised when references of the same texts differ: databases are then resolved again.
pub(super) const RULES: u32 = 13;

/// Which rule found a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Rule {
    /// A path followed segment by segment through scopes and imports.
    Path,
    /// An item of an impl without a trait, or a field, of a type that is known.
    Member,
    /// An item of a trait's impl for a type that is known.
    TraitImpl,
    /// An item of a trait that a type is known to implement, or that bounds it.
    Bound,
    /// An item of an impl that implements that of its trait.
    Header,
    /// A path in what a macro expands to, read where the macro is defined.
    Template,
    /// The projection of a pinned struct: the call that the struct is in stands for it.
    Expansion,
    /// An item of a type that the expansion of a macro among expressions gave.
    Expanded,
    /// Several impls of a type have the item, and not all arguments of the type are known; several
    /// traits in scope have it; or a name in a macro call is that of a type and of a function.
    Ambiguous,
    /// An item of a trait that the type has, which no import that is known brings into scope.
    Unscoped,
    /// The receiver's type is of a dependency, whose items are not known here.
    Outside,
    /// The same, and its only argument has the method: most such types dereference to it.
    Wrapped,
    /// The receiver is not known, only one item of the workspace has this name as a method or field, and
    /// the declarations of all dependencies are known.
    OnlyCandidate,
    /// The receiver is not known, and few have a method or field of this name.
    Candidate,
    /// The same with a name that types of the standard library have.
    CommonCandidate,
    /// A conversion that the standard library makes: of the error by `?`, by `into`, `parse`,
    /// `collect`, `to_string`.
    Conversion,
    /// Nothing was found.
    Nothing,
}

impl Rule {
    /// The stored form.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Rule::Path => "path",
            Rule::Member => "member",
            Rule::TraitImpl => "trait_impl",
            Rule::Bound => "bound",
            Rule::Header => "header",
            Rule::Template => "template",
            Rule::Expansion => "expansion",
            Rule::Expanded => "expanded",
            Rule::Ambiguous => "ambiguous",
            Rule::Unscoped => "unscoped",
            Rule::Outside => "outside",
            Rule::Wrapped => "wrapped",
            Rule::OnlyCandidate => "only_candidate",
            Rule::Candidate => "candidate",
            Rule::CommonCandidate => "common_candidate",
            Rule::Conversion => "conversion",
            Rule::Nothing => "unresolved",
        }
    }

    /// In percent, when `several` targets are possible.
    pub(super) fn confidence(self, several: usize) -> u8 {
        match self {
            Rule::Path
            | Rule::Member
            | Rule::TraitImpl
            | Rule::Bound
            | Rule::Header
            | Rule::Expansion => 100,
            Rule::Expanded => 97,
            Rule::Template | Rule::Conversion => 90,
            Rule::Ambiguous => (100 / several.max(1)) as u8,
            Rule::Unscoped => 50,
            Rule::Outside | Rule::OnlyCandidate => 85,
            Rule::Wrapped => 80,
            Rule::Candidate if several <= 1 => 10,
            Rule::Candidate => 4,
            Rule::CommonCandidate => 1,
            Rule::Nothing => 0,
        }
    }
}
