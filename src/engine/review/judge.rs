//! Compares the two sides of an item: their normal forms, and what these do not show.

use std::collections::{BTreeMap, BTreeSet};

use super::identities::{ById, Ids, State};
use super::names::{explain, shortened};
use super::pair::{Pair, reason};
use super::parameters::{NewLists, Relisted};
use super::population::Population;
use super::scopes::Scopes;
use super::side::Formed;
use super::sides::{Both, Sides};
use super::signatures::signature_changes;
use super::standing;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::ItemFacts;
use asof_review::{
    AttributeReads, Difference, Facts, Identity, NormalForm, attribute_reads, compare,
};
use asof_syntax::code_tokens;
use asof_wire::{ReadReason, ReasonToRead, SignatureChange};

/// Differences of one item that are explained; more would be its diff.
const EXPLAINED: usize = 3;

/// Compares items of two states.
pub(super) struct Judge<'a> {
    pub sides: Sides<'a>,
    lists: NewLists,
    scopes: Scopes,
    /// Names in the rules of macros that are not resolved there.
    templates: BTreeMap<NodeId, BTreeSet<Box<str>>>,
    /// What attributes of containers may read of the items in them.
    container_reads: ById<AttributeReads>,
}

/// What is known of a pair.
pub(super) struct Judgement {
    /// Why the item has to be read; none if it is proven.
    pub reasons: Vec<ReasonToRead>,
    pub old: NormalForm,
    pub new: NormalForm,
    pub differences: Vec<Difference>,
    /// Whether it is written with other tokens.
    pub has_other_tokens: bool,
    /// Whether it is a function with another list of parameters.
    pub has_other_list: bool,
}

impl<'a> Judge<'a> {
    /// `lists`: functions of the population with other parameters. What is needed of all pairs is read
    /// at once.
    pub fn new(
        mut sides: Sides<'a>,
        lists: NewLists,
        population: &Population,
    ) -> Result<Self, EngineError> {
        let mut scopes = Scopes::default();
        let ids = |id: fn(&Pair) -> NodeId| population.pairs.values().map(id).collect::<Vec<_>>();
        let (old, new) = (ids(|pair| pair.old), ids(|pair| pair.new));
        let mut files = [BTreeSet::new(), BTreeSet::new()];
        let [old_files, new_files] = &mut files;
        for (side, ids, files) in
            [(&mut sides.old, &old, old_files), (&mut sides.new, &new, new_files)]
        {
            side.know(ids)?;
            side.know_conditions(ids)?;
            for id in ids {
                files.extend(side.item(*id)?.map(|item| item.file_path.clone()));
            }
        }
        let [old_files, new_files] = &files;
        sides.know_files(old_files, new_files)?;
        scopes.read_around(&mut sides.old, &old)?;
        scopes.read_around(&mut sides.new, &new)?;
        Ok(Self {
            sides,
            lists,
            scopes,
            templates: BTreeMap::new(),
            container_reads: BTreeMap::new(),
        })
    }

    /// What became of the parameters of a function that is proven.
    pub fn signature_changes(&mut self, pair: &Pair) -> Result<Vec<SignatureChange>, EngineError> {
        signature_changes(&mut self.sides, &self.lists, pair)
    }

