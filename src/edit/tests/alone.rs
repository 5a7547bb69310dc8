//! Random texts for every part and mode: what is applied changes that part and no other item.
//!
//! `ASOF_PARTS=1000000 ASOF_SEED=1 cargo test --lib edit::tests::alone -- --nocapture` is the long
//! run.

use std::collections::{BTreeMap, BTreeSet};

use super::super::error::EditError;
use super::super::view::FileView;
use super::super::{CanonicalEdit, Edit, Part, Position, SpliceEdit};
use super::{PATH, composed, delete, insert, part, refused, splice, try_apply, whole};
use asof_model::{FileFacts, ItemFacts, NodeKind};
use asof_syntax::{code_tokens, parse_file_isolated};

const SOURCES: [&str; 7] = [
    "//! Of the file.\n\nuse std::fmt;\n\n/// A frame.\n#[derive(Debug)]\npub struct Frame {\n    /// Parts.\n    parts: Vec<u8>,\n    pub size: usize,\n}\n\nimpl Frame {\n    /// Adds.\n    #[inline]\n    pub fn push(&mut self, b: u8) {\n        self.parts.push(b);\n    }\n\n    const MAX: usize = 1 + 1; // */\n\n    fn len(&self) -> usize { self.parts.len() } // */\n}\n\nfn last() {}\n",
    "trait T {\n    const A: u8;\n    const B: u8 = 1;\n    type X;\n    /** Block. */\n    fn no(&self);\n    fn has(&self) -> u8 {\n        1\n    }\n}\nimpl T for u8 { const A: u8 = { 1 }; type X = u8; fn no(&self) {} }\n",
    "fn outer() {\n    let s = \"{ \\\" }\";\n    fn inner() { one(); }\n    // */\n    two(); // */\n    const C: &str = r#\"}\"#;\n    struct L { a: u8 }\n    three(); /* c */\n}\nstatic S: [u8; 2] = [1, 2];\nfn it() {}\n",
    "macro_rules! m {\n    ($x:expr) => { fn f() { $x } };\n}\ncfg_if! {\n    if #[cfg(unix)] {\n        fn a() { 1; }\n        fn b() { 2; }\n    } else {\n        fn c() {}\n    }\n}\nm!(1);\nm! { fn }\nfn z() { m!({ 1 }) }\n",
    "mod a { pub mod b { fn c() {} } use x::{y, z}; } mod d {}\nenum E { A, #[x] B(u8), C { v: u8 }, D = { 3 } }\nunion U { a: u8, b: i8 }\nstruct P(pub u8, u16);\nstruct N;\ntype Y = u8;\nextern \"C\" { fn e(); static G: u8; }\n",
    "#![allow(dead_code)]\r\n/* c */\r\n/// Doc\r\n/// more\r\n#[a]\r\n#[b(c)]\r\npub(crate) async unsafe fn f<'a, T: 'a>(x: &'a T) -> u8\r\nwhere\r\n    T: Copy,\r\n{\r\n    b'{' as u8\r\n}\r\n/* d */ fn g() { '\\'' ; }\r\n",
    "#[doc = \"One\"]\n#[cold]\n/// Two\nfn f() {}\n\nimpl<T> Tr for Vec<T> { fn f() {} }\nimpl S { }\nfn g() { { 1 } { 2 } }\nconst fn k() -> u8 { 1 } const K: u8 = k() /* } */;\n",
];

const HAZARDS: [&str; 62] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    "r#\"",
    "\"#",
    "r\"",
    "/*",
    "*/",
    "//",
    "// */",
    "// x\n",
    "///",
    "/// x\n",
    "/** x */",
    "/** x",
    "/*!",
    "//! x\n",
    "\n",
    ";",
    "#",
    "#[x]",
    "#![x]",
    "#[x",
    "} fn zz() {",
    "} pub(crate) fn zz(&self) {",
    "} const ZZ: u8 = { 1 }; fn w() {",
    "{ } fn zz() { }",
    "fn zz() {}",
    "; const ZZ: u8 = 1",
    "} impl S { fn zz() {",
    "} } mod n { fn q() {",
    "}} mod n {{",
    "1",
    "x",
    ",",
    ", zz: u8",
    "= 3",
    "'a",
    "b'{'",
    "'\\''",
    "\\",
    "pub ",
    "unsafe ",
    "/**/",
    "#[doc = \"d\"]",
    "mod zz {}",
    "where",
    "-> u8",
    "=>",
    "macro_rules! zz { () => {} }",
    "\r\n",
    "é",
    "////",
    "/* } */",
    "\"}\"",
    " ",
    "/* \" */",
];

