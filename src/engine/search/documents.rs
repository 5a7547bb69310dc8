//! Search in code and documentation: items and sections in one list, with the links between them.

use std::collections::BTreeMap;

use super::alike::Entries;
use super::corpus::Loaded;
use super::mentions::{Mentions, is_same, item_ref, name_of};
use super::sections::FoundSection;
use super::{POOL, Pool, SPARE, answer, bad_query, filter, spread};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::{OrNever, Section, is_document};
use asof_query::Queries;
use asof_search::{Question, reciprocal_rank_fusion};
use asof_wire::{
    DocLink, DocLinkReason, DocsHit, Hit, RankBy, SearchBy, SearchDocs, SearchMode, SearchRequest,
    SectionHit, Summarized,
};

/// Sections that are looked at for mentions of an item, and that are listed.
const LOOKED_AT: usize = 12;
const MAX_MENTIONS: usize = 5;

/// Sections beside an item's file that are listed.
const MAX_BESIDE: usize = 2;

/// Items that are listed with a section.
const MAX_ITEMS: usize = 20;

/// Characters of a section's text that are shown.
const EXCERPT: usize = 200;

/// A result before its text is read: index in the ranking of items or of sections. Of equals, items
/// come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ranked {
    Item(usize),
    Section(usize),
}

impl Snapshot<'_> {
    /// Items and sections of documentation that answer a question, in one list.
    ///
    /// # Errors
    /// See [`Snapshot::search`]; patterns, filters of quality, vectors alone and other orders than
    /// by relevance, which sections do not have.
    pub fn search_docs(&self, request: &SearchRequest) -> Result<SearchDocs, EngineError> {
        self.search_cached(request, "docs", || self.fused(request))
    }

    fn fused(&self, request: &SearchRequest) -> Result<SearchDocs, EngineError> {
        check(request)?;
        let queries = &Queries::at(self.store(), self.at);
        let limit = request.limit.unwrap_or(usize::MAX);
        let question = Question::parse(&request.query).map_err(bad_query)?;
        let loaded = self.loaded()?;
        let items = self.find(queries, request, &loaded);
        let documents = self.loaded_sections(queries)?;
        let sections = filter::scope_of_sections(queries, request, &documents);
        // A path may be that of documents alone, or of code alone.
        let (items, scope) = match (items, sections) {
            (Err(EngineError::NotFound { .. }), Ok(scope)) if request.path.is_some() => {
                (Pool::default(), Some(scope))
            }
            (items, Err(EngineError::NotFound { .. })) if request.path.is_some() => (items?, None),
            (items, sections) => (items?, Some(sections?)),
        };
        let Pool { found, total, mut notes, model } = items;
        let pool = limit.saturating_mul(2).max(POOL);
        let (found_sections, matched) = match &scope {
            Some(scope) => self.rank_sections(&question, scope, &documents, pool)?,
            None => (Vec::new(), 0),
        };
        let wanted = limit.saturating_add(if request.exclude_tests { SPARE } else { 1 });
        let cut = found.len() < total || found_sections.len() < matched;
        let chosen = spread(found, wanted, &loaded);
        let chosen = chosen.get(..wanted).unwrap_or(&chosen);
        let mut entries = Entries::merged();
        self.hits(queries, request, &loaded, chosen, &mut entries)?;
        let hits = self.finished(queries, request, entries, usize::MAX)?;
        let rankings = [
            (0..hits.len()).map(Ranked::Item).collect(),
            (0..found_sections.len()).map(Ranked::Section).collect(),
        ];
        let order = reciprocal_rank_fusion::<Ranked>(&rankings);
        let truncated = cut || order.len() > limit;
        let mut pages = Pages { snapshot: self, queries, read: BTreeMap::new() };
        let mut results = Vec::new();
        for (ranked, rrf) in order.into_iter().take(limit) {
            let mut hit = match ranked {
                Ranked::Item(at) => hits.get(at).cloned().map(|hit| DocsHit::Fn(Box::new(hit))),
                Ranked::Section(at) => match found_sections.get(at) {
                    Some(found) => pages.hit(found, &documents, request)?,
                    None => None,
                },
            };
            if let Some(features) = hit.as_mut().and_then(features) {
                features.insert("rrf".to_owned(), answer::rounded(rrf).into());
            }
            results.extend(hit);
        }
        notes.extend(link(&mut pages, &documents, &mut results)?);
        let items: Vec<Hit> = results
            .iter()
            .filter_map(|hit| match hit {
                DocsHit::Fn(hit) => Some((**hit).clone()),
                DocsHit::Doc(_) => None,
            })
            .collect();
        let total = (total + matched).max(results.len());
        let common = Summarized { summary: answer::summary(&items) };
        let answer = self.ranked(request, results, common);
        Ok(SearchDocs { truncated, total, model, notes, ..answer })
    }
}

