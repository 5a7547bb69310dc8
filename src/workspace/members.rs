//! Members of a workspace: folders that a manifest names, by patterns or without. A pattern
//! does not follow links, so it can neither leave the root nor find a folder twice, and the number
//! of folders that all patterns together may look at is limited.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use globset::{GlobBuilder, GlobSet};

use super::ignore_files::is_tame;
use super::paths;
use super::tree::{Kind, SourceTree, file_at, within};

/// Members that all manifests may name together.
const MAX_MEMBERS: usize = 50_000;
/// Names of folders that patterns may be compared with.
const MAX_COMPARED: usize = 2_000_000;
/// Entries of folders that may be listed for them.
const MAX_LISTED: usize = 1_000_000;
/// Different patterns between two separators.
const MAX_PATTERNS: usize = 2_000;

/// Expands members. Keeps caches and the budget from one call to the next.
pub(super) struct Members<'t> {
    tree: &'t dyn SourceTree,
    /// Names of the folders within a folder.
    subfolders: HashMap<String, Rc<Vec<String>>>,
    /// By pattern; `None` for text that is not a pattern.
    matchers: HashMap<String, Option<Rc<GlobSet>>>,
    members: usize,
    compared: usize,
    listed: usize,
}

/// A budget is used up.
struct Spent(String);

impl<'t> Members<'t> {
    pub(super) fn new(tree: &'t dyn SourceTree) -> Self {
        Self {
            tree,
            subfolders: HashMap::new(),
            matchers: HashMap::new(),
            members: 0,
            compared: 0,
            listed: 0,
        }
    }

    /// Adds the folders that `members` of the manifest in `dir` mean to `out`; returns what is
    /// wrong with them. A member without wildcards must be there; `**` is matched against the walk
    /// only.
    pub(super) fn expand<'m>(
        &mut self,
        dir: &str,
        members: impl Iterator<Item = &'m str>,
        out: &mut BTreeSet<String>,
    ) -> Vec<String> {
        let mut problems = Vec::new();
        for member in members {
            match self.member(dir, member, out) {
                Ok(problem) => problems.extend(problem),
                Err(Spent(over)) => {
                    problems.push(format!(
                        "members from `{}` on are not looked for: {over}; packages that are not \
                         ignored are found without",
                        shortened(member)
                    ));
                    break;
                }
            }
        }
        problems
    }

    fn member(
        &mut self,
        dir: &str,
        member: &str,
        out: &mut BTreeSet<String>,
    ) -> Result<Option<String>, Spent> {
        spend(&mut self.members, 1, MAX_MEMBERS, "members")?;
        if !has_wildcard(member) {
            let found = paths::join(dir, member)
                .filter(|dir| file_at(self.tree, &paths::manifest_of(dir)).is_some());
            let missing = || format!("member `{}` has no manifest", shortened(member));
            return Ok(match found {
                Some(found) => {
                    out.insert(found);
                    None
                }
                None => Some(missing()),
            });
        }
        let mut dirs = vec![dir.to_owned()];
        for part in member.split('/').filter(|part| !part.is_empty()) {
            if !has_wildcard(part) {
                dirs = dirs.iter().filter_map(|dir| self.step(dir, part)).collect();
                continue;
            }
            let Some(matcher) = self.matcher(part)? else {
                return Ok(Some(format!("member `{}` is not a valid pattern", shortened(member))));
            };
            let mut next = Vec::new();
            for dir in dirs {
                let names = self.subfolders(&dir)?;
                spend(&mut self.compared, names.len(), MAX_COMPARED, "folders compared")?;
                let matching = names.iter().filter(|name| matcher.is_match(name.as_str()));
                next.extend(matching.map(|name| within(&dir, name)));
            }
            dirs = next;
        }
        spend(&mut self.compared, dirs.len(), MAX_COMPARED, "folders compared")?;
        // Only a plain file counts as the manifest, so that nothing is found twice.
        out.extend(dirs.into_iter().filter(|dir| {
            self.tree.look(&paths::manifest_of(dir)).is_some_and(|kind| kind == Kind::File)
        }));
        Ok(None)
    }

    /// A part without wildcards, from a folder that was reached without links.
    fn step(&self, dir: &str, part: &str) -> Option<String> {
        match part {
            "." => Some(dir.to_owned()),
            ".." => (!dir.is_empty()).then(|| paths::parent(dir).to_owned()),
            part => Some(within(dir, part)).filter(|to| self.tree.look(to) == Some(Kind::Folder)),
        }
    }

    fn matcher(&mut self, part: &str) -> Result<Option<Rc<GlobSet>>, Spent> {
        if let Some(known) = self.matchers.get(part) {
            return Ok(known.clone());
        }
        let mut used = self.matchers.len();
        spend(&mut used, 1, MAX_PATTERNS, "different patterns")?;
        let glob = if is_tame(part) {
            GlobBuilder::new(part).literal_separator(true).build().ok()
        } else {
            None
        };
        // A set of one: a single pattern panics if it is too large for the matcher.
        let matcher = glob.and_then(|glob| GlobSet::new([glob]).ok()).map(Rc::new);
        self.matchers.insert(part.to_owned(), matcher.clone());
        Ok(matcher)
    }

    fn subfolders(&mut self, dir: &str) -> Result<Rc<Vec<String>>, Spent> {
        if let Some(known) = self.subfolders.get(dir) {
            return Ok(Rc::clone(known));
        }
        // If it cannot be read, the walk reports that, if it gets there.
        let entries = self.tree.list(dir).unwrap_or_default();
        spend(&mut self.listed, entries.len(), MAX_LISTED, "entries of folders")?;
        let folders = entries.into_iter().filter(|e| e.is_utf8 && e.kind == Kind::Folder);
        let names: Rc<Vec<String>> = Rc::new(folders.map(|entry| entry.name).collect());
        self.subfolders.insert(dir.to_owned(), Rc::clone(&names));
        Ok(names)
    }
}

fn spend(used: &mut usize, more: usize, most: usize, what: &str) -> Result<(), Spent> {
    *used = used.saturating_add(more);
    if *used <= most { Ok(()) } else { Err(Spent(format!("there are more than {most} {what}"))) }
}

fn has_wildcard(part: &str) -> bool {
    part.contains(['*', '?', '['])
}

/// The beginning of a text that may be very long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