/// xorshift64*.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize) % n.max(1)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

const PARTS: [Part; 6] =
    [Part::Whole, Part::Signature, Part::Body, Part::Docs, Part::Attributes, Part::Declaration];

/// Those that an item need not have.
const LEADING: [Part; 2] = [Part::Docs, Part::Attributes];

/// The present text of a part; empty if there is none.
fn text_of(view: &FileView<'_>, index: u32, part: Part) -> String {
    let parts = view.anatomy(index);
    let item = &view.facts.items[index as usize].span;
    let around = |all: &[std::ops::Range<u32>]| match (all.first(), all.last()) {
        (Some(first), Some(last)) => first.start..last.end,
        _ => 0..0,
    };
    let range = match part {
        Part::Whole | Part::Declaration if index == 0 => parts.inside.unwrap_or_default(),
        Part::Whole | Part::Declaration => item.start_byte..item.end_byte,
        Part::Signature => parts.signature,
        Part::Body => parts.body.unwrap_or_default(),
        Part::Docs => around(&parts.docs),
        Part::Attributes => around(&parts.attributes),
    };
    view.text[range.start as usize..range.end as usize].to_owned()
}

/// A text that is such a part, or was one.
fn code(rng: &mut Rng, view: &FileView<'_>, index: u32, part: Part) -> String {
    let mut code = match rng.below(4) {
        0 => String::new(),
        1 => {
            let other = rng.below(view.facts.items.len()) as u32;
            text_of(view, other, part)
        }
        _ => text_of(view, index, part),
    };
    for _ in 0..[0, 1, 1, 2, 3][rng.below(5)] {
        let at = match rng.below(4) {
            0 => 0,
            1 => code.len(),
            _ => rng.place(&code),
        };
        match rng.below(5) {
            0 => {
                let end = at + rng.place(&code[at..]).min(4);
                if code.is_char_boundary(end) {
                    code.replace_range(at..end, "");
                }
            }
            _ => code.insert_str(at, HAZARDS[rng.below(HAZARDS.len())]),
        }
    }
    code
}

/// What a request may change.
#[derive(Debug, Default)]
struct Named {
    parts: BTreeMap<u32, Vec<(Part, bool)>>,
    deleted: Option<u32>,
    /// The parent that gets new children.
    grown: Option<u32>,
}

