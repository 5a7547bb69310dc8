//! Functions that have their parameters in another order, or more of them, and what their calls would
//! be with the new list (`docs/review.md`, "Other parameters").

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::identities::ById;
use super::pair::{Pair, reason};
use super::population::Population;
use super::side::{Loaded, Side};
use super::sides::{Both, Sides};
use crate::error::EngineError;
use asof_model::{Class, NodeId, NodeKind, RefKind};
use asof_query::ItemFacts;
use asof_refactor::{Call, Head, calls, head};
use asof_review::{Element, Identity, Meaning, NewElement, NormalForm, Token, WantedList, compare};
use asof_wire::{ReadReason, ReasonToRead, SignatureChange};

/// Attributes by which a function is called from elsewhere.
const EXPORTED: &[&str] = &["export_name", "no_mangle", "unsafe"];

const INTEGERS: &[&str] =
    &["i128", "i16", "i32", "i64", "i8", "isize", "u128", "u16", "u32", "u64", "u8", "usize"];

/// See the module. By the id of the function at the later moment.
#[derive(Default)]
pub(super) struct NewLists {
    by_id: ById<NewList>,
}

/// The new list of a function.
struct NewList {
    name: String,
    /// Names of the parameters, without the receiver: as they were, and as they are.
    names: [Vec<String>; 2],
    /// Of each parameter, the receiver first, the place that it had; none if it is new.
    places: Vec<Option<usize>>,
    /// Parameters before, with the receiver.
    old_count: usize,
    has_receiver: bool,
    /// The list as it was written in the earlier state, and as it is; bytes of the files.
    old: WantedList,
    new: WantedList,
    /// Types of new parameters, as written, by their places.
    added: BTreeMap<usize, String>,
    /// What most calls pass for them.
    given: BTreeMap<usize, NewElement>,
    /// Why it is not known that all calls follow.
    doubts: Vec<ReasonToRead>,
}

/// An earlier form beside new lists.
pub(super) enum Relisted {
    /// It has nothing to do with them.
    Untouched,
    /// As it would be with them.
    Form(Box<NormalForm>),
    /// It uses the function of this name in another way than a call that can be read.
    Unknown(String),
}

impl NewLists {
    /// The functions of a population that have other lists. Who uses them is added to it.
    pub fn find(sides: &mut Sides<'_>, population: &mut Population) -> Result<Self, EngineError> {
        let mut found = Self::default();
        for pair in population.pairs.values() {
            let is_function = matches!(pair.kind, NodeKind::Function | NodeKind::Method);
            if is_function && pair.classes.contains(&Class::Signature) {
                found.by_id.extend(read_lists(sides, pair)?.map(|list| (pair.new, list)));
            }
        }
        let mut users: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
        for id in found.by_id.keys() {
            let known = users.entry(*id).or_default();
            known.extend(sides.new.queries.users_of(&[*id])?.into_iter().map(|row| row.source));
            let mut all: Vec<NodeId> = known.iter().copied().collect();
            if let Some(earlier) = sides.identities.earlier(*id) {
                let rows = sides.old.queries.users_of(&[earlier])?.into_iter();
                all.extend(rows.filter_map(|row| sides.identities.later(row.source)));
            }
            population.add_all_unlisted(sides, &all)?;
        }
        for (id, list) in &mut found.by_id {
            list.given = given(sides, *id, list, users.get(id).into_iter().flatten())?;
            let name = std::slice::from_ref(&list.name);
            let unresolved = sides.new.queries.unresolved_uses(name)?;
            if !unresolved.is_empty() {
                let what = format!(
                    "`{}` is written where it is not resolved: whether that follows is not known",
                    list.name
                );
                list.doubts.push(reason(ReadReason::Uncertain, &what));
            }
        }
        Ok(found)
    }

    /// Whether a function has another list.
    pub fn has(&self, id: NodeId) -> bool {
        self.by_id.contains_key(&id)
    }

    /// What became of the list of a function, in the order in which it applies; none if it has no other
    /// list, or a new parameter has no known argument.
    pub fn changes(&self, id: NodeId) -> Option<Vec<SignatureChange>> {
        self.by_id.get(&id)?.changes()
    }

    /// Reasons to read a function with another list. `is_same`: its code is the same beside it.
    pub fn reasons(&self, id: NodeId, is_same: bool) -> Vec<ReasonToRead> {
        let Some(list) = self.by_id.get(&id) else { return Vec::new() };
        let mut found = list.doubts.clone();
        for (place, ty) in &list.added {
            let Some(given) = list.given.get(place) else {
                let what = "no call that is known passes a value for a new parameter";
                found.push(reason(ReadReason::Code, what));
                continue;
            };
            if !is_same || !is_inert(&given.text, ty) {
                let what = format!("its calls pass `{}` for a new parameter", given.text);
                found.push(reason(ReadReason::Code, &what));
            }
        }
        found
    }

