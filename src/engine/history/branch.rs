//! Commits of merged branches. An import follows first parents, so what a branch changed belongs to
//! the revision of the merge. Here the other parents are read from the repository: of each commit
//! only the file of the item, from the merge back to where the branch began.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_item_tracking::ItemState;
use asof_model::{ItemFacts, NodeKind, OrNever, TrackingHash};
use asof_query::Queries;
use asof_store::Store;
use asof_syntax::code_tokens;
use asof_wire::BranchCommit;
use asof_workspace::{Commits, Git, SourceTree, WorkspaceError, content_id_of, read_from};

/// Maximum number of commits that are read for one change.
const MAX_COMMITS: usize = 10_000;
/// Maximum number of files that are searched for an item whose file is new.
const MAX_FILES: usize = 100;

/// The commits of a repository, and the items in their files. Only what the first merge needs is
/// read before there is one.
pub(super) struct Branches<'s> {
    store: &'s Store,
    git: Git,
    commits: Commits,
    /// Commits that have a revision, once read.
    imported: Option<BTreeSet<String>>,
    /// The first object that could not be read.
    problem: Option<String>,
    parents: BTreeMap<String, Rc<[String]>>,
    /// By path and content.
    files: BTreeMap<(String, Vec<u8>), Rc<[Entry]>>,
}

/// An item of a file.
#[derive(Clone)]
struct Entry {
    /// Kind, name and `cfg` of the item and of those around it, outermost first.
    names: Vec<(NodeKind, String, String)>,
    tracking_hash: TrackingHash,
    /// Hash of its own tokens, without nested items.
    own: TrackingHash,
}

/// Where an item is in a commit.
#[derive(Clone)]
struct Place {
    file: String,
    names: Vec<(NodeKind, String, String)>,
    /// Number among items of the same names.
    nth: usize,
}

impl<'s> Branches<'s> {
    /// The repository around the workspace; `None` without one.
    pub(super) fn load(snapshot: &'s Snapshot<'_>) -> Result<Option<Self>, EngineError> {
        let Some(root) = &snapshot.database.root else { return Ok(None) };
        let Some(git) = Git::find(root)? else { return Ok(None) };
        Ok(Some(Self {
            store: snapshot.store(),
            commits: Commits::new(&git, root)?,
            git,
            imported: None,
            problem: None,
            parents: BTreeMap::new(),
            files: BTreeMap::new(),
        }))
    }

    /// The commits of merged branches that changed an item, newest first, at most `most`. `merge`:
    /// the commit of the revision that changed it; `item`: its state there. Empty if that is not a
    /// merge, or if the merge itself made the change. What cannot be read is a [`Self::problem`].
    ///
    /// # Errors
    /// The store failed.
    pub(super) fn changes(
        &mut self,
        merge: &str,
        item: &ItemState,
        most: usize,
    ) -> Result<Vec<BranchCommit>, EngineError> {
        let found = match self.parents(merge) {
            Ok(parents) => match &*parents {
                [main, branches @ ..] if !branches.is_empty() => {
                    let imported = match self.imported.take() {
                        Some(imported) => imported,
                        None => {
                            let rows = Queries::git_commits(self.store)?.into_iter();
                            rows.map(|row| row.hash).collect()
                        }
                    };
                    let found = self.merged(merge, main, branches, item, most, &imported);
                    self.imported = Some(imported);
                    found
                }
                _ => Ok(Vec::new()),
            },
            Err(error) => Err(error),
        };
        Ok(self.or_noted(found))
    }

    /// [`Self::changes`] of a merge of branches into a main line.
    fn merged(
        &mut self,
        merge: &str,
        main: &str,
        branches: &[String],
        item: &ItemState,
        most: usize,
        imported: &BTreeSet<String>,
    ) -> Result<Vec<BranchCommit>, WorkspaceError> {
        let mut found = Vec::new();
        let Some((mut place, mut own)) = self.place_of(merge, item)? else { return Ok(found) };
        let before = self.own(main, &place)?;
        if before == Some(own) {
            return Ok(found);
        }
        let mut at = merge.to_owned();
        for _ in 0..MAX_COMMITS {
            let parents: Vec<String> =
                if at == merge { branches.to_vec() } else { self.parents(&at)?.to_vec() };
            let mut earlier = None;
            let mut same = None;
            for parent in &parents {
                match self.own(parent, &place)? {
                    Some(hash) if hash == own => same = Some(parent.clone()),
                    Some(hash) => earlier = earlier.or(Some((parent.clone(), hash))),
                    None => {}
                }
            }
            if same.is_none()
                && earlier.is_none()
                && let Some((parent, from)) = self.moved_from(&at, &parents, &place, own)?
            {
                same = Some(parent);
                place = from;
            }
            if let Some(parent) = same {
                if imported.contains(&parent) {
                    break;
                }
                at = parent;
                continue;
            }
            if at != merge {
                found.push(self.commit(&at)?);
            }
            match earlier {
                Some((parent, hash))
                    if found.len() < most
                        && before != Some(hash)
                        && !imported.contains(&parent) =>
                {
                    (at, own) = (parent, hash);
                }
                _ => break,
            }
        }
        Ok(found)
    }

    /// Whether the newest commit has no item with these tokens in this file.
    pub(super) fn is_uncommitted(&mut self, item: &ItemState) -> bool {
        let head = self.git.hash_of("HEAD");
        let place = head.and_then(|head| head.map(|head| self.place_of(&head, item)).transpose());
        matches!(self.or_noted(place), Some(None))
    }

    /// Why something could not be read, if so.
    pub(super) fn problem(self) -> Option<String> {
        self.problem
    }

