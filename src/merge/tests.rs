use std::fs;
use std::process::Command;

use super::{FileMerge, MergedBy, Unparsed, merge_file, with_our_side};
use asof_workspace::{Markers, ThreeTexts};
use proptest::prelude::*;

fn merged(base: &str, ours: &str, theirs: &str) -> FileMerge {
    let texts =
        ThreeTexts { base: base.as_bytes(), ours: ours.as_bytes(), theirs: theirs.as_bytes() };
    merge_file(texts, &Markers::default())
}

fn text(merge: &FileMerge) -> &str {
    std::str::from_utf8(&merge.bytes).unwrap()
}

/// Lines conflict, and items do not.
#[track_caller]
fn resolves(base: &str, ours: &str, theirs: &str, expected: &str) {
    let found = merged(base, ours, theirs);
    assert_eq!(text(&found), expected);
    assert_eq!((found.by, found.conflicts, found.unparsed), (MergedBy::Items, 0, None));
}

#[test]
fn what_both_add_at_one_place_is_kept_ours_first() {
    resolves(
        "fn a() {}\n",
        "fn a() {}\n\n/// Ours.\nfn b() {}\n",
        "fn a() {}\n\n// theirs\nfn c() {\n    b()\n}\n",
        "fn a() {}\n\n/// Ours.\nfn b() {}\n\n// theirs\nfn c() {\n    b()\n}\n",
    );
    resolves(
        "impl S {\n    fn a() {}\n}\n",
        "impl S {\n    fn a() {}\n\n    fn b() {}\n}\n",
        "impl S {\n    fn a() {}\n\n    fn c() {}\n}\n",
        "impl S {\n    fn a() {}\n\n    fn b() {}\n\n    fn c() {}\n}\n",
    );
    resolves(
        "enum E {\n    A,\n}\n",
        "enum E {\n    A,\n    B\n}\n",
        "enum E {\n    A,\n    C { x: u8 },\n}\n",
        "enum E {\n    A,\n    B,\n    C { x: u8 },\n}\n",
    );
}

#[test]
fn imports_are_sets() {
    resolves(
        "use std::fs;\nuse std::io::{Read, Write};\n\nfn a() {}\n",
        "use std::fmt;\nuse std::io::{Read, Seek, Write};\n\nfn a() {}\n",
        "use std::fs;\nuse std::io::{self, BufRead, Read};\nuse std::mem;\n\nfn a() {}\n",
        "use std::fmt;\nuse std::io::{self, BufRead, Read, Seek};\nuse std::mem;\n\nfn a() {}\n",
    );
    // Re-exports under another visibility are others.
    resolves(
        "pub use a::{A, B};\nuse a::C;\n",
        "pub use a::{A, B, D};\nuse a::C;\n",
        "pub use a::{A, B, E};\nuse a::C;\n",
        "pub use a::{A, B, D, E};\nuse a::C;\n",
    );
}

#[test]
fn a_group_is_written_as_rustfmt_does() {
    resolves(
        "use std::{fs, mem};\n",
        "use std::{fs, mem, path::PathBuf};\n",
        "use std::{fs, mem, path::{Component, Path}};\n",
        "use std::{\n    fs, mem,\n    path::{Component, Path, PathBuf},\n};\n",
    );
}

#[test]
fn the_groups_and_the_order_of_the_side_that_changes_them_lead() {
    // Reordered on one side, added to on the other, whichever it is.
    let (old, reordered, added) = ("use a::{B, C};\n", "use a::{C, B};\n", "use a::{B, C, D};\n");
    resolves(old, reordered, added, "use a::{C, B, D};\n");
    resolves(old, added, reordered, "use a::{C, B, D};\n");
    // Grouped in another way: what is new goes with what it was with.
    let split = "use a::B;\nuse a::C;\nuse x::Y;\n";
    let old = "use a::{B, C};\nuse x::Y;\n";
    let added = "use a::{B, C, D};\nuse x::Y;\n";
    resolves(old, split, added, "use a::B;\nuse a::C;\nuse a::D;\nuse x::Y;\n");
    resolves(old, added, split, "use a::B;\nuse a::C;\nuse a::D;\nuse x::Y;\n");
    let removed = "use a::{C, E};\nuse x::Y;\n";
    resolves(old, split, removed, "use a::C;\nuse a::E;\nuse x::Y;\n");
    resolves(
        "use a::B;\nuse a::C;\n\nfn f() {}\n",
        "use a::B;\nuse a::C;\nuse a::D;\n\nfn f() {}\n",
        "use a::{B, C};\n\nfn f() {}\n",
        "use a::{B, C};\nuse a::D;\n\nfn f() {}\n",
    );
}

