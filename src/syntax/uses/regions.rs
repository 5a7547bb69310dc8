//! Finds the regions of a text under `cfg` attributes: statements, arms, fields, arguments, items.

use std::collections::HashMap;

use super::super::lexer::Kind;
use super::super::source::Source;
use asof_model::Region;

/// Branches of `cfg_if!` whose predicates are joined.
const MAX_BRANCHES: usize = 32;

/// Words that items begin with, after their visibility.
const ITEMS: &[&str] = &[
    "fn", "struct", "enum", "union", "trait", "mod", "type", "use", "impl", "extern", "static",
    "const", "macro_rules",
];

/// Words that expressions begin with which end at a `}`.
const BLOCKS: &[&str] = &["if", "match", "while", "loop", "for"];

/// Every region of a file, in order. Two of them are disjoint, or one contains the other.
pub(in super::super) fn regions(source: &Source<'_>) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::new();
    // Those that the next one may be in.
    let mut open: Vec<u32> = Vec::new();
    let mut at = 0;
    // `else` branches of `cfg_if!`, by first token, with the predicates of those before.
    let mut branches: HashMap<usize, Vec<String>> = HashMap::new();
    while at < source.tokens.len() {
        let start = at;
        let before = branches.remove(&at);
        let is_branch = before.is_some() || at > 0 && source.word(at - 1) == "if";
        let (behind, predicates) = attributes(source, at);
        at = behind.max(at + 1);
        let mut before = before.unwrap_or_default();
        let own = match predicates.as_slice() {
            [] => None,
            [one] => Some((*one).to_owned()),
            all => Some(format!("all({})", all.join(", "))),
        };
        let not_before = (!before.is_empty()).then(|| format!("not(any({}))", before.join(", ")));
        let cfg = match (&own, not_before) {
            (Some(own), Some(not)) => format!("all({not}, {own})"),
            (Some(own), None) => own.clone(),
            (None, Some(not)) => not,
            (None, None) => continue,
        };
        let end = if !is_branch {
            end_of(source, behind)
        } else if source.is(behind, b'{') {
            source.skip(behind)
        } else {
            continue;
        };
        if is_branch && source.word(end) == "else" && before.len() < MAX_BRANCHES {
            let is_if = source.word(end + 1) == "if";
            before.extend(own);
            branches.insert(if is_if { end + 2 } else { end + 1 }, before);
        }
        let start = source.token(start).start;
        let end = source.token(end.saturating_sub(1)).end.max(start);
        let is_over = |region: &u32| regions.get(*region as usize).is_none_or(|r| r.end <= start);
        while open.last().is_some_and(is_over) {
            open.pop();
        }
        let within = open.last().copied();
        open.push(regions.len() as u32);
        regions.push(Region { start, end, cfg: cfg.into(), within });
    }
    regions
}

/// The token after a run of outer attributes, and the predicates of those that are `cfg`.
fn attributes<'s>(source: &'s Source<'_>, mut at: usize) -> (usize, Vec<&'s str>) {
    let mut predicates = Vec::new();
    loop {
        if source.token(at).kind == Kind::Doc {
            at += 1;
            continue;
        }
        if !source.is(at, b'#') || !source.is(at + 1, b'[') {
            return (at, predicates);
        }
        let behind = source.skip(at + 1);
        if source.word(at + 2) == "cfg" && source.is(at + 3, b'(') {
            let close = source.skip(at + 3).saturating_sub(1);
            let predicate = source.slice(source.token(at + 3).end, source.token(close).start);
            predicates.push(predicate.trim_end().trim_end_matches(',').trim());
        }
        at = behind;
    }
}

/// The token after what begins at a token: after its `;` or `,`, its block, or where the group that
/// it is in ends.
fn end_of(source: &Source<'_>, start: usize) -> usize {
    let mut head = start;
    if source.word(head) == "pub" {
        head = if source.is(head + 1, b'(') { source.skip(head + 1) } else { head + 1 };
    }
    let first = source.word(head);
    let next = source.word(head + 1);
    let is_item = match first {
        "unsafe" | "async" => matches!(next, "fn" | "impl" | "trait" | "extern" | "unsafe"),
        "const" => !next.is_empty(),
        first => ITEMS.contains(&first),
    };
    let is_let = first == "let";
    let mut ends_at_block = is_item
        || is_braced_call(source, head)
        || BLOCKS.contains(&first)
        || source.is(start, b'{')
        || matches!(first, "unsafe" | "async" | "const") && source.is(head + 1, b'{');
    // In a type, a comma may be part of generic arguments.
    let (mut in_type, mut angles) = (false, 0u32);
    let mut at = start;
    loop {
        let token = source.token(at);
        match token.kind {
            Kind::End | Kind::Close => return at,
            Kind::Open => {
                let behind = source.skip(at);
                let goes_on = source.word(behind) == "else"
                    || source.is(behind, b'?')
                    || source.is(behind, b'.');
                if token.byte == b'{' && ends_at_block && !goes_on {
                    // `=> { … },`
                    return behind + usize::from(!is_item && source.is(behind, b','));
                }
                at = behind;
                continue;
            }
            Kind::Punct => match token.byte {
                b';' => return at + 1,
                b',' if !is_item && !is_let && angles == 0 => return at + 1,
                b'#' if at > start => return at,
                b':' => in_type = true,
                b'<' if in_type && source.token(at.saturating_sub(1)).end == token.start => {
                    angles += 1;
                }
                b'>' if source.closes_angle(at) => angles = angles.saturating_sub(1),
                b'=' if source.is_op(at, b"=>") => {
                    ends_at_block |= source.is(at + 2, b'{');
                    in_type = false;
                    at += 1;
                }
                b'=' => in_type = false,
                _ => {}
            },
            _ => {}
        }
        at += 1;
    }
}

