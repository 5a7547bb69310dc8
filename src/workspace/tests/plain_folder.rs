//! Folders without a manifest.

use super::*;

#[test]
fn files_that_are_no_modules_are_crates() {
    check(
        "//- src/lib.rs
        mod used;
        //- src/used.rs
        //- src/main.rs
        //- src/bin/x.rs
        //- src/bin/y/main.rs
        //- src/loose-end.rs
        //- a/day.rs
        //- b/day.rs
        //- c/mod.rs
        //- 1.rs",
        "- folder 0.0.0 2021
        lib lib src/lib.rs
        bin main src/main.rs
        bin x src/bin/x.rs
        bin y src/bin/y/main.rs
        detached 1 (_1) 1.rs
        detached a/day (day) a/day.rs
        detached b/day (day) b/day.rs
        detached c/mod (c) c/mod.rs
        detached src/loose-end (loose_end) src/loose-end.rs",
    );
}

#[test]
fn modules_are_found_in_every_form() {
    check(
        r##"//- main.rs
        #!/usr/bin/env run
        // mod not_this;
        const S: &str = r#"mod nor_this;"#;
        pub(crate) mod a;
        mod b { #[path = "deep/c.rs"] pub mod c; mod d; }
        #[cfg_attr(unix, path = "unix.rs")] #[cfg_attr(windows, path = "win.rs")] mod sys;
        cfg_if! { if #[cfg(x)] { mod e; } }
        mod r#async;
        //- a.rs
        mod z;
        //- a/z.rs
        //- z.rs
        //- b/deep/c.rs
        mod beside;
        //- b/deep/beside.rs
        //- b/d/mod.rs
        //- unix.rs
        //- win.rs
        //- e.rs
        //- async.rs
        //- not_this.rs
        //- nor_this.rs
        //- loop1.rs
        #[path = "loop2.rs"] mod x;
        //- loop2.rs
        #[path = "loop1.rs"] mod x;
        //- broken.rs
        mod main; ) {"##,
        "- folder 0.0.0 2021
        detached broken broken.rs
        detached loop1 loop1.rs
        detached main main.rs
        detached nor_this nor_this.rs
        detached not_this not_this.rs
        detached z z.rs",
    );
}

#[test]
fn crates_in_a_folder_keep_their_files() {
    check(
        "//- a/Cargo.toml
        package = { name = 'a' }
        //- a/src/lib.rs
        //- a/src/loose.rs
        //- ab.rs",
        "- folder 0.0.0 2021
        detached ab ab.rs
        a/Cargo.toml a 0.0.0 2015
        lib a a/src/lib.rs",
    );
}

#[test]
fn a_text_of_mods_is_scanned_once() {
    let begin = std::time::Instant::now();
    let dir = tree("//- a.rs");
    fs::write(dir.path().join("a.rs"), "mod".repeat(1 << 20)).unwrap();
    check_dir(dir.path(), "- folder 0.0.0 2021\ndetached a a.rs");
    assert!(begin.elapsed().as_secs() < 20, "{:?}", begin.elapsed());
}
