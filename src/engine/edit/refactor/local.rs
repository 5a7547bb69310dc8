//! Renames a parameter or variable of a function, or a type or lifetime parameter of an item.

use std::collections::{BTreeMap, BTreeSet};

use super::editions::is_file_before_2021;
use super::obligations::{self, Words};
use super::proof::replaced_as;
use crate::database::Snapshot;
use crate::edit::choose::{self, Target};
use crate::edit::edit_target::{Refactored, Resolved};
use crate::edit::target::{self, Files, Halt, Loaded};
use crate::error::EngineError;
use crate::items::{UnsavedText, WrittenPaths};
use asof_edit::{EditError, Splice, line_of};
use asof_index::{ReplacedKind, old_place};
use asof_model::{FileFacts, NodeId, NodeKind, RefKind, normalize_identifier};
use asof_query::{PathQuery, Queries};
use asof_refactor::{
    LocalName, NewName, Rewritten, Role, Writer, file_names, first_difference, is_word, macro_calls,
};
use asof_wire::{Doubt, PlaceToLookAt, SourceLink};

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
    let Some(wanted) = Wanted::parse(local) else {
        let reason = "expected a name, `NAME:LINE` or `NAME:LINE:COLUMN`".to_owned();
        return Err(refuse(reason).into());
    };
    let is_lifetime = wanted.name.starts_with('\'');
    let new = if is_lifetime { NewName::parse_lifetime(to) } else { NewName::parse(to) };
    let new = new.map_err(|error| refuse(error.to_string()))?;
    if wanted.name == new.bare {
        return Err(EditError::NoChange.into());
    }
    let item = choose::item(snapshot, files, target)?;
    files.load(snapshot, &item.file_path)?;
    let index = target::index_of(snapshot, files, &item)?;
    let Some(loaded) = files.get(&item.file_path) else {
        return Err(Halt::Again { file_path: item.file_path });
    };
    let items = item_places(snapshot, &item.file_path)?;
    let before_2021 = is_file_before_2021(snapshot, &item.file_path)?;
    let file = Text { snapshot, path: &item.file_path, before_2021 };
    let names = file.names(&loaded.text, &|at| items.contains(&at))?;
    let names = names.ok_or_else(|| refuse("its file does not parse".to_owned()))?;
    let binding = wanted.binding(loaded, index, &names).map_err(&refuse)?;
    let renamed =
        Renamed { file, loaded, names: &names, items: &items, binding, new: &new, number };
    if is_pattern(snapshot, &item.file_path, binding, &new.bare)? {
        let place = renamed.place(&loaded.text, binding);
        let place = format!("{place}: `{}` would be the pattern of a constant", new.bare);
        return Err(EditError::ChangesMeaning { places: vec![place] }.into());
    }
    if is_lifetime && let Some(other) = renamed.same_lifetime(index) {
        let place = renamed.place(&loaded.text, other);
        let place = format!("{place}: another lifetime or label is called `{}`", new.bare);
        return Err(EditError::ChangesMeaning { places: vec![place] }.into());
    }
    let mut look_at = Vec::new();
    let splices = renamed.splices(&wanted.name, &mut look_at, &refuse)?;
    for place in &mut look_at {
        place.file_path.clone_from(&item.file_path);
    }
    let file_path = item.file_path.clone();
    let elsewhere = [(file_path.clone(), splices)].into();
    let mut refactored = Refactored { look_at, elsewhere, ..Refactored::new(ReplacedKind::Name) };
    let words = Words { old: &wanted.name, new: &new.bare };
    obligations::check_new_word(snapshot, files, words, None, &mut refactored)?;
    Ok(Resolved::of_refactored(item, file_path, vec![wanted.name], refactored))
}

/// First bytes of the names in a file that are known to mean items.
fn item_places(snapshot: &Snapshot<'_>, file_path: &str) -> Result<BTreeSet<u32>, EngineError> {
    let source = snapshot.file_source(file_path)?;
    let is_item = |link: &&SourceLink| {
        let is_known =
            source.targets.get(link.target).is_some_and(|target| target.kind != "unknown");
        is_known
            && link.confidence >= IN_TOKENS
            && !matches!(link.use_kind, RefKind::Field | RefKind::Mention)
    };
    Ok(source.links.iter().filter(is_item).map(|link| link.start).collect())
}

