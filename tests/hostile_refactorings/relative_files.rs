//! Files that a text names: beside the file that it is in, in the manifest, or by Cargo's layout.

use super::case::Observation;
use super::scene::{Kind, Place, Scene, choose, kinds, scene};
use crate::support::edits::Rng;

pub const KINDS: &[Kind] = kinds![
    a_moved_text_includes_a_file,
    a_renamed_module_includes_a_file,
    a_renamed_module_has_a_folder_of_data,
    a_path_attribute_names_the_file,
    an_included_file_names_the_item,
    a_module_gets_the_name_of_a_target,
    a_module_is_moved_to_the_file_of_a_target,
    the_manifest_names_the_file_of_a_module,
    a_module_becomes_the_build_script,
];

/// Expressions that print what is in `data.txt`, by the path to it.
const INCLUDES: [&str; 4] = [
    "include_str!(\"{}\")",
    "std::str::from_utf8(include_bytes!(\"{}\")).unwrap()",
    "include!(\"{}\")",
    "include_str!(concat!(\"{}\"))",
];

fn a_moved_text_includes_a_file(rng: &mut Rng) -> Scene {
    let include = choose(rng, &INCLUDES).replace("{}", "data.txt");
    let [to, other] = choose(
        rng,
        &[
            ["crate", "src/data.txt"],
            ["crate::dest", "src/data.txt"],
            ["crate::dest", "src/unlike.txt"],
        ],
    );
    scene(&["move", "@item", to])
        .body(format!("println!(\"{{}}\", {include});"))
        .file("src/outer/data.txt", "\"%x\"")
        .file(other, "\"%y\"")
        .dest("pub fn unlike() {}\n")
        .places(&[Place::Folder, Place::Deep])
}

fn a_renamed_module_includes_a_file(rng: &mut Rng) -> Scene {
    let include = choose(rng, &INCLUDES);
    let [file, data, named] = choose(
        rng,
        &[
            ["src/%old/mod.rs", "src/%old/data.txt", "data.txt"],
            ["src/%old/mod.rs", "src/data.txt", "../data.txt"],
            ["src/%old.rs", "src/%old/data.txt", "%old/data.txt"],
            ["src/%old.rs", "src/data.txt", "data.txt"],
        ],
    );
    let include = include.replace("{}", named);
    let scene = scene(&["rename", "t::%old", "%new"])
        .root("mod %old;\n")
        .file(file, format!("pub fn get() -> &'static str {{ {include} }}\n"));
    scene.file(data, "\"%x\"").body("println!(\"{}\", crate::%old::get());")
}

fn a_renamed_module_has_a_folder_of_data(rng: &mut Rng) -> Scene {
    let [user, text] = choose(
        rng,
        &[
            ["src/user.rs", "include_str!(\"%old/data.txt\")"],
            [
                "src/user.rs",
                "include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/src/%old/data.txt\"))",
            ],
            ["src/user.rs", "&std::fs::read_to_string(\"src/%old/data.txt\").unwrap()"],
        ],
    );
    let file = choose(rng, &["src/%old/mod.rs", "src/%old.rs"]);
    scene(&["rename", "t::%old", "%new"])
        .root("mod %old;\nmod user;\n")
        .file(file, "pub mod sub;\npub fn get() -> i32 { sub::get() }\n")
        .file("src/%old/sub.rs", "pub fn get() -> i32 { 1 }\n")
        .file("src/%old/data.txt", "%x")
        .file(user, format!("pub fn see() {{ println!(\"{{}}\", {text}); }}\n"))
        .body("println!(\"{}\", crate::%old::get());")
        .main("user::see();")
}

fn a_path_attribute_names_the_file(rng: &mut Rng) -> Scene {
    let [root, file, path, sub] = choose(
        rng,
        &[
            ["#[path = \"unlike.rs\"] mod %old;\n", "src/unlike.rs", "t::%old", "src/unlike2.rs"],
            [
                "mod %old { #[path = \"part.rs\"] pub mod sub; pub use self::sub::get; }\n",
                "src/%old/part.rs",
                "t::%old",
                "src/x.rs",
            ],
            ["mod %old;\n", "src/%old/mod.rs", "t::%old", "src/%old/part.rs"],
            ["mod %old;\n", "src/%old.rs", "t::%old", "src/part.rs"],
        ],
    );
    let own = if sub.ends_with("part.rs") {
        "#[path = \"part.rs\"] mod part;\npub fn get() -> i32 { part::get() }\n"
    } else {
        "pub fn get() -> i32 { 4 }\n"
    };
    scene(&["rename", path, "%new"])
        .root(root)
        .file(file, own)
        .file(sub, "pub fn get() -> i32 { 5 }\n")
        .body("println!(\"{}\", crate::%old::get());")
}

