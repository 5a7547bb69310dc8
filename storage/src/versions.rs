//! Reading a versioned relation as of a time: bytes of keys are compared, not decoded.

use cozo::DataValue;
use miette::{Result, miette};
use sqlite::State;

use crate::DAMAGED;
use crate::chain::Values;
use crate::connection::Prepared;
use crate::key::{VALIDITY_LEN, VALIDITY_TAG, inverted};
use crate::report::report;
use crate::row::decode;

/// Versions that are skipped one by one before it is cheaper to seek.
const MAX_STEPS: u32 = 8;

/// For each fact, the newest version up to a time, if it is an assertion.
pub(crate) struct Versions<'a> {
    statement: Prepared<'a>,
    values: Values<'a>,
    upper: Vec<u8>,
    at: [u8; 8],
    /// Key, without its time, of the fact that was decided last.
    decided: Vec<u8>,
    /// Versions skipped since the last seek or answer.
    steps: u32,
    ended: bool,
}

impl<'a> Versions<'a> {
    /// `statement` selects keys and values from a lower bound to `upper`, in order of the keys;
    /// `at` is in microseconds.
    pub fn new(statement: Prepared<'a>, values: Values<'a>, upper: &[u8], at: i64) -> Self {
        let (upper, at) = (upper.to_vec(), inverted(at));
        Self { statement, values, upper, at, decided: Vec::new(), steps: 0, ended: false }
    }

    /// The next version, undecoded: its key and value.
    pub fn next_pair(&mut self) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        let Some((key, stored)) = self.next_stored()? else { return Ok(None) };
        let value = self.value(&key, stored)?;
        Ok(Some((key, value)))
    }

    /// The value of a key, from what is stored beside it.
    pub fn value(&mut self, key: &[u8], stored: Vec<u8>) -> Result<Vec<u8>> {
        self.values.value(key, stored)
    }

    /// The next version: its key, and what is stored beside it.
    pub fn next_stored(&mut self) -> Result<Option<(Vec<u8>, Vec<u8>)>> {
        while self.statement.next().map_err(report)? == State::Row {
            let key: Vec<u8> = self.statement.read(0).map_err(report)?;
            let Some((fact, [VALIDITY_TAG, time @ .., retracted])) =
                key.split_last_chunk::<VALIDITY_LEN>()
            else {
                return Err(miette!("{DAMAGED}: a key without a time in a versioned relation"));
            };
            if fact == self.decided {
                self.step_over(&key, [0xff; 8], 0xff)?;
            } else if *time < self.at {
                self.step_over(&key, self.at, 0)?;
            } else {
                self.decided.clear();
                self.decided.extend_from_slice(fact);
                self.steps = 0;
                if *retracted == 0 {
                    let stored = self.statement.read(1).map_err(report)?;
                    return Ok(Some((key, stored)));
                }
            }
        }
        Ok(None)
    }

    /// Skips a version: goes to the next row, or after many, seeks that time of the same fact.
    fn step_over(&mut self, key: &[u8], time: [u8; 8], end: u8) -> Result<()> {
        self.steps += 1;
        if self.steps < MAX_STEPS {
            return Ok(());
        }
        self.steps = 0;
        let mut bound = key.to_vec();
        bound.truncate(key.len() - VALIDITY_LEN + 1);
        bound.extend_from_slice(&time);
        bound.push(end);
        self.statement.reset().map_err(report)?;
        self.statement.bind((1, bound.as_slice())).map_err(report)?;
        self.statement.bind((2, self.upper.as_slice())).map_err(report)
    }
}

impl Iterator for Versions<'_> {
    type Item = Result<Vec<DataValue>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let found = self
            .next_pair()
            .and_then(|pair| pair.map(|(key, value)| decode(&key, &value)).transpose());
        self.ended = !matches!(found, Ok(Some(_)));
        found.transpose()
    }
}
