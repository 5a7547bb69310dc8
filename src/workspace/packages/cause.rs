//! Why a package is concerned, and how far that goes.

/// How far a change of a package goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Spread {
    /// Only the package's own tests, examples and benchmarks can notice it.
    Package,
    /// Everything that depends on the package can.
    Dependents,
}

/// Why a package is concerned.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// The file or package.
    pub what: String,
    pub reason: String,
}
