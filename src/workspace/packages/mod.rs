//! Packages as they are built: how they depend on each other, and which of them a difference between
//! two trees concerns before anything is known about items. What cannot be told concerns a package.

mod cause;
mod changes;
mod effective;
mod files;
mod graph;
mod lock;

#[cfg(test)]
mod tests;

pub use cause::{Cause, Spread};
pub use changes::{PackageChange, PackageChanges, package_changes};
pub use files::is_for_people;
pub use graph::{GraphPackage, PackageGraph, PackageUse, TestKey, is_of_tests};
