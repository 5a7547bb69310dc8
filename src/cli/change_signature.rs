//! `asof change-signature`: other parameters or another return type, at every declaration and call.

use asof_wire::{ChangeSignatureEdit, Edit, SignatureChange, share};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::context::Context;
use super::refactor::{Carrying, Which, carry_out};

/// Change the signature of a function, with every declaration and call
///
/// Parameters are added, removed, renamed, retyped and moved; the changes apply in the order in which
/// they are given. Of a trait's method, all impls change with it. Calls in code are rewritten; uses as
/// a value, and calls that only a macro understands, are listed. Parameters that are patterns are
/// named by their place without `self`, from 0, or by their text.
#[derive(Debug, Args)]
#[command(after_help = "Examples, in the repository of asof itself:
  asof change-signature asof::When::parse --rename text=given --dry-run
  asof change-signature asof::When::parse --add 'strict: bool = false' --dry-run
  asof change-signature asof::When::parse --add 'strict: bool = false' --before text --dry-run
  asof change-signature asof_edit::splice::compose --order text,file_path,splices --dry-run
  asof change-signature asof_wire::moment::age --returns 'Option<u64>' --dry-run
  asof change-signature asof_wire::moment::age --async true --dry-run")]
pub struct ChangeSignatureArgs {
    /// Path of the function
    path: String,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    which: Which,
    /// Also rewrite calls with at least this confidence [default: 0.9]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    include_guesses: Option<f64>,
    #[command(flatten)]
    how: Carrying,
}

pub fn run(context: &Context, args: ChangeSignatureArgs) -> anyhow::Result<()> {
    let edit = Edit::ChangeSignature(ChangeSignatureEdit {
        path: args.path,
        changes: args.changes.0,
        file_path: args.which.file,
        kind: args.which.kind,
        has: args.which.has,
        include_guesses: args.include_guesses,
    });
    carry_out(context, vec![edit], args.how)
}

/// What changes, in the order of the arguments.
#[derive(Debug)]
struct Changes(Vec<SignatureChange>);

/// Options with what they take and what they do.
const OPTIONS: [(&str, &str, &str); 10] = [
    ("add", "NAME: TYPE = VALUE", "Add a parameter; each call passes VALUE"),
    (
        "before",
        "NAME",
        "Place of the parameter that was added last: before this one [default: last]",
    ),
    ("remove", "NAME", "Remove a parameter, and its argument from each call"),
    ("rename", "OLD=NEW", "Rename a parameter"),
    ("retype", "NAME: TYPE", "Give a parameter another type"),
    ("order", "NAME,…", "Put the parameters in this order; each is named once"),
    ("returns", "TYPE", "Return this type; `()` for nothing"),
    ("async", "BOOL", "Make it async or not; calls wait where they can"),
    ("unsafe", "BOOL", "Make it unsafe or not; calls get unsafe blocks"),
    ("const", "BOOL", "Make it const or not"),
];

impl Args for Changes {
    fn augment_args(command: Command) -> Command {
        OPTIONS.into_iter().fold(command, |command, (name, value, help)| {
            let arg = Arg::new(name).long(name).value_name(value).help(help);
            let arg = arg.action(ArgAction::Append).allow_hyphen_values(name == "returns");
            command.arg(match value {
                "BOOL" => arg.value_parser(["true", "false"]),
                _ => arg,
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Changes {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given: Vec<(usize, &str, &str)> = Vec::new();
        for (name, ..) in OPTIONS {
            let values = matches.get_many::<String>(name).into_iter().flatten();
            let places = matches.indices_of(name).into_iter().flatten();
            given.extend(places.zip(values).map(|(at, value)| (at, name, value.as_str())));
        }
        given.sort_by_key(|(at, ..)| *at);
        let mut changes = Vec::new();
        for (_, name, value) in given {
            match change(name, value) {
                Some(one) => changes.push(one),
                None if name == "before" => place(&mut changes, value)?,
                None => {
                    let form = OPTIONS.iter().find(|one| one.0 == name).map_or("", |one| one.1);
                    return Err(wrong(format!("--{name} takes `{form}`, not `{value}`")));
                }
            }
        }
        if changes.is_empty() {
            let names: Vec<String> = OPTIONS.iter().map(|(name, ..)| format!("--{name}")).collect();
            return Err(wrong(format!("nothing changes: give one of {}", names.join(", "))));
        }
        Ok(Self(changes))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn wrong(message: String) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, message + "\n")
}

/// The change that an option asks for.
fn change(name: &str, value: &str) -> Option<SignatureChange> {
    let own = |text: &str| text.trim().to_owned();
    let some = |text: &str| Some(own(text)).filter(|text| !text.is_empty());
    let is = value == "true";
    Some(match name {
        "add" => {
            let (name, rest) = value.split_once(':')?;
            let (ty, value) = split_value(rest)?;
            let (name, ty, value) = (some(name)?, some(ty)?, some(value)?);
            SignatureChange::Add { name, ty, value, before: None }
        }
        "remove" => SignatureChange::Remove(some(value)?),
        "rename" => {
            let (from, to) = value.rsplit_once('=')?;
            SignatureChange::Rename { from: some(from)?, to: some(to)? }
        }
        "retype" => {
            let (name, ty) = value.split_once(':')?;
            SignatureChange::Retype { name: some(name)?, ty: some(ty)? }
        }
        "order" => SignatureChange::Order(value.split(',').map(own).collect()),
        "returns" => SignatureChange::Returns(some(value).filter(|ty| ty != "()")),
        "async" => SignatureChange::Async(is),
        "unsafe" => SignatureChange::Unsafe(is),
        "const" => SignatureChange::Const(is),
        _ => return None,
    })
}

/// Gives the parameter that was added last its place.
fn place(changes: &mut [SignatureChange], value: &str) -> Result<(), clap::Error> {
    match changes.last_mut() {
        Some(SignatureChange::Add { before, .. }) => *before = Some(value.trim().to_owned()),
        _ => return Err(wrong("--before belongs behind an --add".to_owned())),
    }
    Ok(())
}

/// Splits `TYPE = VALUE` at the `=` that is no part of the type.
fn split_value(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0i32;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if last == '-' => {}
            '>' | ')' | ']' | '}' => depth -= 1,
            '=' if depth == 0 => return Some((text.get(..at)?, text.get(at + 1..)?)),
            _ => {}
        }
        last = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let add = |value: &str| match change("add", value) {
            Some(SignatureChange::Add { name, ty, value, .. }) => Some((name, ty, value)),
            _ => None,
        };
        let three = |a: &str, b: &str, c: &str| Some((a.to_owned(), b.to_owned(), c.to_owned()));
        assert_eq!(add("n: u8 = 1"), three("n", "u8", "1"));
        assert_eq!(
            add("f: impl Fn(u8) -> std::vec::IntoIter<u8> = |n| n == 1"),
            three("f", "impl Fn(u8) -> std::vec::IntoIter<u8>", "|n| n == 1")
        );
        assert_eq!(
            add("i: Box<dyn Iterator<Item = u8>> = Box::new([].into_iter())"),
            three("i", "Box<dyn Iterator<Item = u8>>", "Box::new([].into_iter())")
        );
        assert_eq!(add("n: u8"), None);
        assert_eq!(add("n = 1"), None);
        let rename = SignatureChange::Rename { from: "a".to_owned(), to: "b".to_owned() };
        assert_eq!(change("rename", "a=b"), Some(rename));
        assert_eq!(change("returns", "()"), Some(SignatureChange::Returns(None)));
    }
}
