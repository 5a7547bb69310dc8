//! What the program of a case is put together from: texts with the places of names left open.
//!
//! `%old`, `%New`, `%OTHER`, `%x` are names of the case, in three cases of letters; `@::` is the
//! path of the module that the items are in, `@fn` that of the function around the body, and
//! `@item` that of the item that has it.

use super::case::{Case, Edition, Observation};
use crate::support::edits::Rng;

/// A kind of case.
#[derive(Clone, Copy)]
pub struct Kind {
    pub name: &'static str,
    pub draw: fn(&mut Rng) -> Scene,
}

/// Kinds by the names of the functions that draw their scenes.
macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        &[$($crate::hostile_refactorings::scene::Kind { name: stringify!($name), draw: $name }),*]
    };
}
pub(super) use kinds;

pub fn choose<T: Copy>(rng: &mut Rng, from: &[T]) -> T {
    *rng.pick(from).unwrap()
}

/// Around the statements of the body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Position {
    Function,
    Method,
    Provided,
    Nested,
    Block,
    Closure,
    Macro,
}

impl Position {
    pub const ALL: [Self; 7] = [
        Self::Function,
        Self::Method,
        Self::Provided,
        Self::Nested,
        Self::Block,
        Self::Closure,
        Self::Macro,
    ];
    /// Those whose tokens are code as they stand.
    pub const PLAIN: [Self; 6] =
        [Self::Function, Self::Method, Self::Provided, Self::Nested, Self::Block, Self::Closure];

    /// Items with the body in them.
    fn items(self, body: &str) -> String {
        match self {
            Self::Function => format!("pub fn probe() {{\n    {body}\n}}\n"),
            Self::Method => {
                format!(
                    "pub struct Host;\nimpl Host {{\n    pub fn probe() {{\n{body}\n    }}\n}}\n"
                )
            }
            Self::Provided => format!(
                "pub trait Host {{\n    fn probe() {{\n{body}\n    }}\n}}\nimpl Host for u8 {{}}\n"
            ),
            Self::Nested => {
                format!("pub fn probe() {{\n    fn inner() {{\n{body}\n    }}\n    inner()\n}}\n")
            }
            Self::Block => format!("pub fn probe() {{\n    if true {{\n{body}\n    }}\n}}\n"),
            Self::Closure => {
                format!(
                    "pub fn probe() {{\n    let inner = || {{\n{body}\n    }};\n    inner()\n}}\n"
                )
            }
            Self::Macro => format!("pub fn probe() {{\n    pass! {{ {{\n{body}\n    }} }}\n}}\n"),
        }
    }

    /// The path of the item with the body, of its function, and a call.
    fn paths(self) -> [&'static str; 3] {
        match self {
            Self::Method => ["@::Host", "@::Host::probe", "@::Host::probe();"],
            Self::Provided => ["@::Host", "@::Host::probe", "<u8 as @::Host>::probe();"],
            Self::Nested => ["@::probe", "@::probe::inner", "@::probe();"],
            _ => ["@::probe", "@::probe", "@::probe();"],
        }
    }
}

/// The module of the items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Root,
    Inline,
    Nested,
    File,
    Folder,
    Deep,
}

impl Place {
    pub const ALL: [Self; 6] =
        [Self::Root, Self::Inline, Self::Nested, Self::File, Self::Folder, Self::Deep];
    /// All but the root of the crate.
    pub const MODULES: [Self; 5] =
        [Self::Inline, Self::Nested, Self::File, Self::Folder, Self::Deep];

    fn path(self) -> &'static str {
        match self {
            Self::Root => "",
            Self::Inline | Self::File | Self::Folder => "outer::",
            Self::Nested | Self::Deep => "outer::inner::",
        }
    }

    /// What the file of the root has, and another file.
    fn lay_out(self, items: &str, files: &mut Vec<(String, String)>) -> String {
        let mut file = |path: &str, text: &str| files.push((path.to_owned(), text.to_owned()));
        match self {
            Self::Root => items.to_owned(),
            Self::Inline => format!("pub mod outer {{\n{items}}}\n"),
            Self::Nested => format!("pub mod outer {{ pub mod inner {{\n{items}}} }}\n"),
            Self::File => {
                file("src/outer.rs", items);
                "pub mod outer;\n".to_owned()
            }
            Self::Folder => {
                file("src/outer/mod.rs", items);
                "pub mod outer;\n".to_owned()
            }
            Self::Deep => {
                file("src/outer.rs", "pub mod inner;\n");
                file("src/outer/inner.rs", items);
                "pub mod outer;\n".to_owned()
            }
        }
    }
}