    /// Compares the sides of a pair.
    pub fn judge(&mut self, pair: &Pair) -> Result<Judgement, EngineError> {
        let mut both = self.sides.both(pair)?;
        let has_other_tokens = raw_tokens(&both.old.form) != raw_tokens(&both.new.form);
        let (differences, stayed) = self.compare(&mut both);
        let mut reasons = match stayed {
            Some(stayed) => vec![stayed],
            None => self.differing(&both, &differences)?,
        };
        let has_other_list = self.lists.has(pair.new);
        reasons.extend(self.lists.reasons(pair.new, differences.is_empty()));
        reasons.extend(standing::reasons(&mut self.sides, &both)?);
        reasons.extend(self.overridden(&both)?);
        reasons.extend(self.unsure(&both)?);
        if pair.is_listed {
            reasons.extend(reads_itself(&both, has_other_tokens));
            let container = self.container_reads(&both)?;
            reasons.extend(attributes(&both, container, has_other_tokens));
            if !(both.old.is_read && both.new.is_read) {
                reasons.push(reason(ReadReason::Unread, "its file does not parse"));
            }
        }
        reasons.sort();
        reasons.dedup();
        let (old, new) = (both.old.form, both.new.form);
        Ok(Judgement { reasons, old, new, differences, has_other_tokens, has_other_list })
    }

    /// Compares the forms, the earlier one as it would be with the new lists of parameters that it uses.
    /// The reason is that of code which stays as it was although it would have to differ.
    fn compare(&self, both: &mut Both<'_>) -> (Vec<Difference>, Option<ReasonToRead>) {
        let plain = compare(&both.old.form, &both.new.form);
        let stayed = |what: String| plain.is_empty().then(|| reason(ReadReason::Code, &what));
        match self.lists.relist(both) {
            Relisted::Untouched => (plain, None),
            Relisted::Unknown(name) => {
                let what = format!(
                    "it uses `{name}`, which has other parameters, and not by a call that is known"
                );
                let stayed = stayed(what);
                (plain, stayed)
            }
            Relisted::Form(form) => {
                let differences = compare(&form, &both.new.form);
                let what = "its arguments are as they were, and the function has other parameters";
                let stayed = stayed(what.to_owned()).filter(|_| !differences.is_empty());
                both.old.form = *form;
                (differences, stayed)
            }
        }
    }

    /// Reasons for tokens that differ.
    fn differing(
        &mut self,
        both: &Both<'_>,
        differences: &[Difference],
    ) -> Result<Vec<ReasonToRead>, EngineError> {
        let mut reasons = Vec::new();
        if both.old_item.kind != both.new_item.kind {
            let what = format!("it was a {}", both.old_item.kind);
            reasons.push(reason(ReadReason::Code, &what));
        }
        for one in differences.iter().take(EXPLAINED) {
            let (kind, what) = explain(&mut self.sides, both, one)?;
            reasons.push(ReasonToRead {
                reason: kind,
                what,
                line: both.new.line_of(one.new.start),
                previous_line: both.old.line_of(one.old.start),
            });
        }
        if let Some(more) = differences.len().checked_sub(EXPLAINED).filter(|more| *more > 0) {
            reasons.push(reason(ReadReason::Code, &format!("{more} more places differ")));
        }
        Ok(reasons)
    }

    /// An item of an impl implements what it implemented.
    fn overridden(&mut self, both: &Both<'_>) -> Result<Option<ReasonToRead>, EngineError> {
        let targets = |formed: &Formed, id: NodeId| -> Ids {
            let known = formed.file.as_ref().and_then(|file| file.overrides.get(&id));
            known.cloned().unwrap_or_default()
        };
        let old = targets(&both.old, both.pair.old);
        let new = targets(&both.new, both.pair.new);
        let before: BTreeSet<Identity> =
            old.iter().map(|id| self.sides.old.identity(*id)).collect();
        let after: BTreeSet<Identity> = new.iter().map(|id| self.sides.new.identity(*id)).collect();
        if before == after {
            return Ok(None);
        }
        let mut names = Vec::new();
        for id in &new {
            names.push(format!("`{}`", self.sides.new.label(*id)?));
        }
        let what = if names.is_empty() {
            "it implements nothing of a trait any more".to_owned()
        } else {
            format!("it implements {}", names.join(" and "))
        };
        Ok(Some(reason(ReadReason::Meaning, &what)))
    }

