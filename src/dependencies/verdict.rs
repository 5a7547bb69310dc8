//! Judges each entry of a manifest by the places that name it.

use std::collections::BTreeSet;

use super::entry::{CodeFile, Entry, Package};
use super::mentions::Mention;
use asof_model::Condition;
use asof_wire::{DependencyDoubt, DependencyFinding, DependencyMention, DependencyTable};

/// A place of a package that names an entry.
#[derive(Debug, Clone, Copy)]
pub struct Found<'m> {
    pub mention: &'m Mention,
    pub file: &'m CodeFile,
}

/// What is known of the crate of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether it has a library; none if its sources are not there.
    pub has_library: Option<bool>,
    /// Whether it links a native library or is for one.
    pub links: bool,
    /// Whether others may rely on features that the entry asks for.
    pub features_needed: bool,
    /// Whether the package includes code that is not known.
    pub includes: bool,
}

/// What is thought of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    pub finding: Option<DependencyFinding>,
    /// What may contradict it.
    pub doubt: Option<DependencyDoubt>,
    /// A feature, a macro, another key.
    pub about: Option<String>,
}

/// What a place is compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Code,
    Test,
    Build,
    /// It belongs to no target, or to one that is not known.
    Any,
}

impl Found<'_> {
    /// Whether the place is compiled only for tests, examples, benches and documentation.
    pub fn in_test(&self) -> bool {
        self.role() == Role::Test
    }

    /// Under what the place is compiled.
    pub fn condition(&self) -> Condition {
        self.file.condition.and(&self.mention.condition)
    }

    fn role(&self) -> Role {
        let in_test = self.mention.in_test || self.file.in_test;
        match self.file.target_kind.as_str() {
            "build_script" => Role::Build,
            "test" | "example" | "bench" => Role::Test,
            "lib" | "proc_macro" | "bin" => {
                let is_doc = self.mention.how == DependencyMention::DocTest;
                if in_test || is_doc { Role::Test } else { Role::Code }
            }
            _ => Role::Any,
        }
    }
}

