#![allow(clippy::string_slice)]

use crate::parse_file_isolated;
use asof_model::{Complexity, FileFacts, ItemFacts, Metrics};

fn parsed(text: &str) -> FileFacts {
    parse_file_isolated("src/lib.rs", text.as_bytes())
}

fn metrics<'f>(facts: &'f FileFacts, name: &str) -> &'f Metrics {
    let item = facts.items.iter().skip(1).find(|item| item.name == name);
    let item = item.unwrap_or_else(|| panic!("no {name}"));
    item.metrics.as_deref().unwrap_or_else(|| panic!("{name} is not measured"))
}

fn complexity(text: &str) -> Complexity {
    let facts = parsed(text);
    assert_eq!(facts.issues, [], "{text}");
    metrics(&facts, "f").complexity.clone().unwrap()
}

/// Cyclomatic and cognitive complexity and nesting of a body.
#[track_caller]
fn check(body: &str, cyclomatic: u32, cognitive: u32, nesting: u32) {
    let found = complexity(&format!("fn f(a: A, b: A, c: A) {{ {body} }}"));
    let found = (found.cyclomatic, found.cognitive, found.nesting);
    assert_eq!(found, (cyclomatic, cognitive, nesting), "{body}");
}

#[test]
fn branches() {
    check("", 1, 0, 0);
    check("let x = a + b; g(x);", 1, 0, 0);
    check("if a { }", 2, 1, 1);
    check("if a { } else { }", 2, 2, 1);
    check("if a { } else if b { } else { }", 3, 3, 1);
    check("if a { if b { } }", 3, 3, 2);
    check("if a { } else { if b { } }", 3, 4, 2);
    check("if let Some(x) = a { }", 2, 1, 1);
    check("if let Some(x) = a && b { }", 3, 2, 1);
    check("let Some(x) = a else { return; };", 2, 1, 1);
    check("let Some(x) = a else { if b { } return; };", 3, 3, 2);
}

#[test]
fn matches_count_one_decision_less_than_arms() {
    check("match a { }", 1, 1, 1);
    check("match a { _ => b }", 1, 1, 1);
    check("match a { 1 | 2 => b, 3 => c, _ => d }", 3, 1, 1);
    check("match a { x if b => c, _ => d }", 3, 1, 1);
    check("match a { x if b && c => c, _ => d }", 4, 2, 1);
    check("match a { 1 => if b { }, _ => d }", 3, 3, 2);
}

#[test]
fn loops_and_jumps() {
    check("for x in a { }", 2, 1, 1);
    check("while a { }", 2, 1, 1);
    check("while let Some(x) = a { }", 2, 1, 1);
    check("loop { }", 1, 1, 1);
    check("loop { if a { break; } }", 2, 3, 2);
    check("'a: loop { if b { break 'a; } continue 'a; }", 2, 5, 2);
    check("for x in a { for y in b { if c { } } }", 4, 6, 3);
}

#[test]
fn operators_count_by_sequence() {
    check("let x = a && b && c;", 3, 1, 0);
    check("let x = a && b || c;", 3, 2, 0);
    check("let x = a && b || c && d;", 4, 3, 0);
    check("let x = a && (b && c);", 3, 1, 0);
    check("let x = a && !(b && c);", 3, 2, 0);
    check("let x = a & b | c;", 1, 0, 0);
    check("g(a?, b?);", 3, 0, 0);
    check("a.b()?.c()?;", 3, 0, 0);
}

#[test]
fn closures_nest_and_count_for_their_function() {
    check("a.map(|x| x);", 1, 0, 1);
    check("a.map(|x| if x { b } else { c });", 2, 3, 2);
    check("async { if a { } };", 2, 1, 1);
    check("unsafe { if a { } }", 2, 1, 1);
    check("fn g() { if a { } } impl A { fn h() { loop { } } }", 1, 0, 0);
}

#[test]
fn arguments_of_macros_count_if_they_are_expressions() {
    check("assert!(a && b);", 2, 1, 0);
    check("println!(\"{}\", if a { b } else { c });", 2, 2, 1);
    check("vec![a?, format!(\"{}\", b?)];", 3, 0, 0);
    check("matches!(a, Some(_) | None);", 1, 0, 0);
    check("quote!(if a { } else { });", 1, 0, 0);
    check("select! { x = a => { if b { } } }", 1, 0, 0);
    check("if matches!(a, b) && c { }", 3, 2, 1);
}