fn check(request: &SearchRequest) -> Result<(), EngineError> {
    let what = match request {
        r if r.mode != SearchMode::Relevance => "documentation is not searched by patterns",
        r if r.rank_by != RankBy::Relevance => "documentation is ranked by relevance alone",
        r if r.min_grade.is_some() || r.max_complexity.is_some() => {
            "documentation has no grade and no complexity"
        }
        r if r.by == SearchBy::Meaning => "documentation is searched by words alone",
        _ => return Ok(()),
    };
    Err(EngineError::BadRequest {
        what: what.to_owned(),
        hint: Hint::advice("search for items alone, or leave this out"),
    })
}

fn features(hit: &mut DocsHit) -> Option<&mut serde_json::Map<String, serde_json::Value>> {
    let features = match hit {
        DocsHit::Fn(hit) => &mut hit.features,
        DocsHit::Doc(hit) => &mut hit.features,
    };
    features.as_mut().and_then(serde_json::Value::as_object_mut)
}

/// The sections of files, each file read once.
struct Pages<'a> {
    snapshot: &'a Snapshot<'a>,
    queries: &'a Queries<'a>,
    read: BTreeMap<String, Vec<Section>>,
}

impl Pages<'_> {
    fn sections(&mut self, path: &str) -> Result<&[Section], EngineError> {
        if !self.read.contains_key(path) {
            let sections = self.snapshot.sections_of(self.queries, path)?;
            self.read.insert(path.to_owned(), sections);
        }
        Ok(self.read.get(path).map(Vec::as_slice).or_never("a page was read"))
    }

    /// The section of a corpus, as file and item.
    fn at(
        &mut self,
        file: usize,
        item: usize,
        documents: &Loaded,
    ) -> Result<Option<(String, Section)>, EngineError> {
        let Some(file) = documents.corpus.files().get(file) else { return Ok(None) };
        let Some(item) = file.items.get(item) else { return Ok(None) };
        let section = self.sections(&file.path)?.get(item.item as usize).cloned();
        Ok(section.map(|section| (file.path.clone(), section)))
    }

    fn hit(
        &mut self,
        found: &FoundSection,
        documents: &Loaded,
        request: &SearchRequest,
    ) -> Result<Option<DocsHit>, EngineError> {
        let Some(file) = documents.corpus.files().get(found.file) else { return Ok(None) };
        let Some(section) = self.sections(&file.path)?.get(found.section) else { return Ok(None) };
        let language = if is_document(&file.path) { "markdown" } else { "rust" };
        Ok(Some(DocsHit::Doc(Box::new(SectionHit {
            file_path: file.path.clone(),
            heading: section.heading.clone(),
            level: section.level,
            start_line: section.start_line,
            end_line: section.end_line,
            language: language.to_owned(),
            excerpt: excerpt(section),
            relevance_score: answer::rounded(found.score),
            mentions: Vec::new(),
            source: request.include_source.then(|| section.source.clone()),
            features: request.explain.then(|| found.features.clone()),
        }))))
    }
}

