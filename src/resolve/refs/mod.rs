//! References: what the texts of a workspace use, resolved with light type inference.
//! A pure function of the text at hand, the faces of the workspace and its packages. It never
//! reads a body other than the one at hand, and never takes a mere name for evidence.

mod body;
mod builtin;
mod calls;
mod exprs;
mod impls;
mod lower;
mod members;
mod paths;
mod pats;
mod references;
mod rules;
mod sig;
mod standard;
mod table;
mod types;
mod world;
#[cfg(test)]
mod tests;

pub use references::Source;
pub use world::World;
