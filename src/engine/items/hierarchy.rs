//! Traits, their impls, and their supertraits.

use std::collections::BTreeSet;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, RefKind};
use asof_query::{Queries, UseFilter};
use asof_syntax::{Kind, LexToken, lex};
use asof_wire::{Item, LinkTarget};

/// What a name means for certain.
const CERTAIN: f64 = 1.0;

impl Snapshot<'_> {
    /// The items of traits that an item of an impl implements.
    ///
    /// # Errors
    /// The store failed.
    pub fn overridden(&self, id: NodeId) -> Result<Vec<LinkTarget>, EngineError> {
        let rows = Queries::at(self.store(), self.at).uses_of(&[id])?;
        let all = rows.into_iter().flat_map(|row| row.refs);
        let all = all.filter(|one| one.kind == RefKind::Overrides).map(|one| one.target);
        self.link_targets(&all.collect::<Vec<_>>())
    }

    /// The impls of a trait.
    ///
    /// # Errors
    /// The store failed.
    pub fn impls_of_trait(&self, of_trait: &Item) -> Result<Vec<NodeId>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let rows = queries.implementations(&[of_trait.id], &of_trait.name, false)?;
        Ok(rows.into_iter().map(|row| row.id).collect())
    }

    /// The impls for a type or of a trait that the workspace does not define, by its path: `bool`,
    /// `std::fmt::Display`.
    ///
    /// # Errors
    /// The store failed.
    pub fn impls_of_outside(&self, path: &str) -> Result<Vec<NodeId>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let name = path.rsplit("::").next().unwrap_or_default();
        let mut ids = Vec::new();
        // What the preludes have is kept by its name.
        let texts = if name == path { vec![path] } else { vec![path, name] };
        for text in texts {
            let rows = queries.unresolved_by_text(text)?.into_iter();
            let impls = rows.filter(|row| matches!(row.kind.as_str(), "impl_for" | "impl_of"));
            ids.extend(impls.map(|row| row.source));
        }
        let mut found = self.items(&ids)?;
        found.retain(|item| item.kind == NodeKind::Impl && !is_generic(&item.signature, name));
        Ok(found.into_iter().map(|item| item.id).collect())
    }

    /// A type with its other names: the aliases of it, and what an alias is of.
    ///
    /// # Errors
    /// The store failed.
    pub fn with_aliases(&self, item: &Item) -> Result<Vec<Item>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let mut known = BTreeSet::from([item.id]);
        let mut all = vec![item.clone()];
        let mut next = 0;
        while let Some(item) = all.get(next).cloned() {
            next += 1;
            let mut related = Vec::new();
            let of_type = |kind: RefKind| matches!(kind, RefKind::Type | RefKind::Path);
            if item.kind == NodeKind::TypeAlias {
                let at = aliased_at(&self.item_source(&queries, &item)?);
                let rows = queries.uses_of(&[item.id])?.into_iter().flat_map(|row| row.refs);
                let rows = rows.filter(|one| of_type(one.kind) && one.confidence >= CERTAIN);
                let is_it = |places: &[[u32; 3]]| places.iter().any(|place| Some(place[0]) == at);
                related.extend(rows.filter(|one| is_it(&one.occurrences.0)).map(|one| one.target));
            }
            let filter = UseFilter { kinds: vec![RefKind::Type], min_confidence: CERTAIN };
            let rows = queries.where_used(&[item.id], &filter)?;
            let users: Vec<NodeId> = rows.iter().map(|row| row.source).collect();
            for alias in self.items(&users)? {
                if alias.kind != NodeKind::TypeAlias {
                    continue;
                }
                let at = aliased_at(&self.item_source(&queries, &alias)?);
                let at = at.map(|at| alias.span.start_byte + at);
                if rows.iter().any(|row| row.source == alias.id && Some(row.start_byte) == at) {
                    related.push(alias.id);
                }
            }
            related.retain(|id| known.insert(*id));
            all.extend(self.items(&related)?);
        }
        Ok(all)
    }

    /// The traits that a type implements or a trait requires.
    ///
    /// # Errors
    /// The store failed.
    pub fn supertypes(&self, id: NodeId) -> Result<Vec<NodeId>, EngineError> {
        self.related_types(id, 1)
    }

    /// The types that implement a trait, and the traits that require it.
    ///
    /// # Errors
    /// The store failed.
    pub fn subtypes(&self, id: NodeId) -> Result<Vec<NodeId>, EngineError> {
        self.related_types(id, 0)
    }

    /// By impls; and for a trait, by the bounds of traits.
    fn related_types(&self, id: NodeId, above: u32) -> Result<Vec<NodeId>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let rows = queries.type_hierarchy(&[id])?;
        let by_impls = rows.into_iter().filter(|row| row.above == above).map(|row| row.related);
        let mut found: Vec<NodeId> = by_impls.collect();
        if self.items(&[id])?.iter().any(|item| item.kind == NodeKind::Trait) {
            let bounds: Vec<NodeId> = match above {
                1 => {
                    let all = queries.uses_of(&[id])?.into_iter().flat_map(|row| row.refs);
                    all.filter(|one| one.kind == RefKind::Bound).map(|one| one.target).collect()
                }
                _ => {
                    let filter = UseFilter { kinds: vec![RefKind::Bound], min_confidence: 0.0 };
                    queries.where_used(&[id], &filter)?.into_iter().map(|row| row.source).collect()
                }
            };
            let traits = self.items(&bounds)?.into_iter();
            found.extend(traits.filter(|one| one.kind == NodeKind::Trait).map(|one| one.id));
        }
        found.sort_unstable();
        found.dedup();
        found.retain(|one| *one != id);
        Ok(found)
    }
}

