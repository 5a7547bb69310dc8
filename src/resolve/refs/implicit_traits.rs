//! The traits whose methods operators, loops and conversions call without naming them.

/// Traits of the standard library, with the methods that are called.
pub(super) const TRAITS: &[(&str, &[&str])] = &[
    ("ops::Add", &["add"]),
    ("ops::Sub", &["sub"]),
    ("ops::Mul", &["mul"]),
    ("ops::Div", &["div"]),
    ("ops::Rem", &["rem"]),
    ("ops::BitAnd", &["bitand"]),
    ("ops::BitOr", &["bitor"]),
    ("ops::BitXor", &["bitxor"]),
    ("ops::Shl", &["shl"]),
    ("ops::Shr", &["shr"]),
    ("ops::AddAssign", &["add_assign"]),
    ("ops::SubAssign", &["sub_assign"]),
    ("ops::MulAssign", &["mul_assign"]),
    ("ops::DivAssign", &["div_assign"]),
    ("ops::RemAssign", &["rem_assign"]),
    ("ops::BitAndAssign", &["bitand_assign"]),
    ("ops::BitOrAssign", &["bitor_assign"]),
    ("ops::BitXorAssign", &["bitxor_assign"]),
    ("ops::ShlAssign", &["shl_assign"]),
    ("ops::ShrAssign", &["shr_assign"]),
    ("ops::Not", &["not"]),
    ("ops::Neg", &["neg"]),
    ("ops::Index", &["index"]),
    ("ops::IndexMut", &["index_mut"]),
    ("ops::Deref", &["deref"]),
    ("ops::DerefMut", &["deref_mut"]),
    ("cmp::PartialEq", &["eq", "ne"]),
    ("cmp::PartialOrd", &["lt", "le", "gt", "ge"]),
    ("iter::IntoIterator", &["into_iter"]),
    ("iter::Iterator", &["next"]),
    ("future::Future", &["poll"]),
    ("convert::From", &["from"]),
    ("convert::TryFrom", &["try_from"]),
    ("str::FromStr", &["from_str"]),
    ("iter::FromIterator", &["from_iter"]),
    ("fmt::Display", &["fmt"]),
];

/// Whether methods of this name, in impls of a trait, are called without being named.
pub fn is_called_implicitly(method: &str) -> bool {
    TRAITS.iter().any(|(_, methods)| methods.contains(&method))
}