    /// Names that are not certain, where what is in scope differs.
    fn unsure(&mut self, both: &Both<'_>) -> Result<Vec<ReasonToRead>, EngineError> {
        let mut found = Vec::new();
        let facts = &both.new.form.facts;
        let old = self.scopes.unread(&mut self.sides.old, &both.old_item)?;
        let new = self.scopes.unread(&mut self.sides.new, &both.new_item)?;
        for import in old.symmetric_difference(&new) {
            if import.is_trait && facts.calls_methods {
                let what =
                    "methods are called, and a trait of a crate that is not read may be in scope";
                found.push(reason(ReadReason::Traits, what));
            }
            match &import.name {
                Some(name) if facts.words.contains(name.as_str()) => {
                    let what =
                        format!("`{name}` is imported from a crate that is not read, or was");
                    found.push(reason(ReadReason::Uncertain, &what));
                }
                None if !facts.words.is_empty() => {
                    let what = "a glob of a crate that is not read may give names, or did";
                    found.push(reason(ReadReason::Uncertain, what));
                }
                _ => {}
            }
        }
        for unsure in &both.new.form.facts.unsure {
            let [old, new] = [(State::Earlier, &both.old_item), (State::Later, &both.new_item)]
                .map(|(state, item)| {
                    let Self { sides: Sides { old, new, .. }, scopes, .. } = self;
                    let side = if state == State::Earlier { old } else { new };
                    if unsure.is_member {
                        scopes.traits(side, item, &unsure.name)
                    } else {
                        scopes.meanings(side, item, &unsure.name)
                    }
                });
            if old? == new? {
                continue;
            }
            let name = &unsure.name;
            found.push(if unsure.is_member {
                let what =
                    format!("which `{name}` is called is not known, and other traits are in scope");
                reason(ReadReason::Traits, &what)
            } else {
                let what =
                    format!("`{name}` is not resolved with certainty, and the scope has another");
                reason(ReadReason::Uncertain, &what)
            });
        }
        for name in self.taken_at_calls(both)? {
            let Self { sides: Sides { old, new, .. }, scopes, .. } = self;
            let before = scopes.meanings(old, &both.old_item, &name)?;
            if before != scopes.meanings(new, &both.new_item, &name)? {
                let what = format!(
                    "a macro that it calls may mean `{name}` of its scope, which is another one"
                );
                found.push(reason(ReadReason::Uncertain, &what));
            }
        }
        Ok(found)
    }

    /// Names that macros of the workspace may take from the place of a call.
    fn taken_at_calls(&mut self, both: &Both<'_>) -> Result<BTreeSet<Box<str>>, EngineError> {
        let mut names = BTreeSet::new();
        for id in &both.new.form.facts.calls {
            if !self.templates.contains_key(id) {
                let formed = self.sides.new.form(*id)?;
                let unsure = formed.map(|formed| formed.form.facts.unsure).unwrap_or_default();
                let free = unsure.into_iter().filter(|name| !name.is_member);
                self.templates.insert(*id, free.map(|name| name.name).collect());
            }
            names.extend(self.templates.get(id).into_iter().flatten().cloned());
        }
        Ok(names)
    }

    /// What attributes of the impls and modules around may read of an item.
    fn container_reads(&mut self, both: &Both<'_>) -> Result<AttributeReads, EngineError> {
        let mut reads = AttributeReads::Nothing;
        let mut at = both.new_item.parent_id;
        while let Some(id) = at {
            let Some(item) = self.sides.new.item(id)? else { break };
            let is_around =
                matches!(item.kind, NodeKind::Impl | NodeKind::Trait | NodeKind::Module);
            if is_around {
                let known = self.container_reads.get(&id).copied();
                let own = match known {
                    Some(known) => known,
                    None => {
                        let formed = self.sides.new.form(id)?;
                        formed.map_or(AttributeReads::Nothing, |one| read_by(&one.form.facts))
                    }
                };
                self.container_reads.insert(id, own);
                reads = reads.max(own);
            }
            at = item.parent_id;
        }
        Ok(reads)
    }
}

