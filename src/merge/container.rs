//! The members of a file, a module, an impl, a trait or a type, merged one by one.

use asof_syntax::code_tokens;
use asof_workspace::{Markers, ThreeTexts, merge_text};

use super::imports::{Leading, MergedImport, MergedImports, merge_imports};
use super::members::{find, is_added_twice, match_renamed};
use super::order::{Order, merged_order};
use super::pieces::{Container, Key, Member, Parsed};
use asof_model::NodeKind;

/// A merged text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Merged {
    pub text: String,
    pub conflicts: usize,
}

/// The sides of a merge.
pub(super) struct Sides<'p, 't> {
    pub base: &'p Parsed<'t>,
    pub ours: &'p Parsed<'t>,
    pub theirs: &'p Parsed<'t>,
    pub markers: &'p Markers,
}

/// Three of a kind.
#[derive(Clone, Copy)]
struct Three<T> {
    base: T,
    ours: T,
    theirs: T,
}

impl Sides<'_, '_> {
    /// Three texts by lines.
    fn lines(&self, three: Three<&str>) -> Merged {
        let Three { base, ours, theirs } = three;
        if ours == theirs || theirs == base {
            return Merged { text: ours.to_owned(), conflicts: 0 };
        }
        if ours == base {
            return Merged { text: theirs.to_owned(), conflicts: 0 };
        }
        let texts =
            ThreeTexts { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
        let merged = merge_text(texts, self.markers);
        let text = String::from_utf8_lossy(&merged.bytes).into_owned();
        let conflicts = if merged.is_clean { 0 } else { self.count(&text) };
        Merged { text, conflicts }
    }

    fn count(&self, text: &str) -> usize {
        let size = self.markers.size.map_or(7, |size| usize::from(size.get()));
        let marker = format!("{} ", "<".repeat(size));
        text.lines().filter(|line| line.starts_with(&marker)).count().max(1)
    }

    /// The file; none if its members cannot be merged one by one.
    pub fn file(&self) -> Option<Merged> {
        let three =
            Three { base: self.base.file()?, ours: self.ours.file()?, theirs: self.theirs.file()? };
        self.container(three)
    }

    fn container(&self, three: Three<Container<'_>>) -> Option<Merged> {
        let Three { base, mut ours, mut theirs } = three;
        let head = self.lines(Three { base: base.head, ours: ours.head, theirs: theirs.head });
        let tail = self.lines(Three { base: base.tail, ours: ours.tail, theirs: theirs.tail });
        match_renamed(&base.members, &mut ours.members);
        match_renamed(&base.members, &mut theirs.members);
        if is_added_twice(&base.members, &ours.members, &theirs.members) {
            return None;
        }
        let inherited = inherited_blanks(&base, &ours, &theirs)
            .chain(inherited_blanks(&base, &theirs, &ours))
            .collect::<Vec<Key>>();
        for side in [&mut ours, &mut theirs] {
            for member in &mut side.members {
                if inherited.contains(&member.key) {
                    member.gap = member.gap.trim_start_matches('\n');
                }
            }
        }
        let MergedImports { leading, all: imports } = merge_imports(&base, &ours, &theirs)?;
        let leads = |side: Leading| side == leading;
        let leader = if leads(Leading::Ours) { &ours } else { &theirs };
        let order = |container: &Container<'_>, with_imports: bool| -> Order {
            let members = container.members.iter();
            let kept = members.filter(|one| with_imports || one.kind != NodeKind::Import);
            kept.map(|one| one.key.clone()).collect()
        };
        let keys = merged_order(
            &order(&base, false),
            &order(&ours, leads(Leading::Ours)),
            &order(&theirs, leads(Leading::Theirs)),
        )?;
        let mut parts: Vec<Part<'_>> = Vec::new();
        let mut conflicts = head.conflicts + tail.conflicts;
        for key in &keys {
            let of = |container: &Container<'_>| -> Option<usize> {
                container.members.iter().position(|one| one.key == *key)
            };
            let first = of(leader).and_then(|at| Some((at, leader.members.get(at)?)));
            if let Some((at, member)) = first.filter(|(_, one)| one.kind == NodeKind::Import) {
                let text = imports.iter().find(|one| one.is_leading && one.at == Some(at))?;
                parts.push(Part { text: text.text.clone(), member, is_import: true });
                let behind = imports.iter().filter(|one| !one.is_leading && one.at == Some(at));
                parts.extend(behind.map(|one| Part::import(one, member)));
                continue;
            }
            let (our, their) = (find(&ours.members, key), find(&theirs.members, key));
            let Some(member) = our.or(their) else { continue };
            let merged = self.member(find(&base.members, key), our, their);
            conflicts += merged.conflicts;
            parts.push(Part { text: merged.text, member, is_import: false });
        }
        // Imports that follow none of the leading side come first.
        let mut first: Vec<Part<'_>> = Vec::new();
        for one in imports.iter().filter(|one| !one.is_leading && one.at.is_none()) {
            let member = leader.members.first().or(ours.members.first())?;
            first.push(Part::import(one, member));
        }
        let at = parts.iter().position(|part| part.is_import).unwrap_or(0);
        parts.splice(at..at, first);
        // What is gone leaves the blank lines before it to what follows.
        let mut is_blank = false;
        for part in &mut parts {
            if part.text.is_empty() {
                is_blank |= part.member.gap.starts_with('\n') && !part.is_import;
            } else if std::mem::take(&mut is_blank) && !part.text.starts_with('\n') {
                part.text.insert(0, '\n');
            }
        }
        parts.retain(|part| !part.text.is_empty());
        let opening = if head.text.is_empty() { ours.head } else { &head.text };
        let mut text = head.text.clone();
        let blank = separates(&ours) || separates(&theirs);
        let last = parts.len().saturating_sub(1);
        for (at, part) in parts.iter().enumerate() {
            let mut piece = part.text.clone();
            let is_first = at == 0;
            let begins_blank = piece.starts_with('\n');
            if is_first && begins_blank && (opening.is_empty() || opening.ends_with("{\n")) {
                piece = piece.trim_start_matches('\n').to_owned();
            }
            if !is_first && !begins_blank && blank && stood_first(part.member, &ours, &theirs) {
                piece.insert(0, '\n');
            }
            if ours.is_list && at != last {
                piece = with_comma(&piece);
            }
            if !text.is_empty() && !text.ends_with('\n') && !piece.starts_with('\n') && !is_first {
                text.push('\n');
            }
            text.push_str(&piece);
        }
        if !parts.is_empty() && !text.ends_with('\n') && tail.text.trim_start_matches(' ') == "}" {
            text.push('\n');
        }
        text.push_str(&tail.text);
        Some(Merged { text, conflicts })
    }

    /// One member.
    fn member(
        &self,
        base: Option<&Member<'_>>,
        ours: Option<&Member<'_>>,
        theirs: Option<&Member<'_>>,
    ) -> Merged {
        let whole = |member: Option<&Member<'_>>| member.map(Member::whole).unwrap_or_default();
        let (was, our, their) = (whole(base), whole(ours), whole(theirs));
        let three = Three { base: was.as_str(), ours: our.as_str(), theirs: their.as_str() };
        let (Some(our_member), Some(their_member)) = (ours, theirs) else {
            // What one side removes and the other leaves, goes.
            return self.lines(three);
        };
        let plain = self.lines(three);
        if plain.conflicts == 0 {
            return plain;
        }
        if let Some(base) = base {
            if is_reformatted(base, our_member) {
                return Merged { text: their, conflicts: 0 };
            }
            if is_reformatted(base, their_member) {
                return Merged { text: our, conflicts: 0 };
            }
            let three = Three { base, ours: our_member, theirs: their_member };
            let inside = self.inside(three).into_iter();
            let best = inside.chain([self.parts(three)]).min_by_key(|one| one.conflicts);
            if let Some(best) = best.filter(|best| best.conflicts <= plain.conflicts) {
                return best;
            }
        } else if same_code(our_member, their_member) {
            return Merged { text: our, conflicts: 0 };
        }
        plain
    }

    /// A member whose own members are merged.
    fn inside(&self, three: Three<&Member<'_>>) -> Option<Merged> {
        let Three { base, ours, theirs } = three;
        let gap = self.lines(Three { base: base.gap, ours: ours.gap, theirs: theirs.gap });
        let merged = self.container(Three {
            base: self.base.inside(base)?,
            ours: self.ours.inside(ours)?,
            theirs: self.theirs.inside(theirs)?,
        })?;
        Some(Merged {
            text: format!("{}{}", gap.text, merged.text),
            conflicts: gap.conflicts + merged.conflicts,
        })
    }

    /// A member whose documentation and attributes are merged apart from its code.
    fn parts(&self, three: Three<&Member<'_>>) -> Merged {
        let Three { base, ours, theirs } = three;
        let gap = self.lines(Three { base: base.gap, ours: ours.gap, theirs: theirs.gap });
        let [base, ours, theirs] = [base, ours, theirs].map(Member::parts);
        let head = self.lines(Three { base: base.0, ours: ours.0, theirs: theirs.0 });
        let code = self.lines(Three { base: base.1, ours: ours.1, theirs: theirs.1 });
        Merged {
            text: format!("{}{}{}", gap.text, head.text, code.text),
            conflicts: gap.conflicts + head.conflicts + code.conflicts,
        }
    }
}

