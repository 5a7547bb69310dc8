//! An item: source, documentation, members, uses, calls, quality and history.

use asof_engine::Open;
use asof_model::ErrorKind;
use asof_model::{NodeId, NodeKind, RefKind};
use asof_wire::{
    Call, CallsResult, DependencyRef, Direction, Guesses, Item, ResolveRequest, Symbol, Use,
    UseRequest, Version, WhereUsedResult,
};
use maud::{Markup, html};

use crate::address::{Links, encoded};
use crate::layout;
use crate::versions::{self, Versions};
use crate::visit::{Content, Visit};
use crate::{code, docs, hint, parts, time_bar};
use asof_surface::problem::Problem;
use asof_surface::target::Target;

/// Uses of each page of the list, and entries of the other lists.
const USES: usize = 100;
const CALLS: usize = 50;
const VERSIONS: usize = 30;
const MEMBERS: usize = 300;
/// Bytes of a list that is the only one of its page.
const ELSEWHERE: usize = 60_000;
/// How a lock file begins the source of a crate from crates.io, of which docs.rs has the pages.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub fn page(visit: &Visit<'_>, path: &str) -> Result<Content, Problem> {
    let id = visit.request.get("id");
    let found = match matches(visit, path, id) {
        Ok(found) => found,
        Err(problem) if problem.kind == ErrorKind::NoMatch => {
            return elsewhere(visit, path, id, problem);
        }
        Err(problem) => return Err(problem),
    };
    match found.as_slice() {
        [item] => render_item(visit, path, item),
        many => several(visit, path, many),
    }
}