/// Tokens as they are written, without comments and documentation.
fn raw_tokens(form: &NormalForm) -> Vec<&str> {
    code_tokens(&form.text).into_iter().map(|token| token.text).collect()
}

fn read_by(facts: &Facts) -> AttributeReads {
    let all = facts.attributes.iter().map(|text| attribute_reads(text));
    all.max().unwrap_or(AttributeReads::Nothing)
}

/// Reasons because of what attributes and derives read.
fn attributes(
    both: &Both<'_>,
    container: AttributeReads,
    has_other_tokens: bool,
) -> Vec<ReasonToRead> {
    let mut reasons = Vec::new();
    let (old, new) = (&both.old.form.facts, &both.new.form.facts);
    let reads = read_by(old).max(read_by(new)).max(container);
    let reading =
        new.attributes.iter().filter(|text| attribute_reads(text) > AttributeReads::Nothing);
    let reading: Vec<String> = reading.map(|text| format!("`{}`", shortened(text))).collect();
    let reading = if reading.is_empty() {
        "an attribute around it".to_owned()
    } else {
        reading.join(" and ")
    };
    if reads == AttributeReads::Tokens && has_other_tokens {
        reasons.push(reason(ReadReason::Macro, &format!("{reading} may read its text")));
    } else if reads == AttributeReads::Names && old.defines != new.defines {
        reasons.push(reason(ReadReason::Name, &format!("{reading} makes something of its names")));
    }
    if reads == AttributeReads::Tokens && both.old_item.docs != both.new_item.docs {
        let what = format!("{reading} may read its documentation");
        reasons.push(reason(ReadReason::Documentation, &what));
    }
    let is_main = |item: &ItemFacts| item.kind == NodeKind::Function && item.name == "main";
    if both.old_item.name != both.new_item.name
        && (is_main(&both.old_item) || is_main(&both.new_item))
    {
        reasons.push(reason(ReadReason::Name, "`main` is where a program begins"));
    }
    reasons
}

/// Reasons because of what the code reads of itself: its place, its text, files beside it.
fn reads_itself(both: &Both<'_>, has_other_tokens: bool) -> Vec<ReasonToRead> {
    let mut reasons = Vec::new();
    let (old, new) = (&both.old.form.facts, &both.new.form.facts);
    if has_other_tokens && old.macros != new.macros {
        let pairs = old.macros.iter().zip(&new.macros);
        let differ = pairs.filter(|(a, b)| a != b).map(|(_, b)| format!("`{}!`", b.name));
        let names: BTreeSet<String> = differ.collect();
        let names: Vec<String> = names.into_iter().collect();
        let what = match names.as_slice() {
            [] => "calls of macros differ".to_owned(),
            names => format!("{} may read the text of its tokens", names.join(", ")),
        };
        reasons.push(reason(ReadReason::Macro, &what));
    }
    if let Some(name) = new.captured_otherwise(old) {
        let what = format!("`{name}` in a macro or text may be another variable");
        reasons.push(reason(ReadReason::Uncertain, &what));
    }
    let (was, is) = (&both.old_item, &both.new_item);
    let other_file = was.file_path != is.file_path;
    for place in &new.places {
        let differs = match &**place {
            "line" | "column" => other_file || both.has_other_line || has_other_tokens,
            "file" => other_file,
            "type_name" | "type_name_of_val" | "of" | "caller" => true,
            _ => was.module_path != is.module_path,
        };
        if differs {
            let what = format!("`{place}` tells where the code is, or how something is called");
            reasons.push(reason(ReadReason::Place, &what));
        }
    }
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    if folder(&was.file_path) != folder(&is.file_path) {
        for name in &new.files {
            let what = format!("`{name}!` reads a file relative to the source");
            reasons.push(reason(ReadReason::File, &what));
        }
    }
    reasons
}