/// A part of the result.
struct Part<'m> {
    text: String,
    member: &'m Member<'m>,
    is_import: bool,
}

impl<'m> Part<'m> {
    fn import(one: &MergedImport, beside: &'m Member<'m>) -> Self {
        Self { text: one.text.clone(), member: beside, is_import: true }
    }
}

/// Members of a side that have the blank lines of one which it removed, and the other side has.
fn inherited_blanks<'c>(
    base: &'c Container<'_>,
    side: &'c Container<'_>,
    other: &'c Container<'_>,
) -> impl Iterator<Item = Key> + use<'c> {
    let pairs = base.members.iter().zip(base.members.iter().skip(1));
    let pairs = pairs.filter(move |(removed, next)| {
        let is_blank = |member: &Member<'_>| member.gap.starts_with('\n');
        is_blank(removed)
            && !is_blank(next)
            && find(&side.members, &removed.key).is_none()
            && find(&other.members, &removed.key).is_some()
            && find(&side.members, &next.key).is_some_and(is_blank)
    });
    pairs.map(|(_, next)| next.key.clone())
}

/// Whether the members of a container have blank lines between them.
fn separates(container: &Container<'_>) -> bool {
    let rest = container.members.iter().skip(1).filter(|one| one.kind != NodeKind::Import);
    let (with, without): (Vec<_>, Vec<_>) = rest.partition(|one| one.gap.starts_with('\n'));
    with.len() > without.len()
}

