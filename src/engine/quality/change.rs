//! Functions whose quality got worse or better between two moments.

use std::collections::BTreeMap;

use super::Restriction;
use super::report::summary;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::Hint;
use asof_model::NodeId;
use asof_query::{ChangedQuality, Queries};
use asof_wire::{Detail, DiffRequest, QualityChange, QualityChanges, QualityFigures};

impl Snapshot<'_> {
    pub(super) fn quality_changes(
        &self,
        from: &Snapshot<'_>,
        restriction: &Restriction<'_>,
    ) -> Result<QualityChanges, EngineError> {
        if from.at > self.at {
            return Err(EngineError::BadRequest {
                what: format!("{} is later than {}", from.at, self.at),
                hint: Hint::Advice("name the earlier moment with `since`".to_owned()),
            });
        }
        let rows = Queries::at(self.store(), self.at).changed_quality(from.at)?;
        let (mut old, mut new) = (BTreeMap::new(), Vec::new());
        for row in rows {
            match row.new_loc {
                None => _ = old.insert(row.id, row),
                Some(_) => new.push(row),
            }
        }
        let earlier = self.earlier_ids(from, &old, &new)?;
        let (mut worse, mut better, mut added) = (Vec::new(), Vec::new(), Vec::new());
        for row in new {
            if !restriction.holds(row.kind, &row.canonical_path, &row.file_path, row.in_test) {
                old.remove(earlier.get(&row.id).unwrap_or(&row.id));
                continue;
            }
            let before = earlier.get(&row.id).and_then(|id| old.remove(id));
            let previous_path = before.as_ref().map(|before| before.canonical_path.clone());
            let before = before.as_ref().and_then(figures_before).or_else(|| figures_before(&row));
            let after = figures_after(&row);
            let score = |of: &Option<QualityFigures>| of.as_ref().and_then(|of| of.tdg_score);
            let delta = score(&before).zip(score(&after)).map(|(a, b)| tenths(b - a));
            let debt = |of: &Option<QualityFigures>| of.as_ref().map_or(0, |of| of.satd_count);
            let by_debt = i64::from(debt(&before)) - i64::from(debt(&after));
            let is_new = before.is_none();
            let change = QualityChange {
                id: row.id,
                previous_path: previous_path.filter(|path| *path != row.canonical_path),
                path: row.canonical_path,
                kind: row.kind,
                file_path: row.file_path,
                delta,
                before,
                after,
            };
            match delta.filter(|delta| *delta != 0.0) {
                _ if is_new => added.push(change),
                Some(delta) if delta < 0.0 => worse.push(change),
                Some(_) => better.push(change),
                None if by_debt < 0 => worse.push(change),
                None if by_debt > 0 => better.push(change),
                None => {}
            }
        }
        old.retain(|_, row| {
            restriction.holds(row.kind, &row.canonical_path, &row.file_path, row.in_test)
        });
        let delta = |change: &QualityChange| change.delta.unwrap_or_default();
        let after = |change: &QualityChange| {
            change.after.as_ref().and_then(|after| after.tdg_score).unwrap_or(f64::INFINITY)
        };
        worse.sort_by(|a, b| delta(a).total_cmp(&delta(b)).then_with(|| a.path.cmp(&b.path)));
        better.sort_by(|a, b| delta(b).total_cmp(&delta(a)).then_with(|| a.path.cmp(&b.path)));
        added.sort_by(|a, b| after(a).total_cmp(&after(b)).then_with(|| a.path.cmp(&b.path)));
        let totals = [worse.len(), better.len(), added.len()];
        let limit = restriction.request.limit.unwrap_or(usize::MAX);
        [&mut worse, &mut better, &mut added].into_iter().for_each(|list| list.truncate(limit));
        let [worse_total, better_total, added_total] = totals;
        Ok(QualityChanges {
            from: from.basis.clone(),
            summary: summary(&from.chosen(restriction)?),
            worse_total,
            better_total,
            added_total,
            removed_total: old.len(),
            worse,
            better,
            added,
        })
    }

    /// The earlier ids of items that were moved or renamed.
    fn earlier_ids(
        &self,
        from: &Snapshot<'_>,
        old: &BTreeMap<NodeId, ChangedQuality>,
        new: &[ChangedQuality],
    ) -> Result<BTreeMap<NodeId, NodeId>, EngineError> {
        if old.is_empty() || new.iter().all(|row| row.old_loc.is_some()) {
            return Ok(BTreeMap::new());
        }
        let request = DiffRequest { detail: Detail::All, ..DiffRequest::default() };
        let items = self.diff(from, &request)?.answer.items;
        Ok(items.iter().filter_map(|item| Some((item.id, item.previous_id?))).collect())
    }
}

fn tenths(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

fn figures_before(row: &ChangedQuality) -> Option<QualityFigures> {
    Some(QualityFigures {
        tdg_score: row.old_score,
        tdg_grade: row.old_grade.clone(),
        complexity: row.old_complexity,
        cognitive: row.old_cognitive,
        satd_count: row.old_satd_count?,
        loc: row.old_loc?,
    })
}

fn figures_after(row: &ChangedQuality) -> Option<QualityFigures> {
    Some(QualityFigures {
        tdg_score: row.new_score,
        tdg_grade: row.new_grade.clone(),
        complexity: row.new_complexity,
        cognitive: row.new_cognitive,
        satd_count: row.new_satd_count?,
        loc: row.new_loc?,
    })
}