/// Whether the head of an impl declares a parameter of this name.
fn is_generic(signature: &str, name: &str) -> bool {
    let tokens = lex(signature, 0);
    let text = |token: &LexToken| signature.get(token.start as usize..token.end as usize);
    let mut words = tokens.iter().skip_while(|token| text(token) != Some("impl")).skip(1);
    if words.next().and_then(text) != Some("<") {
        return false;
    }
    let mut depth = 1_i32;
    let mut before = "<";
    for token in words {
        let here = text(token).unwrap_or_default();
        match here {
            "<" => depth += 1,
            ">" => depth -= 1,
            _ if here == name && depth == 1 && matches!(before, "<" | ",") => return true,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
        before = here;
    }
    false
}

/// First byte of the name that an alias is of, in the text of the alias; none if it is of another type
/// than a path: `type A = &B;`.
fn aliased_at(text: &str) -> Option<u32> {
    let tokens = lex(text, 0);
    let word = |token: &LexToken| text.get(token.start as usize..token.end as usize);
    let mut depth = 0_i32;
    let mut rest =
        tokens.iter().skip_while(|token| word(token) != Some("type")).skip_while(|token| {
            let here = word(token).unwrap_or_default();
            depth += i32::from(here == "<") - i32::from(here == ">");
            !(here == "=" && depth == 0)
        });
    rest.next()?;
    let mut last = None;
    let mut token = rest.next()?;
    loop {
        match token.kind {
            Kind::Word if last.is_some() => return None,
            Kind::Word => last = Some(token.start),
            Kind::Punct if token.byte == b':' => last = None,
            _ => break,
        }
        token = rest.next()?;
    }
    let mut depth = 0_i32;
    loop {
        let here = word(token).unwrap_or_default();
        depth += i32::from(here == "<") - i32::from(here == ">");
        match here {
            ";" => return last.filter(|_| depth == 0),
            // What is behind the arguments is of a projection or a bound.
            "<" | ">" => {}
            _ if depth == 0 => return None,
            _ => {}
        }
        token = rest.next()?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = aliased_at(text).and_then(|at| text.get(at as usize..));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn aliases_are_of_what_their_path_names() {
        check("type A = B;", Some("B;"));
        check("/// type X = Y;\npub type A<T = u8> = m::B<T, C>;", Some("B<T, C>;"));
        check("type A = &B;", None);
        check("type A = B<C>::D;", None);
        check("type A = dyn B;", None);
        check("type A = fn(B) -> C;", None);
        check("type A = [B; 2];", None);
    }

    #[test]
    fn impls_say_their_parameters() {
        assert!(is_generic("impl<bool> Tr for bool", "bool"));
        assert!(is_generic("unsafe impl<'a, T: Into<u8>, u8> Tr for u8", "u8"));
        assert!(!is_generic("impl<T: Into<bool>> Tr<T> for bool", "bool"));
        assert!(!is_generic("impl Tr for bool", "bool"));
    }
}
