//! A new name for a parameter or variable of a function, or for a type or lifetime parameter of an item.

use std::collections::BTreeMap;

use crate::database::Snapshot;
use crate::edit::choose::{self, Target};
use crate::edit::edit_target::{Refactored, Resolved};
use crate::edit::target::{self, Files, Halt, Loaded};
use asof_edit::{EditError, Splice, line_of};
use asof_index::ReplacedKind;
use asof_model::NodeKind;
use asof_refactor::{
    LocalName, NewName, Role, Writer, first_difference, generic_names, has_generic, local_names,
};
use asof_wire::{Doubt, PlaceToLookAt};

/// Uses in tokens that only a macro understands have this confidence: most macros take expressions.
const IN_TOKENS: f64 = 0.9;

/// The splices of a rename within one item.
pub(super) fn rename(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    target: Target<'_>,
    to: &str,
    local: &str,
    number: usize,
) -> Result<Resolved, Halt> {
    let refuse = |reason: String| EditError::CannotRename {
        path: format!("{local} of {}", target.path),
        to: Some(to.to_owned()),
        reason,
    };
    let is_lifetime = local.starts_with('\'');
    let new = if is_lifetime { NewName::parse_lifetime(to) } else { NewName::parse(to) };
    let new = new.map_err(|error| refuse(error.to_string()))?;
    let local = local.strip_prefix("r#").unwrap_or(local);
    if local == new.bare {
        return Err(EditError::NoChange.into());
    }
    let item = choose::item(snapshot, files, target)?;
    files.load(snapshot, &item.file_path)?;
    let index = target::index_of(snapshot, files, &item)?;
    let Some(loaded) = files.get(&item.file_path) else {
        return Err(Halt::Again { file_path: item.file_path });
    };
    let start = item.span.start_byte;
    let own = slice(loaded, start, item.span.end_byte);
    let is_function = matches!(item.kind, NodeKind::Function | NodeKind::Method);
    let renamed = Renamed { loaded, start, own, old: local, new: &new, number };
    let mut look_at = Vec::new();
    let splices = if index != 0 && has_generic(own, local) {
        if !generic_names(own, &new.bare).is_empty() {
            let reason = format!("the item uses `{}` already", new.bare);
            return Err(refuse(reason).into());
        }
        renamed.generics()
    } else if is_function {
        let names = local_names(own).ok_or_else(|| refuse("it does not parse".to_owned()))?;
        renamed.variables(&names, &mut look_at, &refuse)?
    } else {
        Vec::new()
    };
    if splices.is_empty() {
        let what = if is_function { "parameter or variable" } else { "type or lifetime parameter" };
        return Err(refuse(format!("it has no {what} of this name")).into());
    }
    for place in &mut look_at {
        place.file_path.clone_from(&item.file_path);
    }
    let file_path = item.file_path.clone();
    let elsewhere = [(file_path.clone(), splices)].into();
    let refactored = Refactored { look_at, elsewhere, ..Refactored::new(ReplacedKind::Name) };
    Ok(Resolved::of_refactored(item, file_path, vec![local.to_owned()], refactored))
}

fn slice(loaded: &Loaded, start: u32, end: u32) -> &str {
    loaded.text.get(start as usize..end as usize).unwrap_or_default()
}

/// A name within an item.
struct Renamed<'a> {
    loaded: &'a Loaded,
    /// Where the item begins, and its text.
    start: u32,
    own: &'a str,
    old: &'a str,
    new: &'a NewName,
    /// The number of the edit.
    number: usize,
}

impl Renamed<'_> {
    /// Every place of a type or lifetime parameter.
    fn generics(&self) -> Vec<Splice> {
        let Renamed { loaded, start, own, old, new, number } = *self;
        let places = generic_names(own, old).into_iter().map(|at| start + at);
        let writer = Writer::new(&loaded.text, &loaded.facts.uses);
        let one = |at: u32| {
            if old.starts_with('\'') {
                Some((at, at + old.len() as u32, new.written.clone()))
            } else {
                let found = writer.rewrite(at, old, new, Role::Other)?;
                Some((found.start, found.end, found.text))
            }
        };
        let splice = |(start, end, text)| Splice { start, end, text, edit: number };
        places.filter_map(one).map(splice).collect()
    }

    /// Every place of the variables of a name; refused if a name would mean another variable.
    fn variables(
        &self,
        names: &[LocalName],
        look_at: &mut Vec<PlaceToLookAt>,
        refuse: &dyn Fn(String) -> EditError,
    ) -> Result<Vec<Splice>, EditError> {
        let Renamed { loaded, start, own, old, new, number } = *self;
        let writer = Writer::new(&loaded.text, &loaded.facts.uses);
        let mine = names.iter().filter(|one| one.name == old && one.binding.is_some());
        let mut found = BTreeMap::new();
        for one in mine {
            let byte = start + one.at;
            let Some(new_text) = writer.rewrite(byte, old, new, Role::Other) else { continue };
            if new_text.in_literal && new.written.starts_with("r#") {
                return Err(refuse("a format string captures it, and takes no `r#`".to_owned()));
            }
            if !one.certain {
                look_at.push(PlaceToLookAt {
                    file_path: String::new(),
                    line: line_of(&loaded.text, byte),
                    byte,
                    reason: Doubt::Tokens,
                    confidence: IN_TOKENS,
                    rewritten: true,
                });
            }
            let (from, to) = (new_text.start, new_text.end);
            let splice = Splice { start: from, end: to, text: new_text.text, edit: number };
            found.insert((from, to), splice);
        }
        let splices: Vec<Splice> = found.into_values().collect();
        let mut within: Vec<Splice> = splices
            .iter()
            .map(|one| Splice { start: one.start - start, end: one.end - start, ..one.clone() })
            .collect();
        let (text, _) = asof_edit::compose(&loaded.facts.path, own, &mut within)?;
        let after = local_names(&text).unwrap_or_default();
        if let Some(other) = first_difference(names, &after) {
            let lines = text.get(..other.at as usize).unwrap_or_default().matches('\n').count();
            let above = loaded.text.get(..start as usize).unwrap_or_default().matches('\n').count();
            let (path, line) = (&loaded.facts.path, above + lines + 1);
            let place = format!("{path}:{line}: `{}` would mean another variable", other.name);
            return Err(EditError::ChangesMeaning { places: vec![place] });
        }
        Ok(splices)
    }
}