pub const EDITIONS: [Edition; 4] = ["2015", "2018", "2021", "2024"];

const PASS: &str = "#[allow(unused_macros)]\nmacro_rules! pass { ($($t:tt)*) => { $($t)* } }\n";

/// The texts of a case. Without a body and a `main`, the files are the whole package.
pub struct Scene {
    root: String,
    items: String,
    body: String,
    dest: Option<String>,
    after: String,
    main: String,
    entry: Option<String>,
    files: Vec<(String, String)>,
    command: Vec<String>,
    observation: Observation,
    names_are_printed: bool,
    places: &'static [Place],
    positions: &'static [Position],
    editions: &'static [Edition],
}

/// A scene with this command of `asof`.
pub fn scene(command: &[&str]) -> Scene {
    Scene {
        root: String::new(),
        items: String::new(),
        body: String::new(),
        dest: None,
        after: String::new(),
        main: String::new(),
        entry: None,
        files: Vec::new(),
        command: command.iter().map(|&argument| argument.to_owned()).collect(),
        observation: Observation::Output,
        names_are_printed: false,
        places: &Place::ALL,
        positions: &Position::ALL,
        editions: &EDITIONS,
    }
}

impl Scene {
    /// Text before the modules.
    pub fn root(mut self, text: impl AsRef<str>) -> Self {
        self.root.push_str(text.as_ref());
        self
    }

    /// Text in the module of the items.
    pub fn items(mut self, text: impl AsRef<str>) -> Self {
        self.items.push_str(text.as_ref());
        self.items.push('\n');
        self
    }

    /// Statements that print.
    pub fn body(mut self, text: impl AsRef<str>) -> Self {
        self.body.push_str(text.as_ref());
        self
    }

    /// Text of the module `dest`, behind that of the items.
    pub fn dest(mut self, text: impl AsRef<str>) -> Self {
        self.dest = Some(text.as_ref().to_owned());
        self
    }

    /// Text of the root behind all modules.
    pub fn after(mut self, text: impl AsRef<str>) -> Self {
        self.after.push_str(text.as_ref());
        self
    }

    /// Statements of `main` behind the call of the body.
    pub fn main(mut self, text: impl AsRef<str>) -> Self {
        self.main.push_str(text.as_ref());
        self
    }

    /// Items in the place of `main`; `@call` calls the body.
    pub fn entry(mut self, text: impl AsRef<str>) -> Self {
        self.entry = Some(text.as_ref().to_owned());
        self
    }

    /// A file; of two with one path, the later.
    pub fn file(mut self, path: &str, text: impl AsRef<str>) -> Self {
        self.files.retain(|(other, _)| other != path);
        self.files.push((path.to_owned(), text.as_ref().to_owned()));
        self
    }

    pub fn observe(mut self, observation: Observation) -> Self {
        self.observation = observation;
        self
    }

    /// The program prints the name of an item: a warning says so.
    pub fn names_are_printed(mut self) -> Self {
        self.names_are_printed = true;
        self
    }

    pub fn places(mut self, places: &'static [Place]) -> Self {
        self.places = places;
        self
    }

    pub fn positions(mut self, positions: &'static [Position]) -> Self {
        self.positions = positions;
        self
    }

    pub fn editions(mut self, editions: &'static [Edition]) -> Self {
        self.editions = editions;
        self
    }

