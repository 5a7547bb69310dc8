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

    /// A statement before its first row. All its values are to be bound: it may have those of before.
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

#[cfg(test)]
mod tests {
    use super::*;
    use sqlite::State;

    const ALL: &str = "select n from numbers where n >= ? order by n";

    fn connection() -> Connection {
        let connection = sqlite::Connection::open_thread_safe(":memory:").unwrap();
        connection.execute("create table numbers (n integer primary key)").unwrap();
        connection.execute("insert into numbers values (1), (2), (3)").unwrap();
        Connection::new(connection)
    }

    fn first(statement: &mut Prepared<'_>, from: i64) -> i64 {
        statement.bind((1, from)).unwrap();
        assert_eq!(statement.next().unwrap(), State::Row);
        statement.read(0).unwrap()
    }

    #[test]
    fn a_statement_that_comes_back_begins_anew() {
        let connection = connection();
        for from in [2, 1, 3] {
            assert_eq!(first(&mut connection.prepare(ALL).unwrap(), from), from);
            assert_eq!(connection.kept.lock().unwrap().len(), 1);
        }
    }

    #[test]
    fn statements_of_one_text_do_not_disturb_each_other() {
        let connection = connection();
        let mut outer = connection.prepare(ALL).unwrap();
        assert_eq!(first(&mut outer, 1), 1);
        assert_eq!(first(&mut connection.prepare(ALL).unwrap(), 3), 3);
        assert_eq!(outer.next().unwrap(), State::Row);
        assert_eq!(outer.read::<i64, _>(0).unwrap(), 2);
    }

    #[test]
    fn no_statement_that_is_kept_holds_a_transaction_open() {
        let connection = connection();
        connection.execute("begin").unwrap();
        first(&mut connection.prepare(ALL).unwrap(), 1);
        connection.execute("commit").unwrap();
        connection.execute("drop table numbers").unwrap();
        // It was prepared for a table that is gone.
        let mut statement = connection.prepare(ALL).unwrap();
        statement.bind((1, 1)).unwrap();
        assert!(statement.next().is_err());
        drop(statement);
        assert!(connection.kept.lock().unwrap().is_empty());
    }

    #[test]
    fn a_connection_goes_from_thread_to_thread() {
        let connection = connection();
        first(&mut connection.prepare(ALL).unwrap(), 1);
        std::thread::scope(|scope| {
            for from in 1..=3 {
                let connection = &connection;
                scope.spawn(move || {
                    assert_eq!(first(&mut connection.prepare(ALL).unwrap(), from), from);
                });
            }
        });
        assert!(connection.kept.lock().unwrap().len() <= 3);
    }
}
