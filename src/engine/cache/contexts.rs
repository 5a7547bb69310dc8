//! A cache of answers of `context`, valid for one revision.

use std::collections::VecDeque;
use std::sync::Mutex;

use asof_model::Micros;
use asof_wire::{ConfigurationRequest, ContextAnswer, ContextRequest};

/// Answers that are kept.
const KEPT: usize = 32;

/// The last answers of a database. A key has every parameter, the configuration and the revision, so
/// none can be stale.
#[derive(Debug, Default)]
pub(crate) struct ContextCache(Mutex<VecDeque<(Key, ContextAnswer)>>);

/// The moment and the configuration of a question.
type Basis<'b> = (Micros, &'b ConfigurationRequest);

type Key = (Micros, ConfigurationRequest, ContextRequest);

fn key(request: &ContextRequest, (at, configuration): Basis<'_>) -> Key {
    let request = ContextRequest { skip_cache: false, at: None, ..request.clone() };
    (at, configuration.clone(), request)
}

impl ContextCache {
    pub fn get(&self, request: &ContextRequest, at: Basis<'_>) -> Option<ContextAnswer> {
        let key = key(request, at);
        let kept = self.0.lock().unwrap_or_else(|e| e.into_inner());
        kept.iter().find(|(known, _)| *known == key).map(|(_, answer)| answer.clone())
    }

    pub fn keep(&self, request: &ContextRequest, at: Basis<'_>, answer: ContextAnswer) {
        let key = key(request, at);
        let mut kept = self.0.lock().unwrap_or_else(|e| e.into_inner());
        kept.retain(|(known, _)| *known != key);
        kept.push_front((key, answer));
        kept.truncate(KEPT);
    }
}
