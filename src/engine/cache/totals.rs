//! A cache of the numbers of files, definitions and issues.

use std::sync::Mutex;

use asof_model::Micros;
use asof_query::Totals;

/// Totals of the newest revision, which are counted once.
pub(crate) type TotalsCache = Mutex<Option<(Micros, Totals)>>;
