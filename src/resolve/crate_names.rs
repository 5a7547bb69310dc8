//! Crates by the names that code uses for them (Rust reference, "Extern prelude").

use std::sync::Arc;

use super::bindings::{OutsidePath, PathTarget};
use super::crates::Prelude;
use super::ids::InstanceId;
use super::scope::Scopes;
use asof_model::never;

/// Crates that come with the compiler.
const STANDARD: &[&str] = &["std", "core", "alloc", "proc_macro", "test"];

impl Scopes<'_> {
    /// The crates that code of an instance can name, by these names.
    pub(super) fn crates_named_in(&self, instance: InstanceId) -> Option<&Prelude> {
        self.prelude(instance).map(|prelude| &**prelude)
    }

    pub(super) fn prelude(&self, instance: InstanceId) -> Option<&Arc<Prelude>> {
        let krate = self.input.instances.get(instance)?.krate;
        self.extern_prelude.get(krate)
    }

    /// A crate by the name that code uses for it.
    pub(super) fn crate_named(&self, instance: InstanceId, name: &str) -> PathTarget {
        let Some(krate) = self.input.instances.get(instance).map(|instance| instance.krate) else {
            never!("crates are named in files of the workspace");
            return PathTarget::Nothing;
        };
        match self.extern_prelude.get(krate).and_then(|p| p.get(name)) {
            Some(target) => target.clone(),
            None if STANDARD.contains(&name) => PathTarget::External(OutsidePath::of_crate(name)),
            None => PathTarget::Nothing,
        }
    }

    /// Whether code of an instance can name a crate so.
    pub(super) fn has_crate_named(&self, instance: InstanceId, name: &str) -> bool {
        match self.crates_named_in(instance).and_then(|prelude| prelude.get(name)) {
            Some(target) => *target != PathTarget::Nothing,
            None => STANDARD.contains(&name),
        }
    }
}
