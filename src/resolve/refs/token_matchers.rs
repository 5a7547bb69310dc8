//! Expands macros whose rules match parts of an expression: `delegate!(self.poll(cx))`, which match
//! a receiver, a name and arguments, and make another call of them. What is read from the tokens of
//! such a call is then none of what the compiler sees: the expansion is.

use super::super::fragment::{Cursor, Token, tokens};
use super::super::macro_rules::expand_value;
use super::infer::InferenceContext;
use super::paths::{PathResolver, ResolvedName, Target};
use super::rules::Rule;
use asof_model::{CallId, OrNever, RefKind};

/// Names of one call that are looked at.
const MAX_NAMES: usize = 32;

impl InferenceContext<'_, '_> {
    /// Corrects the methods and fields that were noted since `mark` in the tokens of a call.
    pub(super) fn taken_apart(&mut self, defs: &[u32], call: CallId, mark: usize) {
        let noted = self.p.sink.as_deref().and_then(|sink| sink.get(mark..)).unwrap_or_default();
        let mut names: Vec<(RefKind, String)> = Vec::new();
        for found in noted.iter().filter(|found| is_member(found)) {
            let name = (found.kind, self.p.target_name(&found.target).to_owned());
            if !names.contains(&name) && names.len() < MAX_NAMES {
                names.push(name);
            }
        }
        let [def] = defs else { return };
        let world = self.p.world;
        let rules = self.p.world.rules(*def);
        if names.is_empty() || !matches_members(rules) || !self.may_expand() {
            return;
        }
        let krate = world.crate_word(*def, self.p.scope);
        let uses = self.p.uses;
        let Some(text) = expand_value(rules, uses.call(call), &krate, &mut self.budget) else {
            // What the rules make of it is not known.
            return self.doubt(mark);
        };
        let inner = self.members_of(&text);
        let (given, made) = (tokens(uses.call(call)), tokens(&text));
        for (kind, name) in names {
            let own: Vec<&ResolvedName> = inner
                .iter()
                .filter(|found| found.kind == kind && self.p.target_name(&found.target) == name)
                .collect();
            let sure: Vec<&ResolvedName> = own.iter().copied().filter(|one| is_sure(one)).collect();
            let intact =
                accesses(&given, &name).all(|before| accesses(&made, &name).any(|b| b == before));
            match (sure.is_empty(), intact) {
                (false, _) => self.replace(mark, kind, &name, &sure),
                (true, true) => {}
                (true, false) => self.replace(mark, kind, &name, &own),
            }
        }
    }

    /// Members that an expansion at the place of its call names.
    fn members_of(&mut self, text: &str) -> Vec<ResolvedName> {
        let (uses, body) = asof_syntax::read_code(text);
        let names = self.p.world.names_of(&uses);
        let outer = self.gathered.replace(Vec::new());
        self.within_expansion(&uses, &names, "", |inner| {
            inner.value_of(body);
            inner.settle_calls();
        });
        let found = std::mem::replace(&mut self.gathered, outer)
            .or_never("names of an expansion are gathered");
        found.into_iter().filter(is_member).collect()
    }

    /// Replaces what was noted for a name by what the expansion has for it, at the same places.
    fn replace(&mut self, mark: usize, kind: RefKind, name: &str, by: &[&ResolvedName]) {
        let noted = self.p.sink.as_mut().map(|sink| sink.split_off(mark.min(sink.len())));
        let (old, mut kept): (Vec<ResolvedName>, Vec<ResolvedName>) =
            noted.unwrap_or_default().into_iter().partition(|one| {
                one.kind == kind && is_member(one) && self.p.target_name(&one.target) == name
            });
        let same = |one: &ResolvedName| by.iter().any(|found| found.target == one.target);
        if !by.is_empty()
            && old.iter().all(same)
            && by.iter().all(|found| old.iter().any(|one| one.target == found.target))
        {
            kept.extend(old);
        } else {
            let mut places: Vec<u32> = old.iter().map(|one| one.at).collect();
            places.sort_unstable();
            places.dedup();
            for at in places {
                if by.is_empty() {
                    let dot = format!(".{name}").into();
                    let (target, rule) = (Target::Unknown(dot), Rule::Nothing);
                    kept.push(ResolvedName {
                        kind,
                        target,
                        rule,
                        several: 1,
                        under: 0,
                        region: 0,
                        at,
                    });
                }
                for &found in by {
                    let rule = if is_sure(found) { Rule::Expanded } else { found.rule };
                    kept.push(ResolvedName { at, rule, ..found.clone() });
                }
            }
        }
        if let Some(sink) = &mut self.p.sink {
            sink.extend(kept);
        }
    }

    /// Members that were noted are no longer sure.
    fn doubt(&mut self, mark: usize) {
        for found in self.p.sink.iter_mut().flatten().skip(mark) {
            if is_member(found) && is_sure(found) {
                found.rule = Rule::Expanded;
            }
        }
    }
}

impl PathResolver<'_, '_> {
    /// The last part of a target's path.
    fn target_name<'t>(&'t self, target: &'t Target) -> &'t str {
        match target {
            Target::Def(def) => self.world.text(self.world.name(*def)),
            Target::External(path) | Target::Unknown(path) => {
                path.rsplit([':', '.']).next().unwrap_or_default()
            }
        }
    }
}

fn is_member(found: &ResolvedName) -> bool {
    matches!(found.kind, RefKind::MethodCall | RefKind::Field)
}

fn is_sure(found: &ResolvedName) -> bool {
    use Rule::{Bound, Expanded, Expansion, Member, TraitImpl};
    matches!(found.rule, Bound | Expanded | Expansion | Member | TraitImpl)
}

/// Whether some rule of a macro matches a dot: only such rules take `receiver.name` apart.
fn matches_members(rules: &str) -> bool {
    let rules = tokens(rules);
    let mut cursor = Cursor::new(&rules);
    while !cursor.done() {
        let Some(pattern) = cursor.group() else {
            cursor.next();
            continue;
        };
        if pattern.iter().any(|token| token.text == ".") {
            return true;
        }
        // The template.
        if cursor.take("=>") {
            cursor.group();
        }
    }
    false
}

/// What stands before each `.name`.
fn accesses<'t>(tokens: &'t [Token<'t>], name: &'t str) -> impl Iterator<Item = &'t str> {
    tokens.windows(3).filter_map(move |three| match three {
        [before, dot, named] if dot.text == "." && named.text == name => Some(before.text),
        _ => None,
    })
}