    /// The earlier form of a pair as it would be with the new lists.
    pub fn relist(&self, both: &Both<'_>) -> Relisted {
        let own = self.by_id.get(&both.pair.new);
        let uses = self.uses(&both.old.form);
        if own.is_none() && uses.is_empty() {
            return Relisted::Untouched;
        }
        let mut lists = Vec::new();
        if let Some(list) = own {
            match list.parameters(&both.new.form) {
                Some(parameters) => lists.push(parameters),
                None => return Relisted::Unknown(list.name.clone()),
            }
        }
        let Some(file) = &both.old.file else { return Relisted::Untouched };
        match self.call_lists(&both.old.form, file, &uses) {
            Ok(all) => lists.extend(all),
            Err(name) => return Relisted::Unknown(name),
        }
        let name = own.map(|list| &list.name).or(uses.values().next().map(|one| &one.list.name));
        match both.old.form.with_lists(&lists) {
            Some(form) => Relisted::Form(Box::new(form)),
            None => Relisted::Unknown(name.cloned().unwrap_or_default()),
        }
    }

    /// Names in a form that may mean functions with other lists, by their bytes in the file.
    fn uses(&self, form: &NormalForm) -> BTreeMap<u32, Use<'_>> {
        let mut found = BTreeMap::new();
        if self.by_id.is_empty() {
            return found;
        }
        for (at, token) in form.tokens.iter().enumerate() {
            let (meanings, is_certain) = match token {
                Token::Name(meanings) => (meanings, true),
                Token::Unsure(_, meanings) => (meanings, false),
                _ => continue,
            };
            // An import says nothing of a call.
            let named = meanings.iter().filter(|one| one.kind != RefKind::Use);
            let meant: Vec<&Meaning> = named.collect();
            for one in &meant {
                let Identity::Later(id) = one.target else { continue };
                if let (Some(list), Some(byte)) = (self.by_id.get(&id), form.byte(at)) {
                    let is_certain = is_certain && meant.len() == 1;
                    found.insert(byte, Use { list, is_certain });
                }
            }
        }
        found
    }

    /// What the calls in a form get; else the name of a function that is used in another way.
    fn call_lists(
        &self,
        form: &NormalForm,
        file: &Loaded,
        uses: &BTreeMap<u32, Use<'_>>,
    ) -> Result<Vec<WantedList>, String> {
        let names: BTreeSet<u32> = uses.keys().copied().collect();
        let all = calls(&file.text.text, &names);
        let mut found = Vec::new();
        for (byte, one) in uses {
            let call = all.get(byte).filter(|_| one.is_certain);
            let wanted = call.and_then(|call| one.list.arguments(form, call));
            found.push(wanted.ok_or_else(|| one.list.name.clone())?);
        }
        Ok(found)
    }
}

/// A use of a function with another list.
struct Use<'l> {
    list: &'l NewList,
    is_certain: bool,
}

impl NewList {
    /// The old parameters in their new order, then each new one before the next that is there.
    fn changes(&self) -> Option<Vec<SignatureChange>> {
        let [before, after] = &self.names;
        let kept: Vec<&String> = after.iter().filter(|name| before.contains(name)).collect();
        let mut changes = Vec::new();
        if !kept.iter().copied().eq(before) {
            changes.push(SignatureChange::Order(kept.iter().map(|name| (*name).clone()).collect()));
        }
        for (at, name) in after.iter().enumerate().filter(|(_, name)| !before.contains(name)) {
            let place = at + self.front();
            changes.push(SignatureChange::Add {
                name: name.clone(),
                ty: self.added.get(&place)?.clone(),
                value: self.given.get(&place)?.text.clone(),
                before: after.iter().skip(at).find(|name| before.contains(name)).cloned(),
            });
        }
        Some(changes)
    }

    /// The list of parameters that is wanted in the earlier form.
    fn parameters(&self, new: &NormalForm) -> Option<WantedList> {
        let elements = new.elements(&self.new)?;
        let mut wanted = Vec::new();
        for (place, old) in self.places.iter().enumerate() {
            wanted.push(match old {
                Some(old) => Element::Old(*old),
                None => {
                    let element = new.element(elements.get(place)?)?;
                    element.binds.as_ref()?;
                    Element::New(element)
                }
            });
        }
        Some(WantedList { wanted, ..self.old.clone() })
    }

