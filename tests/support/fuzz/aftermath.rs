//! After a request: it is taken back, sometimes; and a workspace that is too broken is mended.

use std::collections::BTreeMap;
use std::fs;

use asof::{EditOptions, EngineError};
use asof_edit::EditError;
use asof_edit::files::FilesError;
use asof_wire::EditSummary;

use super::chain::{self, Step};
use super::content::{Content, Job, Tree, scan};
use super::session::{Session, is_conflict};
use super::table::{Fault, count};

impl Session<'_> {
    /// Takes an applied request back, sometimes in company.
    pub(super) fn undo(&mut self, summary: &EditSummary, before: &Tree, alone: bool) {
        let id = summary.proposal_id.clone().unwrap();
        let paths: Vec<String> = summary.files.iter().map(|f| f.file_path.clone()).collect();
        let sort = self.rng.below(4);
        let job = Job {
            root: self.root.to_str().unwrap().to_owned(),
            outside: self.outside.to_str().unwrap().to_owned(),
            seed: self.rng.next(),
            files: paths.iter().map(|path| (path.clone(), Vec::new())).collect(),
            delays: vec![if sort == 2 { self.rng.below(self.usual as usize) as u32 } else { 0 }],
            gentle: self.rng.below(2) == 0,
        };
        let first = self.now.clone();
        let mut events = Vec::new();
        if sort >= 2 {
            self.wire.send_job(&job).unwrap();
        }
        if sort == 3 {
            events.extend(self.wire.take_events().unwrap());
        }
        let result = self.database.undo_edit(Some(&id), &EditOptions::default());
        if sort == 2 {
            events.extend(self.wire.take_events().unwrap());
        }
        self.now = scan(&self.root);
        let steps: BTreeMap<String, Step> = match &result {
            Ok(undone) => {
                let back = undone.files.iter();
                back.map(|f| (f.file_path.clone(), (f.before_hash, f.after_hash))).collect()
            }
            Err(_) => BTreeMap::new(),
        };
        let conflict = is_conflict(result.as_ref().err());
        let (_, lost) = self.explain(&first, &events, &steps, conflict);
        for path in lost {
            let found = (first.get(&path), self.now.get(&path), &events);
            self.fault(Fault::Undo, format!("{path}: {:?}, {found:?}", result.as_ref().err()));
        }
        let name = match &result {
            Ok(_) => "undone".to_owned(),
            Err(EngineError::Edit(EditError::CannotUndo { .. })) => {
                "refused: files changed".to_owned()
            }
            Err(EngineError::Edit(EditError::Files(FilesError::Refused { .. }))) => {
                "refused: symbolic link".to_owned()
            }
            Err(EngineError::Edit(EditError::Files(FilesError::Conflict { .. }))) => {
                "refused: conflict".to_owned()
            }
            Err(error) => format!("refused: {error}"),
        };
        // The file may have been as it is before the edit came, and then nobody changed it since.
        let differs = summary.files.iter().any(|file| {
            let content = first.get(&file.file_path).cloned().unwrap_or(Content::Gone);
            !chain::is(&content, file.after_hash)
        });
        if result.is_err() && events.is_empty() && !differs {
            self.fault(Fault::Undo, format!("refused though nothing had changed: {name}"));
        }
        if result.is_ok() && alone && events.is_empty() && self.now != *before {
            self.fault(Fault::Undo, format!("other bytes than before: {paths:?}"));
        }
        count(&mut self.table.undone, &name, 1);
    }

    /// Mends what is too broken to go on with: most of the time a workspace is well.
    pub(super) fn heal(&mut self) {
        let mut wanted: Vec<(String, Content)> = Vec::new();
        for (path, content) in &self.pristine {
            let now = self.now.get(path);
            let ill = match now.and_then(Content::bytes) {
                None => true,
                Some(bytes) if path.ends_with(".rs") => {
                    let parses = self.cache.parse(bytes).is_some();
                    let was = content.bytes().is_some_and(|b| self.cache.parse(b).is_some());
                    was && !parses
                        || bytes.len() > 4 * content.bytes().map_or(0, <[u8]>::len) + 20_000
                }
                Some(_) => false,
            };
            if ill && self.rng.below(5) != 0 || self.rng.below(400) == 0 {
                wanted.push((path.clone(), content.clone()));
            }
        }
        for (path, content) in wanted {
            let full = self.root.join(&path);
            let _ = fs::remove_file(&full);
            fs::create_dir_all(full.parent().unwrap()).unwrap();
            if let Content::Bytes(bytes) = &content {
                fs::write(&full, bytes).unwrap();
                self.now.insert(path, content);
            }
        }
        let made: Vec<String> = self.now.keys().filter(|p| p.contains("fz_")).cloned().collect();
        if made.len() > 12 {
            for path in made {
                let _ = fs::remove_file(self.root.join(&path));
                self.now.remove(&path);
            }
        }
    }
}
