//! Keys, and what the pages show.

use maud::html;

use crate::layout;
use crate::visit::{Content, Visit};
use asof_surface::problem::Problem;

/// Keys of the script, which shows the same list.
const KEYS: &[(&str, &str)] = &[
    ("/", "search"),
    ("Ctrl+K", "search, also from within a field"),
    ("t", "files"),
    ("[", "older version of what is shown, or older revision"),
    ("]", "newer version, or newer revision"),
    ("y", "pin the address to the revision that is shown"),
    ("g o", "overview"),
    ("g q", "quality"),
    ("g h", "hot spots"),
    ("g r", "revisions"),
    ("?", "this list"),
];

pub fn page(visit: &Visit<'_>) -> Result<Content, Problem> {
    let main = html! {
        h1 { "Help" }
        h2 { "Keys" }
        dl .keys { @for (key, what) in KEYS { div { dt { kbd { (key) } } dd { (what) } } } }
        h2 { "Time" }
        p { "Every page shows the code at one moment. The bars are revisions, their height the size of the change; a mark above a bar says that what is shown changed then. Choose a bar, or drag the slider, and the whole page moves to that moment. Links keep it." }
        p { "A moment in an address is a revision, a commit, branch or tag, a date, or an age: " code { "?at=v1.0" } ", " code { "?at=2026-01-31" } ", " code { "?at=-2w" } "." }
        h2 { "Source" }
        p { "A name leads to its definition. A definition leads to its item, with who uses it; the small number counts its users. A dotted line marks a guess, and the page of the item says how certain each use is." }
    };
    layout::page(visit, "Help", &Default::default(), &main)
}
