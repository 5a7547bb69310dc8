//! Configurations: the flags that are set where code is compiled.

use std::collections::{BTreeMap, BTreeSet};

use cfg_expr::targets::{ALL_BUILTINS, HasAtomic, TargetInfo, get_builtin_target_by_triple};

use super::features::UnifiedFeatures;
use super::predicate::Flag;

/// Names that no build of `cargo build` or `cargo test` sets.
const NEVER: &[&str] = &["doc", "doctest", "miri", "proc_macro"];

/// Names that the profile `dev` sets.
const DEV: &[&str] = &["debug_assertions", "overflow_checks"];

/// What a workspace is compiled with.
#[derive(Debug, Clone)]
pub struct Configuration {
    target: &'static TargetInfo,
    set: BTreeSet<Flag>,
    features: UnifiedFeatures,
    /// Manifests of packages with a build script, which may set any flag.
    built: BTreeSet<String>,
}

/// What a definition is compiled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompiledIn<'a> {
    pub manifest_path: &'a str,
    /// Whether `test` is set.
    pub test: bool,
}

/// A text that is not the name of a target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no target `{triple}`")]
pub struct UnknownTarget {
    pub triple: String,
    /// The most similar names of targets.
    pub similar: Vec<&'static str>,
}

impl Configuration {
    /// Name of the target that this program was built for.
    pub const HOST: &'static str = env!("ASOF_TARGET");

    /// `triple`: as `rustc --target`; none for the host. `set`: flags set in every crate. `built`:
    /// manifests of packages with a build script.
    ///
    /// # Errors
    /// A target that rustc does not know.
    pub fn new(
        triple: Option<&str>,
        set: BTreeSet<Flag>,
        features: UnifiedFeatures,
        built: BTreeSet<String>,
    ) -> Result<Self, UnknownTarget> {
        let triple = triple.unwrap_or(Self::HOST);
        match get_builtin_target_by_triple(triple) {
            Some(target) => Ok(Self { target, set, features, built }),
            None => Err(UnknownTarget { triple: triple.to_owned(), similar: similar(triple) }),
        }
    }

    /// Whether a flag is set; none if that depends on a build script, or on features of the
    /// processor.
    pub fn is_set(&self, flag: &Flag, of: CompiledIn<'_>) -> Option<bool> {
        if self.set.contains(flag) {
            return Some(true);
        }
        match (flag.key.as_str(), flag.value.as_deref()) {
            ("test", None) => Some(of.test),
            ("feature", Some(feature)) => self.features.has(of.manifest_path, feature),
            (name, None) if DEV.contains(&name) => Some(true),
            (name, None) if NEVER.contains(&name) => Some(false),
            (key, value) => self.of_target(key, value).unwrap_or_else(|| {
                // Cargo sets no other flags by itself.
                if self.built.contains(of.manifest_path) { None } else { Some(false) }
            }),
        }
    }

    /// Whether the target sets a flag; none if no target sets flags of this key.
    fn of_target(&self, key: &str, value: Option<&str>) -> Option<Option<bool>> {
        let target = self.target;
        let family = |name: &str| target.families.iter().any(|family| family.as_str() == name);
        let is = |set: Option<&str>| Some(Some(set == value));
        match (key, value) {
            ("unix" | "windows", None) => Some(Some(family(key))),
            ("target_family", Some(name)) => Some(Some(family(name))),
            ("target_os", _) => is(target.os.as_ref().map(AsRef::as_ref)),
            ("target_arch", _) => is(Some(target.arch.as_str())),
            // Targets without one have an empty text.
            ("target_env", _) => is(Some(target.env.as_ref().map_or("", AsRef::as_ref))),
            ("target_abi", _) => is(Some(target.abi.as_ref().map_or("", AsRef::as_ref))),
            ("target_vendor", _) => is(target.vendor.as_ref().map(AsRef::as_ref)),
            ("panic", _) => is(Some(target.panic.as_str())),
            ("target_pointer_width", Some(width)) => {
                Some(Some(width.parse() == Ok(target.pointer_width)))
            }
            ("target_endian", Some(endian)) => {
                let little = target.endian == cfg_expr::targets::Endian::little;
                Some(Some(endian == if little { "little" } else { "big" }))
            }
            ("target_has_atomic", None) => Some(Some(!target.has_atomics.is_empty())),
            ("target_has_atomic", Some(size)) => {
                let size: Option<HasAtomic> = size.parse().ok();
                Some(Some(size.is_some_and(|size| target.has_atomics.contains(size))))
            }
            ("target_feature", _) => Some(None),
            _ => None,
        }
    }
}

