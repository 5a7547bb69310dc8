//! Batches of claims: one JSON object a line in, the right ones and the others out.

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Map, Value as Json};

use crate::database::{Refresh, Snapshot};
use crate::error::EngineError;
use asof_wire::{
    CheckedClaim, ClaimClass, ClaimRequest, ClaimStatistics, MalformedLine, Verdict, When,
};

/// Longest line that is read, bytes.
const MAX_LINE: usize = 16 << 20;

/// Malformed lines that are listed.
const MAX_LISTED: usize = 100;

impl Snapshot<'_> {
    /// Checks traces: each line is an object with `query` and `answer`, and may have `source_path`
    /// (the file it is about) and `at`. Fields that are not known are kept. Each object comes back
    /// with `verdict`, `class`, `golden`, `verification_method`, `revision` and, if there is one,
    /// `detail`: on `golden` if the answer is right, else on `failed`. Memory does not grow with
    /// the number of lines. `progress` is called with the number of lines read; if it returns
    /// false, the batch ends.
    ///
    /// # Errors
    /// Reading or writing failed, or the database. A malformed line is counted, not an error.
    pub fn check_claims(
        &self,
        traces: &mut dyn BufRead,
        golden: &mut dyn Write,
        failed: &mut dyn Write,
        progress: &mut dyn FnMut(u64) -> bool,
    ) -> Result<ClaimStatistics, EngineError> {
        let started = Instant::now();
        let mut statistics = ClaimStatistics::default();
        let mut number = 0;
        let mut line = Vec::new();
        while read_line(traces, &mut line).map_err(|source| io_error("read", source))? {
            number += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match read_trace(&line) {
                Ok((mut trace, request, at)) => {
                    let checked = match at {
                        None => self.check_claim(&request)?,
                        Some(at) => self.check_at(&at, &request)?,
                    };
                    count(&mut statistics, &checked);
                    let out: &mut dyn Write = if checked.golden { golden } else { failed };
                    add(&mut trace, &checked);
                    writeln!(out, "{}", Json::Object(trace))
                        .map_err(|source| io_error("write", source))?;
                }
                Err(problem) => {
                    statistics.malformed += 1;
                    if statistics.malformed_lines.len() < MAX_LISTED {
                        statistics.malformed_lines.push(MalformedLine { line: number, problem });
                    }
                }
            }
            if !progress(number) {
                break;
            }
        }
        golden.flush().and_then(|()| failed.flush()).map_err(|source| io_error("write", source))?;
        if statistics.total > 0 {
            statistics.golden_rate = statistics.golden as f64 / statistics.total as f64;
        }
        statistics.ms = started.elapsed().as_secs_f64() * 1e3;
        Ok(statistics)
    }

    fn check_at(&self, at: &str, request: &ClaimRequest) -> Result<CheckedClaim, EngineError> {
        let then = When::parse(at).map_err(EngineError::from);
        let then = then.and_then(|when| self.database.snapshot(&when, Refresh::Skip));
        match then {
            Ok(then) => then.check_claim(request),
            Err(error) => {
                let mut checked = self.check_claim(request)?;
                let reason = format!("`at` names a moment that is not known: {error}");
                checked.verdict = Verdict::CannotVerify { reason };
                checked.golden = false;
                checked.truth.clear();
                checked.truth_total = 0;
                checked.detail = None;
                Ok(checked)
            }
        }
    }
}

/// Reads a line into a buffer; what is beyond the limit is skipped, and makes it too long.
fn read_line(traces: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut limited = traces.take(MAX_LINE as u64 + 1);
    let read = limited.read_until(b'\n', line)?;
    if line.len() > MAX_LINE && line.last() != Some(&b'\n') {
        // Skipped piece by piece: the rest may be of any length.
        loop {
            let piece = traces.fill_buf()?;
            let (used, ends) = match piece.iter().position(|byte| *byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (piece.len(), piece.is_empty()),
            };
            traces.consume(used);
            if ends {
                break;
            }
        }
    }
    Ok(read > 0)
}

type Trace = (Map<String, Json>, ClaimRequest, Option<String>);

fn read_trace(line: &[u8]) -> Result<Trace, String> {
    if line.len() > MAX_LINE {
        return Err(format!("longer than {} MB", MAX_LINE >> 20));
    }
    let trace: Json =
        serde_json::from_slice(line.trim_ascii_end()).map_err(|error| error.to_string())?;
    let Json::Object(trace) = trace else { return Err("not a JSON object".to_owned()) };
    let text = |field: &str| match trace.get(field) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(format!("`{field}` is not a string")),
    };
    let query = text("query")?.ok_or("no `query`")?;
    if query.trim().is_empty() {
        return Err("`query` is empty".to_owned());
    }
    let answer = text("answer")?.ok_or("no `answer`")?;
    let file_path = text("source_path")?.filter(|path| !path.is_empty());
    let (path, at) = (text("path")?, text("at")?);
    Ok((trace, ClaimRequest { query, answer, file_path, path }, at))
}

fn count(statistics: &mut ClaimStatistics, checked: &CheckedClaim) {
    statistics.total += 1;
    statistics.golden += u64::from(checked.golden);
    *statistics.by_class.entry(checked.class).or_default() += 1;
    *statistics.by_verdict.entry(checked.verdict.name().to_owned()).or_default() += 1;
}

/// Adds what was found to a trace.
fn add(trace: &mut Map<String, Json>, checked: &CheckedClaim) {
    let class = match checked.class {
        ClaimClass::Pattern => "pattern",
        ClaimClass::Structural => "structural",
        ClaimClass::Semantic => "semantic",
    };
    let verdict = serde_json::to_value(&checked.verdict).unwrap_or(Json::Null);
    trace.insert("class".into(), class.into());
    trace.insert("verdict".into(), verdict);
    trace.insert("golden".into(), checked.golden.into());
    trace.insert("verification_method".into(), checked.verification_method.clone().into());
    let revision = checked.basis.revision.as_ref().map(ToString::to_string);
    trace.insert("revision".into(), revision.into());
    if let Some(detail) = &checked.detail {
        trace.insert("detail".into(), detail.clone().into());
    }
}

fn io_error(action: &'static str, source: io::Error) -> EngineError {
    EngineError::Io { action, path: PathBuf::from("the traces"), source }
}
