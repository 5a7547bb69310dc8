//! Versions of a fact as they are stored: the newest whole, older ones perhaps as differences.
//! Reading resolves them, and every write and removal keeps what is stored beside it readable.

use std::borrow::Cow;

use miette::{Result, miette};
use sqlite::State;

use crate::DAMAGED;
use crate::connection::{Connection, Prepared};
use crate::delta::{self, MAX_RUN, is_delta, run_of};
use crate::key::fact_of;
use crate::large::{pack, unpack};
use crate::parts::{self, Parts};
use crate::report::report;

/// From a key on to newer versions of its fact, which come before it.
const NEWER: &str = "select k, v from cozo where k < ? order by k desc";
/// Older versions of a fact.
const OLDER: &str = "select k, v from cozo where k > ? order by k limit 2";
const REPLACE: &str = "update cozo set v = ? where k = ?";

/// Differences that are read until there is a whole version, and one step to see that there is none.
const MAX_CHAIN: usize = MAX_RUN as usize + 1;

/// Reads values of a connection, whatever form they are stored in.
pub(crate) struct Values<'a> {
    connection: &'a Connection,
    parts: Parts<'a>,
    /// Prepared for the first difference.
    newer: Option<Prepared<'a>>,
}

impl<'a> Values<'a> {
    pub fn new(connection: &'a Connection) -> Self {
        Self { connection, parts: Parts::new(connection), newer: None }
    }

    /// The value of a key, from what is stored beside it.
    pub fn value(&mut self, key: &[u8], stored: Vec<u8>) -> Result<Vec<u8>> {
        self.after(key, stored, None)
    }

    /// [`Values::value`], if the row before it was read: its key and value.
    pub fn after(
        &mut self,
        key: &[u8],
        stored: Vec<u8>,
        before: Option<(&[u8], &[u8])>,
    ) -> Result<Vec<u8>> {
        let stored = self.parts.join(key, stored)?;
        if !is_delta(&stored) {
            return unpack(stored);
        }
        match before {
            Some((newer, value)) if is_same_fact(newer, key) => delta::decode(&stored, value),
            _ => self.resolve(key, stored),
        }
    }

    fn resolve(&mut self, key: &[u8], stored: Vec<u8>) -> Result<Vec<u8>> {
        let statement = match &mut self.newer {
            Some(statement) => statement,
            empty => empty.insert(self.connection.prepare(NEWER)?),
        };
        statement.reset().map_err(report)?;
        statement.bind((1, key)).map_err(report)?;
        let mut chain = vec![stored];
        let mut whole = None;
        while whole.is_none() && chain.len() < MAX_CHAIN {
            if statement.next().map_err(report)? != State::Row {
                break;
            }
            let newer: Vec<u8> = statement.read(0).map_err(report)?;
            if !is_same_fact(&newer, key) {
                break;
            }
            let stored = self.parts.join(&newer, statement.read(1).map_err(report)?)?;
            if is_delta(&stored) { chain.push(stored) } else { whole = Some(unpack(stored)?) }
        }
        // Nothing stays open between two reads.
        statement.reset().map_err(report)?;
        let whole = whole.ok_or_else(|| {
            miette!("{DAMAGED}: a version that differs from a newer one that is not there")
        })?;
        chain.iter().rev().try_fold(whole, |newer, stored| delta::decode(stored, &newer))
    }
}

/// The versions of facts that rows are written beside.
pub(crate) struct Neighbours<'a> {
    connection: &'a Connection,
    values: Values<'a>,
    older: Prepared<'a>,
    replace: Prepared<'a>,
}

/// The next older version of a row's fact.
struct Older {
    key: Vec<u8>,
    value: Vec<u8>,
    is_delta: bool,
    /// [`run_of`] the version after it.
    run: u8,
}

impl<'a> Neighbours<'a> {
    pub fn new(connection: &'a Connection) -> Result<Self> {
        Ok(Self {
            connection,
            values: Values::new(connection),
            older: connection.prepare(OLDER)?,
            replace: connection.prepare(REPLACE)?,
        })
    }

    /// Called before a row is written: the version after it becomes a difference from it, or whole.
    /// `packed` is the row's value, neither split into parts nor a difference.
    pub fn before_put(&mut self, key: &[u8], packed: &[u8]) -> Result<()> {
        let Some(older) = self.next_older(key)? else { return Ok(()) };
        let newer = unpack(packed.to_vec())?;
        let whole = pack(&older.value);
        match delta::encode(&older.value, &newer, older.run, whole.len()) {
            Some(delta) => self.replace(&older.key, Cow::Owned(delta)),
            None if older.is_delta => self.replace(&older.key, whole),
            None => Ok(()),
        }
    }

    /// Called before a row is removed: the version after it becomes whole.
    pub fn before_removal(&mut self, key: &[u8]) -> Result<()> {
        match self.next_older(key)? {
            Some(older) if older.is_delta => self.replace(&older.key, pack(&older.value)),
            _ => Ok(()),
        }
    }

    fn next_older(&mut self, key: &[u8]) -> Result<Option<Older>> {
        if fact_of(key).is_none() {
            return Ok(None);
        }
        self.older.reset().map_err(report)?;
        self.older.bind((1, key)).map_err(report)?;
        let mut rows: Vec<(Vec<u8>, Vec<u8>)> = Vec::with_capacity(2);
        while self.older.next().map_err(report)? == State::Row {
            let other: Vec<u8> = self.older.read(0).map_err(report)?;
            if !is_same_fact(&other, key) {
                break;
            }
            rows.push((other, self.older.read(1).map_err(report)?));
        }
        self.older.reset().map_err(report)?;
        let mut rows = rows.into_iter();
        let Some((key, stored)) = rows.next() else { return Ok(None) };
        // A difference is never long enough for parts to be worth it, but may be in parts.
        let stored = self.values.parts.join(&key, stored)?;
        let run = match rows.next() {
            Some((after, stored)) => run_of(&self.values.parts.join(&after, stored)?),
            None => 0,
        };
        let is_delta = is_delta(&stored);
        let value = self.values.value(&key, stored)?;
        Ok(Some(Older { key, value, is_delta, run }))
    }

    fn replace(&mut self, key: &[u8], packed: Cow<'_, [u8]>) -> Result<()> {
        let (value, long) = parts::split(key, packed);
        self.replace.reset().map_err(report)?;
        self.replace.bind((1, &*value)).map_err(report)?;
        self.replace.bind((2, key)).map_err(report)?;
        while self.replace.next().map_err(report)? != State::Done {}
        long.map_or(Ok(()), |long| parts::put(self.connection, key, &long))
    }
}

fn is_same_fact(a: &[u8], b: &[u8]) -> bool {
    fact_of(a).is_some_and(|fact| Some(fact) == fact_of(b))
}

#[cfg(test)]
mod tests;
