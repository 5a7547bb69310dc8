//! Expressions that one side gives for parameters which it adds, for new calls of the other side.

use std::collections::{BTreeMap, BTreeSet};

use super::names::{Adaptation, is_named};
use super::sides::{Aligned, Beside};
use crate::error::EngineError;
use crate::review::Loaded;
use asof_model::NodeId;
use asof_refactor::{Call, Entry, calls, flatten, relist};
use asof_review::Identity;
use asof_syntax::{Kind, lex};
use asof_wire::MergeFrom;

/// Words that mean the same everywhere.
const FIXED: &[&str] = &["as", "crate", "false", "mut", "true"];

/// A function with other parameters in the merge than on one side.
pub(super) struct NewParameters {
    pub function: NodeId,
    /// Name or pattern and type of each, as `asof_syntax::signature_parts` has them.
    pub was: Vec<(String, String)>,
    pub now: Vec<(String, String)>,
}

/// What the calls of the side that adds parameters pass for them.
pub(super) enum Given {
    /// The same in all calls, by the numbers of parameters.
    Arguments(Vec<GivenArgument>),
    /// It does not say what others would pass. Why, if there are calls.
    Unknown(Option<String>),
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GivenArgument {
    /// The number of the parameter, from 0.
    at: usize,
    text: String,
    /// What the names in it mean, by their bytes in it.
    meanings: BTreeMap<u32, BTreeSet<Identity>>,
}

impl NewParameters {
    /// The numbers of the parameters that are new; none if the others are not as they were.
    fn added(&self) -> Option<Vec<usize>> {
        let mut before = self.was.iter().peekable();
        let mut added = Vec::new();
        for (at, one) in self.now.iter().enumerate() {
            if before.next_if(|was| *was == one).is_none() {
                added.push(at);
            }
        }
        (before.next().is_none() && !added.is_empty()).then_some(added)
    }

