use proptest::prelude::*;

use super::*;

/// Free flags, and operating systems with their families.
const FREE: [&str; 5] = ["a", "b", "test", "feature = \"x\"", "feature = \"y\""];
const SYSTEMS: [(&str, &str); 5] = [
    ("linux", "unix"),
    ("macos", "unix"),
    ("windows", "windows"),
    ("wasi", ""),
    ("cygwin", "unix"),
];

/// A configuration of these flags.
#[derive(Clone, Copy)]
struct Setting {
    /// A bit for each of the free ones.
    free: u32,
    os: &'static str,
    family: &'static str,
}

fn settings() -> impl Iterator<Item = Setting> {
    let systems = |free| SYSTEMS.iter().map(move |&(os, family)| Setting { free, os, family });
    (0..1 << FREE.len()).flat_map(systems)
}

fn is_set(flag: &Flag, setting: Setting) -> bool {
    let Setting { free, os, family } = setting;
    match (flag.key.as_str(), flag.value.as_deref()) {
        ("target_os", Some(value)) => value == os,
        ("target_family", Some(value)) => value == family,
        (key @ ("unix" | "windows"), None) => key == family,
        _ => {
            let text = flag.to_string();
            FREE.iter().position(|one| *one == text).is_some_and(|at| free >> at & 1 == 1)
        }
    }
}

fn predicates() -> impl Strategy<Value = String> {
    let of_target = [
        "unix",
        "windows",
        "target_family = \"unix\"",
        "target_family = \"windows\"",
        "target_os = \"linux\"",
        "target_os = \"macos\"",
        "target_os = \"windows\"",
        "target_os = \"wasi\"",
        "target_os = \"cygwin\"",
        "true",
        "false",
    ];
    let leaf =
        prop_oneof![prop::sample::select(FREE.to_vec()), prop::sample::select(of_target.to_vec())];
    leaf.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| parts.join(", "));
        prop_oneof![
            list.clone().prop_map(|list| format!("all({list})")),
            list.prop_map(|list| format!("any({list})")),
            inner.prop_map(|one| format!("not({one})")),
        ]
    })
}

fn truth(text: &str) -> Vec<bool> {
    let predicate = Predicate::parse(text).unwrap();
    let holds = |at| predicate.holds(&|flag| Some(is_set(flag, at))).unwrap();
    settings().map(holds).collect()
}

fn truth_of(condition: &Condition) -> Vec<bool> {
    let holds = |at| condition.holds(&|flag| Some(is_set(flag, at))).unwrap();
    settings().map(holds).collect()
}

