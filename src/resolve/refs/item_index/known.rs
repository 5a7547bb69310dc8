//! Names and definitions with a meaning in the language.

use super::super::implicit_traits::TRAITS;
use super::super::types::{Def, Name};
use asof_model::{HashMap, PRIMITIVES};

const RANGES: &[&str] = &[
    "ops::Range",
    "ops::RangeInclusive",
    "ops::RangeFrom",
    "ops::RangeTo",
    "ops::RangeFull",
    "ops::RangeToInclusive",
];

/// See the module.
#[derive(Debug, Default)]
pub(in super::super) struct Known {
    pub self_type: Name,
    pub output: Name,
    pub item: Name,
    pub target: Name,
    pub error: Name,
    pub into_iter: Name,
    pub into_future_type: Name,
    pub deref: Option<Def>,
    pub into_iterator: Option<Def>,
    pub future: Option<Def>,
    /// `Try`, of what `?` can be applied to.
    pub try_value: Option<Def>,
    pub into_future: Option<Def>,
    pub fns: Vec<Def>,
    /// Traits that functions and closures have.
    pub of_callables: Vec<Def>,
    /// `Sized`, `Send`, …: nearly every type has them, and no method depends on it.
    pub autos: Vec<Def>,
    pub partial_eq: Option<Def>,
    pub index: Option<Def>,
    pub slice_index: Option<Def>,
    /// Traits whose methods are called without being named, by the method.
    pub implicit: HashMap<Name, Def>,
    /// Names of some of these.
    pub names: ImplicitNames,
    pub option: Option<Def>,
    pub result: Option<Def>,
    pub vec: Option<Def>,
    pub string: Option<Def>,
    pub boxed: Option<Def>,
    pub range: Option<Def>,
    pub range_inclusive: Option<Def>,
    pub range_from: Option<Def>,
    pub range_to: Option<Def>,
    pub range_to_inclusive: Option<Def>,
    pub range_full: Option<Def>,
    /// All types of ranges.
    pub ranges: Vec<Def>,
    pub pin: Option<Def>,
    pub poll: Option<Def>,
    pub local_key: Option<Def>,
    pub prelude: Option<Def>,
    pub prims: HashMap<Name, &'static str>,
}

/// Names of methods that are called without being named.
#[derive(Debug, Default)]
pub(in super::super) struct ImplicitNames {
    pub index: Name,
    pub index_mut: Name,
    pub deref: Name,
    pub deref_mut: Name,
    pub not: Name,
    pub neg: Name,
    pub poll: Name,
    pub into_iter: Name,
    pub next: Name,
    pub from: Name,
}

impl Known {
    /// `at`: a definition of the standard library by its path. `number`: the number of a name.
    pub(super) fn new(
        at: impl Fn(&str) -> Option<Def>,
        mut number: impl FnMut(&'static str) -> Name,
    ) -> Self {
        let mut known = Known {
            deref: at("ops::Deref"),
            into_iterator: at("iter::IntoIterator"),
            future: at("future::Future"),
            into_future: at("future::IntoFuture"),
            fns: ["ops::Fn", "ops::FnMut", "ops::FnOnce"].into_iter().filter_map(&at).collect(),
            of_callables: ["clone::Clone", "marker::Copy", "ops::Fn", "ops::FnMut", "ops::FnOnce"]
                .into_iter()
                .filter_map(&at)
                .collect(),
            autos: ["marker::Sized", "marker::Send", "marker::Sync", "marker::Unpin"]
                .into_iter()
                .filter_map(&at)
                .collect(),
            partial_eq: at("cmp::PartialEq"),
            index: at("ops::Index"),
            option: at("option::Option"),
            result: at("result::Result"),
            vec: at("vec::Vec"),
            string: at("string::String"),
            boxed: at("boxed::Box"),
            local_key: at("thread::LocalKey"),
            pin: at("pin::Pin"),
            poll: at("task::Poll"),
            range: at("ops::Range"),
            range_inclusive: at("ops::RangeInclusive"),
            range_from: at("ops::RangeFrom"),
            range_to: at("ops::RangeTo"),
            range_to_inclusive: at("ops::RangeToInclusive"),
            range_full: at("ops::RangeFull"),
            ranges: RANGES.iter().copied().filter_map(&at).collect(),
            slice_index: at("slice::SliceIndex"),
            try_value: at("ops::Try"),
            prelude: at("prelude"),
            ..Known::default()
        };
        for (of, methods) in TRAITS {
            let Some(of) = at(of) else { continue };
            for method in *methods {
                known.implicit.insert(number(method), of);
            }
        }
        known.names = ImplicitNames {
            index: number("index"),
            index_mut: number("index_mut"),
            deref: number("deref"),
            deref_mut: number("deref_mut"),
            not: number("not"),
            neg: number("neg"),
            poll: number("poll"),
            into_iter: number("into_iter"),
            next: number("next"),
            from: number("from"),
        };
        known.self_type = number("Self");
        known.output = number("Output");
        known.item = number("Item");
        known.target = number("Target");
        known.error = number("Err");
        known.into_iter = number("IntoIter");
        known.into_future_type = number("IntoFuture");
        for prim in PRIMITIVES {
            known.prims.insert(number(prim), prim);
        }
        known
    }
}