/// Whether a name alone would be a pattern at a byte: of a constant, static, unit struct or variant
/// that is in scope there.
fn is_pattern(
    snapshot: &Snapshot<'_>,
    file_path: &str,
    byte: u32,
    name: &str,
) -> Result<bool, EngineError> {
    if name == "None" {
        return Ok(true);
    }
    let asked = PathQuery { path: name.to_owned(), ..PathQuery::default() };
    let found = Queries::at(snapshot.store(), snapshot.at).path(&asked)?.into_iter();
    let of_kind = found
        .filter(|one| one.definition.kind.is_identifier_pattern() && one.definition.name == name);
    let ids: BTreeSet<NodeId> = of_kind.map(|one| one.definition.id).collect();
    Ok(!ids.is_empty() && WrittenPaths::new(snapshot).mean(file_path, byte, name, &ids)?)
}

/// Which name of an item is meant: `name`, `name:line` or `name:line:column`.
struct Wanted {
    name: String,
    line: Option<u32>,
    /// In bytes, from 1.
    column: Option<u32>,
}

impl Wanted {
    /// None for another form.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let name = parts.next()?;
        let mut number = || parts.next().map(str::parse).transpose().ok();
        let (line, column) = (number()?, number()?);
        let name = normalize_identifier(name.strip_prefix("r#").unwrap_or(name)).into_owned();
        parts.next().is_none().then_some(Wanted { name, line, column })
    }

    /// What binds the name in the text of an item.
    fn binding(&self, loaded: &Loaded, index: u32, names: &[LocalName]) -> Result<u32, String> {
        let bound = names.iter().filter(|one| one.name == self.name && one.binding == Some(one.at));
        let own = bound.filter(|one| innermost(&loaded.facts, one.at) == index);
        let all: Vec<u32> = own.map(|one| one.at).collect();
        let line = |at: &u32| line_of(&loaded.text, *at);
        let column = |at: &u32| {
            let before = loaded.text.get(..*at as usize).unwrap_or_default();
            (before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1) as u32
        };
        let fits = |at: &&u32| {
            self.line.is_none_or(|wanted| line(at) == wanted)
                && self.column.is_none_or(|wanted| column(at) == wanted)
        };
        let fitting: Vec<u32> = all.iter().filter(fits).copied().collect();
        match (fitting.as_slice(), all.is_empty()) {
            ([only], _) => Ok(*only),
            ([], true) => Err("it has no parameter, variable or label of this name".to_owned()),
            ([], false) => {
                Err(format!("none of this name is bound there; it is {}", at(&all, line)))
            }
            (several, _) if self.line.is_none() => Err(format!(
                "several have this name: say which with `{}:LINE`; it is {}",
                self.name,
                at(several, line)
            )),
            (several, _) => {
                let columns: Vec<String> =
                    several.iter().map(|at| column(at).to_string()).collect();
                Err(format!(
                    "several of this name are bound in this line: say which with \
                     `{}:LINE:COLUMN`; the columns are {}",
                    self.name,
                    columns.join(", ")
                ))
            }
        }
    }
}

fn at(places: &[u32], line: impl Fn(&u32) -> u32) -> String {
    let mut lines: Vec<u32> = places.iter().map(line).collect();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    format!("bound in line {}", lines.join(", "))
}

/// The innermost item around a byte that has a text of its own.
fn innermost(facts: &FileFacts, byte: u32) -> u32 {
    let items = facts.items.iter().enumerate();
    let mut around = items.rev().filter(|(_, item)| {
        item.text.is_some() && item.span.start_byte <= byte && byte < item.span.end_byte
    });
    around.next().map_or(0, |(at, _)| at as u32)
}

/// A file, some text of which is looked at.
#[derive(Clone, Copy)]
struct Text<'a> {
    snapshot: &'a Snapshot<'a>,
    path: &'a str,
    before_2021: bool,
}

impl Text<'_> {
    /// The bound names of a text: by its scopes, and in the tokens of macro calls and where these bind
    /// them, by what the calls expand to. None if it does not parse.
    fn names(
        self,
        text: &str,
        is_item: &(dyn Fn(u32) -> bool + Sync),
    ) -> Result<Option<Vec<LocalName>>, EngineError> {
        let Some(mut names) = file_names(text, self.before_2021, is_item) else { return Ok(None) };
        let calls = macro_calls(text);
        if calls.is_empty() {
            return Ok(Some(names));
        }
        let parsed = UnsavedText::parse(self.path, &text.into());
        let unsaved = parsed.map(|text| self.snapshot.database.unsaved(vec![text])).transpose()?;
        let facts = unsaved.map(|unsaved| unsaved.local_facts(self.path)).transpose()?.flatten();
        let is_given = |at: u32| calls.iter().any(|call| call.arguments.contains(&at));
        for one in facts.iter().flat_map(|facts| &facts.variables) {
            if !is_given(one.at) && !is_given(one.binding) {
                continue;
            }
            let binding = Some(one.binding);
            match names.binary_search_by_key(&one.at, |name| name.at) {
                Ok(known) => names.iter_mut().skip(known).take(1).for_each(|name| {
                    name.binding = binding;
                }),
                Err(at) => {
                    let rest = text.get(one.at as usize..).unwrap_or_default();
                    let rest = rest.strip_prefix("r#").unwrap_or(rest);
                    let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                    let name = rest.get(..end).map(normalize_identifier).unwrap_or_default();
                    // The rules may make something else of it, too.
                    let (name, certain) = (name.into_owned(), !is_given(one.at));
                    names.insert(at, LocalName { at: one.at, name, binding, certain });
                }
            }
        }
        Ok(Some(names))
    }
}