fn matches(visit: &Visit<'_>, path: &str, id: Option<&str>) -> Result<Vec<Item>, Problem> {
    if let Some(id) = id.and_then(|id| id.parse::<NodeId>().ok()) {
        let found = visit.snapshot.items(&[id])?;
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let request = ResolveRequest::new(path);
    let found = Target { item: request, id: id.map(str::to_owned) }.resolve(visit.snapshot)?;
    Ok(found.any()?.to_vec())
}

/// The item under the path that it has at this moment, or what became of it.
fn elsewhere(
    visit: &Visit<'_>,
    path: &str,
    id: Option<&str>,
    problem: Problem,
) -> Result<Content, Problem> {
    let versions = Versions::load(visit, path, id)?;
    if versions.0.is_empty() {
        return external(visit, path, problem);
    }
    let at = visit.snapshot.at();
    let links = visit.links();
    let then = versions.at(at).and_then(|index| versions.0.get(index));
    if let Some(version) = then.filter(|version| version.to.is_none() && version.path != path) {
        let items = visit.snapshot.items(&[version.id])?;
        if let Some(item) = items.first() {
            return Ok(Content::Redirect(links.item_or_id(
                item.path.as_deref(),
                &item.name,
                item.id,
            )));
        }
    }
    let main = html! {
        h1 { code { (path) } }
        p .problem role="alert" {
            "This item does not exist at this moment. "
            @match then {
                Some(version) => { "It was removed in " (parts::event(&version.event, &links)) "." }
                None => { "It was added later." }
            }
        }
        (history(&versions, None, ELSEWHERE))
    };
    layout::page(visit, path, &versions.here(at, "version", ""), &main)
}

/// A name that the workspace does not define, with its uses.
fn external(visit: &Visit<'_>, path: &str, problem: Problem) -> Result<Content, Problem> {
    let Ok(symbols) = visit.snapshot.symbols(&ResolveRequest::new(path)) else {
        return Err(problem);
    };
    let used = used(visit, &symbols)?;
    let krate = path.split("::").next().unwrap_or_default();
    let of = visit.snapshot.dependency_of(path)?;
    let version = of.as_ref().map(|of| of.version.as_str());
    let main = html! {
        h1 { (parts::kind("external")) " " code { (path) } }
        p {
            "The workspace does not define this name. It belongs to the crate "
            code { (of.as_ref().map_or(krate, |of| of.name.as_str())) }
            @if let Some(version) = version { " " (version) }
            "."
        }
        @if let Some(address) = documentation(path, of.as_ref()) {
            p { a href=(address) rel="noopener noreferrer" { "Documentation" } }
        }
        (uses(visit, path, &used, ELSEWHERE))
    };
    layout::page(visit, path, &Default::default(), &main)
}

/// Where a name of another crate is documented, if that is known: of the standard library, and of
/// what comes from the registry.
fn documentation(path: &str, of: Option<&DependencyRef>) -> Option<String> {
    let krate = path.split("::").next().unwrap_or_default();
    let base = match (krate, of) {
        ("std" | "core" | "alloc", None) => format!("https://doc.rust-lang.org/{krate}/"),
        (_, Some(of)) if of.source.starts_with(REGISTRY) => {
            let parts = [of.name.clone(), of.version.clone(), of.name.replace('-', "_")];
            format!("https://docs.rs/{}/", parts.map(|part| encoded(&part)).join("/"))
        }
        _ => return None,
    };
    Some(format!("{base}?search={}", encoded(path)))
}

fn several(visit: &Visit<'_>, path: &str, items: &[Item]) -> Result<Content, Problem> {
    let links = visit.links();
    let main = html! {
        h1 { code { (path) } }
        p { (items.len()) " items have this path." }
        ul .items {
            @for item in items { li {
                (parts::kind(item.kind.as_str())) " "
                a href=(links.item_by_id(item.path.as_deref().unwrap_or(&item.name), item.id)) { (item.path.as_deref().unwrap_or(&item.name)) }
                " " span .where { (item.file_path) ":" (item.line) }
                @if !item.cfg.is_empty() { " " code .cfg { "cfg(" (item.cfg) ")" } }
            } }
        }
    };
    layout::page(visit, path, &Default::default(), &main)
}

fn render_item(visit: &Visit<'_>, asked: &str, item: &Item) -> Result<Content, Problem> {
    let snapshot = visit.snapshot;
    let links = visit.links();
    let label = item.path.as_deref().unwrap_or(asked);
    let id = item.id.to_string();
    let versions = Versions::load(visit, label, Some(&id))?;
    let symbols = [Symbol::from(item)];
    let used = used(visit, &symbols)?;
    let is_function = matches!(item.kind, NodeKind::Function | NodeKind::Method);
    let bar = time_bar::bar(visit, &versions.here(snapshot.at(), "version", label))?;
    let mut room = Room(layout::room(&bar));
    let docs = room.less(docs::html(&item.docs));
    let history = room.less(history(&versions, versions.at(snapshot.at()), room.0 / 4));
    let (callers, callees) = if is_function {
        let ask = |direction| snapshot.calls(&symbols, direction, 1, &calling());
        let callers = calls("Callers", &ask(Direction::Callers)?, room.0 / 4, &links);
        let callees = calls("Callees", &ask(Direction::Callees)?, room.0 / 4, &links);
        (room.less(callers), room.less(callees))
    } else {
        Default::default()
    };
    let uses = room.less(uses(visit, label, &used, room.0 / 3));
    let members = room.less(members(visit, item, room.0 / 2, &links)?);
    let source = source(visit, item, room.0, &links)?;
    let main = html! {
        (breadcrumbs(item, &links))
        h1 { (parts::kind(item.kind.as_str())) " " code { (if item.name.is_empty() { label } else { &item.name }) } }
        p .facts {
            a href=(links.line(&item.file_path, item.line)) { (item.file_path) ":" (item.line) }
            @if item.made { " made by the macro call there" }
            @if !item.cfg.is_empty() { " · " code .cfg { "cfg(" (item.cfg) ")" } }
            @if let Some(path) = &item.path {
                " · " a href=(links.to(&format!("/graph/impact/{}", crate::address::encoded(path)))) { "impact" }
                " · " a href=(links.to(&format!("/graph/upstream/{}", crate::address::encoded(path)))) { "what it depends on" }
            }
            " · " a href="#uses" { (parts::count(used.answer.total, "use")) }
            " · " a href="#history" { (parts::count(versions.0.len(), "version")) }
        }
        (measured(visit, item)?)
        @if !item.docs.is_empty() { section .docs aria-label="Documentation" { (docs) } }
        (source)
        (members)
        (uses)
        (callers)
        (callees)
        (history)
    };
    layout::page_under(visit, label, &bar, &main)
}

/// Bytes of the page that are left.
struct Room(usize);

impl Room {
    fn less(&mut self, part: Markup) -> Markup {
        self.0 = self.0.saturating_sub(part.0.len());
        part
    }
}

fn breadcrumbs(item: &Item, links: &Links) -> Markup {
    let path = item.path.as_deref().unwrap_or_default();
    // The head of an impl is one part.
    let (head, rest) = match path.strip_prefix('<').and_then(|rest| rest.rsplit_once(">::")) {
        Some((head, _)) => (path.get(..head.len() + 2).unwrap_or_default(), ""),
        None => ("", path),
    };
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut whole = String::new();
    for part in rest.split("::").filter(|part| !part.is_empty()) {
        if !whole.is_empty() {
            whole.push_str("::");
        }
        whole.push_str(part);
        parts.push((part.to_owned(), whole.clone()));
    }
    parts.pop();
    html! {
        nav .path aria-label="Path" {
            @if !head.is_empty() { code { (head) } "::" }
            @for (name, path) in &parts { a href=(links.item(path)) { (name) } "::" }
            @if parts.is_empty() && head.is_empty() { a href=(links.to("/")) { "workspace" } }
        }
    }
}

fn measured(visit: &Visit<'_>, item: &Item) -> Result<Markup, Problem> {
    let measured = visit.snapshot.quality_of(&[item.id])?;
    let Some(row) = measured.get(&item.id) else { return Ok(html! {}) };
    Ok(html! {
        p .quality {
            @if let (Some(grade), Some(score)) = (&row.tdg_grade, row.tdg_score) {
                (parts::grade(grade)) " " (format!("{score:.0}")) " of 100"
            }
            @if let (Some(complexity), Some(cognitive)) = (row.complexity, row.cognitive) {
                " · complexity " (complexity) " · cognitive " (cognitive)
            }
            @if let Some(big_o) = row.big_o.as_deref().filter(|text| !text.is_empty()) { " · " (big_o) " (estimate)" }
            " · " (parts::count(row.loc as usize, "line"))
            @if row.satd_count > 0 { " · " (parts::count(row.satd_count as usize, "marker")) " of debt" }
        }
    })
}

fn source(visit: &Visit<'_>, item: &Item, room: usize, links: &Links) -> Result<Markup, Problem> {
    let whole_file = item.kind == NodeKind::Module && item.span.start_byte == 0;
    if whole_file {
        return Ok(
            html! { p { a href=(links.file(&item.file_path)) { "Source: " (item.file_path) } } },
        );
    }
    let source = visit.snapshot.file_source(&item.file_path)?;
    let users = visit.snapshot.user_counts(&source)?;
    let wanted = item.span.start_line..=item.span.end_line;
    let shown = code::lines(&source, &users, wanted, room, links);
    Ok(html! {
        h2 #source { "Source" }
        (shown.markup)
        @if shown.last < item.span.end_line {
            p { a href=(links.line(&item.file_path, shown.last + 1)) { "… goes on to line " (item.span.end_line) } }
        }
    })
}

fn members(visit: &Visit<'_>, item: &Item, room: usize, links: &Links) -> Result<Markup, Problem> {
    let is_container = matches!(
        item.kind,
        NodeKind::Module
            | NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::Trait
            | NodeKind::Impl
    );
    if !is_container {
        return Ok(html! {});
    }
    let depth = if item.kind == NodeKind::Module { 1 } else { 2 };
    let answer = visit.snapshot.outline(&[item.id], depth, Open::Members)?;
    let entries: Vec<_> = answer
        .items
        .iter()
        .filter(|entry| {
            entry.depth > 0 && !matches!(entry.kind, NodeKind::Import | NodeKind::ExternCrate)
        })
        .collect();
    let shown = entries.iter().take(MEMBERS).map(|entry| html! { li .d2[entry.depth > 1] {
        (parts::kind(entry.kind.as_str())) " "
        a href=(links.item_or_id(entry.path.as_deref(), &entry.name, entry.id)) {
            code { (parts::cut(if entry.signature.is_empty() { &entry.name } else { &entry.signature }, 200)) }
        }
    } });
    let shown = parts::fitting(shown, room);
    Ok(html! {
        @if !entries.is_empty() {
            h2 #members { "Members" }
            ul .items { @for entry in &shown { (entry) } }
            @if entries.len() > shown.len() { p { "… and " (entries.len() - shown.len()) " more" } }
        }
    })
}

fn used(visit: &Visit<'_>, symbols: &[Symbol]) -> Result<WhereUsedResult, Problem> {
    let offset = visit.request.number("uses").unwrap_or_default();
    let request = UseRequest {
        limit: Some(offset.saturating_add(USES)),
        guesses: Guesses::Show,
        ..UseRequest::default()
    };
    Ok(visit.snapshot.where_used(symbols, &request)?)
}

fn uses(visit: &Visit<'_>, path: &str, found: &WhereUsedResult, room: usize) -> Markup {
    let links = visit.links();
    let offset = visit.request.number("uses").unwrap_or_default();
    let found_here: Vec<&Use> = found.answer.items.iter().skip(offset).collect();
    let shown = found_here.iter().map(|place| html! { li {
        a href=(links.line(&place.file_path, place.line)) { (place.file_path) ":" (place.line) }
        " in " a href=(links.item_or_id(place.item.path.contains("::").then_some(place.item.path.as_str()), &place.item.path, place.item.id)) { (place.item.path) }
        @if place.in_test { " " span .kind { "test" } }
        (parts::confidence(place.confidence))
        (parts::under(place.other_condition.as_deref()))
    } });
    let shown = parts::fitting(shown, room);
    let shown: Vec<(RefKind, Markup)> =
        found_here.iter().map(|place| place.use_kind).zip(shown).collect();
    let mut kinds: Vec<RefKind> = shown.iter().map(|(kind, _)| *kind).collect();
    kinds.sort();
    kinds.dedup();
    let id = visit.request.get("id");
    let link = |offset: usize| {
        let offset = offset.to_string();
        let mut query = vec![("uses", offset.as_str())];
        query.extend(id.map(|id| ("id", id)));
        format!("{}#uses", links.with(&format!("/i/{}", encoded(path)), &query))
    };
    html! {
        section aria-labelledby="uses" {
            h2 #uses { "Uses" }
            p {
                (parts::count(found.answer.total, "place")) " in " (parts::count(found.files, "file"))
                @if found.other_conditions > 0 { ", " (found.other_conditions) " of them under other conditions" }
                @if found.certainty.proven { ", and no others in the workspace" }
                @else if let Some(why) = &found.certainty.caveat { ". There may be others: " (hint::incomplete(why)) }
                "."
            }
            @for kind in &kinds {
                h3 { (kind.as_str().replace('_', " ")) }
                ul .uses { @for (_, place) in shown.iter().filter(|(of, _)| of == kind) { (place) } }
            }
            (parts::pager(offset, shown.len(), found.answer.total, &link, USES))
        }
    }
}

fn calling() -> UseRequest {
    UseRequest { limit: Some(CALLS), ..UseRequest::default() }
}

fn calls(title: &str, found: &CallsResult, room: usize, links: &Links) -> Markup {
    let shown = parts::fitting(found.answer.items.iter().map(|call| call_line(call, links)), room);
    html! {
        section aria-label=(title) {
            h2 { (title) }
            @if found.answer.items.is_empty() { p { "None." } }
            ul .uses { @for call in &shown { (call) } }
            @if shown.len() < found.answer.total { p { "… and " (found.answer.total - shown.len()) " more" } }
            @if found.guesses_left_out > 0 { p { (parts::count(found.guesses_left_out, "guess")) " left out." } }
        }
    }
}

fn call_line(call: &Call, links: &Links) -> Markup {
    let item = &call.reached.item;
    let path = item.path.contains("::").then_some(item.path.as_str());
    html! { li {
        a href=(links.item_or_id(path, &item.path, item.id)) { (item.path) }
        @for site in call.sites() { " " a .where href=(links.line(&site.file_path, site.line)) { (site.file_path) ":" (site.line) } }
        (parts::confidence(call.reached.confidence))
        (parts::under(call.reached.other_condition.as_deref()))
    } }
}

fn history(versions: &Versions, now: Option<usize>, room: usize) -> Markup {
    let all = &versions.0;
    let shown = all.iter().enumerate().take(VERSIONS).map(|(index, version)| html! {
        li aria-current=[(now == Some(index)).then_some("true")] { (version_line(version, all.get(index + 1))) }
    });
    let shown = parts::fitting(shown, room);
    html! {
        section aria-labelledby="history" {
            h2 #history { "History" }
            ol .history { @for version in &shown { (version) } }
            @if all.len() > shown.len() { p { "… and " (all.len() - shown.len()) " older versions" } }
        }
    }
}

fn version_line(version: &Version, before: Option<&Version>) -> Markup {
    let name = parts::name_of(&version.event);
    html! {
        a href=(versions::address(version)) { (parts::time(&version.event.at)) " " code { (name.get(..8).unwrap_or(&name)) } }
        " "
        @if version.present_at_start { span .class { "present when the history begins" } }
        @for class in &version.classes { span class={ "class c-" (class.as_str()) } { (class.as_str().replace('_', " ")) } " " }
        @if let Some(path) = &version.previous_path { "from " code { (path) } " " }
        @if let Some(to) = &version.to { "to " code { (to) } " " }
        span .who { (version.event.actor.as_deref().unwrap_or_default()) } " "
        span .what { (parts::cut(version.event.message.as_deref().unwrap_or_default(), 200)) }
        @if let Some(before) = before {
            " " a href=(Links::diff(&parts::name_of(&before.event), &name, &version.path)) { "compare" }
        }
    }
}