/// Judges an entry of a package, given the places that name it.
pub fn judge(package: &Package, entry: &Entry, found: &[Found<'_>], facts: &Facts) -> Verdict {
    let Some((finding, about)) = finding(package, entry, found) else { return Verdict::default() };
    let (doubt, reason) = doubt(package, entry, found, facts, finding).unzip();
    Verdict { finding: Some(finding), doubt, about: reason.flatten().or(about) }
}

type Said<T> = Option<(T, Option<String>)>;

fn finding(package: &Package, entry: &Entry, found: &[Found<'_>]) -> Said<DependencyFinding> {
    use DependencyFinding::{Duplicate, OnlyBuildScript, OnlyFeature, OnlyTests, Unused};
    let has = |role: Role| found.iter().any(|one| one.role() == role);
    let table = entry.table.unwrap_or(DependencyTable::Normal);
    let of_table = |wanted: DependencyTable| {
        let others = package.entries.iter().filter(move |one| one.table == Some(wanted));
        others.filter(|one| one.package == entry.package)
    };
    let twin = of_table(table)
        .find(|one| {
            one.key < entry.key
                && (&one.platform, &one.requirement) == (&entry.platform, &entry.requirement)
        })
        .map(|one| (Duplicate, Some(one.key.clone())));
    match table {
        _ if has(Role::Any) => twin,
        DependencyTable::Normal if has(Role::Code) => {
            twin.or_else(|| only_feature(package, entry, found).map(|x| (OnlyFeature, Some(x))))
        }
        DependencyTable::Normal if has(Role::Test) => Some((OnlyTests, None)),
        DependencyTable::Normal => {
            // A build script has only its own dependencies.
            let of_script = of_table(DependencyTable::Build).any(|one| one.key == entry.key);
            let is_scripts = of_script && has(Role::Build);
            Some((if is_scripts { OnlyBuildScript } else { Unused }, None))
        }
        DependencyTable::Dev if has(Role::Test) || has(Role::Code) => {
            let covers = |one: &Entry| {
                one.key == entry.key
                    && !one.optional
                    && (one.platform.is_none() || one.platform == entry.platform)
                    && one.requirement == entry.requirement
                    && one.features.is_superset(&entry.features)
                    && (one.default_features || !entry.default_features)
            };
            let covered = of_table(DependencyTable::Normal).find(|one| covers(one));
            twin.or_else(|| covered.map(|one| (Duplicate, Some(one.key.clone()))))
        }
        DependencyTable::Build if has(Role::Build) => twin,
        DependencyTable::Dev | DependencyTable::Build => Some((Unused, None)),
        DependencyTable::Workspace => found.is_empty().then_some((Unused, None)),
    }
}

/// The feature that all code needs that names an entry which is not optional.
fn only_feature(package: &Package, entry: &Entry, found: &[Found<'_>]) -> Option<String> {
    if entry.optional {
        return None;
    }
    let code = found.iter().filter(|one| one.role() == Role::Code);
    let mut needed: Option<BTreeSet<String>> = None;
    for alternative in code.flat_map(|one| one.condition().alternatives().collect::<Vec<_>>()) {
        let alternative: BTreeSet<String> = alternative.into_iter().collect();
        needed = Some(match needed {
            Some(needed) => needed.intersection(&alternative).cloned().collect(),
            None => alternative,
        });
    }
    let features = needed?.into_iter().filter_map(|flag| {
        let name = flag.strip_prefix("feature = \"")?.strip_suffix('"')?;
        package.features.contains_key(name).then(|| name.to_owned())
    });
    features.into_iter().next()
}

/// What may contradict a finding, as far as macros are not concerned.
fn doubt(
    package: &Package,
    entry: &Entry,
    found: &[Found<'_>],
    facts: &Facts,
    finding: DependencyFinding,
) -> Said<DependencyDoubt> {
    let is_ignored = |name: &String| package.ignored.contains(name);
    if is_ignored(&entry.key) || is_ignored(&entry.package) {
        return Some((DependencyDoubt::Ignored, None));
    }
    if entry.table == Some(DependencyTable::Workspace) {
        return None;
    }
    if finding == DependencyFinding::Duplicate {
        // Which name code shall have, and what it then asks for, is a choice.
        let is_twin = package.entries.iter().any(|one| {
            one.table == entry.table && one.package == entry.package && one.key < entry.key
        });
        return is_twin.then_some((DependencyDoubt::Placement, None));
    }
    match facts.has_library {
        None => return Some((DependencyDoubt::UnknownSources, None)),
        Some(false) => return Some((DependencyDoubt::NoLibrary, None)),
        Some(true) => {}
    }
    if facts.links {
        return Some((DependencyDoubt::Links, None));
    }
    if let Some(feature) = feature_naming(package, entry) {
        return Some((DependencyDoubt::Feature, Some(feature)));
    }
    let is_moved = finding == DependencyFinding::OnlyFeature;
    if facts.features_needed && !is_moved {
        return Some((DependencyDoubt::FeatureUnification, None));
    }
    if facts.includes {
        return Some((DependencyDoubt::IncludedCode, None));
    }
    let in_tests = found.iter().any(|one| one.role() == Role::Test);
    (is_moved && in_tests || entry.optional).then_some((DependencyDoubt::Placement, None))
}

/// A feature that names an entry: `dep:x`, `x/y`, `x?/y`, `x`, or the one that an optional
/// dependency makes.
fn feature_naming(package: &Package, entry: &Entry) -> Option<String> {
    let names = |enabled: &String| {
        let name = enabled.strip_prefix("dep:").unwrap_or(enabled);
        let name = name.split('/').next().unwrap_or(name);
        name.strip_suffix('?').unwrap_or(name) == entry.key
    };
    // `x` alone is a feature, if there is one of that name.
    let is_feature = |enabled: &String| {
        *enabled == entry.key && package.features.contains_key(enabled) && !entry.optional
    };
    let named = package
        .features
        .iter()
        .find(|(_, enables)| enables.iter().any(|enabled| names(enabled) && !is_feature(enabled)));
    named.map(|(feature, _)| feature.clone()).or_else(|| entry.optional.then(|| entry.key.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan;
    use asof_model::Condition;

    fn entry(table: DependencyTable) -> Entry {
        Entry {
            key: "a".to_owned(),
            package: "a".to_owned(),
            table: Some(table),
            default_features: true,
            name: Some("a".to_owned()),
            ..Entry::default()
        }
    }

    fn known() -> Facts {
        Facts { has_library: Some(true), ..Facts::default() }
    }

    /// The verdict on `a` of a package with these files: `KIND: text`.
    fn verdict(package: &Package, files: &[&str], facts: &Facts) -> String {
        let mut all = Vec::new();
        for file in files {
            let (kind, text) = file.split_once(": ").unwrap();
            let file = CodeFile {
                path: String::new(),
                target_kind: kind.to_owned(),
                condition: Condition::default(),
                in_test: false,
            };
            all.push((file, scan(text, &BTreeSet::from(["a"])).mentions));
        }
        let found: Vec<Found<'_>> = all
            .iter()
            .flat_map(|(file, mentions)| {
                mentions.iter().map(move |mention| Found { mention, file })
            })
            .collect();
        let Verdict { finding, doubt, about } =
            judge(package, package.entries.first().unwrap(), &found, facts);
        let parts =
            [finding.map(|f| f.as_str().to_owned()), doubt.map(|d| d.as_str().to_owned()), about];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(table: DependencyTable, files: &[&str], expected: &str) {
        let package = Package { entries: vec![entry(table)], ..Package::default() };
        assert_eq!(verdict(&package, files, &known()), expected, "{files:?}");
    }

    #[test]
    fn a_table_is_for_some_targets() {
        use DependencyTable::{Build, Dev, Normal};
        check(Normal, &["lib: fn f() {}"], "unused");
        check(Normal, &["lib: use a::T;"], "");
        check(Normal, &["bin: a::f!();"], "");
        check(Normal, &["lib: #[cfg(test)] mod t { use a; }", "test: use a;"], "only_tests");
        check(Normal, &["lib: /// ```\n/// use a::T;\n/// ```\nfn f() {}"], "only_tests");
        check(Normal, &["build_script: use a;"], "unused");
        check(Normal, &["detached: use a;"], "");
        check(Dev, &["lib: use a;"], "");
        check(Dev, &["build_script: use a;"], "unused");
        check(Build, &["lib: use a;"], "unused");
        check(Build, &["build_script: use a;"], "");
    }

    #[test]
    fn code_under_a_feature_needs_it() {
        let mut package =
            Package { entries: vec![entry(DependencyTable::Normal)], ..Package::default() };
        let text =
            "lib: #[cfg(feature = \"x\")] use a::T; #[cfg(all(unix, feature = \"x\"))] use a::U;";
        assert_eq!(verdict(&package, &[text], &known()), "");
        package.features.insert("x".to_owned(), Vec::new());
        assert_eq!(verdict(&package, &[text], &known()), "only_feature x");
        assert_eq!(verdict(&package, &[text, "bin: use a;"], &known()), "");
        assert_eq!(
            verdict(&package, &[text, "test: use a;"], &known()),
            "only_feature placement x"
        );
        package.entries[0].optional = true;
        assert_eq!(verdict(&package, &[text], &known()), "");
    }

    #[test]
    fn two_entries_for_one_package() {
        use DependencyTable::{Build, Dev, Normal};
        let with = |entries: Vec<Entry>| Package { entries, ..Package::default() };
        let dev = with(vec![entry(Dev), entry(Normal)]);
        assert_eq!(verdict(&dev, &["lib: use a;"], &known()), "duplicate a");
        let mut more = dev.clone();
        more.entries[0].features.insert("test-util".to_owned());
        assert_eq!(verdict(&more, &["lib: use a;"], &known()), "");
        let script = with(vec![entry(Normal), entry(Build)]);
        assert_eq!(verdict(&script, &["build_script: use a;"], &known()), "only_build_script");
        let other = Entry { key: "0".to_owned(), ..entry(Normal) };
        let named = with(vec![entry(Normal), other]);
        assert_eq!(verdict(&named, &["lib: use a;"], &known()), "duplicate placement 0");
    }

    #[test]
    fn what_may_need_an_entry_is_a_doubt() {
        let plain = Package { entries: vec![entry(DependencyTable::Normal)], ..Package::default() };
        let files = ["lib: fn f() {}"];
        let facts = |change: &dyn Fn(&mut Facts)| {
            let mut facts = known();
            change(&mut facts);
            verdict(&plain, &files, &facts)
        };
        assert_eq!(facts(&|facts| facts.has_library = None), "unused unknown_sources");
        assert_eq!(facts(&|facts| facts.has_library = Some(false)), "unused no_library");
        assert_eq!(facts(&|facts| facts.links = true), "unused links");
        assert_eq!(facts(&|facts| facts.features_needed = true), "unused feature_unification");
        assert_eq!(facts(&|facts| facts.includes = true), "unused included_code");
        for enabled in ["dep:a", "a/std", "a?/std", "a"] {
            let mut package = plain.clone();
            package.features.insert("x".to_owned(), vec![enabled.to_owned()]);
            assert_eq!(verdict(&package, &files, &known()), "unused feature x", "{enabled}");
        }
        let mut package = plain.clone();
        package.entries[0].optional = true;
        assert_eq!(verdict(&package, &files, &known()), "unused feature a");
        package.ignored.insert("a".to_owned());
        assert_eq!(verdict(&package, &files, &known()), "unused ignored");
        // A feature of that name is not the dependency.
        let mut package = plain;
        package.features.insert("a".to_owned(), Vec::new());
        package.features.insert("x".to_owned(), vec!["a".to_owned()]);
        assert_eq!(verdict(&package, &files, &known()), "unused");
    }
}
