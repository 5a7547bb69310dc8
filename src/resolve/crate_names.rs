//! Crates by the names that code uses for them (Rust reference, "Extern prelude").

use super::bindings::PathTarget;
use super::ids::InstanceId;
use super::scope::Scopes;
use asof_model::never;

/// Crates that come with the compiler.
const STANDARD: &[&str] = &["std", "core", "alloc", "proc_macro", "test"];

impl Scopes<'_> {
    /// A crate by the name that code uses for it.
    pub(super) fn crate_named(&self, instance: InstanceId, name: &str) -> PathTarget {
        let Some(krate) = self.input.instances.get(instance).map(|instance| instance.krate) else {
            never!("crates are named in files of the workspace");
            return PathTarget::Nothing;
        };
        match self.extern_prelude.get(krate).and_then(|p| p.get(name)) {
            Some(target) => target.clone(),
            None if STANDARD.contains(&name) => PathTarget::External(vec![name.to_owned()]),
            None => PathTarget::Nothing,
        }
    }

    /// Whether code of an instance can name a crate so.
    pub(super) fn has_crate_named(&self, instance: InstanceId, name: &str) -> bool {
        let krate = self.input.instances.get(instance).map(|instance| instance.krate);
        let prelude = krate.and_then(|krate| self.extern_prelude.get(krate));
        match prelude.and_then(|prelude| prelude.get(name)) {
            Some(target) => *target != PathTarget::Nothing,
            None => STANDARD.contains(&name),
        }
    }
}