/// Whether a member is the first one on a side, where nothing separates it from what is before.
fn stood_first(member: &Member<'_>, ours: &Container<'_>, theirs: &Container<'_>) -> bool {
    let is_first = |container: &Container<'_>| {
        container.members.first().is_some_and(|first: &Member<'_>| first.key == member.key)
    };
    member.kind != NodeKind::Import && (is_first(ours) || is_first(theirs))
}

/// All comments and tokens of a member, without its blanks.
fn words(member: &Member<'_>) -> String {
    member.whole().split_whitespace().collect()
}

/// Whether a side only formats a member: the code is the same, and so are the comments.
fn is_reformatted(base: &Member<'_>, side: &Member<'_>) -> bool {
    words(base) == words(side) && same_code(base, side)
}

fn same_code(one: &Member<'_>, other: &Member<'_>) -> bool {
    words(one) == words(other) && code_tokens(one.text) == code_tokens(other.text)
}

/// A field or variant with its comma.
fn with_comma(piece: &str) -> String {
    let code = piece.trim_end();
    let last = code.lines().next_back().unwrap_or_default();
    if code.ends_with(',') || code.is_empty() || last.contains("//") || last.starts_with(">>>>") {
        return piece.to_owned();
    }
    format!("{code},{}", piece.get(code.len()..).unwrap_or_default())
}
