//! Places that lead somewhere although they are no names of the language's own: links of documentation,
//! tokens of macro calls, labels; and what is asked of types.

use std::path::Path;

use serde_json::json;
use tempfile::TempDir;

use super::client::{Client, place};
use super::demo::write;
use super::session::{find, shown};

use crate::support::tempdir;

/// A workspace of one text, with a client.
struct Asked {
    folder: TempDir,
    client: Client,
    text: &'static str,
}

impl Asked {
    fn start(text: &'static str) -> Self {
        let folder = tempdir();
        let manifest = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        write(folder.path(), "Cargo.toml", manifest);
        write(folder.path(), "src/lib.rs", text);
        let client = Client::session(folder.path(), "utf-8", json!({}));
        Self { folder, client, text }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The place at `^` in a part of the text, which is written with the mark.
    fn cursor(&self, marked: &str) -> (u32, u32) {
        let at = marked.find('^').unwrap();
        let part = marked.replacen('^', "", 1);
        assert_eq!(self.text.matches(&part).count(), 1, "{marked}");
        let (line, column) = find(self.text, &part, 0);
        let before = &part[..at];
        let lines = before.matches('\n').count() as u32;
        let last = before.rfind('\n').map_or(column + at as u32, |end| (at - end - 1) as u32);
        (line + lines, last)
    }

    /// What is answered, as lines and columns of the text; places in other files by their names.
    fn answer(&mut self, method: &str, marked: &str) -> Vec<String> {
        let cursor = self.cursor(marked);
        let path = self.root().join("src/lib.rs");
        let params = match method {
            "references" => {
                let mut params = place(&path, cursor);
                params["context"] = json!({ "includeDeclaration": true });
                params
            }
            _ => place(&path, cursor),
        };
        let found = self.client.request(&format!("textDocument/{method}"), params);
        let found = shown(self.root(), &found);
        let short = |place: &String| match place.strip_prefix("src/lib.rs:") {
            Some(own) => own.to_owned(),
            None => place.split(':').rev().nth(2).unwrap().rsplit('/').next().unwrap().to_owned(),
        };
        found.iter().map(short).collect()
    }

    #[track_caller]
    fn check(&mut self, method: &str, marked: &str, expected: &[&str]) {
        assert_eq!(self.answer(method, marked), expected, "{method}: {marked}");
    }
}

#[test]
fn links_of_documentation_lead_to_items() {
    let mut asked = Asked::start(
        "//! [`Lamp`], [text](self::inner::Inner) and [std](std::fmt::Debug).\n\
         /// See [`Lamp::on`], [lamp][it], [`fn@both`], [`both!`] and [missing].\n\
         ///\n\
         /// [it]: inner::Inner\n\
         pub fn f() {}\n\
         pub struct Lamp;\n\
         impl Lamp {\n    \
             /// Not [`Self::off`](https://x.org), but [Self::off()].\n    \
             pub fn on(&self) {}\n    \
             pub fn off(&self) {}\n\
         }\n\
         /// Outside: [`Inner`], [`inner::Inner`].\n\
         pub mod inner {\n    \
             //! Inside: [`Inner`], [`super::Lamp`].\n    \
             pub struct Inner;\n\
         }\n\
         pub fn both() {}\n\
         #[macro_export]\n\
         macro_rules! both { () => {} }\n",
    );
    asked.check("definition", "//! [`La^mp`]", &["6:12"]);
    asked.check("definition", "//! [^`Lamp`]", &["6:12"]);
    asked.check("definition", "[te^xt](self", &["15:16"]);
    // Without the component `rust-src`, there is no text to go to.
    let standard = asof_workspace::StandardSources::find().map(|_| "mod.rs");
    asked.check("definition", "(std::fmt::De^bug)", standard.as_slice());
    asked.check("definition", "[`Lamp::o^n`]", &["9:12"]);
    asked.check("definition", "[`La^mp::on`]", &["9:12"]);
    asked.check("definition", "[la^mp][it]", &["15:16"]);
    asked.check("definition", "[it]: inner::In^ner", &["15:16"]);
    asked.check("definition", "[`fn@bo^th`]", &["17:8"]);
    asked.check("definition", "[`bo^th!`]", &["19:14"]);
    asked.check("definition", "[miss^ing]", &[]);
    asked.check("definition", "[`Self::o^ff`](h", &[]);
    asked.check("definition", "[Self::o^ff()]", &["10:12"]);
    asked.check("definition", "Outside: [`In^ner`]", &[]);
    asked.check("definition", "[`inner::In^ner`]", &["15:16"]);
    asked.check("definition", "Inside: [`In^ner`]", &["15:16"]);
    asked.check("definition", "[`super::La^mp`]", &["6:12"]);
    asked.check("definition", "Out^side", &[]);
    asked.check("references", "[`super::La^mp`]", &["6:12", "7:6"]);
    let hover = asked.cursor("[`super::La^mp`]");
    let found = asked.client.at("hover", &asked.root().join("src/lib.rs"), hover);
    assert!(found["contents"]["value"].as_str().unwrap().contains("pub struct Lamp"), "{found}");
    assert_eq!(found["range"]["start"], json!({ "line": 13, "character": 36 }));
}

#[test]
fn arguments_of_macros_lead_to_what_they_make_and_bind() {
    let mut asked = Asked::start(
        "macro_rules! make { ($n:ident) => { pub fn $n() {} } }\n\
         macro_rules! one { ($n:ident) => { Some($n) } }\n\
         macro_rules! fixed { ($n:ident) => { pub fn made() {} } }\n\
         make!(alpha);\n\
         fixed!(made);\n\
         pub fn f(o: Option<u8>) -> u8 {\n    \
             alpha();\n    \
             made();\n    \
             let inner = 1;\n    \
             match o {\n        \
                 one!(inner) => inner,\n        \
                 None => 0,\n    \
             }\n\
         }\n\
         macro_rules! run { ($s:stmt) => { 'out: loop { $s } } }\n\
         pub fn g() {\n    \
             'out: loop {\n        \
                 run!(break 'out);\n    \
             }\n\
         }\n",
    );
    asked.check("definition", "make!(al^pha)", &["4:7"]);
    asked.check("definition", "    al^pha();", &["4:7"]);
    asked.check("references", "make!(al^pha)", &["4:7", "7:5"]);
    asked.check("definition", "fixed!(ma^de)", &[]);
    asked.check("definition", "one!(inn^er)", &["11:14"]);
    asked.check("definition", "=> inn^er,", &["11:14"]);
    asked.check("references", "=> inn^er,", &["11:14", "11:24"]);
    asked.check("references", "let inn^er", &["9:9"]);
    asked.check("definition", "break 'o^ut", &["17:5"]);
    asked.check("references", "    'o^ut: loop", &["17:5", "18:20"]);
}

#[test]
fn an_argument_is_renamed_with_what_the_call_makes() {
    let mut asked = Asked::start(
        "macro_rules! make { ($n:ident) => { pub fn $n() -> u8 { 1 } } }\n\
         macro_rules! named { ($n:ident) => { pub fn $n() -> &'static str { stringify!($n) } } }\n\
         make!(alpha);\n\
         named!(beta);\n\
         pub fn f() -> u8 { alpha() + beta().len() as u8 }\n",
    );
    let path = asked.root().join("src/lib.rs");
    let ask = |asked: &mut Asked, marked: &str| {
        let mut params = place(&path, asked.cursor(marked));
        params["newName"] = json!("other");
        params
    };
    let params = ask(&mut asked, "make!(al^pha)");
    let answer = asked.client.request("textDocument/rename", params);
    let edits: Vec<(u64, u64)> = answer["changes"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|edits| edits.as_array().unwrap())
        .map(|edit| (&edit["range"]["start"], edit))
        .map(|(start, _)| (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap()))
        .collect();
    assert_eq!(edits, [(2, 6), (4, 19)]);
    let params = ask(&mut asked, "named!(be^ta)");
    let (_, message) = asked.client.refused("textDocument/rename", params);
    assert!(message.contains("the macro call at src/lib.rs:4 makes"), "{message}");
}

#[test]
fn types_are_those_of_values() {
    let mut asked = Asked::start(
        "pub struct Lamp;\n\
         pub struct Held<T>(pub T);\n\
         impl<T> Held<T> { pub fn get(&self) -> &T { &self.0 } }\n\
         pub fn make() -> Held<Lamp> { Held(Lamp) }\n\
         pub fn f() {\n    \
             let held = make();\n    \
             let lamp = held.get();\n    \
             println!(\"{}\", { let _ = lamp; 1 });\n    \
             let (one, two) = (Lamp, held);\n\
         }\n",
    );
    asked.check("typeDefinition", "let he^ld", &["2:12", "1:12"]);
    asked.check("typeDefinition", "let la^mp", &["1:12"]);
    asked.check("typeDefinition", "held.g^et()", &["1:12"]);
    asked.check("typeDefinition", "(o^ne,", &["1:12"]);
    asked.check("typeDefinition", "t^wo)", &["2:12", "1:12"]);
}

#[test]
fn implementations_are_shown_at_their_types() {
    let mut asked = Asked::start(
        "pub struct Lamp;\n\
         pub type Light = Lamp;\n\
         pub type Lights = Vec<Lamp>;\n\
         pub trait Shine {}\n\
         impl Lamp {}\n\
         impl Light {}\n\
         impl Shine for Lights {}\n\
         impl<T> Shine for Option<T> where T: Copy {}\n\
         impl Shine for bool {}\n\
         impl<u8> From<u8> for Lamp { fn from(_: u8) -> Self { Lamp } }\n\
         pub fn f(_: bool, _: Light) {}\n",
    );
    asked.check("implementation", "struct La^mp", &["5:6", "6:6", "10:23"]);
    asked.check("implementation", "type Li^ght ", &["5:6", "6:6", "10:23"]);
    asked.check("implementation", "type Li^ghts ", &["7:16"]);
    asked.check("implementation", "trait Sh^ine", &["7:16", "8:19", "9:16"]);
    asked.check("implementation", "_: bo^ol", &["9:16"]);
}

#[test]
fn both_brackets_of_an_index_are_places() {
    let mut asked = Asked::start(
        "pub struct Row;\n\
         impl std::ops::Index<usize> for Row {\n    \
             type Output = u8;\n    \
             fn index(&self, _: usize) -> &u8 { &1 }\n\
         }\n\
         pub fn f(row: Row, list: [u8; 2]) -> u8 { row[0] + list[1] }\n",
    );
    asked.check("definition", "row[^0]", &["4:8"]);
    asked.check("definition", "row[0^]", &["4:8"]);
    asked.check("definition", "row[0]^ ", &["4:8"]);
    asked.check("definition", "list[1^]", &[]);
}
