//! Messages of an index. Each is encoded by itself: one after the other they are the whole index, so
//! none of it but the present file is in memory.

use prost::Message;

use super::messages::{self as types, DEFINITION, IMPORT, TEST};
use asof_model::NodeKind;

/// `TextEncoding.UTF8`, `PositionEncoding.UTF8CodeUnitOffsetFromLineStart`.
const UTF_8: i32 = 1;

/// Start and end of a range: line and column in bytes, both from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub start: [u32; 2],
    pub end: [u32; 2],
}

/// An item that a file defines.
#[derive(Debug, Clone, Default)]
pub struct Definition {
    pub symbol: String,
    /// Its name.
    pub name_place: Place,
    /// All of it.
    pub place: Place,
    pub kind: Option<NodeKind>,
    pub name: String,
    pub signature: String,
    pub docs: String,
    /// Symbols of the items of traits that it implements.
    pub implements: Vec<String>,
    pub in_test: bool,
}

/// A name that means a symbol.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    pub place: Place,
    pub symbol: String,
    pub is_import: bool,
}

/// A file with what it defines and uses.
#[derive(Debug, Clone, Default)]
pub struct Document {
    pub path: String,
    /// Hash of the file's bytes, as its program writes it.
    pub text_hash: String,
    pub definitions: Vec<Definition>,
    pub references: Vec<Reference>,
}

/// A symbol that no file of the index defines.
#[derive(Debug, Clone)]
pub struct External {
    pub symbol: String,
    pub name: String,
}

/// What comes first in an index. `root`: URI of the folder that paths are relative to.
pub fn metadata(root: &str) -> Vec<u8> {
    let tool =
        types::ToolInfo { name: "asof".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() };
    let metadata = types::Metadata {
        tool_info: Some(tool),
        project_root: root.to_owned(),
        text_document_encoding: UTF_8,
    };
    encode(types::Index { metadata: Some(metadata), ..types::Index::default() })
}

/// A file.
pub fn document(given: Document) -> Vec<u8> {
    let mut occurrences = Vec::new();
    let mut symbols = Vec::new();
    for definition in given.definitions {
        let roles = DEFINITION + if definition.in_test { TEST } else { 0 };
        occurrences.push(types::Occurrence {
            enclosing_range: range(definition.place),
            ..occurrence(definition.name_place, &definition.symbol, roles)
        });
        symbols.push(information(definition));
    }
    for reference in given.references {
        let roles = if reference.is_import { IMPORT } else { 0 };
        occurrences.push(occurrence(reference.place, &reference.symbol, roles));
    }
    occurrences.sort_by(|a, b| (&a.range, &a.symbol).cmp(&(&b.range, &b.symbol)));
    // Definitions under different `cfg`s share a symbol: what is said of it once is enough.
    symbols.sort_by(|a: &types::SymbolInformation, b| a.symbol.cmp(&b.symbol));
    symbols.dedup_by(|a, b| a.symbol == b.symbol);
    let document = types::Document {
        language: "rust".to_owned(),
        relative_path: given.path,
        occurrences,
        symbols,
        position_encoding: UTF_8,
        text_hash: given.text_hash,
    };
    encode(types::Index { documents: vec![document], ..types::Index::default() })
}

/// The symbols that are defined elsewhere.
pub fn externals(given: impl IntoIterator<Item = External>) -> Vec<u8> {
    let external = |one: External| types::SymbolInformation {
        symbol: one.symbol,
        display_name: one.name,
        ..types::SymbolInformation::default()
    };
    let external_symbols = given.into_iter().map(external).collect();
    encode(types::Index { external_symbols, ..types::Index::default() })
}

fn encode(index: types::Index) -> Vec<u8> {
    index.encode_to_vec()
}

fn occurrence(place: Place, symbol: &str, roles: i32) -> types::Occurrence {
    types::Occurrence {
        range: range(place),
        symbol: symbol.to_owned(),
        symbol_roles: roles,
        ..types::Occurrence::default()
    }
}

/// Three numbers if it is within a line, else four.
fn range(Place { start, end }: Place) -> Vec<i32> {
    let mut numbers = start.to_vec();
    if start[0] != end[0] {
        numbers.push(end[0]);
    }
    numbers.push(end[1]);
    numbers.into_iter().map(|number| i32::try_from(number).unwrap_or(i32::MAX)).collect()
}

fn information(definition: Definition) -> types::SymbolInformation {
    let signature = types::Signature { language: "rust".to_owned(), text: definition.signature };
    let implements = definition
        .implements
        .into_iter()
        .map(|symbol| types::Relationship { symbol, is_implementation: true });
    types::SymbolInformation {
        symbol: definition.symbol,
        documentation: Some(definition.docs).into_iter().filter(|docs| !docs.is_empty()).collect(),
        relationships: implements.collect(),
        kind: definition.kind.map_or(0, kind),
        display_name: definition.name,
        signature_documentation: Some(signature),
    }
}

/// `SymbolInformation.Kind`.
fn kind(kind: NodeKind) -> i32 {
    match kind {
        NodeKind::Function => 17,
        NodeKind::Method => 26,
        NodeKind::Struct => 49,
        NodeKind::Enum => 11,
        NodeKind::Variant => 12,
        NodeKind::Field => 15,
        NodeKind::Module => 29,
        NodeKind::Trait => 53,
        NodeKind::TypeAlias => 55,
        NodeKind::AssocType => 3,
        NodeKind::Const | NodeKind::AssocConst => 8,
        NodeKind::Static => 82,
        NodeKind::Macro => 25,
        NodeKind::Union => 59,
        _ => 0,
    }
}
