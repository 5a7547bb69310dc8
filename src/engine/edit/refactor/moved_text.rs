//! Collects the texts that edits move to other places.

use std::collections::BTreeMap;

use crate::edit::edit_target::{CarriedText, Resolved};
use crate::edit::use_warnings::ChangedFile;
use asof_edit::Splice;
use asof_index::{Carried, Replaced, ReplacedKind};

/// The texts that the edits carry. `replaced`: by file, in the order of the splices.
pub(super) fn places<'a>(
    resolved: &'a [Resolved],
    changed: &[ChangedFile],
    replaced: &BTreeMap<&str, Vec<Replaced>>,
) -> Vec<Carried<'a>> {
    let edits = resolved.iter().enumerate();
    let all = edits.filter_map(|(number, one)| Some((number, one.refactored.as_deref()?)));
    let carried = all.flat_map(|(number, one)| {
        one.carried.iter().filter_map(move |text| {
            if let Some(created) = one.created.get(&text.to) {
                return Some(carry(text, created.find(&text.text)? as u32, resolved));
            }
            let file = changed.iter().find(|file| file.file_path == text.to)?;
            let places = replaced.get(text.to.as_str())?;
            let (start, offset) = file.splices.iter().zip(places).find_map(|(splice, place)| {
                let own = splice.edit == number && splice.start == text.at;
                let offset = splice.text.find(&text.text).filter(|_| own)?;
                Some((place.after.0, offset as u32))
            })?;
            Some(carry(text, start + offset, resolved))
        })
    });
    carried.collect()
}

fn carry<'a>(text: &'a CarriedText, start: u32, resolved: &[Resolved]) -> Carried<'a> {
    let (path, from, to) = (text.from.0.as_str(), text.from.1, text.from.2);
    // The first entry says where the text begins.
    let kind = ReplacedKind::Code;
    let mut replaced = vec![Replaced { before: (from, from), after: (start, start), kind }];
    let mut shift = i64::from(start) - i64::from(from);
    for Splice { start, end, text, edit } in &text.replaced {
        // Another edit of the request may rename something in it.
        let refactored = resolved.get(*edit).and_then(|one| one.refactored.as_deref());
        let kind = refactored.map_or(kind, |one| one.kind);
        let at = (i64::from(*start) + shift) as u32;
        let after = (at, at + text.len() as u32);
        replaced.push(Replaced { before: (*start, *end), after, kind });
        shift += text.len() as i64 - i64::from(end - start);
    }
    Carried {
        from: (path, from, to),
        to: (&text.to, start, (i64::from(to) + shift) as u32),
        replaced,
    }
}
