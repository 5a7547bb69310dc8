//! Assertions of what cannot happen: loud in tests, logged in a release, never a plausible answer.

use std::fmt::{Arguments, Display};
use std::panic::Location;

/// What cannot happen has happened: panics in debug builds and tests, logs an internal error in a
/// release, where the code behind it goes on.
///
/// Not for what a file, a query or a request can cause, however hostile it is: that is an error.
#[macro_export]
macro_rules! never {
    ($($message:tt)+) => {
        $crate::report_never(::std::format_args!($($message)+))
    };
}

/// A value that must be there.
pub trait OrNever<T> {
    /// The value. If it is missing, the `invariant` is broken, see [`never!`](crate::never), and a
    /// release goes on with the default.
    fn or_never(self, invariant: &str) -> T;
}

impl<T: Default> OrNever<T> for Option<T> {
    #[track_caller]
    fn or_never(self, invariant: &str) -> T {
        match self {
            Some(value) => value,
            None => {
                report_never(format_args!("{invariant}"));
                T::default()
            }
        }
    }
}

impl<T: Default, E: Display> OrNever<T> for Result<T, E> {
    #[track_caller]
    fn or_never(self, invariant: &str) -> T {
        match self {
            Ok(value) => value,
            Err(error) => {
                report_never(format_args!("{invariant}: {error}"));
                T::default()
            }
        }
    }
}

/// The function behind [`never!`](crate::never).
#[doc(hidden)]
#[cold]
#[track_caller]
#[expect(clippy::panic, reason = "only in debug builds, where a bug should end the test")]
pub fn report_never(message: Arguments<'_>) {
    if cfg!(debug_assertions) {
        panic!("internal error: {message}");
    }
    log(Location::caller(), message);
}

fn log(place: &Location<'_>, message: Arguments<'_>) {
    tracing::error!("internal error at {place}: {message}; please report it");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    #[test]
    #[should_panic(expected = "internal error: a table has row 3")]
    fn a_broken_invariant_ends_a_test() {
        let rows = [1, 2];
        let _: i32 = rows.get(3).copied().or_never("a table has row 3");
    }

    #[test]
    #[should_panic(expected = "internal error: a number is text: invalid digit found in string")]
    fn the_cause_is_part_of_the_message() {
        let _: i32 = "x".parse().or_never("a number is text");
    }

    #[test]
    fn a_value_that_is_there_is_returned() {
        assert_eq!(Some(3).or_never("a table has row 3"), 3);
    }

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_release_logs_the_place() {
        let written = Written::default();
        let to = written.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .without_time()
            .with_writer(move || to.clone())
            .finish();
        let place = Location::caller();
        tracing::subscriber::with_default(subscriber, || log(place, format_args!("no row")));
        let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        let expected = format!(
            "ERROR asof_model::never: internal error at {place}: no row; please report it\n"
        );
        assert_eq!(text, expected);
    }
}
