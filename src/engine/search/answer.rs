//! Turns found items into results of an answer.

use std::collections::{BTreeMap, BTreeSet};

use super::alike::Entries;
use super::corpus::Loaded;
use super::found::Found;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::NodeId;
use asof_query::Queries;
use asof_wire::{Hit, Item, SearchRequest, SearchSummary};

impl Snapshot<'_> {
    /// Ids of items, given by file and item, in their order; none where an item is in no module.
    pub(super) fn ids_of(
        &self,
        queries: &Queries<'_>,
        loaded: &Loaded,
        places: impl Iterator<Item = (usize, usize)> + Clone,
    ) -> Result<Vec<Option<NodeId>>, EngineError> {
        let files = loaded.corpus.files();
        let paths: BTreeSet<&str> = places
            .clone()
            .filter_map(|(file, _)| files.get(file))
            .map(|f| f.path.as_str())
            .collect();
        let paths: Vec<&str> = paths.into_iter().collect();
        let ids = self.ids(queries, &paths, loaded)?;
        let of = |(file, item)| {
            let (file, item) = loaded.corpus.item(file, item)?;
            ids.get(&file.path)?.get(item.item as usize).copied()
        };
        Ok(places.map(of).collect())
    }

    /// Adds results of items, in their order.
    pub(super) fn hits(
        &self,
        queries: &Queries<'_>,
        request: &SearchRequest,
        loaded: &Loaded,
        found: &[Found],
        entries: &mut Entries,
    ) -> Result<(), EngineError> {
        let ids = self.ids_of(queries, loaded, found.iter().map(|one| (one.file, one.item)))?;
        let known: Vec<NodeId> = ids.iter().flatten().copied().collect();
        let items: BTreeMap<NodeId, _> =
            queries.found_items(&known)?.into_iter().map(|item| (item.id, item)).collect();
        let quality = self.quality_of(&known)?;
        let mut others: BTreeMap<NodeId, String> = BTreeMap::new();
        for (id, other) in known.iter().zip(self.other_items(&known)?) {
            others.extend(other.map(|other| (*id, other)));
        }
        for (one, id) in found.iter().zip(ids) {
            let terms = loaded.corpus.files().get(one.file);
            let place = terms.and_then(|terms| Some((terms, terms.items.get(one.item)?)));
            let (Some(id), Some((terms, place))) = (id, place) else { continue };
            let Some(item) = items.get(&id) else { continue };
            if request.exclude_tests && item.in_test {
                continue;
            }
            let measured = quality.get(&id);
            let hit = Hit {
                id,
                file_path: terms.path.clone(),
                function_name: item.name.clone(),
                canonical_path: item.canonical_path.clone(),
                kind: item.kind,
                signature: item.signature.clone(),
                doc_comment: item.docs.clone(),
                start_line: place.start_line,
                end_line: place.end_line,
                line: place.name_line,
                language: "rust".to_owned(),
                tdg_score: measured.and_then(|m| m.tdg_score),
                tdg_grade: measured.and_then(|m| m.tdg_grade.clone()),
                complexity: measured.and_then(|m| m.complexity),
                cognitive: measured.and_then(|m| m.cognitive),
                big_o: measured.and_then(|m| m.big_o.clone()),
                satd_count: measured.map_or(0, |m| m.satd_count),
                loc: measured
                    .map_or(place.end_line.saturating_sub(place.start_line) + 1, |m| m.loc),
                relevance_score: rounded(one.score),
                why: one.why.clone(),
                in_test: item.in_test,
                other_condition: others.get(&id).cloned(),
                rank_value: one.rank_value,
                alike: Vec::new(),
                matches: one.matches.clone(),
                source: None,
                features: one.features.clone().filter(|_| request.explain),
                doc_backlinks: None,
            };
            entries.add(hit, item.of_trait);
        }
        Ok(())
    }

    /// The first entries of an answer: what the configuration does not have comes last, and sources
    /// are added if they are wanted.
    pub(super) fn finished(
        &self,
        queries: &Queries<'_>,
        request: &SearchRequest,
        entries: Entries,
        limit: usize,
    ) -> Result<Vec<Hit>, EngineError> {
        let mut hits = entries.hits;
        if self.has_configuration() {
            hits.sort_by_key(|hit| hit.other_condition.is_some());
        }
        hits.truncate(limit);
        if request.include_source {
            self.add_sources(queries, &mut hits)?;
        }
        Ok(hits)
    }

    fn add_sources(&self, queries: &Queries<'_>, hits: &mut [Hit]) -> Result<(), EngineError> {
        let ids: Vec<NodeId> = hits.iter().map(|hit| hit.id).collect();
        let described = queries.describe(&ids)?.into_iter().map(|one| (one.id, one.into()));
        let items: BTreeMap<NodeId, Item> = described.collect();
        for hit in hits {
            let source = items.get(&hit.id).map(|item| self.item_source(queries, item));
            hit.source = source.transpose()?;
        }
        Ok(())
    }
}

/// A score in four digits: more say nothing.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}

/// What results have in common.
pub(super) fn summary(hits: &[Hit]) -> SearchSummary {
    let mut summary = SearchSummary { count: hits.len(), ..SearchSummary::default() };
    for grade in hits.iter().filter_map(|hit| hit.tdg_grade.as_ref()) {
        *summary.grades.entry(grade.clone()).or_default() += 1;
    }
    let known: Vec<u32> = hits.iter().filter_map(|hit| hit.complexity).collect();
    if let (Some(min), Some(max)) = (known.iter().min(), known.iter().max()) {
        summary.complexity_range = Some([*min, *max]);
        let sum: u64 = known.iter().map(|n| u64::from(*n)).sum();
        summary.avg_complexity = Some(sum as f64 / known.len() as f64);
    }
    summary.total_satd = hits.iter().map(|hit| hit.satd_count).sum();
    summary
}