    fn or_noted<T: Default>(&mut self, found: Result<T, WorkspaceError>) -> T {
        found.unwrap_or_else(|error| {
            self.problem.get_or_insert_with(|| error.to_string());
            T::default()
        })
    }

    fn commit(&self, hash: &str) -> Result<BranchCommit, WorkspaceError> {
        let (commit, _) = self.git.commit_with_parents(hash)?;
        let at = jiff::Timestamp::from_second(commit.authored).ok();
        Ok(BranchCommit {
            actor: commit.author,
            message: commit.message.lines().next().unwrap_or_default().to_owned(),
            at: at.map(|at| at.to_string()),
            commit: commit.hash,
        })
    }

    fn parents(&mut self, commit: &str) -> Result<Rc<[String]>, WorkspaceError> {
        if let Some(known) = self.parents.get(commit) {
            return Ok(Rc::clone(known));
        }
        let parents: Rc<[String]> = self.git.commit_with_parents(commit)?.1.into();
        self.parents.insert(commit.to_owned(), Rc::clone(&parents));
        Ok(parents)
    }

    /// The items of a file in a commit; none if it is not there.
    fn items(&mut self, commit: &str, file: &str) -> Result<Rc<[Entry]>, WorkspaceError> {
        let tree = self.commits.tree(commit)?;
        let content = content_id_of(&tree, file);
        tree.check()?;
        let Some(content) = content else { return Ok(Rc::new([])) };
        let key = (file.to_owned(), content);
        if let Some(known) = self.files.get(&key) {
            return Ok(Rc::clone(known));
        }
        let bytes = read_from(&tree, file, asof_syntax::MAX_FILE_BYTES as u64).unwrap_or_default();
        tree.check()?;
        let entries: Rc<[Entry]> = entries(&asof_syntax::parse_file(file, &bytes).items).into();
        self.files.insert(key, Rc::clone(&entries));
        Ok(entries)
    }

    /// The place of an item in a commit, and the hash of its own tokens.
    fn place_of(
        &mut self,
        commit: &str,
        item: &ItemState,
    ) -> Result<Option<(Place, TrackingHash)>, WorkspaceError> {
        let entries = self.items(commit, &item.file_path)?;
        let is_it = |entry: &&Entry| {
            let last = entry.names.last();
            let named = last.is_some_and(|(kind, name, cfg)| {
                (*kind, name, cfg) == (item.kind, &item.name, &item.cfg)
            });
            // The module of a file has the name that it is declared with.
            let is_file = item.kind == NodeKind::Module && entry.names.is_empty();
            (named || is_file) && entry.tracking_hash == item.tracking_hash
        };
        let Some(entry) = entries.iter().find(is_it) else { return Ok(None) };
        let same = entries.iter().filter(|other| other.names == entry.names);
        let nth = same.take_while(|other| !std::ptr::eq(*other, entry)).count();
        let file = item.file_path.clone();
        Ok(Some((Place { file, names: entry.names.clone(), nth }, entry.own)))
    }

    /// Hash of the own tokens of the item at a place.
    fn own(&mut self, commit: &str, place: &Place) -> Result<Option<TrackingHash>, WorkspaceError> {
        let entries = self.items(commit, &place.file)?;
        let found = entries.iter().filter(|entry| entry.names == place.names).nth(place.nth);
        Ok(found.map(|entry| entry.own))
    }

    /// The place of an item before a commit that created its file.
    fn moved_from(
        &mut self,
        commit: &str,
        parents: &[String],
        place: &Place,
        own: TrackingHash,
    ) -> Result<Option<(String, Place)>, WorkspaceError> {
        for parent in parents {
            if !self.items(parent, &place.file)?.is_empty() {
                continue;
            }
            let after = self.contents(commit)?;
            let mut before = self.contents(parent)?;
            before.retain(|file, content| after.get(file) != Some(content));
            for file in before.into_keys().take(MAX_FILES) {
                let entries = self.items(parent, &file)?;
                let last = place.names.last();
                let mut same = entries.iter().filter(|e| e.names.last() == last && e.own == own);
                if let (Some(entry), None) = (same.next(), same.next()) {
                    let twins = entries.iter().filter(|other| other.names == entry.names);
                    let nth = twins.take_while(|other| !std::ptr::eq(*other, entry)).count();
                    let from = Place { file, names: entry.names.clone(), nth };
                    return Ok(Some((parent.clone(), from)));
                }
            }
        }
        Ok(None)
    }

    /// The Rust files of a commit with what identifies their contents.
    fn contents(&self, commit: &str) -> Result<BTreeMap<String, Option<Vec<u8>>>, WorkspaceError> {
        let tree = self.commits.tree(commit)?;
        let walk = asof_workspace::walk_tree(&tree)?;
        tree.check()?;
        let files = walk.files.into_iter().map(|file| file.path);
        Ok(files.map(|path| (path.clone(), content_id_of(&tree, &path))).collect())
    }
}

fn entries(items: &[ItemFacts]) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let mut names = Vec::new();
        if at > 0 {
            let above = found.get(item.parent as usize).map(|parent| parent.names.clone());
            names = above.or_never("an item comes after its parent");
            names.push((item.kind, item.name.clone(), item.cfg.clone()));
        }
        found.push(Entry { names, tracking_hash: item.tracking_hash, own: own_hash(item) });
    }
    found
}

/// Hash of the tokens of an item without those of nested items.
fn own_hash(item: &ItemFacts) -> TrackingHash {
    let Some((_, text)) = &item.text else { return item.tracking_hash };
    let text = String::from_utf8_lossy(text);
    let mut own = item.docs.clone();
    for token in code_tokens(&text) {
        own.push('\0');
        own.push_str(token.text);
    }
    TrackingHash::hash(own.as_bytes())
}
