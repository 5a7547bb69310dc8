//! The features that a build of a whole workspace sets in each package.
//! <https://doc.rust-lang.org/cargo/reference/features.html>

use std::collections::{BTreeMap, BTreeSet};

use super::packages::Features;

/// Features as they are asked for on a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WantedFeatures {
    /// `x` of every package that has it, `package/x` of one.
    pub named: Vec<String>,
    pub all: bool,
    pub no_default: bool,
}

/// A feature that no package has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no package of the workspace has the feature `{feature}`")]
pub struct UnknownFeature {
    pub feature: String,
    /// The most similar feature that there is.
    pub similar: Option<String>,
}

/// The features of each package that are set, by manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnifiedFeatures(BTreeMap<String, BTreeSet<String>>);

impl UnifiedFeatures {
    /// Features of packages, given by manifest and name, when all are built together with their
    /// tests: what is asked for, and what they ask of each other. Dependencies for other targets
    /// and for build scripts count as all others, which is how Cargo's first resolver unifies.
    ///
    /// # Errors
    /// A feature that no package has.
    pub fn unify<'p>(
        packages: impl IntoIterator<Item = (&'p str, &'p str, &'p Features)>,
        wanted: &WantedFeatures,
    ) -> Result<Self, UnknownFeature> {
        let mut unifier = Unifier::default();
        let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (manifest, name, features) in packages {
            unifier.packages.insert(manifest, features);
            unifier.set.insert(manifest, BTreeSet::new());
            names.entry(name).or_default().push(manifest);
        }
        let packages: Vec<(&str, &Features)> =
            unifier.packages.iter().map(|(manifest, features)| (*manifest, *features)).collect();
        for (manifest, features) in &packages {
            match wanted {
                WantedFeatures { all: true, .. } => {
                    features.declared.keys().for_each(|feature| unifier.set(manifest, feature));
                }
                WantedFeatures { no_default: false, .. } => unifier.set(manifest, "default"),
                _ => {}
            }
            let needed = features.members.iter().filter(|member| !member.optional);
            needed.for_each(|member| unifier.activate(manifest, &member.key));
        }
        for feature in &wanted.named {
            let (of, name) = match feature.split_once('/') {
                Some((package, name)) => (names.get(package).cloned().unwrap_or_default(), name),
                None => (unifier.packages.keys().copied().collect(), feature.as_str()),
            };
            let has = |manifest: &&str| {
                unifier.packages.get(manifest).is_some_and(|f| f.declared.contains_key(name))
            };
            let of: Vec<&str> = of.into_iter().filter(has).collect();
            if of.is_empty() {
                let similar = similar(&packages, name);
                return Err(UnknownFeature { feature: feature.clone(), similar });
            }
            of.iter().for_each(|manifest| unifier.set(manifest, name));
        }
        unifier.run();
        let owned = |(manifest, set): (&str, BTreeSet<&str>)| {
            (manifest.to_owned(), set.into_iter().map(str::to_owned).collect())
        };
        Ok(Self(unifier.set.into_iter().map(owned).collect()))
    }

    /// Whether a package has a feature set; none if the package is not known.
    pub fn has(&self, manifest_path: &str, feature: &str) -> Option<bool> {
        Some(self.0.get(manifest_path)?.contains(feature))
    }
}

fn similar(packages: &[(&str, &Features)], name: &str) -> Option<String> {
    let all: BTreeSet<&String> = packages.iter().flat_map(|(_, f)| f.declared.keys()).collect();
    let near = |known: &&String| strsim::jaro_winkler(known, name);
    let best = all.into_iter().max_by(|a, b| near(a).total_cmp(&near(b)));
    best.filter(|best| near(best) > 0.8).cloned()
}

/// Follows what features enable until nothing new is set.
#[derive(Default)]
struct Unifier<'p> {
    packages: BTreeMap<&'p str, &'p Features>,
    set: BTreeMap<&'p str, BTreeSet<&'p str>>,
    /// Dependencies that are built, by manifest and key.
    active: BTreeSet<(&'p str, &'p str)>,
    /// `x?/y`: features of dependencies that are not built so far, by manifest and key.
    waiting: BTreeMap<(&'p str, &'p str), Vec<&'p str>>,
    /// Features of packages that are set, and not followed so far.
    open: Vec<(&'p str, &'p str)>,
}

impl<'p> Unifier<'p> {
    fn set(&mut self, manifest: &str, feature: &str) {
        let Some((manifest, features)) = self.packages.get_key_value(manifest) else { return };
        let set = self.set.entry(manifest).or_default();
        if let Some((feature, _)) = features.declared.get_key_value(feature)
            && set.insert(feature)
        {
            self.open.push((manifest, feature));
        }
    }

    fn run(&mut self) {
        while let Some((manifest, feature)) = self.open.pop() {
            let Some(features) = self.packages.get(manifest).copied() else { continue };
            for enabled in features.declared.get(feature).into_iter().flatten() {
                self.follow(manifest, enabled);
            }
        }
    }

