//! A connection that keeps its prepared statements: a question of the engine seeks thousands of rows,
//! each with a statement of its own, and preparing one takes longer than the seek.
//!
//! Two promises are made to the compiler here. A kept statement is not used after its connection: it is
//! dropped before it, and lent only for as long as the connection is borrowed. And it may go from one
//! thread to another: SQLite serialises the calls of a thread-safe connection, a statement is either
//! kept or lent to one place, and the counted pointers in it are not shared with any other.
#![allow(unsafe_code)]

use std::mem::{self, ManuallyDrop};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use miette::Result;
use sqlite::{ConnectionThreadSafe, Statement};

use crate::report::report;

/// Statements of one connection that are kept. Scans within scans need several of the same text.
const MAX_KEPT: usize = 32;

/// See the module.
pub(crate) struct Connection {
    /// Before the connection, so that it is dropped before it.
    kept: Mutex<Vec<Kept>>,
    connection: ConnectionThreadSafe,
}

struct Kept {
    sql: &'static str,
    statement: Statement<'static>,
}

// SAFETY: see the module.
unsafe impl Send for Kept {}

impl Connection {
    pub fn new(connection: ConnectionThreadSafe) -> Self {
        Self { kept: Mutex::default(), connection }
    }

    /// A statement without values and before its first row.
    pub fn prepare(&self, sql: &'static str) -> Result<Prepared<'_>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().rposition(|one| one.sql == sql).map(|at| kept.swap_remove(at));
        drop(kept);
        let statement = match found {
            Some(kept) => kept.statement,
            None => self.connection.prepare(sql).map_err(report)?,
        };
        Ok(Prepared { connection: self, sql, statement: ManuallyDrop::new(statement) })
    }

    pub fn execute(&self, sql: &str) -> Result<()> {
        self.connection.execute(sql).map_err(report)
    }
}

/// A statement, which goes back to its connection.
pub(crate) struct Prepared<'c> {
    connection: &'c Connection,
    sql: &'static str,
    statement: ManuallyDrop<Statement<'c>>,
}

impl<'c> Deref for Prepared<'c> {
    type Target = Statement<'c>;
    fn deref(&self) -> &Statement<'c> {
        &self.statement
    }
}

impl DerefMut for Prepared<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.statement
    }
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        // SAFETY: `self.statement` is not used again.
        let mut statement = unsafe { ManuallyDrop::take(&mut self.statement) };
        // A statement that failed says so once more. Only one that is reset holds no transaction open.
        let is_whole = statement.reset().is_ok();
        let mut kept = self.connection.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if is_whole && kept.len() < MAX_KEPT {
            // SAFETY: see the module; only the lifetime differs.
            let statement =
                unsafe { mem::transmute::<Statement<'_>, Statement<'static>>(statement) };
            kept.push(Kept { sql: self.sql, statement });
        }
    }
}