fn excerpt(section: &Section) -> String {
    let text = if section.prose.trim().is_empty() { &section.code } else { &section.prose };
    let words: Vec<&str> = text.split_whitespace().take(EXCERPT).collect();
    let text = words.join(" ");
    match text.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Adds the links between items and sections. Gives what could not be taken into account.
fn link(
    pages: &mut Pages<'_>,
    documents: &Loaded,
    results: &mut [DocsHit],
) -> Result<Option<String>, EngineError> {
    // Sections that may mention an item, by the name of the item.
    let mut candidates: BTreeMap<String, Vec<(String, Section)>> = BTreeMap::new();
    let mut texts: Vec<String> = Vec::new();
    for hit in results.iter() {
        match hit {
            DocsHit::Fn(hit) if !candidates.contains_key(&hit.function_name) => {
                let mut found = Vec::new();
                let places = documents.corpus.mentioning(&hit.function_name);
                for (file, item) in places.into_iter().take(LOOKED_AT) {
                    found.extend(pages.at(file, item, documents)?);
                }
                let means = |text: &&String| name_of(text) == hit.function_name;
                for (_, section) in &found {
                    texts.extend(section.mentions.iter().filter(means).cloned());
                }
                candidates.insert(hit.function_name.clone(), found);
            }
            DocsHit::Fn(_) => {}
            DocsHit::Doc(hit) => {
                let sections = pages.sections(&hit.file_path)?;
                let own = sections.iter().find(|section| is_of(section, hit));
                texts.extend(own.into_iter().flat_map(|section| &section.mentions).cloned());
            }
        }
    }
    let mut mentions = Mentions::read(pages.queries, texts.iter().map(String::as_str))?;
    for hit in results {
        match hit {
            DocsHit::Fn(hit) => {
                let mut links = Vec::new();
                for (path, section) in candidates.get(&hit.function_name).into_iter().flatten() {
                    if links.len() < MAX_MENTIONS && mentions_it(&mut mentions, section, path, hit)?
                    {
                        links.push(doc_link(path, section, DocLinkReason::Mentions));
                    }
                }
                let known = links.len();
                for path in beside(&hit.file_path, documents) {
                    let Some(section) = pages.sections(&path)?.first() else { continue };
                    let link = doc_link(&path, section, DocLinkReason::Beside);
                    let is_new = links.iter().all(|one| {
                        (&one.file_path, one.start_line) != (&link.file_path, link.start_line)
                    });
                    if is_new && links.len() < known + MAX_BESIDE {
                        links.push(link);
                    }
                }
                hit.doc_backlinks = Some(links);
            }
            DocsHit::Doc(hit) => {
                let sections = pages.sections(&hit.file_path)?;
                let own = sections.iter().find(|section| is_of(section, hit)).cloned();
                for text in own.into_iter().flat_map(|section| section.mentions) {
                    let Some(found) = mentions.resolve(&text, &hit.file_path)? else { continue };
                    let is_new = hit.mentions.iter().all(|one| one.path != found.canonical_path);
                    if is_new && hit.mentions.len() < MAX_ITEMS {
                        hit.mentions.push(item_ref(found));
                    }
                }
            }
        }
    }
    let note = "some paths in the documentation were not followed through re-exports";
    Ok(mentions.cut.then(|| note.to_owned()))
}

fn is_of(section: &Section, hit: &SectionHit) -> bool {
    section.start_line == hit.start_line && section.heading == hit.heading
}

fn mentions_it(
    mentions: &mut Mentions<'_>,
    section: &Section,
    path: &str,
    hit: &Hit,
) -> Result<bool, EngineError> {
    for text in section.mentions.iter().filter(|text| name_of(text) == hit.function_name) {
        let found = mentions.resolve(text, path)?;
        if found.is_some_and(|found| is_same(&found, hit.id, hit.canonical_path.as_deref())) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Documents in the folder of a file, and the file itself if its modules are documented.
fn beside(file: &str, documents: &Loaded) -> Vec<String> {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let own = folder(file);
    let files = documents.corpus.files().iter().map(|one| one.path.as_str());
    let found = files.filter(|path| *path == file || (is_document(path) && folder(path) == own));
    found.map(str::to_owned).collect()
}

fn doc_link(path: &str, section: &Section, reason: DocLinkReason) -> DocLink {
    DocLink {
        file_path: path.to_owned(),
        heading: section.heading.clone(),
        start_line: section.start_line,
        end_line: section.end_line,
        reason,
    }
}
