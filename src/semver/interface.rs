//! The public interface of a package, as data.

use std::collections::{BTreeMap, BTreeSet};

use asof_model::NodeKind;

/// What users of a package can name.
#[derive(Debug, Clone, Default)]
pub struct Interface {
    /// By public path and namespace (`t`, `v` or `m`).
    pub items: BTreeMap<(String, char), Declaration>,
    /// Traits of the workspace that users cannot name: impls of them are no part of the interface.
    pub private_traits: BTreeSet<String>,
}

/// A declaration with everything that matters to users.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Declaration {
    pub name: String,
    /// None for the item of another crate.
    pub kind: Option<NodeKind>,
    pub is_public: bool,
    /// The head in one line.
    pub signature: String,
    pub attrs: Vec<String>,
    pub cfg: String,
    pub file_path: String,
    pub line: Option<u32>,
    /// Of an item of a trait: whether it has a default.
    pub has_default: bool,
    /// Fields, variants, items of a trait; public items of inherent impls.
    pub members: Vec<Declaration>,
    /// Headers of the impls of traits for a type.
    pub impls: BTreeSet<String>,
}

impl Declaration {
    pub(super) fn has_attr(&self, name: &str) -> bool {
        self.attrs.iter().any(|attr| attr.contains(name))
    }

    pub(super) fn is_non_exhaustive(&self) -> bool {
        self.has_attr("non_exhaustive")
    }

    /// Whether it has `#[doc(hidden)]`, and so is no part of the interface.
    pub fn is_hidden(&self) -> bool {
        let of_doc =
            self.attrs.iter().filter_map(|attr| attr.split_once("doc")).map(|(_, list)| list);
        let mut words = of_doc.flat_map(|list| list.split(['(', ',', ')', ']']));
        words.any(|word| word.trim() == "hidden")
    }

    /// As users see it: hidden members are private.
    #[must_use]
    pub fn shown(mut self) -> Self {
        self.is_public &= !self.is_hidden();
        self
    }

    /// The symbol that the linker sees, if an attribute says so.
    pub(super) fn symbol(&self) -> Option<String> {
        let exported = self.attrs.iter().find_map(|attr| attr.split_once("export_name"));
        let exported = exported.and_then(|(_, rest)| rest.split('"').nth(1));
        let own = self.has_attr("no_mangle").then_some(self.name.as_str());
        exported.or(own).map(str::to_owned)
    }

    /// The features of the processor that it needs.
    pub(super) fn target_features(&self) -> BTreeSet<String> {
        let lists = self.attrs.iter().filter(|attr| attr.contains("target_feature"));
        let quoted = lists.flat_map(|attr| attr.split('"').skip(1).step_by(2));
        let names = quoted.flat_map(|list| list.split(','));
        names.map(|name| name.trim().to_owned()).collect()
    }

    /// Names of the derived traits.
    pub(super) fn derives(&self) -> BTreeSet<String> {
        let lists = self.attrs.iter().filter_map(|attr| attr.split_once("derive"));
        let lists = lists.filter_map(|(_, list)| list.split_once('('));
        let names = lists.flat_map(|(_, list)| list.split([',', ')', ']']));
        let names = names.map(|name| name.rsplit("::").next().unwrap_or(name).trim().to_owned());
        names.filter(|name| !name.is_empty()).collect()
    }

    /// The arguments of `#[repr]`, sorted.
    pub(super) fn repr(&self) -> BTreeSet<String> {
        let lists = self.attrs.iter().filter_map(|attr| attr.split_once("repr"));
        let lists = lists.filter_map(|(_, list)| list.split_once('('));
        let words = lists.flat_map(|(_, list)| list.split([',', ')', ']']));
        words.map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
    }
}
