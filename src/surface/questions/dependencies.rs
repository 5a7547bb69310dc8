//! The dependencies of packages, and what names them.

use asof_wire::{DependenciesRequest, DependencyDoubt, DependencyFinding, PackageDependencies};
use serde_json::Value as Json;

use super::{Question, Request};
use crate::listing::Listing;
use crate::text::plural;

pub const DEPENDENCIES: Question<DependenciesRequest, PackageDependencies> = Question::new(
    "/api/deps",
    "Dependencies of packages, what names them, and which the manifest should not have",
    |moment, request| Ok(moment.snapshot.dependencies(&request)?),
    Listing {
        columns: &[
            ("package", "{package}"),
            ("dependency", "{key}"),
            ("table", "{table}"),
            ("version", "{requirement}"),
            ("places", "{places}"),
            ("finding", "{why}"),
            ("entry", "{manifest_path}:{line}"),
        ],
        keys: "package manifest_path line key dependency name table platform requirement locked \
               optional default_features features uses finding certain doubt about",
    },
)
.pages(50)
.nothing("no such entry")
.shorten(|answer| {
    for item in answer.get_mut("items").and_then(Json::as_array_mut).into_iter().flatten() {
        let Some(item) = item.as_object_mut() else { continue };
        let uses = item.get("uses").and_then(Json::as_array);
        let places = uses.into_iter().flatten().filter_map(|one| one.get("places")?.as_u64());
        let places: u64 = places.sum();
        let why = why(item);
        item.insert("places".to_owned(), places.into());
        item.insert("why".to_owned(), why.into());
    }
})
.notes(|found, words| {
    let mut notes: Vec<String> =
        found.broken.iter().map(|reason| format!("not read: {reason}")).collect();
    if found.certain > 0 {
        notes.push(plural(found.certain, "certain finding"));
    }
    if found.uncertain > 0 {
        let findings = plural(found.uncertain, "uncertain finding");
        let argument = (words.argument)("guesses");
        notes.push(format!("{findings}: `{argument}` lists them with `unused`"));
    }
    notes
});

/// The finding, what it is about and what may contradict it, in words.
fn why(item: &serde_json::Map<String, Json>) -> String {
    let text = |key: &str| item.get(key).and_then(Json::as_str);
    let Some(finding) = text("finding").and_then(DependencyFinding::parse) else {
        return String::new();
    };
    let doubt = text("doubt").and_then(DependencyDoubt::parse);
    let mut why = finding.sentence().to_owned();
    if let Some(doubt) = doubt {
        why = format!("{why}? {}", doubt.sentence());
    }
    match text("about") {
        Some(about) => format!("{why}: {about}"),
        None => why,
    }
}

impl Request for DependenciesRequest {
    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}
