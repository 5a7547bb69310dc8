//! Compares claimed entries with the true ones, which people write in several forms.

use std::sync::LazyLock;

use regex::Regex;

use super::Checked;
use super::forms::implements_item;
use super::subject::clean;
use crate::cache::{Doubts, Known, Subject};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::OrNever;
use asof_oracle::{
    Ask, Claimed, Extra, Fact, Form, Member, Structural, Weight, is_file, is_near, last_name,
};
use asof_wire::{Guesses, Item, ResolveRequest, Symbol, UseRequest, Verdict};

/// A file with a line: `src/a.rs:3`, `src/a.rs at line 3`.
static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"([\w./-]+\.rs)`?(?:(?::|,? (?:(?:at|on|around|in) )?lines? |\(line )(\d+)|#L(\d+))?",
    )
    .ok()
});

static LINE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\bline (\d+)").ok());

impl Snapshot<'_> {
    pub(super) fn compare(
        &self,
        asked: &Structural,
        subject: Option<&Subject>,
        claimed: &Claimed<'_>,
        known: &Known,
        method: &str,
    ) -> Result<Checked, EngineError> {
        let (verdict, truth) = match known {
            Known::Unknown(reason) => return Ok(Checked::unknown(reason.clone(), method)),
            Known::YesNo(truth) => {
                let word = if *truth { "yes" } else { "no" };
                let (yes, no) = words(asked);
                let verdict = match claimed.yes_or_no(yes, no) {
                    Some(claimed) => asof_oracle::compare_yes_no(claimed, *truth),
                    None => not_read("yes or no"),
                };
                (verdict, vec![word.to_owned()])
            }
            Known::Code(forms) => {
                (compare_code(asked, claimed, forms), forms.first().cloned().into_iter().collect())
            }
            Known::Place { file, line, lines } => {
                (compare_place(claimed, file, *line, lines), vec![format!("{file}:{line}")])
            }
            Known::List(facts, doubts) => {
                let truth = facts.iter().map(|fact| fact.shown.clone()).collect();
                (self.compare_list(asked, subject, claimed, facts, doubts)?, truth)
            }
        };
        Ok(Checked { verdict, truth, method: method.to_owned() })
    }

    fn compare_list(
        &self,
        asked: &Structural,
        subject: Option<&Subject>,
        claimed: &Claimed<'_>,
        facts: &[Fact],
        doubts: &Doubts,
    ) -> Result<Verdict, EngineError> {
        let typed = matches!(asked.ask, Ask::Fields | Ask::Parameters);
        let number = if asked.count { claimed.number() } else { claimed.bare_number() };
        let counted = number.map(|number| count(number, facts, doubts));
        if asked.count
            && let Some(verdict) = counted
        {
            return Ok(verdict);
        }
        let form =
            Form { subject: &asked.subject, typed, calls: !typed && asked.ask != Ask::Variants };
        let Some(listed) = claimed.entries(form) else {
            return Ok(counted.unwrap_or_else(|| not_read("a list")));
        };
        let mut look =
            |entry: &str, facts: &[Fact]| self.look(asked, subject, entry, facts, doubts);
        let verdict = asof_oracle::compare(&listed.entries, facts, true, &mut look)?;
        if listed.entries.is_empty()
            && verdict.is_golden()
            && let Some(reason) = nothing_but(facts, doubts)
        {
            return Ok(Verdict::CannotVerify { reason });
        }
        Ok(match counted {
            Some(counted) if !verdict.is_golden() => counted,
            _ if asked.count && verdict.is_refuted() => not_read("a number"),
            _ if !listed.certain && verdict.is_refuted() => not_read("a list and nothing else"),
            _ if claimed.denies() && !listed.certain => not_read("a list and nothing else"),
            _ => verdict,
        })
    }

    /// What a claimed entry is that is written like none of the facts.
    fn look(
        &self,
        asked: &Structural,
        subject: Option<&Subject>,
        entry: &str,
        facts: &[Fact],
        doubts: &Doubts,
    ) -> Result<Extra, EngineError> {
        let unsure = |reason: Option<String>| reason.map_or(Extra::Wrong, Extra::Unsure);
        if matches!(asked.ask, Ask::Fields | Ask::Parameters | Ask::Variants) {
            let near = facts.iter().find(|fact| {
                is_near(entry, &fact.shown) || fact.forms.iter().any(|form| is_near(entry, form))
            });
            let near = near.map(|fact| format!("it is written `{}`", fact.shown));
            return Ok(unsure(near.or_else(|| doubts.about(entry))));
        }
        let found = self.named(&ResolveRequest::new(clean(entry)), &[])?;
        let symbols: Vec<Symbol> = found.iter().map(Subject::symbol).collect();
        let paths: Vec<String> = symbols.iter().map(|symbol| symbol.path.clone()).collect();
        let is = |fact: &Fact| fact.path.as_ref().is_some_and(|path| paths.contains(path));
        if facts.iter().any(is) {
            return Ok(Extra::Is(paths));
        }
        let implemented = |fact: &&Fact| {
            let path = fact.path.as_deref().unwrap_or_default();
            paths.iter().any(|of_trait| implements_item(path, of_trait))
        };
        if let Some(fact) = facts.iter().find(implemented) {
            return Ok(Extra::Unsure(format!("`{}` implements it", fact.shown)));
        }
        if let Some(reason) = doubts.about(entry) {
            return Ok(Extra::Unsure(reason));
        }
        let name = last_name(entry);
        let is_known = symbols.iter().any(|symbol| !symbol.external);
        let namesake = facts.iter().find(|fact| last_name(&fact.shown) == name);
        if let Some(fact) = namesake.filter(|_| !is_known) {
            return Ok(Extra::Unsure(format!("`{entry}` may be `{}`", fact.shown)));
        }
        match (asked.ask, subject) {
            (Ask::Traits, _) => Ok(unsure(self.doubt_about_impls(&[], name, true)?)),
            (Ask::Callees, Some(Subject::Item(item))) => {
                Ok(unsure(self.may_call(item, name, is_known.then_some(&symbols))?))
            }
            _ => Ok(Extra::Wrong),
        }
    }

    /// Why an item may call a name that is not among its calls. `known`: the items of the workspace
    /// that have this name.
    fn may_call(
        &self,
        item: &Item,
        name: &str,
        known: Option<&Vec<Symbol>>,
    ) -> Result<Option<String>, EngineError> {
        if let Some(known) = known {
            let request = UseRequest { guesses: Guesses::Show, ..UseRequest::default() };
            let unresolved = self.unresolved_uses(known, &request)?;
            let is_here = unresolved.answer.items.iter().any(|place| place.item.id == item.id);
            return Ok(is_here.then(|| format!("an unresolved call of `{name}` may be it")));
        }
        let text = self.source_text(&item.file_path)?;
        let span = item.span.start_byte as usize..item.span.end_byte as usize;
        let own = text.bytes.get(span).ok_or_else(|| EngineError::State {
            what: "span",
            reason: format!("{} is not in {}", item.name, item.file_path),
        })?;
        let text = String::from_utf8_lossy(own).into_owned();
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let written = text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
            !is_word(before) && !is_word(after)
        });
        Ok(written.then(|| format!("`{name}` is written in it, and may be a call")))
    }
}

