//! Whether a refusal says the truth: something that the files held while the edit was at work
//! must bear it out. One that nothing bears out is a false refusal.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use asof::EngineError;
use asof_edit::EditError;
use asof_edit::files::FilesError;
use asof_index::IndexError;
use asof_model::RawHash;

use super::content::Content;
use super::items::Parsed;
use super::requests::{Case, Expect, Seen};

/// Attempts of the program before it says that files change too fast.
const ATTEMPTS: usize = 8;

/// Texts that were parsed before.
#[derive(Default)]
pub struct Cache(HashMap<RawHash, Option<Rc<Parsed>>>);

impl Cache {
    pub fn parse(&mut self, bytes: &[u8]) -> Option<Rc<Parsed>> {
        if self.0.len() > 4_000 {
            self.0.clear();
        }
        let parse = || Parsed::parse(bytes).map(Rc::new);
        self.0.entry(RawHash::hash(bytes)).or_insert_with(parse).clone()
    }
}

/// What happened around an edit.
pub struct Around<'a> {
    pub cases: &'a [Case],
    pub planned: &'a BTreeMap<String, Seen>,
    /// Everything that each path held meanwhile.
    pub states: &'a BTreeMap<String, Vec<Content>>,
    /// Changes by the other process.
    pub events: usize,
    /// Whether some of them were made while the edit was at work.
    pub during: bool,
}

