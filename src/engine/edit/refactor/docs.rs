//! Finds uses in documentation: links, and the code of examples.

use std::collections::BTreeSet;

use super::group::Group;
use super::paths::Paths;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::NodeKind;
use asof_refactor::{DocPlace, doc_names};

/// A name in documentation, and how certain it is that it means the item.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DocUse {
    pub file_path: String,
    pub byte: u32,
    pub confidence: f64,
    pub place: DocPlace,
    /// Whether it is in a `use` declaration.
    pub imported: bool,
}

/// Members in the code of an example that names their type have this confidence.
const MEMBER: f64 = 0.5;

/// The places of documentation that name an item of a group.
pub(super) fn uses(
    snapshot: &Snapshot<'_>,
    group: &Group,
    name: &str,
) -> Result<Vec<DocUse>, EngineError> {
    let root = snapshot.database.need_root()?;
    let mut paths = Paths::new(snapshot);
    let mut found = Vec::new();
    let kind = group.items.first().map(|item| item.kind);
    let is_member = matches!(
        kind,
        Some(
            NodeKind::Method
                | NodeKind::Field
                | NodeKind::Variant
                | NodeKind::AssocConst
                | NodeKind::AssocType
        )
    );
    let owners = owners(snapshot, group)?;
    for path in snapshot.file_paths()? {
        let bytes = asof_workspace::read_file(root, &path, asof_syntax::MAX_FILE_BYTES as u64).ok();
        let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
        if !text.contains(name) {
            continue;
        }
        let names = doc_names(&text, name);
        let mut imported = BTreeSet::new();
        for one in &names {
            let qualified = one.path.contains("::");
            // A path of one segment means no member.
            let means =
                (qualified || !is_member) && paths.mean(&path, one.at, &one.path, &group.ids)?;
            if one.place == DocPlace::Code && one.imported && means {
                imported.insert(one.block);
            }
            let confidence = match one.place {
                DocPlace::Link if means => 1.0,
                DocPlace::Code if means && qualified => 1.0,
                DocPlace::Code if !qualified && imported.contains(&one.block) => 1.0,
                DocPlace::Code if is_member && names_owner(&text, one.block, &owners) => MEMBER,
                _ => continue,
            };
            found.push(DocUse {
                file_path: path.clone(),
                byte: one.at,
                confidence,
                place: one.place,
                imported: one.imported,
            });
        }
    }
    Ok(found)
}

/// Names of the types and traits that the items of a group belong to.
fn owners(snapshot: &Snapshot<'_>, group: &Group) -> Result<BTreeSet<String>, EngineError> {
    let parents: Vec<_> = group.items.iter().filter_map(|item| item.parent_id).collect();
    let mut names = BTreeSet::new();
    for parent in snapshot.items(&parents)? {
        let path = parent.path.unwrap_or_default();
        let text = if parent.name.is_empty() { path.as_str() } else { parent.name.as_str() };
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let types = words.filter(|word| word.starts_with(char::is_uppercase) && word.len() > 1);
        names.extend(types.map(str::to_owned));
    }
    Ok(names)
}

/// Whether the block of code that begins at a byte has one of these names.
fn names_owner(text: &str, block: u32, owners: &BTreeSet<String>) -> bool {
    let rest = text.get(block as usize..).unwrap_or_default();
    let open = rest.find("```").map_or(0, |at| at + 3);
    let len = rest.get(open..).and_then(|rest| rest.find("```")).unwrap_or_default();
    let code = rest.get(..open + len).unwrap_or_default();
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| owners.contains(word))
}
