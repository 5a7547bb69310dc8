//! What a normal form does not show.

use std::collections::BTreeSet;

use asof_model::NodeId;

/// What there is in an item that equal normal forms prove nothing about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Names of which the meaning depends on what is in scope, as far as resolution does not say.
    pub unsure: BTreeSet<UnsureName>,
    /// Calls of macros that may read the text of their tokens, in order.
    pub macros: Vec<MacroText>,
    /// Names of items, fields and variants that are defined in it, in order.
    pub defines: Vec<Box<str>>,
    /// Macros of the workspace that are called.
    pub calls: BTreeSet<NodeId>,
    /// Macros and functions that tell where the code is, or how a type is called.
    pub places: BTreeSet<Box<str>>,
    /// Macros that read files named relative to the source.
    pub files: BTreeSet<Box<str>>,
    /// Words that may be names, whatever they mean.
    pub words: BTreeSet<Box<str>>,
    /// Whether it calls a method with a dot.
    pub calls_methods: bool,
    /// Names that it binds, in the order of their first places.
    pub locals: Vec<Box<str>>,
    /// Names in tokens of macros and in texts, which may be variables that are captured there.
    pub captures: BTreeSet<Box<str>>,
    /// Texts of its attributes, without documentation.
    pub attributes: Vec<Box<str>>,
}

/// A name that is not resolved with certainty.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnsureName {
    pub name: Box<str>,
    /// Whether it follows a dot, or `::`.
    pub is_member: bool,
}

impl Facts {
    /// Adds those of another part of the item.
    pub(super) fn append(&mut self, other: Self) {
        let Self { unsure, macros, defines, places, files, calls_methods, .. } = other;
        self.unsure.extend(unsure);
        self.macros.extend(macros);
        self.defines.extend(defines);
        self.places.extend(places);
        self.files.extend(files);
        self.calls_methods |= calls_methods;
        self.calls.extend(other.calls);
        self.words.extend(other.words);
        self.locals.extend(other.locals);
        self.captures.extend(other.captures);
        self.attributes.extend(other.attributes);
    }

    /// The first name that may be captured, and is that of other variables than in another form.
    pub fn captured_otherwise<'f>(&'f self, other: &'f Self) -> Option<&'f str> {
        let places = |facts: &Self, name: &str| -> Vec<usize> {
            let named = facts.locals.iter().enumerate().filter(|(_, local)| &***local == name);
            named.map(|(place, _)| place).collect()
        };
        let mut all = self.captures.union(&other.captures).map(|name| &**name);
        all.find(|name| places(self, name) != places(other, name))
    }
}

/// The tokens of a macro call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MacroText {
    pub name: Box<str>,
    pub tokens: Vec<Box<str>>,
}