/// Whether a macro call with braces begins at a token: it ends there, as an item and as a statement
/// (Rust reference, "Macro invocation").
fn is_braced_call(source: &Source<'_>, start: usize) -> bool {
    let mut at = start;
    loop {
        if source.is_op(at, b"::") {
            at += 2;
        }
        if source.word(at).is_empty() {
            return false;
        }
        at += 1;
        if !source.is_op(at, b"::") {
            return source.is(at, b'!') && source.is(at + 1, b'{');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `⟦` and `⟧` around each region, in a text without them.
    #[track_caller]
    fn check(expected: &str) {
        let text: String = expected.chars().filter(|c| !"⟦⟧".contains(*c)).collect();
        let mut marks: Vec<(u32, bool, char)> = Vec::new();
        for region in regions(&Source::new(&text)) {
            marks.extend([(region.start, true, '⟦'), (region.end, false, '⟧')]);
        }
        marks.sort();
        let mut found = text.clone();
        for (at, _, mark) in marks.iter().rev() {
            found.insert(*at as usize, *mark);
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn a_region_ends_where_its_statement_does() {
        check("fn f() { ⟦#[cfg(a)] let x = S { y }, z;⟧ ⟦#[cfg(b)] g(S { y });⟧ h() }");
        check("fn f() { ⟦#[cfg(a)] { g(); h() }⟧ i() }");
        check("fn f() { ⟦#[cfg(a)] if x { g() } else { h() }⟧ i() }");
        check("fn f() { ⟦#[cfg(a)] match x { _ => {} }.g();⟧ i() }");
        check("fn f() { ⟦#[cfg(a)] return 1;⟧ ⟦#[cfg(b)] g::<A, B>()⟧ }");
        check("fn f() { ⟦#[cfg(a)] unsafe { g() }⟧ h() }");
    }

    #[test]
    fn a_region_ends_where_its_arm_or_field_does() {
        check("match x { ⟦#[cfg(a)] A | B if c => { d },⟧ ⟦#[cfg(a)] C => e(f),⟧ _ => g }");
        check("match x { ⟦#[cfg(a)] A => { d }⟧ _ => g }");
        check("struct S { ⟦#[cfg(a)] pub a: Map<K, Vec<V>>,⟧ b: u8 }");
        check("struct S(⟦#[cfg(a)] u8,⟧ u16);");
        check("S { ⟦#[cfg(a)] a: x < y,⟧ b }");
        check("enum E { ⟦#[cfg(a)] A { x: u8 },⟧ ⟦#[cfg(a)] B(u8)⟧ }");
        check("f(⟦#[cfg(a)] x,⟧ y)");
    }

    #[test]
    fn items_are_regions_with_regions_in_them() {
        check("⟦#[cfg(a)] pub(crate) fn f<A, B>(a: A) -> B { ⟦#[cfg(b)] g();⟧ h() }⟧ fn i() {}");
        check("⟦/// d\n#[inline] #[cfg(a)] #[cfg(b)] mod m;⟧ mod n;");
        check("⟦#[cfg(a)] impl T for S { fn f() {} }⟧ struct U;");
        check("⟦#[cfg(a)] async move { x }⟧");
    }

    #[test]
    fn a_call_with_braces_ends_there() {
        check("⟦#[cfg(a)] m! { fn f() {} }⟧ n! { fn g() {} }");
        check("fn f() { ⟦#[cfg(a)] ::a::m! { x }⟧ g(); ⟦#[cfg(a)] m! { x }.h();⟧ i() }");
        check("fn f() { ⟦#[cfg(a)] m!(x);⟧ ⟦#[cfg(a)] m![x] + y;⟧ z }");
        check("f(⟦#[cfg(a)] m! { x },⟧ y)");
    }

    #[test]
    fn a_branch_of_cfg_if_excludes_those_before() {
        check("cfg_if! { if ⟦#[cfg(a)] { g() }⟧ else if ⟦#[cfg(b)] { h() }⟧ else ⟦{ i() }⟧ } j()");
        let source = Source::new("if #[cfg(a)] {} else if #[cfg(b)] {} else { #[cfg(c)] x }");
        let found = regions(&source);
        let cfgs: Vec<&str> = found.iter().map(|region| &*region.cfg).collect();
        assert_eq!(cfgs, ["a", "all(not(any(a)), b)", "not(any(a, b))", "c"]);
    }

    #[test]
    fn attributes_of_one_thing_hold_together() {
        let source = Source::new("#[cfg(a)] #[cfg(any(b, c),)] x; #[cfg(d)]");
        let found = regions(&source);
        let cfgs: Vec<&str> = found.iter().map(|region| &*region.cfg).collect();
        assert_eq!(cfgs, ["all(a, any(b, c))", "d"]);
    }

    #[test]
    fn cost_grows_with_the_text() {
        for text in ["#[cfg(a)]", "#[cfg(a)] x ", "#[cfg(a)] {", "#[cfg(a)] x, ", "#[cfg(a)] a: b<"]
        {
            let text = text.repeat(50_000);
            assert!(regions(&Source::new(&text)).len() <= 50_000);
        }
    }
}