    /// Arguments of a call that has as many as the function had parameters, or none.
    pub fn fits(&self, call: &Call) -> bool {
        call.list.items.len() + usize::from(call.is_method) == self.was.len()
    }
}

/// What a side passes for the parameters that it adds. `other`: the side that does not have them.
pub(super) fn given(
    giving: &mut Beside<'_>,
    other: &mut Beside<'_>,
    change: &NewParameters,
) -> Result<Given, EngineError> {
    let Some(added) = change.added() else { return Ok(Given::Unknown(None)) };
    let (own, others) = (giving.side.hashes()?, other.side.hashes()?);
    let mut found: Option<Vec<GivenArgument>> = None;
    for path in own.keys().filter(|path| others.get(*path) != own.get(*path)) {
        let file = giving.side.file(path)?;
        let named = file.text.uses.keys().filter(|byte| is_use(&file, **byte, change.function));
        let names: BTreeSet<u32> = named.copied().collect();
        let found_calls = calls(&file.text.text, &names);
        for call in found_calls.values() {
            let mut arguments = Vec::new();
            for at in &added {
                let number = at.checked_sub(usize::from(call.is_method));
                let bytes = number.and_then(|number| call.list.items.get(number));
                let Some(bytes) = bytes else { return Ok(Given::Unknown(None)) };
                match read_argument(&file, *bytes) {
                    Ok((text, meanings)) => {
                        arguments.push(GivenArgument { at: *at, text, meanings });
                    }
                    Err(reason) => return Ok(Given::Unknown(Some(reason))),
                }
            }
            if let Some(known) = &found
                && let Some((a, b)) = known.iter().zip(&arguments).find(|(a, b)| a != b)
            {
                let what = if a.text == b.text {
                    format!("`{}` means different things in its calls there", a.text)
                } else {
                    format!("the calls there pass `{}` and `{}`", a.text, b.text)
                };
                return Ok(Given::Unknown(Some(what)));
            }
            found = Some(arguments);
        }
    }
    Ok(found.map_or(Given::Unknown(None), Given::Arguments))
}

/// Whether a name means a function and nothing else.
fn is_use(file: &Loaded, byte: u32, function: NodeId) -> bool {
    let uses = file.text.uses.get(&byte).map_or(&[][..], Vec::as_slice);
    let mut named = uses.iter().filter(|one| is_named(one.meaning.kind)).peekable();
    named.peek().is_some()
        && named.all(|one| one.is_certain && one.meaning.target == Identity::Later(function))
}

/// The text of an argument and what its names mean; else why it says nothing for another place.
fn read_argument(
    file: &Loaded,
    (start, end): (u32, u32),
) -> Result<(String, BTreeMap<u32, BTreeSet<Identity>>), String> {
    let text = file.text.text.get(start as usize..end as usize).unwrap_or_default();
    let bound = || format!("`{text}` there depends on its place");
    if text.contains('\n') || text.contains("//") || text.contains("/*") {
        return Err(bound());
    }
    let mut meanings = BTreeMap::new();
    let tokens = lex(text, 0);
    for (n, token) in tokens.iter().enumerate() {
        let word = text.get(token.start as usize..token.end as usize).unwrap_or_default();
        match token.kind {
            Kind::Word => {
                let uses = file.text.uses.get(&(start + token.start));
                let uses = uses.map_or(&[][..], Vec::as_slice);
                let named: Vec<_> = uses.iter().filter(|one| is_named(one.meaning.kind)).collect();
                if named.is_empty() && FIXED.contains(&word) {
                    continue;
                }
                if named.is_empty() || named.iter().any(|one| !one.is_certain) {
                    return Err(bound());
                }
                meanings.insert(token.start, named.iter().map(|one| one.meaning.target).collect());
            }
            Kind::Lifetime | Kind::Doc => return Err(bound()),
            // `?` leaves a function, and closures bind names.
            Kind::Punct if matches!(token.byte, b'?' | b'|') => return Err(bound()),
            // What a macro makes of its place is not known.
            Kind::Punct if token.byte == b'!' => {
                let is_macro = n
                    .checked_sub(1)
                    .and_then(|n| tokens.get(n))
                    .is_some_and(|before| before.kind == Kind::Word && before.end == token.start);
                if is_macro {
                    return Err(bound());
                }
            }
            _ => {}
        }
    }
    Ok((text.to_owned(), meanings))
}

/// What is to be put into a call that has the old number of arguments.
pub(super) fn insertions(
    side: MergeFrom,
    path: &str,
    file: &Aligned,
    call: &Call,
    function: &str,
    arguments: &[GivenArgument],
) -> Vec<Adaptation> {
    let text = &file.merged.text.text;
    let mut wanted: Vec<Entry> = (0..call.list.items.len()).map(Entry::Old).collect();
    for argument in arguments {
        let at = argument.at.saturating_sub(usize::from(call.is_method)).min(wanted.len());
        wanted.insert(at, Entry::New(argument.text.clone()));
    }
    let cuts = flatten(text, &relist(text, &call.list, &wanted, call.bytes));
    let slice = |start: u32, end: u32| text.get(start as usize..end as usize).unwrap_or_default();
    let is = cuts.iter().rev().fold(slice(call.bytes.0, call.bytes.1).to_owned(), |mut is, cut| {
        let at = |byte: u32| byte.saturating_sub(call.bytes.0) as usize;
        if is.is_char_boundary(at(cut.start)) && is.is_char_boundary(at(cut.end)) {
            is.replace_range(at(cut.start)..at(cut.end), &cut.text);
        }
        is
    });
    let mut rest = arguments.iter().peekable();
    let mut found = Vec::new();
    for cut in &cuts {
        let (mut meanings, mut from) = (BTreeMap::new(), 0);
        while let Some(argument) = rest.peek() {
            let behind = cut.text.get(from..).unwrap_or_default();
            let Some(at) = behind.find(&argument.text) else { break };
            let start = (from + at) as u32;
            let names = argument.meanings.iter();
            meanings.extend(names.map(|(at, all)| (start + at, all.clone())));
            from += at + argument.text.len();
            rest.next();
        }
        found.push(Adaptation {
            file_path: path.to_owned(),
            byte: cut.start,
            before: slice(cut.start, cut.end).to_owned(),
            after: cut.text.clone(),
            line: file.merged.text.line(call.name),
            side,
            path: function.to_owned(),
            meanings,
            was: slice(call.bytes.0, call.bytes.1).to_owned(),
            is: is.clone(),
        });
    }
    found
}
