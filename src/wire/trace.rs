//! Context traces: what filled the context of a model, iteration by iteration.

use std::collections::{BTreeMap, VecDeque};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Events that a trace keeps; older ones are dropped and counted.
pub const MAX_EVENTS: usize = 1_000;

/// What was put into the context.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TraceKind {
    SystemPrompt,
    GrepResult,
    LlmQueryResult,
    AssistantCode,
    ExecutionOutput,
    Final,
    ToolCall,
    ToolResult,
}

/// An event of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceEvent {
    /// What was put into the context.
    pub kind: TraceKind,
    /// Number of tokens.
    pub tokens: u64,
    /// Iteration of the model, from 0.
    #[serde(default)]
    pub iteration: u32,
    /// What it was, in a few words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Time of the event, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
}

/// A trace of at most [`MAX_EVENTS`] events. Totals count dropped events too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextTrace {
    /// Tokens that an iteration may use; 0 if there is no limit.
    #[serde(default)]
    pub token_budget: u64,
    /// The newest events, oldest first.
    #[serde(default)]
    pub events: VecDeque<TraceEvent>,
    /// Number of older events that were dropped.
    #[serde(default)]
    pub dropped: u64,
    /// Tokens of the dropped events.
    #[serde(default)]
    pub dropped_tokens: u64,
}

impl ContextTrace {
    /// An empty trace.
    pub fn new(token_budget: u64) -> Self {
        Self { token_budget, ..Self::default() }
    }

    /// Adds an event; the oldest makes room for it.
    pub fn push(&mut self, event: TraceEvent) {
        self.events.push_back(event);
        self.shrink();
    }

    /// Drops the oldest events beyond the limit: a trace that was read may have more.
    pub fn shrink(&mut self) {
        while self.events.len() > MAX_EVENTS {
            if let Some(oldest) = self.events.pop_front() {
                self.dropped += 1;
                self.dropped_tokens = self.dropped_tokens.saturating_add(oldest.tokens);
            }
        }
    }

    /// Tokens by iteration and kind.
    pub fn summary(&self) -> TraceSummary {
        let mut iterations: BTreeMap<u32, TraceIteration> = BTreeMap::new();
        let mut by_kind: BTreeMap<TraceKind, u64> = BTreeMap::new();
        let mut total = self.dropped_tokens;
        for event in &self.events {
            let found = iterations.entry(event.iteration).or_insert_with(|| TraceIteration {
                iteration: event.iteration,
                events: 0,
                tokens: 0,
                percent_of_budget: None,
                by_kind: BTreeMap::new(),
            });
            found.events += 1;
            found.tokens = found.tokens.saturating_add(event.tokens);
            for kinds in [&mut found.by_kind, &mut by_kind] {
                let tokens = kinds.entry(event.kind).or_default();
                *tokens = tokens.saturating_add(event.tokens);
            }
            total = total.saturating_add(event.tokens);
        }
        let mut iterations: Vec<TraceIteration> = iterations.into_values().collect();
        for one in &mut iterations {
            one.percent_of_budget = (self.token_budget > 0)
                .then(|| 100.0 * one.tokens as f64 / self.token_budget as f64);
        }
        TraceSummary {
            token_budget: self.token_budget,
            events: self.events.len() as u64 + self.dropped,
            dropped: self.dropped,
            tokens: total,
            by_kind,
            iterations,
        }
    }
}

/// Tokens of one iteration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceIteration {
    /// Number of the iteration, from 0.
    pub iteration: u32,
    /// Number of its events.
    pub events: u64,
    /// Number of its tokens.
    pub tokens: u64,
    /// Share of the budget in percent; more than 100 if it was exceeded, null without a budget.
    pub percent_of_budget: Option<f64>,
    /// Tokens by kind.
    pub by_kind: BTreeMap<TraceKind, u64>,
}

/// What a trace adds up to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceSummary {
    /// Tokens that an iteration may use; 0 if there is no limit.
    pub token_budget: u64,
    /// Number of events, dropped ones included.
    pub events: u64,
    /// Number of dropped events; they are in no iteration.
    pub dropped: u64,
    /// Number of tokens, of dropped events too.
    pub tokens: u64,
    /// Tokens by kind, without dropped events.
    pub by_kind: BTreeMap<TraceKind, u64>,
    /// The iterations, in their order.
    pub iterations: Vec<TraceIteration>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(iteration: u32, tokens: u64) -> TraceEvent {
        let kind = TraceKind::ToolResult;
        TraceEvent { kind, tokens, iteration, label: None, timestamp: None }
    }

    #[test]
    fn the_newest_events_are_kept_and_all_are_counted() {
        let mut trace = ContextTrace::new(100);
        for n in 0..1_500 {
            trace.push(event(n / 1_000, 1));
        }
        assert_eq!(trace.events.len(), MAX_EVENTS);
        let summary = trace.summary();
        assert_eq!((summary.events, summary.dropped, summary.tokens), (1_500, 500, 1_500));
        let iterations: Vec<(u32, u64, Option<f64>)> = summary
            .iterations
            .iter()
            .map(|i| (i.iteration, i.tokens, i.percent_of_budget))
            .collect();
        assert_eq!(iterations, [(0, 500, Some(500.0)), (1, 500, Some(500.0))]);
    }

    #[test]
    fn a_trace_is_the_same_after_a_round_through_json() {
        let mut trace = ContextTrace::new(8_000);
        trace.push(event(0, 12));
        let json = serde_json::to_string(&trace).unwrap();
        assert!(json.contains(r#""kind":"tool_result""#));
        assert_eq!(serde_json::from_str::<ContextTrace>(&json).unwrap(), trace);
    }
}
