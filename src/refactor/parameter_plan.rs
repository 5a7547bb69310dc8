//! The planned parameters of a function, from the request and its present ones.

use super::arguments::Argument;
use super::head::{Head, lifetimes_of_type};
use super::list::Entry;
use super::name::{BadName, NewName};
use asof_syntax::lex;
use asof_wire::SignatureChange;

/// A signature that is wanted, by the places of what it was.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Without the receiver.
    pub params: Vec<WantedParam>,
    /// Places of parameters that are removed.
    pub removed: Vec<usize>,
    /// Type of what is returned, if it changes: none returns nothing.
    pub returns: Option<Option<String>>,
    pub to_async: Option<bool>,
    pub to_unsafe: Option<bool>,
    pub to_const: Option<bool>,
}

/// A parameter that is wanted.
#[derive(Debug, Clone)]
pub struct WantedParam {
    pub from: From,
    /// Another name.
    pub name: Option<NewName>,
    /// Another type.
    pub ty: Option<String>,
}

/// Where a parameter comes from.
#[derive(Debug, Clone)]
pub enum From {
    /// The place that it had.
    Old(usize),
    /// It is added.
    New { name: String, ty: String, value: String, argument: Argument },
}

/// Why a change does not fit a signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    #[error("it has no parameter `{0}`{1}")]
    NoParameter(String, String),
    #[error(
        "`self` cannot be added, removed, renamed or moved: it says how the function is called"
    )]
    Receiver,
    #[error("the parameter `{0}` is a pattern, which has no name of its own")]
    Pattern(String),
    #[error("two parameters would have the name `{0}`")]
    Twice(String),
    #[error(transparent)]
    Name(#[from] BadName),
    #[error("`{0}` is not a type")]
    NoType(String),
    #[error("`{0}` is not an expression")]
    NoValue(String),
    #[error("the order has to name each parameter once: {0}")]
    Order(String),
    #[error("a parameter has attributes, which may leave it out")]
    Attributes,
    #[error("callers may give it any number of arguments")]
    Variadic,
    #[error("a function cannot be `const` and `async`")]
    ConstAsync,
    #[error("the parameters in {0}:{1} are others")]
    OtherParameters(String, u32),
    #[error(
        "the result borrows from a parameter by a lifetime that is not written, and the number of such parameters changes: name the lifetime first"
    )]
    Elided,
}

impl Wanted {
    /// Applies changes one after the other to the signature that a function has.
    ///
    /// # Errors
    /// What does not fit.
    pub fn from_changes(head: &Head, changes: &[SignatureChange]) -> Result<Self, Misfit> {
        if head.is_variadic {
            return Err(Misfit::Variadic);
        }
        let old = |at| WantedParam { from: From::Old(at), name: None, ty: None };
        let params = (0..head.params.len()).map(old).collect();
        let mut wanted = Self { params, ..Self::default() };
        for change in changes {
            wanted.apply(head, change)?;
        }
        let stays = |at: &usize| wanted.params.iter().any(|one| one.place() == Some(*at));
        wanted.removed = (0..head.params.len()).filter(|at| !stays(at)).collect();
        if wanted.changes_list() && head.params.iter().any(|one| one.has_attributes) {
            return Err(Misfit::Attributes);
        }
        let is = |to: Option<bool>, was: bool| to.unwrap_or(was);
        if is(wanted.to_async, head.is_async) && is(wanted.to_const, head.is_const) {
            return Err(Misfit::ConstAsync);
        }
        let names: Vec<&str> = wanted.params.iter().filter_map(|one| one.name_in(head)).collect();
        for (at, name) in names.iter().enumerate().filter(|(_, name)| **name != "_") {
            if names.iter().skip(at + 1).any(|other| other == name) {
                return Err(Misfit::Twice((*name).to_owned()));
            }
        }
        wanted.tidy(head);
        wanted.refuse_elided(head)?;
        Ok(wanted)
    }

