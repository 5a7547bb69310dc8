//! What is changed, and what is to be looked at.

use std::collections::BTreeMap;

use crate::edit::edit_target::{CarriedText, Refactored};
use crate::edit::target::Files;
use asof_edit::Splice;
use asof_index::ReplacedKind;
use asof_refactor::{Cut, Flat, flatten};
use asof_wire::{Doubt, PlaceToLookAt};

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// By file.
    cuts: BTreeMap<String, Vec<Cut>>,
    /// Declarations and calls that change.
    places: usize,
    look_at: Vec<PlaceToLookAt>,
    pub warnings: Vec<String>,
}

impl Found {
    /// A declaration or call that changes.
    pub(super) fn change(&mut self, path: &str, cuts: Vec<Cut>) {
        if !cuts.is_empty() {
            self.places += 1;
            self.cuts.entry(path.to_owned()).or_default().extend(cuts);
        }
    }

    pub(super) fn look_at(
        &mut self,
        path: &str,
        byte: u32,
        line: u32,
        reason: Doubt,
        confidence: f64,
        rewritten: bool,
    ) {
        let file_path = path.to_owned();
        self.look_at.push(PlaceToLookAt { file_path, line, byte, reason, confidence, rewritten });
    }

    /// The splices of an edit of this number.
    pub(super) fn refactored(self, files: &Files, number: usize) -> Refactored {
        let mut out = Refactored::new(ReplacedKind::Code);
        (out.places, out.look_at, out.warnings) = (Some(self.places), self.look_at, self.warnings);
        for (path, cuts) in self.cuts {
            let Some(loaded) = files.get(&path) else { continue };
            let flat = flatten(&loaded.text, &cuts);
            for one in &flat {
                let Some((from, replaced)) = &one.carried else { continue };
                out.carried.push(CarriedText {
                    from: (path.clone(), from.0, from.1),
                    replaced: splices(replaced.clone(), number),
                    to: path.clone(),
                    at: one.start,
                    text: one.text.clone(),
                });
            }
            out.elsewhere.insert(path, splices(flat, number));
        }
        out
    }
}

fn splices(flat: Vec<Flat>, edit: usize) -> Vec<Splice> {
    let splice = |one: Flat| Splice { start: one.start, end: one.end, text: one.text, edit };
    flat.into_iter().map(splice).collect()
}