/// Words of sentences that affirm and deny.
fn words(asked: &Structural) -> (&'static [&'static str], &'static [&'static str]) {
    const USED: &[&str] = &["used", "called", "referenced", "invoked", "calls", "uses", "use"];
    const UNUSED: &[&str] = &["unused", "dead", "unreferenced"];
    const PUBLIC: &[&str] = &["public", "pub", "exported"];
    const PRIVATE: &[&str] = &["private", "internal", "pub(crate)"];
    match asked.ask {
        Ask::IsUsed => (USED, UNUSED),
        Ask::IsUnused => (UNUSED, USED),
        Ask::IsPublic => (PUBLIC, PRIVATE),
        Ask::IsPrivate => (PRIVATE, PUBLIC),
        Ask::Calls | Ask::CallsItself => {
            (&["calls", "call", "called", "invokes", "recursive", "does"], &[])
        }
        Ask::Implements => (&["implements", "implement", "derives", "implemented", "does"], &[]),
        Ask::Returns => (&["returns", "return", "does"], &[]),
        Ask::Has if asked.member == Some(Member::Parameter) => {
            (&["takes", "has", "accepts", "take", "have", "accept", "does"], &["lacks"])
        }
        Ask::Has => (&["has", "have", "contains", "defines", "does"], &["lacks"]),
        _ => (&[], &[]),
    }
}

