//! Candidates for methods of receivers whose type is unknown, or known only in part.

use super::super::conditions::ALWAYS;
use super::calls::MAX_CANDIDATES;
use super::infer::InferenceContext;
use super::paths::{ResolvedName, Target};
use super::reads;
use super::rules::Rule;
use super::types::{Def, Type};
use asof_model::{RefKind, Sym};

impl InferenceContext<'_, '_> {
    /// A method that no known type has. Returns what it returns, if it is the projection of a pinned struct.
    pub(super) fn unknown_method(&mut self, receiver: &Type, sym: Sym, at: u32) -> Option<Type> {
        let text = self.p.text(sym);
        if let Some(ty) = self.projection(receiver, text, at) {
            return Some(ty);
        }
        let receiver = self.stripped(receiver);
        // Not all methods of the standard library are known, and its types dereference to others.
        let foreign = matches!(receiver, Type::External(..) | Type::Bounded(_));
        if let Some(path) = self.p.external_path(&receiver).filter(|_| foreign) {
            let path = format!("{path}::{text}").into();
            self.p.note(RefKind::MethodCall, Target::External(path), Rule::Outside, at);
            return None;
        }
        let known =
            !matches!(receiver, Type::Unknown | Type::Var(_) | Type::Never | Type::Assoc(_));
        let name = self.p.name(sym);
        let world = self.p.world;
        if !known {
            reads::ask(text);
        }
        let candidates = if known { &[] } else { world.methods.get(name) };
        if candidates.is_empty() || candidates.len() > MAX_CANDIDATES {
            let target = Target::Unknown(format!(".{text}").into());
            self.p.note(RefKind::MethodCall, target, Rule::Nothing, at);
            return None;
        }
        let common = world.is_common(name);
        let rule = if common { Rule::CommonCandidate } else { self.guess(candidates) };
        self.candidates(RefKind::MethodCall, candidates, rule, at);
        None
    }

    /// The rule of candidates whose name is none of the standard library. Where declarations of
    /// dependencies are missing, receivers are mostly values of theirs.
    pub(super) fn guess(&self, candidates: &[Def]) -> Rule {
        let is_only = candidates.len() == 1 && self.p.world.knows_dependencies(self.p.def);
        if is_only { Rule::OnlyCandidate } else { Rule::Candidate }
    }

    pub(super) fn candidates(&mut self, kind: RefKind, defs: &[Def], rule: Rule, at: u32) {
        if let Some(sink) = &mut self.p.sink {
            let several = defs.len() as u8;
            sink.extend(defs.iter().map(|def| ResolvedName {
                kind,
                target: Target::Def(*def),
                rule,
                several,
                under: ALWAYS,
                region: 0,
                at,
            }));
        }
    }
}
