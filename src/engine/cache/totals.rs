//! Numbers of files, definitions and issues.

use std::sync::Mutex;

use crate::model::Micros;
use crate::query::Totals;

/// Totals of the newest revision, which are counted once.
pub(in crate::engine) type TotalsCache = Mutex<Option<(Micros, Totals)>>;
