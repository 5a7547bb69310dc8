//! Counts and lists the differences between our references and those of an index.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::compare::{Difference, Sides};
use super::ours::{OurItems, OurTarget, OurUse};
use super::theirs::Theirs;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, OrNever};
use asof_query::Queries;
use asof_scip::Text;
use asof_wire::{
    EdgeClass, EdgeCount, EdgeDiff, EdgeDiffRequest, EdgeDifference, EdgeReason, OurEdge, TheirEdge,
};

impl Snapshot<'_> {
    /// Where our references differ from those of an index, given as its bytes.
    ///
    /// # Errors
    /// The bytes are no index, none of its files is of this snapshot, or the database failed.
    pub fn diff_edges(
        &self,
        index: &[u8],
        request: &EdgeDiffRequest,
    ) -> Result<EdgeDiff, EngineError> {
        let started = Instant::now();
        self.edge_differences(self.read_index(index)?, request, started)
    }

    /// The same for the imported index of a tool; of the only one if none is named.
    ///
    /// # Errors
    /// There is no such index, several and none is named, or the database failed.
    pub fn diff_imported_edges(
        &self,
        tool: Option<&str>,
        request: &EdgeDiffRequest,
    ) -> Result<EdgeDiff, EngineError> {
        let started = Instant::now();
        self.edge_differences(self.stored_index(tool)?, request, started)
    }

    fn edge_differences(
        &self,
        theirs: Theirs,
        request: &EdgeDiffRequest,
        started: Instant,
    ) -> Result<EdgeDiff, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let items = OurItems::read(&queries)?;
        let mut ours = items.uses(self.store(), &queries)?;
        let sure =
            |one: &OurUse| one.means != OurTarget::Item || one.confidence >= request.min_confidence;
        for uses in ours.values_mut().flat_map(BTreeMap::values_mut) {
            uses.retain(|one| sure(one));
        }
        let sides = Sides::new(&items, &ours, &theirs);
        let only: Option<BTreeSet<String>> = match &request.path {
            Some(path) => Some(self.paths_matching(Some(path))?.into_iter().collect()),
            None => None,
        };
        // Where we do not say the same of a text, nothing is compared.
        let stale: BTreeSet<&str> =
            theirs.skipped.iter().map(|file| file.file_path.as_str()).collect();
        let all: BTreeSet<&String> = ours.keys().chain(theirs.files.keys()).collect();
        let wanted = |path: &&&String| {
            only.as_ref().is_none_or(|only| only.contains(**path)) && !stale.contains(path.as_str())
        };
        let paths: Vec<&String> = all.iter().filter(wanted).copied().collect();
        let mut counts: BTreeMap<(EdgeClass, EdgeReason), usize> = BTreeMap::new();
        let mut agreed = 0;
        let mut listed: Vec<(Difference<'_>, [u32; 2], String)> = Vec::new();
        for path in &paths {
            let bytes = self.source_text(path)?.bytes;
            let text = Text::new(&bytes);
            let (found, same) = sides.compare(path, &|byte| text.word(byte));
            agreed += same;
            for one in found {
                *counts.entry((one.class, one.reason)).or_default() += 1;
                if request.listed().contains(&one.class) {
                    let (place, word) = (text.place(one.byte), text.word(one.byte).to_owned());
                    listed.push((one, place, word));
                }
            }
        }
        let names = self.names_of(&listed)?;
        let listed = listed.into_iter().map(|(one, [line, column], name)| EdgeDifference {
            file_path: one.file.to_owned(),
            line: line + 1,
            column: column + 1,
            name,
            class: one.class,
            reason: one.reason,
            ours: one.ours.iter().map(|ours| our_edge(&items, &names, ours)).collect(),
            theirs: one.theirs.iter().map(|symbol| their_edge(&sides, *symbol)).collect(),
        });
        let files = paths.iter().filter(|path| theirs.files.contains_key(path.as_str())).count();
        let mut answer = self.answer(started, listed.collect(), request.limit);
        answer.ms = started.elapsed().as_secs_f64() * 1e3;
        let count = |((class, reason), places)| EdgeCount { class, reason, places };
        Ok(EdgeDiff {
            files,
            agreed,
            counts: counts.into_iter().map(count).collect(),
            answer,
            tool: theirs.tool,
            version: theirs.version,
            left_out: theirs.left_out,
            skipped: theirs.skipped,
        })
    }

    /// Texts of the names that are no items.
    fn names_of(
        &self,
        listed: &[(Difference<'_>, [u32; 2], String)],
    ) -> Result<BTreeMap<NodeId, String>, EngineError> {
        let uses = listed.iter().flat_map(|(one, ..)| &one.ours);
        let ids: BTreeSet<NodeId> =
            uses.filter(|one| one.means != OurTarget::Item).map(|one| one.target).collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        Ok(Queries::external(self.store(), &ids)?
            .into_iter()
            .map(|row| (row.id, row.text))
            .collect())
    }
}

fn our_edge(items: &OurItems, names: &BTreeMap<NodeId, String>, one: &OurUse) -> OurEdge {
    let item = items.items.get(&one.target);
    let kind = match one.means {
        OurTarget::Item => item.map_or("unknown", |item| item.kind.as_str()),
        OurTarget::External => "external",
        OurTarget::Unknown => "unknown",
    };
    let path = item.map(|item| item.path.clone()).or_else(|| names.get(&one.target).cloned());
    OurEdge {
        path: path.unwrap_or_default(),
        kind: kind.to_owned(),
        use_kind: one.use_kind,
        provenance: one.provenance.clone(),
        confidence: one.confidence,
    }
}

fn their_edge(sides: &Sides<'_>, symbol: u32) -> TheirEdge {
    let paths = sides.items_of(symbol);
    let paths = paths.iter().filter_map(|id| sides.items.items.get(id));
    TheirEdge {
        symbol: sides
            .theirs
            .symbols
            .get(symbol as usize)
            .cloned()
            .or_never("a symbol has a number"),
        paths: paths.map(|item| item.path.clone()).collect::<BTreeSet<_>>().into_iter().collect(),
    }
}