/// A request of a part for each index, or one of another mode.
fn request(rng: &mut Rng, view: &FileView<'_>) -> (Vec<(u32, Edit)>, Named) {
    let mut named = Named::default();
    let any = |rng: &mut Rng| rng.below(view.facts.items.len()) as u32;
    let one = any(rng);
    match rng.below(10) {
        0 if one > 0 => {
            named.deleted = Some(one);
            return (vec![(one, delete())], named);
        }
        1 => {
            let all =
                [Position::Before, Position::After, Position::FirstChild, Position::LastChild];
            let position = *rng.pick(&all);
            let beside = matches!(position, Position::Before | Position::After);
            let parent = if beside { view.facts.items[one as usize].parent } else { one };
            named.grown = Some(parent);
            let like = any(rng);
            return (vec![(one, insert(position, &code(rng, view, like, Part::Whole)))], named);
        }
        2 => {
            let from = rng.place(view.text);
            let to = from + rng.place(&view.text[from..]).min(rng.below(20));
            let to = (from..=to).rev().find(|at| view.text.is_char_boundary(*at)).unwrap();
            let part = *rng.pick(&PARTS);
            return (vec![(0, splice(from, to, &code(rng, view, one, part)))], named);
        }
        _ => {}
    }
    let mut edits = Vec::new();
    for _ in 0..1 + rng.below(3) / 2 + rng.below(3) / 2 {
        let (mut index, mut which) = (any(rng), *rng.pick(&PARTS));
        while text_of(view, index, which).is_empty() && !LEADING.contains(&which) {
            (index, which) = (any(rng), *rng.pick(&PARTS));
        }
        let new = code(rng, view, index, which);
        let mut edit = part(which, &new);
        let old = text_of(view, index, which);
        let found = rng.below(3) == 0 && !old.is_empty();
        if found {
            let from = rng.place(&old);
            let to = from + rng.place(&old[from..]).min(rng.below(16));
            let to = (from..=to).rev().find(|at| old.is_char_boundary(*at)).unwrap();
            if let Edit::Canonical(CanonicalEdit { find, code, .. }) = &mut edit {
                *find = Some(old[from..to].to_owned());
                if rng.below(2) == 0 {
                    *code = format!("{}{code}", &old[from..to]);
                }
            }
        }
        named.parts.entry(index).or_default().push((which, found));
        edits.push((index, edit));
    }
    (edits, named)
}

/// Compares two files item by item; what is named may differ.
struct Compared<'a> {
    old: &'a FileFacts,
    new: &'a FileFacts,
    named: &'a Named,
    /// Items with something named in them.
    around: BTreeSet<u32>,
    /// Whether the code has inner documentation or attributes, which belong to the item too.
    inner: bool,
}

fn children(facts: &FileFacts, of: u32) -> Vec<u32> {
    let all = facts.items.iter().enumerate().skip(1);
    all.filter(|(_, item)| item.parent == of).map(|(at, _)| at as u32).collect()
}

impl Compared<'_> {
    fn items(&self, a: u32, b: u32) -> Result<(), String> {
        let (old, new) = (&self.old.items[a as usize], &self.new.items[b as usize]);
        let empty = Vec::new();
        let parts = self.named.parts.get(&a).unwrap_or(&empty);
        let has = |part: Part| parts.iter().any(|(one, _)| *one == part);
        let same = |what: &str, same: bool| {
            if same { Ok(()) } else { Err(format!("{what} of {} `{}`", old.kind, old.name)) }
        };
        if has(Part::Whole) || has(Part::Declaration) {
            let found = parts.iter().all(|(_, found)| *found);
            return same("the kind", found || old.kind == new.kind);
        }
        let head = |item: &ItemFacts| {
            let name = item.kind != NodeKind::MacroCall;
            let name = name.then(|| item.name.clone());
            (item.kind, name, item.visibility.clone(), item.signature.clone())
        };
        let call = old.kind == NodeKind::MacroCall;
        // Those whose members may be part of the head.
        let members = [NodeKind::Struct, NodeKind::Union, NodeKind::Variant, NodeKind::Enum];
        let held = parts.is_empty() && self.around.contains(&a) && members.contains(&old.kind);
        let name = |item: &ItemFacts| (item.kind, item.name.clone(), item.visibility.clone());
        same("the name", !held || name(old) == name(new))?;
        same("the head", has(Part::Signature) || call || held || head(old) == head(new))?;
        let inner = has(Part::Body) && self.inner;
        same("the documentation", has(Part::Docs) || inner || old.docs == new.docs)?;
        let attrs = |item: &ItemFacts| -> Vec<String> {
            item.attrs.iter().map(|attr| attr.text.clone()).chain([item.cfg.clone()]).collect()
        };
        same("the attributes", has(Part::Attributes) || inner || attrs(old) == attrs(new))?;
        if parts.is_empty() && !self.around.contains(&a) {
            return same("the text", old.tracking_hash == new.tracking_hash);
        }
        let fields = [NodeKind::Struct, NodeKind::Union, NodeKind::Variant, NodeKind::Field];
        if has(Part::Body) || has(Part::Signature) && fields.contains(&old.kind) {
            return Ok(());
        }
        if parts.is_empty() && a != 0 && !members.contains(&old.kind) {
            let own = |item: &ItemFacts| -> Vec<String> {
                let text = item.text.clone().map(|(_, text)| text).unwrap_or_default();
                let text = String::from_utf8(text).unwrap();
                code_tokens(&text).iter().map(|token| token.text.to_owned()).collect()
            };
            same("the text around", own(old) == own(new))?;
        }
        let mut olds = children(self.old, a);
        let mut news = children(self.new, b);
        if self.named.grown == Some(a) {
            // The new ones are together: what is before and after them is as it was.
            let more = news.len().checked_sub(olds.len());
            let more = more.ok_or_else(|| format!("fewer children in `{}`", old.name))?;
            let fits = |at: usize| {
                let rest: Vec<u32> = news[..at].iter().chain(&news[at + more..]).copied().collect();
                olds.iter().zip(rest).all(|(a, b)| self.items(*a, b).is_ok())
            };
            return same("the other children", (0..=olds.len()).any(fits));
        }
        olds.retain(|child| self.named.deleted != Some(*child));
        if olds.len() != news.len() {
            let name = |facts: &FileFacts, all: &[u32]| -> Vec<String> {
                all.iter().map(|at| facts.items[*at as usize].name.clone()).collect()
            };
            let (olds, news) = (name(self.old, &olds), name(self.new, &news));
            return Err(format!("the children of `{}`: {olds:?} {news:?}", old.name));
        }
        olds.into_iter().zip(news.drain(..)).try_for_each(|(a, b)| self.items(a, b))
    }
}