#[test]
fn comments_of_imports_are_not_lost() {
    let found = merged(
        "use x::Y;\n\n// One.\nuse a::{B, C};\n",
        "use x::Y;\n\n// One.\nuse a::{B, C, D};\n",
        "use x::Y;\n\n// Two.\nuse a::{B, C, E};\n",
    );
    assert_eq!(found.by, MergedBy::LineConflicts);
    let found =
        merged("use a::{B, C};\n", "use a::{B, C, D};\n", "use a::{\n    // Two.\n    C, B,\n};\n");
    assert_eq!(found.by, MergedBy::LineConflicts);
}

#[test]
fn two_imports_of_one_name_are_a_conflict() {
    let found = merged("use a::A;\n", "use b::X;\n", "use c::X;\n");
    assert_eq!(found.by, MergedBy::LineConflicts);
}

#[test]
fn a_rename_and_an_edit_are_merged() {
    resolves(
        "fn a(x: u8) -> u8 {\n    x + 1\n}\nfn z() {}\n",
        "fn renamed(x: u8) -> u8 {\n    x + 1\n}\nfn y() {}\nfn z() {}\n",
        "fn a(x: u8) -> u8 {\n    x + 1\n}\nfn w() {}\nfn z() {}\n",
        "fn renamed(x: u8) -> u8 {\n    x + 1\n}\nfn y() {}\nfn w() {}\nfn z() {}\n",
    );
}

#[test]
fn an_edit_follows_a_move() {
    let (a, b, c) = ("fn a() {\n    one();\n}\n", "\nfn b() {}\n", "\nfn c() {}\n");
    let edited = "fn a() {\n    two();\n}\n";
    resolves(
        &format!("{a}{b}{c}"),
        &format!("fn b() {{}}\n{c}\n{a}"),
        &format!("{edited}{b}{c}"),
        &format!("fn b() {{}}\n{c}\n{edited}"),
    );
}

#[test]
fn a_format_and_an_edit_are_merged() {
    resolves(
        "fn a() { one(); two() }\n",
        "fn a() {\n    one();\n    two()\n}\n",
        "fn a() { one(); three() }\n",
        "fn a() { one(); three() }\n",
    );
}

#[test]
fn attributes_and_code_are_merged_apart() {
    resolves(
        "fn a() -> T {\n    1\n}\n",
        "#[track_caller]\nfn a() -> T {\n    1\n}\n",
        "fn a() -> T\nwhere\n    T: U,\n{\n    1\n}\n",
        "#[track_caller]\nfn a() -> T\nwhere\n    T: U,\n{\n    1\n}\n",
    );
}

#[test]
fn another_condition_is_no_other_item() {
    let found = merged(
        "#[cfg(a)]\nmod m;\nmod n;\n",
        "#[cfg(b)]\nmod m;\nmod n;\n",
        "#[cfg(c)]\nmod m;\nmod n;\n",
    );
    let expected = "<<<<<<< ours\n#[cfg(b)]\n=======\n#[cfg(c)]\n>>>>>>> theirs\nmod m;\nmod n;\n";
    assert_eq!(text(&found), expected);
}

#[test]
fn markers_are_around_what_conflicts_alone() {
    let impl_of = |a: &str, b: &str, more: &str| {
        format!(
            "impl S {{\n    fn a() {{\n        {a}\n    }}\n{more}\n    fn b() {{\n        {b}\n    }}\n}}\n"
        )
    };
    let (ours, theirs) = ("\n    fn x() {}\n", "\n    fn y() {}\n");
    let found =
        merged(&impl_of("1", "1", ""), &impl_of("2", "1", ours), &impl_of("3", "1", theirs));
    let conflict =
        "    fn a() {\n<<<<<<< ours\n        2\n=======\n        3\n>>>>>>> theirs\n    }\n";
    let rest = format!("{ours}{theirs}\n    fn b() {{\n        1\n    }}\n}}\n");
    assert_eq!(text(&found), format!("impl S {{\n{conflict}{rest}"));
    assert_eq!((found.by, found.conflicts), (MergedBy::ItemConflicts, 1));
    let settled = with_our_side(&found.bytes, &Markers::default());
    let settled = String::from_utf8(settled).unwrap();
    assert_eq!(settled, format!("impl S {{\n    fn a() {{\n        2\n    }}\n{rest}"));
}

