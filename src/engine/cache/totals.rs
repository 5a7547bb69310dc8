//! Numbers of files, definitions and issues.

use std::sync::Mutex;

use crate::query::Totals;
use asof_model::Micros;

/// Totals of the newest revision, which are counted once.
pub(in crate::engine) type TotalsCache = Mutex<Option<(Micros, Totals)>>;