/// A bound name of a file, to be renamed.
struct Renamed<'a> {
    file: Text<'a>,
    loaded: &'a Loaded,
    names: &'a [LocalName],
    /// First bytes of names of items.
    items: &'a BTreeSet<u32>,
    /// First byte of what binds it.
    binding: u32,
    new: &'a NewName,
    /// The number of the edit.
    number: usize,
}

impl Renamed<'_> {
    /// Every place of the name; refused if a name would then mean something else.
    fn splices(
        &self,
        old: &str,
        look_at: &mut Vec<PlaceToLookAt>,
        refuse: &dyn Fn(String) -> EditError,
    ) -> Result<Vec<Splice>, EngineError> {
        let Renamed { loaded, names, binding, new, number, .. } = *self;
        let writer = Writer::new(&loaded.text, &loaded.facts.uses);
        let mut found = BTreeMap::new();
        for one in names.iter().filter(|one| one.binding == Some(binding)) {
            let written = if old.starts_with('\'') {
                let behind = loaded.text.get(one.at as usize + 1..).unwrap_or_default();
                let raw = if behind.starts_with("r#") { 2 } else { 0 };
                let (start, end) = (one.at, one.at + raw + old.len() as u32);
                Some(Rewritten { start, end, text: new.written.clone(), in_literal: false })
            } else {
                let role = if one.certain { Role::Other } else { Role::Token };
                writer.rewrite(one.at, old, new, role)
            };
            let Some(written) = written else { continue };
            if written.in_literal && new.written.starts_with("r#") {
                let reason = "a format string captures it, and takes no `r#`";
                return Err(refuse(reason.to_owned()).into());
            }
            if !one.certain {
                look_at.push(PlaceToLookAt {
                    file_path: String::new(),
                    line: line_of(&loaded.text, one.at),
                    byte: one.at,
                    reason: Doubt::Tokens,
                    confidence: IN_TOKENS,
                    rewritten: true,
                });
            }
            let Rewritten { start, end, text, .. } = written;
            found.insert((start, end), Splice { start, end, text, edit: number });
        }
        let splices: Vec<Splice> = found.into_values().collect();
        self.check(&splices)?;
        Ok(splices)
    }

    /// Refuses a rename after which a name is bound by something else.
    fn check(&self, splices: &[Splice]) -> Result<(), EngineError> {
        let Renamed { loaded, names, items, new, .. } = *self;
        let mut all = splices.to_vec();
        let (text, _) = asof_edit::compose(&loaded.facts.path, &loaded.text, &mut all)?;
        let replaced = replaced_as(&all, |_| ReplacedKind::Name);
        // Where the name of an item is the new one, it may be hidden from now on.
        let is_item = |byte: u32| {
            let is_new =
                text.get(byte as usize..).is_some_and(|rest| rest.starts_with(&new.written));
            let place = old_place(byte, &replaced);
            !is_new && place.is_some_and(|place| items.contains(&place))
        };
        let after = self.file.names(&text, &is_item)?.unwrap_or_default();
        if let Some(other) = first_difference(names, &after) {
            let place = self.place(&text, other.at);
            let place = format!("{place}: `{}` would mean something else", other.name);
            return Err(EditError::ChangesMeaning { places: vec![place] }.into());
        }
        Ok(())
    }

    /// Where another lifetime of the new name is declared, in the item or around it: none may hide
    /// another.
    fn same_lifetime(&self, index: u32) -> Option<u32> {
        let items = &self.loaded.facts.items;
        let own = items.get(index as usize)?;
        let is_owner = |kind| matches!(kind, NodeKind::Impl | NodeKind::Trait);
        let parent = items.get(own.parent as usize).filter(|parent| is_owner(parent.kind));
        let span = parent.unwrap_or(own).span.bytes();
        let declared = self.names.iter().filter(|one| one.binding == Some(one.at));
        let mut same = declared.filter(|one| one.name == self.new.bare && span.contains(one.at));
        same.next().map(|one| one.at)
    }

    fn place(&self, text: &str, byte: u32) -> String {
        format!("{}:{}", self.loaded.facts.path, line_of(text, byte))
    }
}
