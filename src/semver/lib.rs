//! Classifies changes of a public interface by what they mean for its users, by the rules of the
//! Cargo book ("SemVer Compatibility"). Pure functions of two interfaces. What only a build can
//! tell is not judged: auto traits, `dyn` compatibility, inference, layout.

mod bounds;
mod compare;
mod head;
mod impls;
mod interface;
mod members;
mod owner;
mod proc_macros;
mod tokens;
mod version;

#[cfg(test)]
mod tests;

pub use compare::compare;
pub use head::has_default;
pub use interface::{
    CompareOutside, Declaration, Implementation, Interface, Named, Sameness, TypeName, listed_path,
};
pub use version::{allowed, is_enough};