    fn apply(&mut self, head: &Head, change: &SignatureChange) -> Result<(), Misfit> {
        match change {
            SignatureChange::Add { name, ty, value, before } => {
                let added = added(name, ty, value)?;
                let at = match before {
                    Some(before) => self.find(head, before)?,
                    None => self.params.len(),
                };
                self.params.insert(at, added);
            }
            SignatureChange::Remove(name) => {
                let at = self.find(head, name)?;
                self.params.remove(at);
            }
            SignatureChange::Rename { from, to } => {
                let at = self.find(head, from)?;
                let new = NewName::parse(to)?;
                let Some(param) = self.params.get_mut(at) else { return Ok(()) };
                if param.name_in(head).is_none() {
                    return Err(Misfit::Pattern(from.clone()));
                }
                match &mut param.from {
                    From::New { name, .. } => *name = new.written,
                    From::Old(_) => param.name = Some(new),
                }
            }
            SignatureChange::Retype { name, ty: new } => {
                let at = self.find(head, name)?;
                type_of(new)?;
                let Some(param) = self.params.get_mut(at) else { return Ok(()) };
                match &mut param.from {
                    From::New { ty, .. } => new.trim().clone_into(ty),
                    From::Old(_) => param.ty = Some(new.trim().to_owned()),
                }
            }
            SignatureChange::Order(names) => {
                let places: Vec<usize> =
                    names.iter().map(|name| self.find(head, name)).collect::<Result<_, _>>()?;
                let each = (0..self.params.len()).all(|at| places.contains(&at));
                if !each || places.len() != self.params.len() {
                    return Err(Misfit::Order(self.shown(head)));
                }
                self.params =
                    places.iter().filter_map(|at| self.params.get(*at).cloned()).collect();
            }
            SignatureChange::Returns(ty) => {
                let ty = ty.as_deref().map(str::trim).filter(|ty| *ty != "()");
                ty.map(type_of).transpose()?;
                self.returns = Some(ty.map(str::to_owned));
            }
            SignatureChange::Async(to) => self.to_async = Some(*to),
            SignatureChange::Unsafe(to) => self.to_unsafe = Some(*to),
            SignatureChange::Const(to) => self.to_const = Some(*to),
        }
        Ok(())
    }

    /// The parameter of a name, a place (`0`) or the text of a pattern.
    fn find(&self, head: &Head, given: &str) -> Result<usize, Misfit> {
        let given = given.trim();
        if given == "self" {
            return Err(Misfit::Receiver);
        }
        let bare = given.strip_prefix("r#").unwrap_or(given);
        let by_name = |one: &WantedParam| one.name_in(head).is_some_and(|name| name == bare);
        if let Some(at) = self.params.iter().position(by_name) {
            return Ok(at);
        }
        let by_pattern = |one: &WantedParam| {
            let pattern = one.place().and_then(|at| head.params.get(at));
            pattern.is_some_and(|param| same_tokens(&param.pattern, given))
        };
        if let Some(at) = self.params.iter().position(by_pattern) {
            return Ok(at);
        }
        match given.parse::<usize>() {
            Ok(at) if at < self.params.len() => Ok(at),
            _ => {
                let shown = self.shown(head);
                let has =
                    if shown.is_empty() { String::new() } else { format!("; it has {shown}") };
                Err(Misfit::NoParameter(given.to_owned(), has))
            }
        }
    }