fn compare_code(asked: &Structural, claimed: &Claimed<'_>, forms: &[String]) -> Verdict {
    let Some(code) = claimed.code(&asked.subject) else { return not_read("code") };
    let is = |code: &String| forms.iter().any(|form| asof_oracle::same_code(code, form));
    let missing: Vec<String> = forms.first().cloned().into_iter().collect();
    if code.iter().any(is) {
        return if code.len() > 1 && claimed.denies() {
            not_read("one piece of code")
        } else {
            Verdict::ExactMatch
        };
    }
    if code.iter().any(|code| forms.iter().any(|form| is_almost(code, form))) {
        let reason = format!("it is written `{}`", missing.join(""));
        return Verdict::CannotVerify { reason };
    }
    Verdict::Mismatch { extra: code, missing }
}

/// Whether code differs only in paths, lifetimes, or its `where` clause.
fn is_almost(claimed: &str, form: &str) -> bool {
    let bare = |code: &str| match code.find("where ").or(code.find("where\n")) {
        Some(at) if at > 0 => code.get(..at).unwrap_or(code).trim().to_owned(),
        _ => code.to_owned(),
    };
    is_near(&bare(claimed), &bare(form))
}

fn compare_place(
    claimed: &Claimed<'_>,
    file: &str,
    line: u32,
    lines: &std::ops::RangeInclusive<u32>,
) -> Verdict {
    let text = claimed.text();
    let number = |m: Option<regex::Match<'_>>| m.and_then(|m| m.as_str().parse::<u32>().ok());
    let all: Vec<regex::Captures<'_>> = PLACE
        .as_ref()
        .map(|regex| regex.captures_iter(text).collect())
        .or_never("the expression of a place compiles");
    let [place] = all.as_slice() else {
        return not_read(if all.is_empty() { "a file" } else { "one file" });
    };
    let name = place.get(1).map_or("", |name| name.as_str());
    let said = number(place.get(2)).or(number(place.get(3)));
    let said = said.or_else(|| number(LINE.as_ref()?.captures(text)?.get(1)));
    if is_file(name, file) && said.is_none_or(|said| lines.contains(&said)) {
        return Verdict::ExactMatch;
    }
    let extra = said.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"));
    Verdict::Mismatch { extra: vec![extra], missing: vec![format!("{file}:{line}")] }
}

/// Compares a number with how many facts there are: the required ones, or the optional ones, too;
/// or more if there are doubts.
fn count(claimed: u64, facts: &[Fact], doubts: &Doubts) -> Verdict {
    let of = |weight| facts.iter().filter(|fact| fact.weight == weight).count() as u64;
    let required = of(Weight::Required);
    let (meant, all) = (required + of(Weight::Optional), facts.len() as u64);
    if meant == all && (claimed == required || claimed == all) {
        return Verdict::ExactMatch;
    }
    let number = if required == all { all.to_string() } else { format!("{required} to {all}") };
    match doubts.any() {
        Some(reason) if claimed > required => Verdict::CannotVerify { reason },
        _ if (required..=all).contains(&claimed) => Verdict::CannotVerify {
            reason: format!("{required} are sure, {} more are possible", all - required),
        },
        _ => Verdict::Mismatch { extra: vec![claimed.to_string()], missing: vec![number] },
    }
}

fn not_read(expected: &str) -> Verdict {
    Verdict::CannotVerify { reason: format!("the answer cannot be read as {expected}") }
}

/// Why it is not certain that there is none.
fn nothing_but(facts: &[Fact], doubts: &Doubts) -> Option<String> {
    let possible = facts.iter().find(|fact| fact.weight == Weight::Possible);
    match possible {
        Some(possible) => Some(format!("`{}` may be one", possible.shown)),
        None if facts.is_empty() => doubts.any(),
        None => None,
    }
}
