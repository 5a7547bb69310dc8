//! The ways in which people write facts: signatures, parameters, members, callers, impls.

use asof_model::NodeKind;
use asof_oracle::{Fact, Weight, last_name};
use asof_query::{Implementation, OracleMember};
use asof_wire::Item;

/// A signature, with and without its visibility; of plain functions also without `fn`.
pub(super) fn signatures(item: &Item) -> Vec<String> {
    let mut forms = vec![item.signature.clone()];
    if let Some(rest) = item.signature.strip_prefix(&item.visibility) {
        let rest = rest.trim_start();
        forms.push(rest.to_owned());
        if let Some(named) = rest.strip_prefix("fn ") {
            forms.push(named.to_owned());
            forms.extend(
                named.strip_prefix(&item.name).filter(|r| r.starts_with('(')).map(str::to_owned),
            );
        }
    }
    forms
}

pub(super) fn return_types(output: &str) -> Vec<String> {
    match output {
        "()" => ["()", "nothing", "unit", "none", "no value", "the unit type", "-> ()"]
            .map(str::to_owned)
            .to_vec(),
        output => vec![output.to_owned(), format!("-> {output}")],
    }
}

pub(super) fn parameter(name: &str, ty: &str) -> Fact {
    let with_type = if ty.is_empty() { name.to_owned() } else { format!("{name}: {ty}") };
    let bare = name.trim_start_matches("mut ").trim_start_matches('&').to_owned();
    let bare = bare.rsplit(' ').next().unwrap_or(&bare).to_owned();
    // A receiver is often left out.
    let weight = if bare == "self" { Weight::Optional } else { Weight::Required };
    let typed = format!("{bare}: {ty}");
    Fact {
        forms: vec![name.to_owned(), bare, ty.to_owned(), typed],
        weight,
        ..Fact::new(with_type)
    }
}

pub(super) fn field(member: &OracleMember) -> Fact {
    let mut forms = vec![member.name.clone()];
    let bare = member.signature.strip_prefix(&member.visibility).unwrap_or(&member.signature);
    forms.push(bare.trim_start().to_owned());
    if member.name.chars().all(|c| c.is_ascii_digit()) {
        // A field of a tuple.
        forms.push(format!("{}: {}", member.name, bare.trim_start()));
    }
    Fact { forms, ..Fact::new(member.signature.clone()) }
}

pub(super) fn variant(member: &OracleMember) -> Fact {
    let forms = vec![member.signature.clone()];
    Fact { forms, path: member.path.clone(), ..Fact::new(member.name.clone()) }
}

/// An item that calls or is called; an item of an impl also by `Type::name`.
pub(super) fn caller(path: &str, sure: bool) -> Fact {
    let mut fact = Fact::item(path, sure);
    if let Some((of, name)) = path.strip_prefix('<').and_then(|rest| rest.rsplit_once(">::")) {
        let ty = of.split(" as ").next().unwrap_or(of);
        let bare = ty.rsplit("::").next().unwrap_or(ty);
        let bare = bare.split('<').next().unwrap_or(bare);
        fact.forms = vec![format!("{ty}::{name}"), format!("{bare}::{name}"), name.to_owned()];
    }
    fact
}

/// Types with impls, and whether an impl is generic. Types `outside` of what is asked for may be
/// left out.
pub(super) fn implementors(
    rows: Vec<Implementation>,
    outside: impl Fn(&str, &str) -> bool,
) -> (Vec<Fact>, bool) {
    let mut generic = false;
    let mut facts: Vec<Fact> = Vec::new();
    for row in rows {
        let ty = match row.kind {
            NodeKind::Impl => type_of(row.path.as_deref(), &row.signature),
            // A type that derives the trait.
            _ => row.path.unwrap_or_default(),
        };
        // A type parameter stands for any type.
        let blanket = row.generic && !ty.contains("::");
        generic |= blanket;
        let last = ty.split('<').next().unwrap_or(&ty);
        let bare = last.rsplit("::").next().unwrap_or(last).to_owned();
        let mut forms = vec![bare, last.to_owned(), row.signature];
        forms.extend(ty.strip_prefix('&').map(str::to_owned));
        let weight = match (blanket, outside(&ty, &row.file_path)) {
            (true, _) => Weight::Open,
            (false, true) => Weight::Optional,
            (false, false) => Weight::Required,
        };
        let fact = Fact { forms, weight, ..Fact::item(&ty, true) };
        match facts.iter_mut().find(|known| known.shown == fact.shown) {
            Some(known) if weight == Weight::Required => known.weight = weight,
            Some(_) => {}
            None => facts.push(fact),
        }
    }
    (facts, generic)
}

/// The type of `<Type as Trait>`.
fn type_of(path: Option<&str>, signature: &str) -> String {
    let path = path.and_then(|path| path.strip_prefix('<')?.strip_suffix('>'));
    if let Some((ty, _)) = path.and_then(|path| path.split_once(" as ")) {
        return ty.to_owned();
    }
    let after = signature.rsplit_once(" for ").map_or(signature, |(_, ty)| ty);
    after.split(" where").next().unwrap_or(after).trim().to_owned()
}

/// The trait of `<Type as Trait>`.
pub(super) fn trait_of(path: Option<&str>, signature: &str) -> Option<String> {
    let path = path.and_then(|path| path.strip_prefix('<')?.strip_suffix('>'));
    if let Some((_, of)) = path.and_then(|path| path.split_once(" as ")) {
        return Some(of.to_owned());
    }
    let head = signature.split_once(" for ")?.0;
    Some(head.rsplit(' ').next().unwrap_or(head).to_owned())
}

/// Whether a path is that of an impl's item for an item of a trait, as far as their names say.
pub(super) fn implements_item(path: &str, of_trait: &str) -> bool {
    let found = path.strip_prefix('<').and_then(|rest| rest.rsplit_once(">::"));
    let Some((head, name)) = found else { return false };
    let Some((_, implemented)) = head.split_once(" as ") else { return false };
    of_trait.rsplit_once("::").is_some_and(|(declared, item)| {
        item == name && last_name(declared) == last_name(implemented)
    })
}

/// The names in `#[derive(…)]`.
pub(super) fn derived(attribute: &str) -> Vec<String> {
    let list = attribute.split_once("derive").and_then(|(_, rest)| rest.split_once('('));
    let list = list.and_then(|(_, rest)| rest.split_once(')')).map_or("", |(list, _)| list);
    let names = list.split(',').map(|name| name.split_whitespace().collect::<String>());
    names.filter(|name| !name.is_empty()).collect()
}