fn joined(a: &[bool], b: &[bool], by: fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| by(*a, *b)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_normal_form_means_what_is_written(text in predicates()) {
        let condition = Condition::parse(&text);
        prop_assert!(condition.is_whole());
        let truth = truth(&text);
        prop_assert_eq!(truth_of(&condition), truth.clone());
        prop_assert_eq!(&Condition::parse(&condition.to_string()), &condition);
        prop_assert!(!condition.is_always() || truth.iter().all(|holds| *holds));
        prop_assert!(!condition.is_never() || !truth.iter().any(|holds| *holds));
    }

    #[test]
    fn joined_conditions_mean_both_or_one(a in predicates(), b in predicates()) {
        let (x, y) = (Condition::parse(&a), Condition::parse(&b));
        let (s, t) = (truth(&a), truth(&b));
        prop_assert_eq!(truth_of(&x.and(&y)), joined(&s, &t, |a, b| a && b));
        prop_assert_eq!(truth_of(&x.or(&y)), joined(&s, &t, |a, b| a || b));
        prop_assert_eq!(x.contradicts(&y, Flags::All), y.contradicts(&x, Flags::All));
        let meet = joined(&s, &t, |a, b| a && b).contains(&true);
        prop_assert!(!x.contradicts(&y, Flags::All) || !meet);
        prop_assert_eq!(x.contradicts(&y, Flags::All), x.and(&y).is_never());
    }

    /// Of flags that are independent, every contradiction is known.
    #[test]
    fn contradictions_of_free_flags_are_found(
        signs in prop::collection::vec((0usize..FREE.len(), any::<bool>(), any::<bool>()), 1..8),
    ) {
        let side = |first: bool| {
            let of = signs.iter().filter(|one| one.2 == first);
            let one = |(at, sign, _): &(usize, bool, bool)| match sign {
                true => FREE[*at].to_owned(),
                false => format!("not({})", FREE[*at]),
            };
            of.map(one).collect::<Vec<_>>().join(", ")
        };
        let (a, b) = (format!("any({})", side(true)), format!("all({})", side(false)));
        let meet = joined(&truth(&a), &truth(&b), |a, b| a && b).contains(&true);
        prop_assert_eq!(Condition::parse(&a).contradicts(&Condition::parse(&b), Flags::All), !meet, "{} {}", a, b);
    }

    /// What is not known is never taken for an answer.
    #[test]
    fn answers_stay_when_more_is_known(text in predicates(), known in any::<u32>()) {
        let condition = Condition::parse(&text);
        for at in settings() {
            let partly = |flag: &Flag| {
                let bit = flag.to_string().len() as u32 % 32;
                (known >> bit & 1 == 1).then(|| is_set(flag, at))
            };
            if let Some(answer) = condition.holds(&partly) {
                prop_assert_eq!(Some(answer), condition.holds(&|flag| Some(is_set(flag, at))));
            }
        }
    }

    #[test]
    fn any_text_is_read_within_bounds(text in "[a-z()=\",! not]{0,200}") {
        let condition = Condition::parse(&text);
        prop_assert!(condition.and(&condition.or(&Condition::parse("x"))).to_string().len() < 6_000);
    }
}

#[test]
fn the_normal_form_is_short() {
    for (text, expected) in [
        ("", "true"),
        ("all()", "true"),
        ("any()", "false"),
        ("all(unix, not(unix))", "false"),
        ("any(a, not(a))", "true"),
        ("any(all(a, b), all(a, not(b)))", "a"),
        ("any(a, all(a, b))", "a"),
        ("any(a, all(not(a), b))", "any(a, b)"),
        ("any(a, b, not(any(a, b)))", "true"),
        ("not(any(b, a))", "all(not(a), not(b))"),
        ("all(target_family = \"unix\", windows)", "false"),
        (
            "all(feature = \"x\", any(b, a))",
            "any(all(a, feature = \"x\"), all(b, feature = \"x\"))",
        ),
        ("version(\"1.80\")", "version(\"1.80\")"),
    ] {
        assert_eq!(Condition::parse(text).to_string(), expected, "{text}");
    }
}

#[test]
fn what_excludes_each_other() {
    let contradicts =
        |a: &str, b: &str| Condition::parse(a).contradicts(&Condition::parse(b), Flags::All);
    for (a, b) in [
        ("unix", "windows"),
        ("loom", "not(loom)"),
        ("target_os = \"linux\"", "target_os = \"macos\""),
        ("target_os = \"linux\"", "windows"),
        ("target_os = \"linux\"", "not(unix)"),
        ("target_os = \"wasi\"", "windows"),
        ("not(target_os = \"windows\")", "windows"),
        ("target_arch = \"x86\"", "target_arch = \"arm\""),
        ("target_endian = \"big\"", "target_endian = \"little\""),
        ("target_env = \"gnu\"", "target_env = \"msvc\""),
        ("any(unix, a)", "all(windows, not(a))"),
        ("false", "true"),
    ] {
        assert!(contradicts(a, b), "{a}, {b}");
    }
    for (a, b) in [
        ("unix", "target_family = \"wasm\""),
        ("feature = \"x\"", "feature = \"y\""),
        ("target_feature = \"avx\"", "target_feature = \"sse\""),
        ("not(unix)", "not(windows)"),
        ("target_os = \"wasi\"", "unix"),
        ("version(\"1\")", "not(version(\"1\"))"),
        ("a", "b"),
    ] {
        assert!(!contradicts(a, b), "{a}, {b}");
    }
}

