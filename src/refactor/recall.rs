//! Rewrites a call of a function that gets another signature.

use super::arguments::Argument;
use super::calls::Call;
use super::cuts::Cut;
use super::list::relist;
use super::parameter_plan::{From, Wanted};

/// What callers know of a function.
#[derive(Debug, Clone, Copy)]
pub struct Callee<'a> {
    pub wanted: &'a Wanted,
    pub has_receiver: bool,
    /// Parameters without the receiver.
    pub params: usize,
    /// Whether removed parameters told the type of a generic one.
    pub loses_generics: bool,
    /// Whether it is called in the body of the function itself, or one that changes with it.
    pub is_own: bool,
}

/// What is to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remark {
    /// It has another number of arguments, or some with attributes: it stays.
    Arguments,
    /// An argument is no longer evaluated, or after others.
    Evaluation,
    /// A type parameter can no longer be inferred from the arguments.
    Inference,
    /// An argument has to have another type.
    Retyped,
    /// Its value, which is used, has another type.
    Result,
    /// There is no async code around it to wait in.
    NotAsync,
    /// It waits for itself.
    Recursion,
    /// Nothing waits for it directly.
    NotAwaited,
    /// It is in a block of unsafe code now.
    Unsafe,
    /// It is evaluated at compile time.
    Const,
}

/// What becomes of a call, with the bytes to look at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recalled {
    pub cuts: Vec<Cut>,
    pub remarks: Vec<(u32, Remark)>,
}

/// The changes of one call.
pub fn recall(text: &str, call: &Call, callee: Callee<'_>) -> Recalled {
    let mut out = Recalled::default();
    let wanted = callee.wanted;
    let front = usize::from(callee.has_receiver && !call.is_method);
    let count = callee.params + front;
    let fits = call.list.items.len() == count;
    if !fits || wanted.changes_list() && call.arguments.iter().any(|one| one.has_attributes) {
        out.remarks.push((call.name, Remark::Arguments));
        return out;
    }
    let of = (call.bytes.0, call.awaited.map_or(call.bytes.1, |(_, end)| end));
    if wanted.changes_list() {
        let entries = wanted.entries(front, |_, _, value| value.to_owned());
        out.cuts.extend(relist(text, &call.list, &entries, of));
        evaluation(call, front, wanted, &mut out);
    }
    let mut remark = |is: bool, remark: Remark| {
        if is {
            out.remarks.push((call.name, remark));
        }
    };
    remark(callee.loses_generics && !call.has_turbofish, Remark::Inference);
    remark(wanted.retypes(), Remark::Retyped);
    remark(wanted.returns.is_some() && call.is_used, Remark::Result);
    let around = call.around;
    let is_own = callee.is_own && around.function.is_some();
    let mut insert = |at: u32, text: &str| out.cuts.push(Cut::text((at, at), text, of));
    match wanted.to_async {
        Some(true) if around.is_async || is_own && around.directly => {
            insert(call.bytes.1, ".await");
            remark(is_own && around.directly, Remark::Recursion);
        }
        Some(true) => remark(true, Remark::NotAsync),
        Some(false) => match call.awaited {
            Some(bytes) => out.cuts.push(Cut::text(bytes, "", of)),
            None => remark(true, Remark::NotAwaited),
        },
        None => {}
    }
    let is_unsafe = around.in_unsafe || around.of_unsafe || is_own;
    if wanted.to_unsafe == Some(true) && !is_unsafe {
        let (open, close) = if call.begins { ("(unsafe { ", " })") } else { ("unsafe { ", " }") };
        out.cuts.push(Cut::text((call.bytes.0, call.bytes.0), open, of));
        // In front of `.await`.
        let at = out.cuts.iter().position(|cut| cut.start == call.bytes.1 && cut.end == cut.start);
        let cut = Cut::text((call.bytes.1, call.bytes.1), close, of);
        match at {
            Some(at) => out.cuts.insert(at, cut),
            None => out.cuts.push(cut),
        }
        out.remarks.push((call.name, Remark::Unsafe));
    }
    let is_const = around.in_const || around.of_const && !is_own;
    let computes = wanted
        .params
        .iter()
        .any(|one| matches!(&one.from, From::New { argument, .. } if !argument.is_plain));
    if (wanted.to_const == Some(false) || computes) && is_const {
        out.remarks.push((call.name, Remark::Const));
    }
    out
}

/// Arguments that are dropped, or evaluated in another order, if that may matter.
fn evaluation(call: &Call, front: usize, wanted: &Wanted, out: &mut Recalled) {
    let argument = |at: usize| call.arguments.get(front + at);
    let byte = |at: usize| call.list.items.get(front + at).map_or(call.name, |bytes| bytes.0);
    for at in &wanted.removed {
        if argument(*at).is_some_and(|one| !one.is_plain) {
            out.remarks.push((byte(*at), Remark::Evaluation));
        }
    }
    let given: Vec<(Option<usize>, &Argument)> = wanted
        .params
        .iter()
        .filter_map(|param| match &param.from {
            From::Old(at) => Some((Some(*at), argument(*at)?)),
            From::New { argument, .. } => Some((None, argument)),
        })
        .collect();
    for (place, (at, one)) in given.iter().enumerate() {
        let before = given.iter().take(place);
        let changed = before.clone().any(|(other, first)| match (other, at) {
            // It was evaluated before.
            (Some(other), Some(at)) => other > at && one.depends_on(first),
            // The new value, beside arguments that take what it has.
            (None, Some(_)) | (Some(_), None) => first.takes_from(one),
            (None, None) => false,
        });
        if changed {
            out.remarks.push((at.map_or(call.name, byte), Remark::Evaluation));
        }
    }
}
