//! The frame of every page: head, navigation, the bar of time, and the basis of what is shown.

use asof_model::ErrorKind;
use asof_wire::{Basis, Freshness};
use maud::{DOCTYPE, Markup, html};

use super::address::Links;
use super::time_bar::{self, Here};
use super::visit::{Content, MAX_PAGE, Request, Visit};
use super::{assets, hint, parts};
use asof_surface::problem::Problem;

/// The page of a visit.
///
/// # Errors
/// The revisions could not be read.
pub fn page(
    visit: &Visit<'_>,
    title: &str,
    here: &Here,
    main: &Markup,
) -> Result<Content, Problem> {
    page_under(visit, title, &time_bar::bar(visit, here)?, main)
}

/// Bytes that the content of a page may have beside its bar of time.
pub fn room(bar: &Markup) -> usize {
    /// Head, navigation, foot, and headings.
    const FRAME: usize = 12_000;
    MAX_PAGE.saturating_sub(FRAME + bar.0.len())
}

/// The page of a visit under a bar that has been made.
///
/// # Errors
/// None at present.
pub fn page_under(
    visit: &Visit<'_>,
    title: &str,
    bar: &Markup,
    main: &Markup,
) -> Result<Content, Problem> {
    let links = visit.links();
    let project = visit.database.root().and_then(|root| root.file_name());
    let project = project.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let title = match title {
        "" => project.clone(),
        title => format!("{title} · {project}"),
    };
    let page = frame(
        &title,
        &html! {
            (header(&links, &project, visit.request.get("q")))
            (bar)
            main #main tabindex="-1" { (main) }
            (footer(visit.snapshot.basis()))
        },
    );
    Ok(Content::Page(page))
}

fn frame(title: &str, body: &Markup) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · asof" }
                link rel="stylesheet" href=(assets::address("style.css"));
                link rel="icon" href=(assets::address("icon.svg")) type="image/svg+xml";
                script src=(assets::address("script.js")) defer {}
            }
            body {
                a .skip href="#main" { "Skip to the content" }
                (body)
            }
        }
    }
    .into_string()
}

/// Names and addresses of the pages in the navigation.
const PAGES: &[(&str, &str)] = &[
    ("Files", "/f/"),
    ("Quality", "/quality"),
    ("Hot spots", "/hotspots"),
    ("Modules", "/graph/modules"),
    ("Revisions", "/log"),
    ("Issues", "/issues"),
    ("Query", "/query"),
    ("Edits", "/proposals"),
    ("Help", "/help"),
];

fn header(links: &Links, project: &str, question: Option<&str>) -> Markup {
    html! {
        header .top {
            a .brand href=(links.to("/")) { b { "asof" } " " span { (project) } }
            form .search role="search" action="/search" {
                input #q type="search" name="q" value=[question] placeholder="Search items and files" aria-label="Search items and files"
                    autocomplete="off" spellcheck="false" enterkeyhint="search" aria-controls="found";
                @if let Some(at) = links.at() { input type="hidden" name="at" value=(at); }
                @if let Some(configuration) = links.configuration() { input type="hidden" name="configuration" value=(configuration); }
                button { "Search" }
                div #found hidden {}
            }
            nav aria-label="Pages" {
                @for (name, path) in PAGES { a href=(links.to(path)) { (name) } " " }
            }
        }
    }
}

fn footer(basis: &Basis) -> Markup {
    html! {
        footer {
            @if let (Some(revision), Some(at)) = (basis.revision, &basis.at) {
                "Revision " code #revision { (revision) } ", " (parts::time(at)) "."
            } @else {
                "The database is empty."
            }
            @if basis.freshness_state == Freshness::Stale {
                " " strong { "Files on disk differ: " }
                (basis.stale_files.iter().take(5).cloned().collect::<Vec<_>>().join(", "))
                @if basis.stale_files.len() > 5 { " and others" }
                "."
            }
            @if let Some(note) = &basis.note { " " (note) "." }
        }
    }
}

/// The page that says what went wrong.
pub fn problem_page(problem: Problem, request: Option<&Request>) -> String {
    let report = problem.report(hint::words);
    let title = match report.kind {
        ErrorKind::NoMatch => "Not found",
        ErrorKind::Ambiguous => "Several matches",
        ErrorKind::BadRequest => "Invalid request",
        ErrorKind::Stale => "The code has changed",
        ErrorKind::Limit => "Too much",
        _ => "Failure",
    };
    let links = request.map(Request::links).unwrap_or_default();
    frame(
        title,
        &html! {
            (header(&links, "", None))
            main #main tabindex="-1" {
                h1 { (title) }
                p .problem role="alert" { (report.message) }
                @if !report.causes.is_empty() { ul { @for cause in &report.causes { li { (cause) } } } }
                @if !report.hint.is_empty() { p { (report.hint) } }
                @if links.at().is_some() {
                    p { a href=(Links::default().to("/")) { "The newest revision" } }
                }
            }
        },
    )
}

/// A page outside the workspace: for those who are not signed in.
pub(super) fn bare(title: &str, main: &Markup) -> String {
    frame(title, &html! { main #main tabindex="-1" { (main) } })
}
