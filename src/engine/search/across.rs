//! Merges the answers of several projects into one list.

use super::answer;
use asof_search::reciprocal_rank_fusion;
use asof_wire::{
    ErrorReport, Hit, Project, ProjectAnswer, ProjectHit, SearchAnswer, SearchProjects,
    SearchRequest,
};

/// Merges the answers of projects to one request, and the failures of others. Each result has two
/// ranks: among those of its project, and by score among all.
pub fn merge_projects(
    request: &SearchRequest,
    answers: Vec<(Project, Result<SearchAnswer, ErrorReport>)>,
) -> SearchProjects {
    let mut hits: Vec<(String, usize, Hit)> = Vec::new();
    let mut rankings: Vec<Vec<usize>> = Vec::new();
    let mut projects = Vec::new();
    let mut cut = false;
    for (project, answer) in answers {
        let mut told = ProjectAnswer {
            project,
            basis: None,
            result_count: 0,
            total: 0,
            model: None,
            notes: Vec::new(),
            error: None,
            ms: 0.0,
        };
        match answer {
            Ok(answer) => {
                let first = hits.len();
                let name = told.project.name.clone();
                let numbered = (1..).zip(answer.results);
                hits.extend(numbered.map(|(rank, hit)| (name.clone(), rank, hit)));
                rankings.push((first..hits.len()).collect());
                cut |= answer.truncated;
                told.basis = Some(answer.basis);
                told.total = answer.total;
                told.model = answer.model;
                told.notes = answer.notes;
                told.ms = answer.ms;
            }
            Err(error) => told.error = Some(error),
        }
        projects.push(told);
    }
    let mut by_score: Vec<usize> = (0..hits.len()).collect();
    let score = |at: &usize| hits.get(*at).map_or(0.0, |(_, _, hit)| hit.relevance_score);
    // Stable: equals stay in the order of projects and ranks.
    by_score.sort_by(|a, b| score(b).total_cmp(&score(a)));
    rankings.push(by_score);
    rankings.retain(|ranking| !ranking.is_empty());
    // A result is in two rankings only.
    let scale = rankings.len() as f64 / 2.0;
    let order = reciprocal_rank_fusion(&rankings);
    let limit = request.limit.unwrap_or(usize::MAX);
    let truncated = cut || order.len() > limit;
    let mut results = Vec::new();
    for (at, rrf) in order.into_iter().take(limit) {
        let Some((project, rank, hit)) = hits.get(at).cloned() else { continue };
        for told in projects.iter_mut().filter(|told| told.project.name == project) {
            told.result_count += 1;
        }
        results.push(ProjectHit { project, rank, rrf: answer::rounded(rrf * scale), hit });
    }
    let listed: Vec<Hit> = results.iter().map(|one| one.hit.clone()).collect();
    let total: usize = projects.iter().map(|told| told.total).sum();
    SearchProjects {
        query: request.query.clone(),
        result_count: results.len(),
        truncated,
        total: total.max(results.len()),
        summary: answer::summary(&listed),
        results,
        projects,
        ms: 0.0,
    }
}