    /// The list of arguments that is wanted in a call of the earlier form.
    fn arguments(&self, form: &NormalForm, call: &Call) -> Option<WantedList> {
        let front = usize::from(call.is_method);
        let is_plain = call.arguments.iter().all(|one| !one.has_attributes);
        if call.list.items.len() + front != self.old_count || !is_plain || front > self.front() {
            return None;
        }
        let list = WantedList {
            inside: call.list.inside,
            items: call.list.items.clone(),
            wanted: Vec::new(),
        };
        let elements = form.elements(&list)?;
        let kept: Vec<usize> = self.places.iter().flatten().copied().collect();
        for (n, later) in kept.iter().enumerate() {
            // What was evaluated after this one, and is before it now.
            for earlier in kept.iter().take(n).filter(|earlier| *earlier > later) {
                let argument = |place: usize| {
                    let at = place.checked_sub(front)?;
                    let is_read = !calls_something(form, elements.get(at)?);
                    call.arguments.get(at).filter(|_| is_read)
                };
                if argument(*later)?.depends_on(argument(*earlier)?) {
                    return None;
                }
            }
        }
        let mut wanted = Vec::new();
        for (place, old) in self.places.iter().enumerate().skip(front) {
            wanted.push(match old {
                Some(old) => Element::Old(old.checked_sub(front)?),
                None => Element::New(self.given.get(&place)?.clone()),
            });
        }
        Some(WantedList { wanted, ..list })
    }

    /// Parameters that may be before the dot of a call.
    fn front(&self) -> usize {
        usize::from(self.has_receiver)
    }
}

/// Whether an operator or a coercion in some tokens calls a function.
fn calls_something(form: &NormalForm, tokens: &Range<usize>) -> bool {
    let tokens = form.tokens.get(tokens.clone()).unwrap_or_default();
    let is_implicit = |one: &Meaning| one.kind == RefKind::Implicit;
    tokens.iter().any(|token| match token {
        Token::Name(meanings) | Token::Unsure(_, meanings) => meanings.iter().any(is_implicit),
        _ => false,
    })
}

/// Whether a text is the literal of a type, or `None`: nothing happens when it is passed and dropped.
fn is_inert(text: &str, ty: &str) -> bool {
    let ty: String = ty.split_whitespace().collect();
    if text == "None" {
        return ty.starts_with("Option<");
    }
    let Ok(literal) = syn::parse_str::<syn::Lit>(text.trim_start_matches('-')) else {
        return false;
    };
    let suffixed = |suffix: &str, types: &[&str]| {
        types.contains(&ty.as_str()) && (suffix.is_empty() || suffix == ty)
    };
    match literal {
        syn::Lit::Bool(_) => ty == "bool",
        syn::Lit::Char(_) => ty == "char",
        syn::Lit::Str(_) => ty == "&str" || ty == "&'staticstr",
        syn::Lit::Float(one) => suffixed(one.suffix(), &["f32", "f64"]),
        syn::Lit::Int(one) => suffixed(one.suffix(), INTEGERS),
        _ => false,
    }
}

/// The lists of a function of which the code differs with the old one. None if it is no function of
/// which all calls are in the workspace, or its parameters do not correspond by name.
fn read_lists(sides: &mut Sides<'_>, pair: &Pair) -> Result<Option<NewList>, EngineError> {
    let both = sides.both(pair)?;
    if is_of_trait(&mut sides.new, &both.new_item)?
        || is_of_trait(&mut sides.old, &both.old_item)?
        || compare(&both.old.form, &both.new.form).is_empty()
    {
        return Ok(None);
    }
    let (Some(old), Some(new)) = (&both.old.file, &both.new.file) else { return Ok(None) };
    let (old, new) = (written_head(old, pair.old), written_head(new, pair.new));
    Ok(old.zip(new).and_then(|(old, new)| lists(&both.new_item.name, &old, &new)))
}

fn lists(name: &str, old: &Head, new: &Head) -> Option<NewList> {
    let names = |head: &Head| -> Option<Vec<String>> {
        let names: Option<Vec<String>> =
            head.params.iter().map(|param| param.name.clone()).collect();
        let names = names?;
        let all: BTreeSet<&String> = names.iter().collect();
        (all.len() == names.len() && !names.iter().any(|name| name == "_")).then_some(names)
    };
    let (before, after) = (names(old)?, names(new)?);
    let is_exported = |head: &Head| {
        let is_known = |name: &String| EXPORTED.contains(&name.as_str());
        head.is_variadic || !head.abi.is_empty() || head.attributes.iter().any(is_known)
    };
    let front = usize::from(old.has_receiver);
    let is_same_kind = old.has_receiver == new.has_receiver;
    if is_exported(old) || is_exported(new) || !is_same_kind {
        return None;
    }
    let place = |name: &String| before.iter().position(|one| one == name).map(|at| at + front);
    let mut places: Vec<Option<usize>> = (0..front).map(Some).collect();
    places.extend(after.iter().map(place));
    let old_count = before.len() + front;
    let is_all = places.iter().flatten().count() == old_count;
    let is_other = places.len() != old_count || !places.iter().flatten().is_sorted();
    let new_params = new.params.iter().enumerate().map(|(at, param)| (at + front, param));
    let new_params = new_params.filter(|(at, _)| places.get(*at).is_some_and(Option::is_none));
    let added = new_params.map(|(at, param)| (at, param.ty_text.clone())).collect();
    let list = |head: &Head| WantedList {
        inside: head.list.inside,
        items: head.list.items.clone(),
        wanted: Vec::new(),
    };
    (is_all && is_other).then(|| NewList {
        name: name.to_owned(),
        names: [before, after],
        places,
        old_count,
        has_receiver: old.has_receiver,
        old: list(old),
        new: list(new),
        added,
        given: BTreeMap::new(),
        doubts: Vec::new(),
    })
}