#[test]
fn between_crates_only_the_target_counts() {
    let contradicts = |a: &str, b: &str| {
        let (a, b) = (Condition::parse(a), Condition::parse(b));
        (a.contradicts(&b, Flags::All), a.contradicts(&b, Flags::OfTarget))
    };
    assert_eq!(contradicts("test", "not(test)"), (true, false));
    assert_eq!(contradicts("feature = \"x\"", "not(feature = \"x\")"), (true, false));
    assert_eq!(contradicts("all(test, unix)", "all(windows, not(test))"), (true, true));
    assert_eq!(contradicts("target_os = \"linux\"", "not(unix)"), (true, true));
    assert_eq!(contradicts("any(unix, x)", "all(windows, not(x))"), (true, false));
    for (text, of_package, of_target) in [
        ("all(test, unix)", "unix", "unix"),
        ("all(feature = \"x\", unix)", "all(feature = \"x\", unix)", "unix"),
        ("any(loom, all(unix, a))", "any(all(a, unix), loom)", "true"),
        (
            "any(target_os = \"linux\", windows)",
            "any(target_os = \"linux\", windows)",
            "any(target_os = \"linux\", windows)",
        ),
        ("any()", "false", "false"),
    ] {
        let only = |flags| Condition::parse(text).only(flags).to_string();
        assert_eq!(only(Flags::OfPackage), of_package, "{text}");
        assert_eq!(only(Flags::OfTarget), of_target, "{text}");
    }
}

#[test]
fn what_is_too_large_is_kept_as_written_and_unknown() {
    let each =
        |n: usize, of: &dyn Fn(usize) -> String| (0..n).map(of).collect::<Vec<String>>().join(", ");
    let product = format!("all({})", each(20, &|n| format!("any(a{n}, b{n})")));
    let condition = Condition::parse(&product);
    assert_eq!(condition.to_string(), product);
    assert!(!condition.is_whole() && !condition.is_always() && !condition.is_never());
    assert_eq!(condition.holds(&|_| Some(true)), None);
    // What is known beside it stays known.
    let contradicts = |a: &Condition, b| a.contradicts(&Condition::parse(b), Flags::All);
    let and = condition.and(&Condition::parse("unix"));
    assert!(contradicts(&and, "windows") && !contradicts(&and, "b1"));
    assert_eq!(and.holds(&|_| Some(false)), Some(false));
    assert!(!contradicts(&condition.or(&Condition::parse("unix")), "windows"));
    // Wide, deep and long ones.
    for hostile in [
        format!("any({})", each(100_000, &|n| format!("a{n}"))),
        format!("all({})", each(100_000, &|n| format!("not(a{n})"))),
        format!("all({})", each(2_000, &|n| format!("any(a{n}, b{n}, not(c{n}))"))),
        format!("not(all({}))", each(2_000, &|n| format!("any(a{n}, b{n}, not(c{n}))"))),
        "any(".repeat(50_000),
        format!("all({})", each(2_000, &|n| format!("any(a{}, b{})", n % 5, n % 5))),
        format!("{}é", "x".repeat(999)).repeat(100),
    ] {
        let condition = Condition::parse(&hostile);
        assert!(condition.to_string().len() < 5_000, "{}", condition.to_string().len());
        let again = condition.and(&condition).or(&condition);
        assert!(again.to_string().len() < 6_000, "{}", again.to_string().len());
    }
    // However often they are joined.
    let mut all = Condition::default();
    for n in 0..200 {
        all = all.and(&Condition::parse(&format!("any(a{n}, b{n})")));
        assert!(all.to_string().len() < 6_000);
    }
}