    /// The names of the parameters.
    fn shown(&self, head: &Head) -> String {
        let names = self.params.iter().map(|one| {
            let pattern = one.place().and_then(|at| head.params.get(at));
            one.name_in(head)
                .or(pattern.map(|param| param.pattern.as_str()))
                .unwrap_or_default()
                .to_owned()
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// Leaves out what is so already.
    fn tidy(&mut self, head: &Head) {
        for param in &mut self.params {
            let Some(old) = param.place().and_then(|at| head.params.get(at)) else { continue };
            if param.name.as_ref().is_some_and(|new| old.name.as_ref() == Some(&new.bare)) {
                param.name = None;
            }
            if param.ty.as_ref().is_some_and(|new| same_tokens(new, &old.ty_text)) {
                param.ty = None;
            }
        }
        let is_same = |new: &Option<String>| {
            same_tokens(new.as_deref().unwrap_or_default(), &head.returns_text)
        };
        self.returns = self.returns.take().filter(|new| !is_same(new));
        self.to_async = self.to_async.filter(|to| *to != head.is_async);
        self.to_unsafe = self.to_unsafe.filter(|to| *to != head.is_unsafe);
        self.to_const = self.to_const.filter(|to| *to != head.is_const);
    }

    /// Lifetimes that are left out in the result are those of the only parameter that has some.
    fn refuse_elided(&self, head: &Head) -> Result<(), Misfit> {
        if !head.elides || head.borrows || self.returns.is_some() {
            return Ok(());
        }
        let before = head.params.iter().filter(|one| one.has_lifetime).count();
        let has_lifetime = |one: &&WantedParam| match (&one.from, &one.ty) {
            (From::New { ty, .. }, _) | (From::Old(_), Some(ty)) => {
                lifetimes_of_type(ty).unwrap_or_default()
            }
            (From::Old(at), None) => head.params.get(*at).is_some_and(|one| one.has_lifetime),
        };
        let after = self.params.iter().filter(has_lifetime).count();
        if before == after { Ok(()) } else { Err(Misfit::Elided) }
    }

    /// Names that parameters get, without `r#`.
    pub fn new_names(&self) -> impl Iterator<Item = &str> {
        self.params.iter().filter_map(|one| match (&one.name, &one.from) {
            (Some(new), _) => Some(new.bare.as_str()),
            (None, From::New { name, .. }) => Some(name.strip_prefix("r#").unwrap_or(name)),
            (None, From::Old(_)) => None,
        })
    }

    /// Whether parameters are added, removed or moved.
    pub fn changes_list(&self) -> bool {
        let places = self.params.iter().map(WantedParam::place);
        !self.removed.is_empty() || places.enumerate().any(|(at, place)| place != Some(at))
    }

    /// Whether types of parameters change.
    pub fn retypes(&self) -> bool {
        self.params.iter().any(|one| one.ty.is_some())
    }

    /// Whether callers see something of it.
    pub fn concerns_calls(&self) -> bool {
        self.changes_list()
            || self.retypes()
            || self.returns.is_some()
            || self.to_async.is_some()
            || self.to_unsafe.is_some()
            || self.to_const.is_some()
    }

    /// Whether callers have to change with it.
    pub fn breaks_callers(&self) -> bool {
        self.changes_list()
            || self.retypes()
            || self.returns.is_some()
            || self.to_async.is_some()
            || self.to_unsafe == Some(true)
            || self.to_const == Some(false)
    }

    /// Whether nothing changes.
    pub fn is_same(&self) -> bool {
        !self.concerns_calls() && self.params.iter().all(|one| one.name.is_none())
    }

    /// The list of parameters or arguments behind this many that stay in front; `new`: the text of
    /// an added one.
    pub fn entries(&self, front: usize, new: impl Fn(&str, &str, &str) -> String) -> Vec<Entry> {
        let front_entries = (0..front).map(Entry::Old);
        let rest = self.params.iter().map(|one| match &one.from {
            From::Old(at) => Entry::Old(front + at),
            From::New { name, ty, value, .. } => Entry::New(new(name, ty, value)),
        });
        front_entries.chain(rest).collect()
    }
}

impl WantedParam {
    /// The place that it had.
    pub fn place(&self) -> Option<usize> {
        match self.from {
            From::Old(at) => Some(at),
            From::New { .. } => None,
        }
    }

    /// Its name then; none of a pattern.
    fn name_in<'a>(&'a self, head: &'a Head) -> Option<&'a str> {
        match (&self.name, &self.from) {
            (Some(new), _) => Some(&new.bare),
            (None, From::Old(at)) => head.params.get(*at)?.name.as_deref(),
            (None, From::New { name, .. }) => Some(name.strip_prefix("r#").unwrap_or(name)),
        }
    }
}

fn added(name: &str, ty: &str, value: &str) -> Result<WantedParam, Misfit> {
    if name == "self" {
        return Err(Misfit::Receiver);
    }
    let name = if name == "_" { "_".to_owned() } else { NewName::parse(name)?.written };
    type_of(ty)?;
    let argument = if is_code(value) { Argument::parse(value) } else { None };
    let argument = argument.ok_or_else(|| Misfit::NoValue(value.to_owned()))?;
    let (ty, value) = (ty.trim().to_owned(), value.trim().to_owned());
    Ok(WantedParam { from: From::New { name, ty, value, argument }, name: None, ty: None })
}

fn type_of(text: &str) -> Result<(), Misfit> {
    let is_type = is_code(text) && lifetimes_of_type(text).is_some();
    if is_type { Ok(()) } else { Err(Misfit::NoType(text.to_owned())) }
}

/// Whether a text has no comments, which could hide what comes behind it.
fn is_code(text: &str) -> bool {
    let mut at = 0;
    let blank = |from: u32, to: u32| {
        text.get(from as usize..to as usize).is_some_and(|between| between.trim().is_empty())
    };
    for token in lex(text, 0) {
        if !blank(at, token.start) {
            return false;
        }
        at = token.end;
    }
    blank(at, text.len() as u32)
}

/// Whether two texts differ in white space only.
pub fn same_tokens(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let slice = |from: u32, to: u32| text.get(from as usize..to as usize).map(str::to_owned);
        lex(text, 0).iter().filter_map(|token| slice(token.start, token.end)).collect()
    };
    words(a) == words(b)
}