    /// The case: position, place, edition and names are drawn.
    pub fn build(self, kind: &'static str, rng: &mut Rng) -> Case {
        // A function in a body has no path.
        let is_local = self.command.iter().any(|argument| argument == "@fn");
        let positions = self.positions.iter().filter(|at| !is_local || **at != Position::Nested);
        let positions: Vec<Position> = positions.copied().collect();
        let position = *rng.pick(&positions).unwrap();
        let place = *rng.pick(self.places).unwrap();
        let edition = *rng.pick(self.editions).unwrap();
        let names = Names::draw(rng);
        let dest_is_file = rng.below(2) == 0;
        let [item, function, _] = position.paths();
        let in_command = format!("t::{}", place.path());
        let argument = |argument: &String| {
            let argument = argument.replace("@item", item).replace("@fn", function);
            names.fill(&argument.replace("@::", &in_command))
        };
        let command = self.command.iter().map(argument).collect();
        let (observation, names_are_printed) = (self.observation, self.names_are_printed);
        let mut files = self.lay_out(position, place, dest_is_file);
        let in_code = format!("crate::{}", place.path());
        for (path, text) in &mut files {
            *path = names.fill(path);
            *text = names.fill(&text.replace("@::", &in_code));
        }
        let package = "[package]\nname = \"t\"\nversion = \"0.1.0\"\n";
        let package = format!("{package}edition = \"{edition}\"\n");
        match files.iter_mut().find(|(path, _)| path == "Cargo.toml") {
            Some((_, manifest)) => manifest.insert_str(0, &package),
            None => files.push(("Cargo.toml".to_owned(), package)),
        }
        let position = format!("{position:?} in {place:?}");
        Case { kind, edition, position, files, command, observation, names_are_printed }
    }

    /// The files, with the places of names still open.
    fn lay_out(
        self,
        position: Position,
        place: Place,
        dest_is_file: bool,
    ) -> Vec<(String, String)> {
        let (mut files, mut items, mut main) = (self.files, self.items, self.main);
        if self.body.is_empty() && main.is_empty() {
            return files;
        }
        if !self.body.is_empty() {
            items.push_str(&position.items(&self.body));
            let [_, _, call] = position.paths();
            main.insert_str(0, call);
        }
        let mut text = if position == Position::Macro { PASS } else { "" }.to_owned();
        text.push_str(&self.root);
        text.push('\n');
        text.push_str(&place.lay_out(&items, &mut files));
        match self.dest {
            Some(dest) if dest_is_file => {
                text.push_str("pub mod dest;\n");
                files.push(("src/dest.rs".to_owned(), dest));
            }
            Some(dest) => text.push_str(&format!("pub mod dest {{\n{dest}\n}}\n")),
            None => {}
        }
        text.push_str(&self.after);
        match self.entry {
            Some(entry) => text.push_str(&entry.replace("@call", &main)),
            None => text.push_str(&format!("\nfn main() {{\n    {main}\n}}\n")),
        }
        files.push(("src/main.rs".to_owned(), text));
        files
    }
}

const WORDS: [&str; 18] = [
    "alpha", "total", "amber", "width", "render", "limit", "beta", "north", "origin", "merge",
    "level", "token", "shape", "ratio", "state", "entry", "scale", "depth",
];

/// Names of the case, all different.
struct Names([(&'static str, &'static str); 6]);

impl Names {
    fn draw(rng: &mut Rng) -> Self {
        let mut words = WORDS;
        for at in 0..6 {
            let other = at + rng.below(WORDS.len() - at);
            words.swap(at, other);
        }
        let keys = ["old", "new", "other", "x", "y", "z"];
        Self(std::array::from_fn(|at| (keys[at], words[at])))
    }

    fn fill(&self, text: &str) -> String {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('%') {
            filled.push_str(before);
            let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let (key, behind) = after.split_at(end);
            match self.name(key) {
                Some(name) => filled.push_str(&name),
                None => filled.push_str(&format!("%{key}")),
            }
            rest = behind;
        }
        filled + rest
    }

    /// The name for a key, in its case of letters.
    fn name(&self, key: &str) -> Option<String> {
        let lower = key.to_ascii_lowercase();
        let (_, word) = self.0.iter().find(|(key, _)| *key == lower)?;
        if key == lower {
            return Some((*word).to_owned());
        }
        if key.len() > 1 && key == key.to_ascii_uppercase() {
            return Some(word.to_ascii_uppercase());
        }
        let (first, rest) = word.split_at(1);
        Some(first.to_ascii_uppercase() + rest)
    }
}