fn an_included_file_names_the_item(rng: &mut Rng) -> Scene {
    let args: &[&str] = choose(
        rng,
        &[
            &["rename", "@::%old", "%new"][..],
            &["move", "@::%old", "crate::dest"],
            &["delete", "@::%old", "--if-unused"],
        ],
    );
    let part = choose(
        rng,
        &[
            "pub fn part() -> i32 { %old() }\n",
            "pub fn part() -> i32 { @::%old() + 1 }\n",
            "pub fn part() -> i32 { self::%old() + 2 }\n",
        ],
    );
    let name = choose(rng, &["part.rs", "part.in"]);
    scene(args)
        .items("pub fn %old() -> i32 { 6 }")
        .items(format!("include!(\"{name}\");"))
        .body("println!(\"{}\", part());")
        .dest("pub fn unlike() {}\n")
        .file(&format!("src/{name}"), part)
        .places(&[Place::Root, Place::Inline, Place::Nested, Place::File])
}

/// A library with a module in a file, and tests that call it.
fn library(command: &[&str], lib: &str, file: &str) -> Scene {
    let tests = "#[cfg(test)] mod checks { #[test] fn a() { assert_eq!(crate::get(), 3); } }\n";
    scene(command)
        .file("src/lib.rs", format!("{lib}\n{tests}"))
        .file(file, "pub fn get() -> i32 { 3 }\n")
        .observe(Observation::Targets)
}

fn a_module_gets_the_name_of_a_target(rng: &mut Rng) -> Scene {
    let [file, path, new] = choose(
        rng,
        &[
            ["src/%old.rs", "t::%old", "main"],
            ["src/%old/mod.rs", "t::%old", "bin"],
            ["src/%old.rs", "t::%old", "lib"],
            ["src/outer/%old.rs", "t::outer::%old", "main"],
        ],
    );
    let lib = if path.contains("outer") {
        "pub mod outer { pub mod %old; }\npub fn get() -> i32 { outer::%old::get() }"
    } else {
        "pub mod %old;\npub fn get() -> i32 { %old::get() }"
    };
    library(&["rename", path, new], lib, file)
}

fn a_module_is_moved_to_the_file_of_a_target(rng: &mut Rng) -> Scene {
    let [path, to] = choose(
        rng,
        &[
            ["t::%old::get", "t::main"],
            ["t::%old::get", "t::bin::%new"],
            ["t::%old::get", "src/main.rs"],
            ["t::%old::get", "src/bin/%new.rs"],
        ],
    );
    let lib = "pub mod %old;\npub fn get() -> i32 { %old::get() }";
    library(&["move", path, to], lib, "src/%old.rs")
}

fn the_manifest_names_the_file_of_a_module(rng: &mut Rng) -> Scene {
    let table = choose(rng, &["[[bin]]", "[[example]]", "[[test]]", "[[bench]]"]);
    let manifest = format!("\n{table}\nname = \"tool\"\npath = \"src/%old.rs\"\n");
    library(
        &["rename", "t::%old", "%new"],
        "pub mod %old;\npub fn get() -> i32 { %old::get() }",
        "src/%old.rs",
    )
    .file("src/%old.rs", "pub fn get() -> i32 { 3 }\n#[allow(dead_code)]\nfn main() {}\n")
    .file("Cargo.toml", manifest)
}

fn a_module_becomes_the_build_script(rng: &mut Rng) -> Scene {
    let new = choose(rng, &["build", "%new"]);
    let text = choose(rng, &["mod %old;\n", "pub mod %old;\n"]);
    let tests = "#[cfg(test)] mod checks { #[test] fn a() { assert_eq!(crate::get(), 3); } }\n";
    scene(&["rename", "t::%old", new])
        .file("lib.rs", format!("{text}pub fn get() -> i32 {{ %old::get() }}\n{tests}"))
        .file("%old.rs", "pub fn get() -> i32 { 3 }\n")
        .file("Cargo.toml", "\n[lib]\npath = \"lib.rs\"\n")
        .observe(Observation::Targets)
}