#[test]
fn what_one_side_removes_and_the_other_edits_is_a_conflict() {
    let found =
        merged("fn a() {}\nfn b() {}\n", "fn b() {}\n", "fn a() {\n    x()\n}\nfn b() {}\n");
    assert!(text(&found).starts_with("<<<<<<< ours\n=======\nfn a() {"), "{}", text(&found));
    assert!(!found.is_clean());
}

#[test]
fn a_text_that_does_not_parse_is_merged_by_lines() {
    let found = merged("fn a() {}\n", "fn a() {}\nfn b() {}\n", "fn a() {}\nfn c( {}\n");
    assert_eq!((found.by, found.unparsed), (MergedBy::LineConflicts, Some(Unparsed::Theirs)));
    let lines = "fn a() {}\n<<<<<<< ours\nfn b() {}\n=======\nfn c( {}\n>>>>>>> theirs\n";
    assert_eq!(text(&found), lines);
}

#[test]
fn other_line_endings_are_no_changes() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let base = "fn a() {}\n\nfn b() {}\n";
    let theirs = "fn a() {}\n\nfn b() {\n    c()\n}\n";
    resolves(base, &crlf(base), theirs, &crlf(theirs));
    resolves(
        &crlf("fn a() {}\n"),
        &crlf("fn a() {}\nfn b() {}\n"),
        &crlf("fn a() {}\nfn c() {}\n"),
        &crlf("fn a() {}\nfn b() {}\nfn c() {}\n"),
    );
}

#[test]
fn an_item_that_both_add_elsewhere_is_no_clean_merge() {
    let between = "fn a() {}\nfn b() {}\nfn c() {}\nfn d() {}\n";
    let (ours, theirs) = (format!("fn x() {{}}\n{between}"), format!("{between}fn x() {{}}\n"));
    let found = merged(between, &ours, &theirs);
    assert_eq!(text(&found), format!("fn x() {{}}\n{between}fn x() {{}}\n"));
    assert_eq!((found.by, found.conflicts, found.twice.len()), (MergedBy::Lines, 0, 1));
    assert_eq!((found.twice[0].name.as_str(), found.twice[0].line), ("x", 6));
    assert!(!found.is_clean());
}

#[test]
fn two_kinds_of_one_name_are_a_conflict() {
    let found = merged("fn a() {}\n", "fn a() {}\nstruct X;\n", "fn a() {}\nenum X {}\n");
    assert_eq!(found.by, MergedBy::LineConflicts);
}

/// A text of some functions, each with some lines.
fn program() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(0_u8..4, 1..4), 1..6)
}

fn written(program: &[Vec<u8>]) -> String {
    let function = |(n, lines): (usize, &Vec<u8>)| {
        let lines: String = lines.iter().map(|line| format!("    call({line});\n")).collect();
        format!("fn f{n}() {{\n{lines}}}\n\n")
    };
    program.iter().enumerate().map(function).collect()
}

/// Changes of some lines and functions.
fn edited(program: &[Vec<u8>], edits: &[(usize, u8)], named: char) -> String {
    let mut program = program.to_vec();
    let mut more = String::new();
    for (at, what) in edits {
        let functions = program.len();
        match what {
            0..4 => program[at % functions].push(*what + 4),
            4 => program[at % functions][0] = 9,
            _ => more.push_str(&format!("fn {named}{at}() {{}}\n\n")),
        }
    }
    format!("{}{more}", written(&program))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Where Git merges cleanly, the bytes are Git's; and a merge by items parses.
    #[test]
    fn never_worse_than_git(
        program in program(),
        ours in prop::collection::vec((0_usize..6, 0_u8..6), 0..3),
        theirs in prop::collection::vec((0_usize..6, 0_u8..6), 0..3),
    ) {
        let (base, ours, theirs) =
            (written(&program), edited(&program, &ours, 'o'), edited(&program, &theirs, 't'));
        let folder = tempfile::tempdir().unwrap();
        let names = ["ours", "base", "theirs"];
        for (name, text) in names.iter().zip([&ours, &base, &theirs]) {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let git = Command::new("git")
            .args(["merge-file", "-p", "--diff-algorithm=histogram"])
            .args(names)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let found = merged(&base, &ours, &theirs);
        if git.status.success() {
            prop_assert_eq!(&found.bytes, &git.stdout);
            prop_assert_eq!(found.by, MergedBy::Lines);
        } else {
            prop_assert_ne!(found.by, MergedBy::Lines);
        }
        if found.by == MergedBy::Items {
            prop_assert!(syn::parse_file(text(&found)).is_ok());
        }
    }
}