/// The head of a function in its file.
pub(super) fn written_head(file: &Loaded, id: NodeId) -> Option<Head> {
    let range = file.items.get(&id)?.range.clone();
    let text = file.text.text.get(range.start as usize..range.end as usize)?;
    Some(head(text)?.shifted(range.start))
}

/// Whether others have the same list: a trait, or its impls, or another library.
pub(super) fn is_of_trait(side: &mut Side<'_>, item: &ItemFacts) -> Result<bool, EngineError> {
    let is_named = item.canonical_path.as_ref().is_some_and(|path| path.contains(" as "));
    let overrides = side.file(&item.file_path)?.overrides.contains_key(&item.id);
    let parent = match item.parent_id {
        Some(parent) => side.item(parent)?,
        None => None,
    };
    let is_in_trait = parent.is_some_and(|parent| {
        matches!(parent.kind, NodeKind::Trait | NodeKind::ForeignMod)
            || parent.canonical_path.as_ref().is_some_and(|path| path.contains(" as "))
    });
    Ok(is_named || overrides || is_in_trait)
}

/// What most calls of the later state pass for the new parameters.
fn given<'u>(
    sides: &mut Sides<'_>,
    function: NodeId,
    list: &NewList,
    users: impl Iterator<Item = &'u NodeId>,
) -> Result<BTreeMap<usize, NewElement>, EngineError> {
    let added: Vec<usize> = list.added.keys().copied().collect();
    let mut counted: BTreeMap<Vec<Vec<Token>>, (usize, Vec<NewElement>)> = BTreeMap::new();
    let mut owners = BTreeSet::new();
    for user in users {
        owners.extend(sides.new.owner(*user)?.map(|owner| owner.id));
    }
    for owner in owners {
        let Some(formed) = sides.new.form(owner)? else { continue };
        let Some(file) = &formed.file else { continue };
        let tokens = formed.form.tokens.iter().enumerate();
        let names: BTreeSet<u32> = tokens
            .filter(|(_, token)| means(token, function))
            .filter_map(|(at, _)| formed.form.byte(at))
            .collect();
        for call in calls(&file.text.text, &names).values() {
            let passed: Option<Vec<NewElement>> =
                added.iter().map(|place| plain_argument(&formed.form, call, *place)).collect();
            if let Some(passed) = passed {
                let key = passed.iter().map(|one| one.tokens.clone()).collect();
                counted.entry(key).or_insert((0, passed)).0 += 1;
            }
        }
    }
    let most = counted.into_values().rev().max_by_key(|(count, _)| *count);
    let most = most.map(|(_, passed)| passed).unwrap_or_default();
    Ok(added.into_iter().zip(most).collect())
}

fn means(token: &Token, function: NodeId) -> bool {
    let Token::Name(meanings) = token else { return false };
    meanings.iter().any(|one| one.target == Identity::Later(function))
}

/// An argument that is a literal, or a path that means the same everywhere.
fn plain_argument(form: &NormalForm, call: &Call, place: usize) -> Option<NewElement> {
    let at = place.checked_sub(usize::from(call.is_method))?;
    let argument = call.arguments.get(at)?;
    let list =
        WantedList { inside: call.list.inside, items: call.list.items.clone(), wanted: Vec::new() };
    let element = form.element(form.elements(&list)?.get(at)?)?;
    // A closure reads variables, and `*` may call something.
    let is_fixed = |token: &Token| match token {
        Token::Text(text) => !matches!(&**text, "|" | "||" | "*" | "move" | "async"),
        Token::Name(meanings) => meanings.iter().all(|one| one.kind != RefKind::Implicit),
        _ => false,
    };
    let is_plain = argument.is_plain && !argument.has_attributes && element.binds.is_none();
    (is_plain && element.tokens.iter().all(is_fixed)).then_some(element)
}
