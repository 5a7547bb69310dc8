//! How an edit names an item: by path alone where that suffices.

use asof_edit::{CanonicalEdit, DeleteEdit, Edit, InsertEdit, Part, Position};
use asof_model::NodeKind;

use crate::tree::{Place, Tree};

/// What an edit says of its item.
#[derive(Debug, Clone, Default)]
pub struct Address {
    pub path: String,
    pub kind: Option<NodeKind>,
    pub file_path: Option<String>,
    pub has: Option<String>,
}

impl Address {
    pub fn canonical(&self, part: Part, find: Option<String>, code: String) -> Edit {
        let Address { path, kind, file_path, has } = self.clone();
        Edit::Canonical(CanonicalEdit {
            file_path,
            path,
            kind,
            part,
            has,
            find,
            all: false,
            code,
            expected_tracking_hash: None,
        })
    }

    pub fn delete(&self) -> Edit {
        let Address { path, kind, file_path, has } = self.clone();
        let (uses, expected_tracking_hash) = (None, None);
        Edit::Delete(DeleteEdit {
            path,
            file_path,
            kind,
            has,
            uses,
            with_guesses: false,
            empty_modules: false,
            expected_tracking_hash,
        })
    }

    pub fn insert(&self, position: Position, code: String) -> Edit {
        let Address { path: anchor, kind, file_path, has } = self.clone();
        Edit::Insert(InsertEdit { anchor, position, code, file_path, kind, has })
    }
}

/// The shortest way to name an item; none if there is no way.
pub fn address(tree: &Tree, place: &Place) -> Option<Address> {
    let file = tree.file(place);
    let item = file.item(place.1);
    let (path, mut kind, twins) = match &file.paths[place.1] {
        Some(path) => {
            let places = tree.by_path.get(path)?;
            if file.is_declaration(place.1) || matches!(places.as_slice(), [one] if one == place) {
                return Some(Address { path: path.clone(), ..Address::default() });
            }
            (path.clone(), None, places.clone())
        }
        None => {
            let path = file.container(place.1)?.to_owned();
            let twins = tree.nameless.get(&(path.clone(), item.kind))?.clone();
            (path, Some(item.kind), twins)
        }
    };
    let mut others: Vec<Place> = twins.into_iter().filter(|twin| twin != place).collect();
    let kind_of = |place: &Place| tree.file(place).item(place.1).kind;
    if others.iter().any(|other| kind_of(other) != item.kind) {
        kind = Some(item.kind);
        others.retain(|other| kind_of(other) == item.kind);
    }
    let mut address = Address { path, kind, ..Address::default() };
    if others.is_empty() {
        return Some(address);
    }
    if others.iter().all(|other| other.0 != place.0) {
        address.file_path = Some(place.0.clone());
        return Some(address);
    }
    let texts: Vec<String> =
        others.iter().map(|other| squeeze(tree.file(other).text_of(other.1))).collect();
    if let Some(has) = only_here(file.text_of(place.1), &texts) {
        address.has = Some(has);
        return Some(address);
    }
    others.retain(|other| other.0 == place.0);
    let texts: Vec<String> =
        others.iter().map(|other| squeeze(tree.file(other).text_of(other.1))).collect();
    if let Some(has) = only_here(file.text_of(place.1), &texts) {
        address.file_path = Some(place.0.clone());
        address.has = Some(has);
        return Some(address);
    }
    // The same text in two impls: their heads tell.
    let head = |place: &Place| {
        let file = tree.file(place);
        let parent = file.item(file.item(place.1).parent as usize);
        format!("{} cfg({})", parent.signature, parent.cfg)
    };
    let mine = head(place);
    let signature = &file.item(item.parent as usize).signature;
    for has in [signature.clone(), mine.clone()] {
        let unlike = |other: &Place| !squeeze(&head(other)).contains(&squeeze(&has));
        let own = |other: &Place| tree.file(other).text_of(other.1).contains(&has);
        if !has.is_empty() && others.iter().all(|o| unlike(o) && !own(o)) {
            address.file_path = Some(place.0.clone());
            address.has = Some(has);
            return Some(address);
        }
    }
    None
}

/// The first line, or beginning of a line, that no other text holds.
fn only_here(text: &str, others: &[String]) -> Option<String> {
    let is_only = |part: &str| {
        let part = squeeze(part);
        part.len() > 2 && others.iter().all(|other| !other.contains(&part))
    };
    for line in text.lines().map(str::trim).filter(|line| line.len() <= 160) {
        if !is_only(line) {
            continue;
        }
        let words = line.trim_start_matches("pub ").trim_start_matches("use ");
        let cuts = words.match_indices("::").map(|(at, _)| at + 2);
        let short = cuts.filter_map(|at| words.get(..at)).find(|part| is_only(part));
        let words = if is_only(words) { words } else { line };
        return Some(short.unwrap_or(words).to_owned());
    }
    // A long text of one line.
    let words: Vec<&str> = text.split_whitespace().collect();
    (1..words.len().min(40)).map(|n| words[..n].join(" ")).find(|part| is_only(part))
}

/// As the library compares texts: blanks that separate no words do not count.
pub fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pending = false;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    for c in text.chars() {
        if c.is_whitespace() {
            pending = true;
            continue;
        }
        if pending && out.chars().last().is_some_and(word) && word(c) {
            out.push(' ');
        }
        pending = false;
        out.push(c);
    }
    out
}
