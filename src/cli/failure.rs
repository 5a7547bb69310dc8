//! Errors as the user sees them: kind and exit code, causes, a hint.

use std::io;
use std::process::ExitCode;

use asof::EngineError;
use asof_model::ErrorKind;
use asof_wire::{ErrorAnswer, UnreadableMoment};

use super::globals::Format;
use super::hint;
use asof_surface::problem::{Problem, causes, more};

/// Exit code of usage errors, including those of clap.
pub const USAGE: u8 = 2;

/// As `asof --help` documents it.
pub const fn exit_code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::NoMatch => 1,
        ErrorKind::BadRequest => USAGE,
        ErrorKind::Ambiguous => 3,
        ErrorKind::Locked => 4,
        ErrorKind::Failure => 5,
        ErrorKind::Limit => 6,
        ErrorKind::Stale => 7,
        ErrorKind::Check => 8,
        ErrorKind::Interrupted => 130,
    }
}

/// Prints an error to standard error and returns the exit code.
pub fn report(problem: Problem, format: Format) -> ExitCode {
    let error = problem.report(hint::words);
    let code = ExitCode::from(exit_code(error.kind));
    if format == Format::Json {
        if let Ok(json) = serde_json::to_string(&ErrorAnswer { error }) {
            anstream::eprintln!("{json}");
        }
        return code;
    }
    let (red, cyan) = (anstyle::AnsiColor::Red.on_default().bold(), anstyle::AnsiColor::Cyan);
    let cyan = cyan.on_default();
    let details = error.details.as_ref().map(more).unwrap_or_default();
    anstream::eprintln!("{red}error{red:#}: {}{details}", error.message);
    for cause in &error.causes {
        anstream::eprintln!("  caused by: {cause}");
    }
    if !error.hint.is_empty() {
        anstream::eprintln!("{cyan}hint{cyan:#}: {}", error.hint);
    }
    code
}

/// Whatever ended a command.
pub fn explain(error: anyhow::Error) -> Problem {
    let message = error.to_string();
    let causes = causes(error.as_ref(), &message);
    let error = match error.downcast::<Problem>() {
        Ok(problem) => return problem,
        Err(error) => error,
    };
    let error = match error.downcast::<UnreadableMoment>() {
        Ok(error) => EngineError::from(error).into(),
        Err(error) => error,
    };
    match error.downcast::<EngineError>() {
        // What was being done when it happened may be said around it.
        Ok(error) => Problem { causes, ..Problem::from(error).with_message(message) },
        Err(_) => Problem { causes, ..Problem::new(ErrorKind::Failure, message, "") },
    }
}

/// Whether the reader of our output has closed the pipe, which is not an error.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