#[test]
fn recursion_is_by_name_and_counts_once() {
    let cognitive = |text: &str| complexity(text).cognitive;
    assert_eq!(cognitive("fn f(n: u8) { f(n); f(n); }"), 1);
    assert_eq!(cognitive("struct A; impl A { fn f(&self) { self.f(); } }"), 1);
    assert_eq!(cognitive("struct A; impl A { fn f() { Self::f(); } }"), 1);
    assert_eq!(cognitive("struct A; impl A { fn f(&self) { self.b.f(); f(); B::f(); } }"), 0);
    assert_eq!(cognitive("fn f(n: A) { n.f(); g::f(); }"), 0);
}

/// The sonar white paper's example of a sieve: cyclomatic 4, cognitive 7.
#[test]
fn the_example_of_the_white_paper() {
    let body = "let mut total = 0;
        'out: for i in 1..=max {
            for j in 2..i { if i % j == 0 { continue 'out; } }
            total += i;
        }
        total";
    check(body, 4, 7, 3);
}

#[test]
fn running_time_is_estimated_from_loops_calls_and_recursion() {
    let check = |body: &str, big_o: &str, reason: &str| {
        let found = complexity(&format!("fn f(a: A, b: A, n: usize) {{ {body} }}"));
        assert_eq!((found.big_o.as_str(), found.big_o_reason.as_str()), (big_o, reason), "{body}");
    };
    check("g(a);", "O(1)", "");
    check("for x in a { }", "O(n)", "loop");
    check("for x in a { } for x in b { }", "O(n)", "loop");
    check("for x in a { for y in b { } }", "O(n^2)", "2 nested loops");
    check("for x in a { while b { loop { } } }", "O(n^3)", "3 nested loops");
    check("for i in 0..8 { }", "O(1)", "");
    check("for i in [1, 2] { for x in a { } }", "O(n)", "loop");
    check("while n > 0 { n /= 2; }", "O(log n)", "loop that halves");
    check("for x in a { while n > 0 { n >>= 1; } }", "O(n log n)", "loop that halves in loop");
    check("a.sort();", "O(n log n)", "`sort`");
    check("for x in a { x.sort_by(|p, q| p.cmp(q)); }", "O(n^2 log n)", "`sort_by` in loop");
    check("a.binary_search(&b);", "O(log n)", "`binary_search`");
    check("a.iter().map(|x| x + 1).collect()", "O(n)", "iterator chain");
    check("a.iter()", "O(1)", "");
    check("a.map(|x| x + 1)", "O(1)", "");
    check("(0..n).map(|i| b.iter().any(|x| x == i)).sum()", "O(n^2)", "2 nested iterator chains");
    check("for x in a { b.iter().position(|y| y == x); }", "O(n^2)", "iterator chain in loop");
    check("if n > 0 { f(a, b, n - 1) }", "O(n)", "recursion");
    check(
        "f(a, b, n - 1) + f(a, b, n - 2)",
        "O(2^n)",
        "several recursive calls with a smaller argument",
    );
    check("f(a, b, n / 2)", "O(log n)", "recursion on a fraction");
    check(
        "f(a, b, n / 2); f(a, b, n / 2); for x in a { }",
        "O(n log n)",
        "recursion on fractions; loop",
    );
    check("for x in a { f(x, b, n); }", "O(n)", "recursion over parts; loop");
}

#[test]
fn lines_are_those_of_the_own_text() {
    let text = "/// Docs\n#[inline]\npub fn f(\n    a: u8,\n) {\n    // one\n\n    /* two\n    three */ g(); // four\n    \
                let s = \"x\n  y\";\n    fn nested() {\n        h();\n    }\n}\n";
    let facts = parsed(text);
    let lines = |name| {
        let m = metrics(&facts, name);
        (m.loc, m.code_lines, m.comment_lines, m.parameters)
    };
    assert_eq!(lines("f"), (10, 7, 4, 1));
    assert_eq!(lines("nested"), (3, 3, 0, 0));
}

#[test]
fn what_does_not_parse_has_lines_and_no_complexity() {
    let facts = parsed("fn good() { if a {} }\nfn f() {\n    // TODO: mend\n    let = ;\n}\n");
    assert!(facts.partial);
    assert_eq!(metrics(&facts, "good").complexity.as_ref().unwrap().cyclomatic, 2);
    let broken = metrics(&facts, "f");
    assert_eq!((broken.complexity.is_none(), broken.loc, broken.satd.len()), (true, 4, 1));
    let facts = parsed("trait T { fn declared(); }\nstruct S;\n");
    assert!(facts.items.iter().all(|item| item.metrics.is_none()));
}

#[test]
fn debt_belongs_to_the_innermost_item_and_its_own_text() {
    let text = "// TODO: file\nfn g() {}\nmod m {\n    fn h() {\n        1\n    }\n    // FIXME: module\n    \
                /// HACK: documented\n    struct S {\n        // XXX: field\n        a: u8,\n    }\n}\n\
                // BUG: end\nconst T: &str = \"// TODO: text\";\n";
    let facts = parsed(text);
    let mut found = Vec::new();
    for item in &facts.items {
        for satd in item.metrics.iter().flat_map(|m| &m.satd) {
            let own = std::str::from_utf8(&item.text.as_ref().unwrap().1).unwrap();
            assert!(own[satd.byte as usize..].starts_with(&satd.text), "{satd:?} in {own}");
            let line = own[..satd.byte as usize].matches('\n').count() as u32;
            assert_eq!(line, satd.line, "{satd:?}");
            found.push((item.name.as_str(), satd.text.as_str()));
        }
    }
    let expected = [
        ("", "TODO: file"),
        ("", "BUG: end"),
        ("m", "FIXME: module"),
        ("S", "HACK: documented"),
        ("S", "XXX: field"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn scores_follow_the_table() {
    use super::{Figures, tdg};
    let clean = Figures { cyclomatic: 1, code_lines: 10, ..Figures::default() };
    let check = |figures: Figures, score: f64, grade: &str| {
        let found = tdg(&figures);
        assert_eq!((found.score, found.grade), (score, grade), "{figures:?}");
        let penalty: f64 = found.components.iter().map(|c| c.penalty).sum();
        assert!((100.0 - penalty - found.score).abs() < 0.051, "{found:?}");
    };
    check(clean, 100.0, "A+");
    check(Figures { cyclomatic: 15, ..clean }, 90.0, "A");
    check(Figures { satd: 3, ..clean }, 95.0, "A+");
    check(Figures { parameters: 7, cognitive: 14, ..clean }, 90.0, "A");
    check(Figures { cyclomatic: 99, cognitive: 99, ..clean }, 50.0, "D");
    let worst = Figures {
        cyclomatic: u32::MAX,
        cognitive: u32::MAX,
        code_lines: u32::MAX,
        nesting: u32::MAX,
        parameters: u32::MAX,
        satd: u32::MAX,
    };
    check(worst, 0.0, "F");
}

/// Fillers that separate two tokens.
const FILLERS: &[&str] =
    &[" ", "\n", "\t\n  ", " /* if a && b */ ", " // while ?\n", "\n\n// TODO: x\n"];

const SOURCES: &[&str] = &[
    include_str!("complexity.rs"),
    include_str!("work.rs"),
    include_str!("lines.rs"),
    include_str!("../lexer.rs"),
    include_str!("../walk.rs"),
];

/// The same tokens with other blanks and comments between them.
fn respaced(text: &str, choices: &[usize]) -> String {
    use crate::lexer::{Kind, lex};
    let tokens = lex(text, 0);
    let mut out = String::new();
    let mut choices = choices.iter().cycle();
    for (at, token) in tokens.iter().enumerate() {
        out.push_str(&text[token.start as usize..token.end as usize]);
        let Some(next) = tokens.get(at + 1) else { break };
        let gap = &text[token.end as usize..next.start as usize];
        let splits =
            !gap.is_empty() || token.kind == Kind::Open || token.is(b';') || token.is(b',');
        if token.kind == Kind::Doc {
            out.push('\n');
        }
        if splits {
            out.push_str(FILLERS[choices.next().unwrap() % FILLERS.len()]);
        }
    }
    out
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]
    #[test]
    fn blanks_and_comments_change_no_complexity(
        source in 0..SOURCES.len(),
        choices in proptest::collection::vec(0..FILLERS.len(), 1..40),
    ) {
        let complexity = |item: &ItemFacts| item.metrics.as_ref().and_then(|m| m.complexity.clone());
        let (old, new) = (parsed(SOURCES[source]), parsed(&respaced(SOURCES[source], &choices)));
        assert!(!new.partial);
        assert_eq!(old.items.len(), new.items.len());
        let mut measured = 0;
        for (old, new) in old.items.iter().zip(&new.items) {
            assert_eq!(complexity(old), complexity(new), "{}", old.name);
            measured += usize::from(complexity(old).is_some());
        }
        assert!(measured > 5);
    }
}
