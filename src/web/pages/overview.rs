//! The workspace at a glance: crates, size, quality, hot spots, recent revisions.

use std::collections::BTreeMap;

use asof_wire::{CrateSummary, FileSummary, HotspotRequest, Tests};
use maud::{Markup, html};

use crate::address::Links;
use crate::visit::{Content, Visit};
use crate::{layout, parts, treemap};
use asof_surface::problem::Problem;

/// Revisions and hot spots that are shown.
const SHOWN: usize = 10;
/// Packages that are shown.
const PACKAGES: usize = 60;

pub fn page(visit: &Visit<'_>) -> Result<Content, Problem> {
    let snapshot = visit.snapshot;
    let links = visit.links();
    let crates = snapshot.crates()?.items;
    let definitions = snapshot.definition_count()?;
    let request =
        HotspotRequest { limit: Some(SHOWN), tests: Tests::Exclude, ..HotspotRequest::default() };
    // Both read the whole workspace.
    let (files, hot) = rayon::join(|| snapshot.files(), || snapshot.hotspots(&request));
    let (files, hot) = (files?.items, hot?.items);
    let lines: usize = files.iter().map(|file| file.lines as usize).sum();
    let partial = files.iter().filter(|file| file.partial).count();
    let recent = visit.database.timeline(snapshot.at(), 2 * SHOWN)?;
    let recent: Vec<_> =
        recent.entries.iter().rev().filter(|entry| entry.event.time <= snapshot.at()).collect();
    let main = html! {
        h1 { "Overview" }
        dl .figures {
            (figure("packages", packages(&crates).len()))
            (figure("files", files.len()))
            (figure("lines", lines))
            (figure("definitions", definitions as usize))
            @if partial > 0 { (figure("files that do not parse", partial)) }
        }
        section aria-labelledby="map" {
            h2 #map { "Quality by size" }
            (treemap::of_files(&files, "", &links))
        }
        div .columns {
            section aria-labelledby="crates" {
                h2 #crates { "Packages" }
                (package_list(&crates, &files, &links))
            }
            section aria-labelledby="hot" {
                h2 #hot { "Hot spots" }
                ol .items {
                    @for spot in &hot { li {
                        a href=(links.item(&spot.path)) { (spot.path) }
                        " " span .where { (parts::count(spot.changes as usize, "change")) " × complexity " (spot.complexity) }
                    } }
                }
                @if hot.is_empty() { p { "No function has changed yet." } }
                @else { p { a href=(links.to("/hotspots")) { "All hot spots" } } }
            }
        }
        section aria-labelledby="recent" {
            h2 #recent { "Recent revisions" }
            ul .history {
                @for entry in recent.iter().take(SHOWN) { li { (parts::event(&entry.event, &links)) } }
            }
            p { a href=(links.to("/log")) { "All revisions" } }
        }
    };
    layout::page(visit, "", &Default::default(), &main)
}

fn figure(name: &str, value: usize) -> Markup {
    html! { div { dt { (name) } dd { (parts::grouped(value)) } } }
}

/// Crates by package.
fn packages(crates: &[CrateSummary]) -> BTreeMap<&str, Vec<&CrateSummary>> {
    let mut packages: BTreeMap<&str, Vec<&CrateSummary>> = BTreeMap::new();
    for one in crates {
        if let Some(package) = &one.package {
            packages.entry(package).or_default().push(one);
        }
    }
    packages
}

fn package_list(crates: &[CrateSummary], files: &[FileSummary], links: &Links) -> Markup {
    let packages = packages(crates);
    html! {
        ul .items {
            @for (name, crates) in packages.iter().take(PACKAGES) { li {
                b { (name) } " "
                @for one in crates.iter().filter(|one| matches!(one.kind.as_str(), "lib" | "bin" | "proc_macro")) {
                    a href=(links.item(&one.crate_name)) { (one.crate_name) }
                    " " span .kind { (one.kind.replace('_', " ")) } " "
                }
            } }
        }
        @if packages.len() > PACKAGES { p { "… and " (packages.len() - PACKAGES) " more" } }
        @if packages.is_empty() {
            p { (parts::count(files.len(), "file")) " outside of any package: " a href=(links.to("/f/")) { "Files" } }
        }
    }
}