/// Names of targets that resemble a text, the most similar first.
fn similar(text: &str) -> Vec<&'static str> {
    let mut all: BTreeMap<(bool, usize, &str), &'static str> = BTreeMap::new();
    for target in ALL_BUILTINS {
        let name: &'static str = match &target.triple.0 {
            std::borrow::Cow::Borrowed(name) => name,
            std::borrow::Cow::Owned(_) => continue,
        };
        all.insert((!name.contains(text), strsim::levenshtein(name, text), name), name);
    }
    all.into_values().take(3).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Condition, Features, Predicate};

    const LINUX: &str = "x86_64-unknown-linux-gnu";

    #[track_caller]
    fn check(triple: &str, cfg: &str, test: bool, expected: Option<bool>) {
        let features = UnifiedFeatures::unify(
            [("Cargo.toml", "a", &Features::default())],
            &Default::default(),
        )
        .unwrap();
        let set = BTreeSet::from([Flag::name("loom")]);
        let built = BTreeSet::from(["built/Cargo.toml".to_owned()]);
        let configuration = Configuration::new(Some(triple), set, features, built).unwrap();
        let of = CompiledIn { manifest_path: "Cargo.toml", test };
        let found = Condition::parse(cfg).holds(&|flag| configuration.is_set(flag, of));
        assert_eq!(found, expected, "{triple} {cfg}");
        let read = Predicate::parse(cfg);
        let found = read.map(|read| read.holds(&|flag| configuration.is_set(flag, of)));
        assert_eq!(found, Some(expected), "{triple} {cfg}");
        let of = CompiledIn { manifest_path: "built/Cargo.toml", test };
        assert_eq!(configuration.is_set(&Flag::name("has_x"), of), None);
    }

    #[test]
    fn a_target_sets_its_own_flags() {
        for cfg in [
            "unix",
            "target_os = \"linux\"",
            "target_family = \"unix\"",
            "target_pointer_width = \"64\"",
            "target_endian = \"little\"",
            "target_has_atomic = \"64\"",
            "target_has_atomic",
            "target_abi = \"\"",
            "panic = \"unwind\"",
            "debug_assertions",
            "loom",
            "not(windows)",
            "not(has_x)",
        ] {
            check(LINUX, cfg, false, Some(true));
        }
        check(LINUX, "target_feature = \"avx\"", false, None);
        check(LINUX, "feature = \"x\"", false, Some(false));
        check(LINUX, "test", false, Some(false));
        check(LINUX, "test", true, Some(true));
        check("x86_64-pc-windows-msvc", "windows", false, Some(true));
        check("x86_64-pc-windows-msvc", "unix", false, Some(false));
        check("wasm32-unknown-unknown", "any(unix, windows)", false, Some(false));
        check("thumbv6m-none-eabi", "target_has_atomic = \"64\"", false, Some(false));
    }

    #[test]
    fn an_unknown_target_is_an_error_with_similar_names() {
        let features = UnifiedFeatures::default();
        let set = BTreeSet::new();
        let error =
            Configuration::new(Some("linux-gnu"), set, features, BTreeSet::new()).unwrap_err();
        assert!(error.similar.iter().all(|name| name.contains("linux")), "{error:?}");
    }

    #[test]
    fn the_host_is_a_known_target() {
        let features = UnifiedFeatures::default();
        assert!(Configuration::new(None, BTreeSet::new(), features, BTreeSet::new()).is_ok());
    }
}