    /// What a feature of a package enables.
    fn follow(&mut self, manifest: &'p str, enabled: &'p str) {
        if let Some(key) = enabled.strip_prefix("dep:") {
            return self.activate(manifest, key);
        }
        match enabled.split_once('/') {
            None => self.set(manifest, enabled),
            Some((key, feature)) => {
                let weak = key.strip_suffix('?');
                if weak.is_none() {
                    self.set(manifest, key);
                    self.activate(manifest, key);
                }
                let key = weak.unwrap_or(key);
                if self.active.contains(&(manifest, key)) {
                    self.set_in(manifest, key, feature)
                } else {
                    self.waiting.entry((manifest, key)).or_default().push(feature)
                }
            }
        }
    }

    /// A dependency of a package is built.
    fn activate(&mut self, manifest: &str, key: &str) {
        let Some((&manifest, &features)) = self.packages.get_key_value(manifest) else { return };
        let mut entries = features.members.iter().filter(|member| member.key == key).peekable();
        let Some(first) = entries.peek() else { return };
        let key = first.key.as_str();
        if !self.active.insert((manifest, key)) {
            return;
        }
        for member in entries {
            if member.default_features {
                self.set(&member.manifest_path, "default");
            }
            member.features.iter().for_each(|feature| self.set(&member.manifest_path, feature));
        }
        for feature in self.waiting.remove(&(manifest, key)).unwrap_or_default() {
            self.set_in(manifest, key, feature);
        }
    }

    /// Sets a feature of a dependency.
    fn set_in(&mut self, manifest: &str, key: &str, feature: &str) {
        let Some(features) = self.packages.get(manifest).copied() else { return };
        for member in features.members.iter().filter(|member| member.key == key) {
            self.set(&member.manifest_path, feature);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemberDependency;

    /// Packages as `name [feature: enabled enabled]… [-> key features]…`, a line each. `?` before a
    /// key: it is optional; `!`: without default features.
    fn packages(text: &str) -> Vec<(String, Features)> {
        let line = |line: &str| {
            let mut parts = line.split(';').map(str::trim);
            let name = parts.next().unwrap().to_owned();
            let mut features = Features::default();
            for part in parts {
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
                if let Some(member) = part.strip_prefix("->") {
                    let (key, asked) = member.trim().split_once(' ').unwrap_or((member.trim(), ""));
                    let plain = key.trim_start_matches(['?', '!']).to_owned();
                    features.members.push(MemberDependency {
                        manifest_path: plain.clone(),
                        key: plain,
                        optional: key.contains('?'),
                        default_features: !key.contains('!'),
                        features: words(asked),
                    });
                } else {
                    let (feature, enabled) = part.split_once(':').unwrap();
                    features.declared.insert(feature.to_owned(), words(enabled));
                }
            }
            (name, features)
        };
        text.lines().map(line).collect()
    }

    #[track_caller]
    fn check(text: &str, wanted: &WantedFeatures, expected: &str) {
        let packages = packages(text);
        let all = packages.iter().map(|(name, f)| (name.as_str(), name.as_str(), f));
        let found = UnifiedFeatures::unify(all, wanted).unwrap();
        let set = |(name, set): (&String, &BTreeSet<String>)| {
            format!("{name}: {}", set.iter().map(String::as_str).collect::<Vec<_>>().join(" "))
        };
        let found: Vec<String> =
            found.0.iter().filter(|(_, set)| !set.is_empty()).map(set).collect();
        assert_eq!(found.join("\n"), expected);
    }

    const TWO: &str = "a; default: rt; rt: dep:b b/net; io:; weak: b?/time; -> ?b sync\n\
                       b; default:; net: sync; sync:; time:; full: net time";

    fn named(features: &[&str]) -> WantedFeatures {
        let named = features.iter().map(|&feature| feature.to_owned()).collect();
        WantedFeatures { named, ..WantedFeatures::default() }
    }

    #[test]
    fn default_features_enable_those_of_dependencies() {
        check(TWO, &WantedFeatures::default(), "a: default rt\nb: default net sync");
    }

    #[test]
    fn a_weak_feature_needs_the_dependency() {
        let none = WantedFeatures { no_default: true, ..named(&["weak"]) };
        check(TWO, &none, "a: weak");
        check(TWO, &named(&["weak"]), "a: default rt weak\nb: default net sync time");
        // In any order.
        let none = WantedFeatures { no_default: true, ..named(&["weak", "rt"]) };
        check(TWO, &none, "a: rt weak\nb: default net sync time");
    }

    #[test]
    fn all_features_and_those_of_one_package() {
        let all = WantedFeatures { all: true, ..WantedFeatures::default() };
        check(TWO, &all, "a: default io rt weak\nb: default full net sync time");
        check(TWO, &named(&["b/full"]), "a: default rt\nb: default full net sync time");
    }

    #[test]
    fn what_other_members_ask_for_is_set() {
        let text = "a; -> !b full\nb; default: rt; rt:; full: x; x:";
        let none = WantedFeatures { no_default: true, ..WantedFeatures::default() };
        check(text, &none, "b: full x");
    }

    #[test]
    fn features_that_enable_each_other_end() {
        check(
            "a; default: x; x: y a/x; y: x; -> a x",
            &WantedFeatures::default(),
            "a: default x y",
        );
    }

    #[test]
    fn an_unknown_feature_is_an_error_with_a_similar_one() {
        let packages = packages(TWO);
        let all = packages.iter().map(|(name, f)| (name.as_str(), name.as_str(), f));
        let error = UnifiedFeatures::unify(all, &named(&["ful"])).unwrap_err();
        assert_eq!(error.similar.as_deref(), Some("full"));
    }
}