/// Items without children before the bytes, and those after them.
fn apart(facts: &FileFacts, from: u32, to: u32) -> [Vec<(NodeKind, String, String)>; 2] {
    let parents: BTreeSet<u32> = facts.items.iter().map(|item| item.parent).collect();
    let leaf = |at: usize| at > 0 && !parents.contains(&(at as u32));
    let all = || facts.items.iter().enumerate().filter(|(at, _)| leaf(*at)).map(|(_, item)| item);
    let name = |i: &ItemFacts| (i.kind, i.name.clone(), i.tracking_hash.to_string());
    [
        all().filter(|item| item.span.end_byte < from).map(name).collect(),
        all().filter(|item| to < item.span.start_byte).map(name).collect(),
    ]
}

fn judge(
    text: &str,
    facts: &FileFacts,
    edits: &[(u32, Edit)],
    named: &Named,
    new: &str,
) -> Result<(), String> {
    let after = parse_file_isolated(PATH, new.as_bytes());
    if after.partial {
        return Err("it does not parse".to_owned());
    }
    if let [(_, Edit::Splice(SpliceEdit { start_byte, end_byte, replacement, .. }))] = edits {
        let end = start_byte + replacement.len() as u32;
        let same = apart(facts, *start_byte, *end_byte) == apart(&after, *start_byte, end);
        return if same { Ok(()) } else { Err("items apart".to_owned()) };
    }
    let mut around = BTreeSet::new();
    for at in named.parts.keys().chain(&named.deleted).chain(&named.grown) {
        let mut at = *at;
        if named.grown == Some(at) {
            around.insert(at);
        }
        while at > 0 {
            at = facts.items[at as usize].parent;
            around.insert(at);
        }
    }
    let inner = ["//!", "/*!", "#!"].iter().any(|mark| text.contains(mark) || new.contains(mark));
    let compared = Compared { old: facts, new: &after, named, around, inner };
    compared.items(0, 0)
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn random_texts_change_the_part_that_is_named_and_no_other() {
    let wanted = number("ASOF_PARTS", 4_000);
    let seed = number("ASOF_SEED", 1);
    let mut applied: BTreeMap<String, u64> = BTreeMap::new();
    let mut refusals: BTreeMap<&str, u64> = BTreeMap::new();
    let mut told = Vec::new();
    let mut caught = 0;
    let all: Vec<FileFacts> =
        SOURCES.iter().map(|text| parse_file_isolated(PATH, text.as_bytes())).collect();
    for (text, facts) in SOURCES.iter().zip(&all) {
        assert!(!facts.partial, "{text}\n{:?}", facts.issues);
    }
    for case in 0..wanted {
        let mut rng = Rng((seed * 1_000_003 + case).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let which = rng.below(SOURCES.len());
        let (text, facts) = (SOURCES[which], &all[which]);
        let view = FileView::new(PATH, text, facts);
        let (edits, named) = request(&mut rng, &view);
        match try_apply(&view, &edits) {
            Ok(new) => {
                let kind = match &edits[..] {
                    [(_, Edit::Canonical(CanonicalEdit { part, find, .. }))] => {
                        format!("{}{}", part.as_str(), if find.is_some() { " find" } else { "" })
                    }
                    [(_, edit)] => edit.mode().to_owned(),
                    _ => "several".to_owned(),
                };
                *applied.entry(kind).or_default() += 1;
                if let Err(what) = judge(text, facts, &edits, &named, &new) {
                    told.push(format!("case {case}: {what}\n{edits:#?}\n--- new\n{new}"));
                }
            }
            Err(error) => {
                let said = format!("{error:?}");
                // The judge sees what is refused as well.
                if let EditError::NotAlone { .. } = error {
                    let (new, ..) = composed(&view, &edits).unwrap();
                    caught += u64::from(judge(text, facts, &edits, &named, &new).is_err());
                }
                let kind = said.split([' ', '{', '(']).next().unwrap_or_default();
                let kind = ["DoesNotParse", "ChangesOthers", "NotAlone", "WrongKind", "NoPart"]
                    .into_iter()
                    .find(|one| *one == kind);
                *refusals.entry(kind.unwrap_or("other")).or_default() += 1;
            }
        }
    }
    println!("applied {applied:?}\nrefused {refusals:?}, {caught} of them judged");
    assert!(
        told.is_empty(),
        "{} of {wanted}\n{}",
        told.len(),
        told[..told.len().min(5)].join("\n\n")
    );
    for kind in ["body", "signature", "docs", "attributes", "whole", "insert", "delete", "splice"] {
        assert!(applied.get(kind).is_some_and(|n| *n >= wanted / 1_000), "{kind}: {applied:?}");
    }
    assert!(caught >= wanted / 1_000, "{caught}, {refusals:?}");
}

#[test]
fn a_body_is_one_block() {
    let text = "impl Frame {\n    /// Adds.\n    fn it(&self) {\n        1;\n    }\n}\n\nconst C: u8 = 1;\n";
    for code in [
        "} pub(crate) fn zz(&self) {",
        "} const ZZ: u8 = { 1 }; fn w() {",
        "} fn zz(&self) { 2; ",
        "{ 1; } /* open",
        "} // {",
    ] {
        let said = refused(text, "it", part(Part::Body, code));
        let known =
            said.contains("is not one body and nothing else") || said.contains("does not parse");
        assert!(known, "{code}: {said}");
    }
    insta::assert_snapshot!(refused(text, "it", part(Part::Body, "} fn zz(&self) {")), @r"
    the code for `it` is not one body and nothing else
    = close every bracket, quote and comment that the code opens, and no other; add items with `insert`, and change other parts by their names
    ");
    let said = refused(text, "C", part(Part::Body, "1; const D: u8 = 2"));
    assert!(said.contains("outside of it: const `D`"), "{said}");
    // Items in a body are the function's own.
    super::check(
        "fn it() {}\n",
        "it",
        part(Part::Body, "fn inner() {}\nmod m {}"),
        "fn it() {\n    fn inner() {}\n    mod m {}\n}\n",
    );
}

/// It works in a file that does not parse as well.
#[test]
fn a_body_is_one_block_in_a_broken_file() {
    let text = "impl Frame {\n    fn it(&self) {\n        1;\n    }\n}\nfn b( {}\n";
    let said = refused(text, "it", part(Part::Body, "} pub fn zz(&self) {"));
    assert!(said.contains("is not one body and nothing else"), "{said}");
    super::check(text, "it", part(Part::Body, "2;"), &text.replace("1;", "2;"));
}

#[test]
fn documentation_and_attributes_are_nothing_else() {
    let text = "/// Says.\n#[inline]\nfn it() {}\n";
    for (which, code) in [
        (Part::Docs, "/** Says. */ pub"),
        (Part::Docs, "/** Says. */ #[cold]"),
        (Part::Attributes, "#[cold] pub"),
        (Part::Attributes, "#[cold] unsafe"),
        (Part::Attributes, "/// More.\n#[cold]"),
        (Part::Attributes, "// nothing"),
        (Part::Signature, "#[cold] fn it()"),
        (Part::Signature, "fn zz() {} fn it()"),
    ] {
        let said = refused(text, "it", part(which, code));
        let known = ["nothing else", "outside of it", "does not parse"];
        assert!(known.iter().any(|why| said.contains(why)), "{code}: {said}");
    }
    for (code, after) in [
        ("////", "/// ////\n"),
        ("/**/", "/// /**/\n"),
        ("/** Block. */", "/** Block. */\n"),
        ("//! Inner", "/// //! Inner\n"),
    ] {
        super::check(text, "it", part(Part::Docs, code), &text.replace("/// Says.\n", after));
    }
}

/// An insertion adds to the children of an item, not to what else is in it.
#[test]
fn what_is_inserted_is_items() {
    let text = "//! File.\nfn outer() {\n    fn it() {}\n}\n";
    for code in ["let x = 1;", "fn a() {} ;", "call();"] {
        let said = refused(text, "it", insert(Position::Before, code));
        assert!(said.contains("is not items and nothing else"), "{code}: {said}");
    }
    for code in ["#![no_std]", "//! More.", "//! More.\nfn a() {}"] {
        let said = refused(text, "outer", insert(Position::Before, code));
        assert!(said.contains("is not items and nothing else"), "{code}: {said}");
    }
    let said = refused(text, "it", whole("fn it() {}\nlet x = 1;"));
    assert!(said.contains("is not one item and nothing else"), "{said}");
    for code in ["// Only a comment.", "fn a() {}\n\nuse b::c;", "m!(1);"] {
        super::apply(text, &[("outer", insert(Position::After, code))]).unwrap();
    }
    super::apply("struct It { a: u8 }\n", &[("a", insert(Position::After, "b: u8, c: u8"))])
        .unwrap();
}

/// A comment that the code opens may end in one that was there.
#[test]
fn statements_around_an_item_are_not_swallowed() {
    let text = "fn outer() {\n    fn it() {} two();\n    three();\n}\n";
    let said = refused(text, "it", whole("fn it() {} // two"));
    assert!(said.contains("would change items outside of it: function `outer`"), "{said}");
    let text = "fn it() {} // a\n// */\nfn b() {}\n";
    let said = refused(text, "it", whole("fn it() {} /*"));
    assert!(said.contains("is not one item and nothing else"), "{said}");
}

/// Other edits of the request are no part of it.
#[test]
fn edits_beside_a_part_leave_it_alone() {
    let edits = [
        ("it", part(Part::Body, "1;")),
        ("it", part(Part::Attributes, "#[cold]")),
        ("it", part(Part::Docs, "Says.")),
        ("it", part(Part::Signature, "pub fn it()")),
        ("it", insert(Position::Before, "fn a() {}")),
        ("it", insert(Position::After, "fn c() {}")),
        ("b", part(Part::Attributes, "#[cold]")),
    ];
    let found = super::apply("fn it(){}fn b(){}\n", &edits).unwrap();
    let after = parse_file_isolated(PATH, found.as_bytes());
    let names: Vec<&str> = after.items.iter().skip(1).map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["a", "it", "c", "b"], "{found}");
    assert!(found.contains("#[cold]\n/// Says.\npub fn it(){\n    1;\n}"), "{found}");
}