impl Around<'_> {
    fn states(&self, path: &str) -> &[Content] {
        self.states.get(path).map_or(&[], Vec::as_slice)
    }

    fn odd(&self, path: &str) -> bool {
        self.states(path).iter().any(|state| match state.bytes() {
            Some(bytes) => std::str::from_utf8(bytes).is_err(),
            None => true,
        })
    }

    /// Whether the target of an edit was not always as it was planned.
    fn changed(&self, cache: &mut Cache, case: &Case) -> bool {
        let Some(planned) = self.planned.get(&case.path) else {
            return self.states(&case.path).len() > 1;
        };
        let Some(was) = planned.parsed.as_deref() else { return true };
        let key = match &case.expect {
            // The innermost item around the bytes is what counts.
            Expect::Splice { keys, .. } => match keys.first() {
                Some(key) => key.as_str(),
                None => return self.states(&case.path).len() > 1,
            },
            Expect::Create { .. } | Expect::Remove | Expect::Rename { .. } => {
                return self.states(&case.path).len() > 1;
            }
            _ => case.key().unwrap_or_default(),
        };
        let Some(item) = was.item(key) else { return true };
        let old = planned.bytes.get(item.range.clone());
        self.states(&case.path).iter().any(|state| {
            let Some(bytes) = state.bytes() else { return true };
            let Some(parsed) = cache.parse(bytes) else { return true };
            let Some(now) = parsed.item(key) else { return true };
            let by_name = matches!(case.expect, Expect::Insert { .. });
            !by_name && bytes.get(now.range.clone()) != old
        })
    }

    /// Whether the tree of modules was not always the same.
    fn moved_modules(&self, cache: &mut Cache) -> bool {
        self.states.iter().any(|(path, states)| {
            let planned = self.planned.get(path).and_then(|seen| seen.parsed.clone());
            path.ends_with(".rs")
                && states.len() > 1
                && states.iter().any(|state| {
                    let now = state.bytes().and_then(|bytes| cache.parse(bytes));
                    match (&planned, now) {
                        (Some(a), Some(b)) => a.declared != b.declared,
                        _ => true,
                    }
                })
        })
    }

    /// Whether a file that is edited did not parse at some time.
    fn broken(&self, cache: &mut Cache) -> bool {
        self.cases.iter().any(|case| {
            let mut texts = self.states(&case.path).iter().filter_map(Content::bytes);
            texts.any(|bytes| cache.parse(bytes).is_none())
        })
    }

    /// Whether the name of an item stood twice in its file, ever.
    fn twice(&self, cache: &mut Cache, case: &Case) -> bool {
        let key = case.key().unwrap_or_default();
        let name = key.rsplit('/').next().unwrap_or_default();
        // Impls of one type have one path.
        !case.with_file
            || name.starts_with("impl ")
            || self.states(&case.path).iter().any(|state| {
                let parsed = state.bytes().and_then(|bytes| cache.parse(bytes));
                let named = |p: &Parsed| p.items.iter().filter(|i| i.name == name).count();
                // Those in bodies and macros too.
                let text = String::from_utf8_lossy(state.bytes().unwrap_or_default());
                let words: Vec<&str> =
                    text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
                let defines = |pair: &[&str]| {
                    pair.last() == Some(&name)
                        && [
                            "const", "static", "fn", "struct", "enum", "type", "mod", "trait",
                            "union",
                        ]
                        .contains(&pair[0])
                };
                let defined = words.windows(2).filter(|pair| defines(pair)).count();
                parsed.is_none_or(|p| named(&p) > 1) || defined > 1
            })
    }

    /// Whether a splice really has a result that does not parse, or cuts items.
    fn breaks(&self, case: &Case) -> bool {
        let Expect::Splice { range, replacement, .. } = &case.expect else { return false };
        let results = self.states(&case.path).iter().filter_map(Content::bytes).map(|bytes| {
            let mut new = bytes.to_vec();
            if range.end > new.len() {
                return true;
            }
            new.splice(range.clone(), replacement.bytes());
            Parsed::parse(&new).is_none()
        });
        results.fold(false, |any, broken| any | broken) || case.bad
    }

    /// The class of a true refusal; none for a false one.
    pub fn class(&self, cache: &mut Cache, error: &EngineError) -> Option<&'static str> {
        let edits = || self.cases.iter();
        let changed = |cache: &mut Cache| self.cases.iter().any(|case| self.changed(cache, case));
        let bad = edits().any(|case| case.bad);
        let yes = |holds: bool, class| holds.then_some(class);
        match error {
            EngineError::Edit(error) => match error.cause() {
                EditError::Stale(stale) if stale.reason.contains("again and again") => {
                    yes(self.during && self.events >= ATTEMPTS, "changing too fast")
                }
                EditError::Stale(stale) if stale.reason.contains("the item never had") => {
                    let wrong = edits().any(|case| case.guarded == Some(false));
                    yes(wrong || changed(cache), "another hash")
                }
                EditError::Stale(_) => {
                    let holds = changed(cache) || self.moved_modules(cache);
                    yes(holds, "stale")
                }
                EditError::DoesNotParse { .. } => {
                    yes(bad || edits().any(|case| self.breaks(case)), "does not parse")
                }
                EditError::ChangesOthers { .. } => {
                    yes(bad || edits().any(|case| self.breaks(case)), "changes others")
                }
                EditError::NoPart { .. } | EditError::NoChildren { .. } => {
                    yes(self.broken(cache), "not whole")
                }
                EditError::WrongKind { .. } => yes(bad, "wrong kind"),
                EditError::EmptyCode { .. } => yes(bad, "empty code"),
                EditError::Overlap { .. } | EditError::Conflict { .. } => {
                    yes(self.overlaps(), "overlap")
                }
                EditError::NotIndexed { file_path } | EditError::NoFile { file_path } => {
                    let left = self.during && self.moved_modules(cache);
                    yes(self.odd(file_path) || left, "file is gone")
                }
                EditError::FileExists { .. } => {
                    let there = edits().any(|case| match &case.expect {
                        Expect::Create { .. } => self.planned.contains_key(&case.path),
                        Expect::Rename { to } => self.planned.contains_key(to),
                        _ => false,
                    });
                    yes(there, "file exists")
                }
                EditError::NoChange => {
                    let same = |case: &Case| match &case.expect {
                        Expect::Splice { range, replacement, .. } => {
                            let held = self.planned.get(&case.path);
                            let held = held.and_then(|seen| seen.bytes.get(range.clone()));
                            held == Some(replacement.as_bytes())
                        }
                        _ => false,
                    };
                    yes(edits().all(same), "no change")
                }
                EditError::Files(FilesError::Refused { .. }) => yes(self.links(), "symbolic link"),
                EditError::Files(FilesError::Conflict { .. }) => {
                    yes(self.during && self.events > 0, "conflict")
                }
                _ => None,
            },
            EngineError::NotFound { .. } => {
                let gone = changed(cache) || self.moved_modules(cache);
                yes(gone || edits().any(|case| !case.with_file), "not found")
            }
            EngineError::Ambiguous { .. } => {
                yes(edits().any(|case| self.twice(cache, case)), "ambiguous")
            }
            EngineError::Index(IndexError::Unstable { .. }) => {
                yes(self.during && self.events >= ATTEMPTS, "changing too fast")
            }
            EngineError::Io { .. } => {
                let odd = self.cases.iter().any(|case| self.odd(&case.path));
                yes(odd, "file is gone")
            }
            _ => None,
        }
    }

    fn links(&self) -> bool {
        let link = |state: &Content| matches!(state, Content::Link(_) | Content::Folder);
        self.states.values().flatten().any(link)
    }

    fn overlaps(&self) -> bool {
        let pairs = self
            .cases
            .iter()
            .enumerate()
            .flat_map(|(at, a)| self.cases.iter().skip(at + 1).map(move |b| (a, b)));
        pairs.into_iter().any(|(a, b)| {
            let to = |case: &Case| match &case.expect {
                Expect::Rename { to } => Some(to.clone()),
                _ => None,
            };
            let same = a.path == b.path
                || to(a).as_ref() == Some(&b.path)
                || to(b) == Some(a.path.clone());
            // What goes in or out takes blanks and comments beside it.
            let wide = |case: &Case| match &case.expect {
                Expect::Insert { .. } | Expect::Delete { .. } => 120,
                _ => 0,
            };
            let room = wide(a) + wide(b);
            same && a.range.start <= b.range.end.saturating_add(room)
                && b.range.start <= a.range.end.saturating_add(room)
        })
    }
}
