//! Items that macro calls expand to.

use serde::{Deserialize, Serialize};

use super::facts::{Attr, FileFacts, GenericParam, ItemFacts, Param};
use super::hash::{ShapeHash, TrackingHash};
use super::item_tree::TreeItem;
use super::span::Span;

/// An item that a call of a macro makes. Made items of a file are numbered after those of its text; a
/// parent comes before its children.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeItem {
    /// As name resolution sees it. Its parent is the call, or another made item.
    pub item: TreeItem,
    /// As in [`ItemFacts`], as the macro writes it.
    pub signature: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attrs: Vec<String>,
    /// Name, kind and bounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generics: Vec<(String, String, String)>,
    /// Name and type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<(String, String)>,
    pub tracking_hash: TrackingHash,
    pub shape_hash: ShapeHash,
}

impl MadeItem {
    /// An item of what a call expands to.
    pub fn new(facts: &ItemFacts, item: TreeItem) -> Self {
        let generics = facts.generics.iter();
        MadeItem {
            item,
            signature: facts.signature.clone(),
            docs: facts.docs.clone(),
            attrs: facts.attrs.iter().map(|attr| attr.text.clone()).collect(),
            generics: generics
                .map(|g| (g.name.clone(), g.kind.to_owned(), g.bounds.clone()))
                .collect(),
            params: facts.params.iter().map(|p| (p.name.clone(), p.ty.clone())).collect(),
            tracking_hash: facts.tracking_hash,
            shape_hash: facts.shape_hash,
        }
    }

    /// Its facts: it is where the call is.
    fn facts(&self, call: &ItemFacts) -> ItemFacts {
        let item = &self.item;
        let span = Span::default();
        let kind = |kind: &str| match kind {
            "lifetime" => "lifetime",
            "const" => "const",
            _ => "type",
        };
        let generics = self.generics.iter();
        ItemFacts {
            kind: item.kind,
            name: item.name.clone(),
            parent: item.parent,
            in_body: item.in_body,
            block: item.block,
            visibility: item.visibility.clone(),
            signature: self.signature.clone(),
            docs: self.docs.clone(),
            cfg: item.cfg.clone(),
            attrs: self.attrs.iter().map(|text| Attr { text: text.clone(), span }).collect(),
            marks_test: item.marks_test,
            generics: generics
                .map(|(name, of, bounds)| GenericParam {
                    name: name.clone(),
                    kind: kind(of),
                    bounds: bounds.clone(),
                    span,
                })
                .collect(),
            params: self
                .params
                .iter()
                .map(|(name, ty)| Param { name: name.clone(), ty: ty.clone(), span })
                .collect(),
            span: call.span,
            start_column: call.start_column,
            name_start: call.name_start,
            name_line: call.name_line,
            tracking_hash: self.tracking_hash,
            shape_hash: self.shape_hash,
            text: None,
            metrics: None,
            header: item.header.clone(),
            sig: item.sig.clone(),
            made: true,
        }
    }
}

impl FileFacts {
    /// These facts with the items that calls make.
    pub fn with_made(&self, made: &[MadeItem]) -> FileFacts {
        let mut all = self.clone();
        for one in made {
            // A made item has the place of the call.
            if let Some(call) = all.items.get(one.item.parent as usize) {
                let facts = one.facts(call);
                all.items.push(facts);
            }
        }
        all
    }
}
