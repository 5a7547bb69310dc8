//! What inference reads for an item: the definitions of the workspace that it comes upon or asks for
//! their signature, their children or their impls, and the names that it looks up, in which modules.
//!
//! What an item uses is a function of its text and of the answers to what is asked about it. In another
//! state of the workspace, it can differ only if one of the answers does; before the first of these, all
//! is asked as it was. So it differs only if a name that was looked up means something
//! else, or if a definition differs that was read. A name that was found nowhere counts like any other.
//!
//! ```text
//! fn f(s: S) { s.a() }      // looks up `S` here; reads `S` (its impls) and `S::a`
//! fn g() { s().a() }        // looks up `s`; reads `s`, whose signature names `S`, and the same
//! ```
//!
//! What is computed once for all items must not be recorded for the one that came first: a signature is
//! a read of its definition, whatever it names.

use std::cell::RefCell;

use super::types::{Bound, Def, Type};
use asof_model::{HashSet, NodeId};

/// In the place of a key: more was read than is recorded.
pub(super) const ANYTHING: u32 = 0;
/// In the place of a key: the items that a call makes were read like others.
pub(super) const MADE: u32 = 1;
/// Keys of what was read are larger.
const FIRST: u32 = 2;

/// In the place of a name that is looked up in the root of a crate: whether all dependencies of its package
/// are known, on which it depends what is guessed.
pub const GUESSES: &str = "";

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// What was read.
#[derive(Default)]
pub(super) struct Recorder {
    pub defs: HashSet<Def>,
    /// By module and the hash of the name.
    pub names: HashSet<(Def, u32, From)>,
    /// Hashes of names of which items anywhere are asked for.
    pub words: HashSet<u32>,
    pub is_cut: bool,
    /// Whether items that a call makes were read, and whether some could not be.
    pub has_made: bool,
    pub has_unread: bool,
}

/// From where a name is looked up in a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum From {
    Within,
    Elsewhere,
}

/// What was read, as sorted keys: [`Reads::definition`], [`Reads::name`]. If two have the same key, an
/// item may be resolved again needlessly, but none is missed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reads(Vec<u32>);

impl Reads {
    /// The key of a definition: the same in every state.
    pub fn definition(id: NodeId) -> u32 {
        let [a, b, c, d, ..] = *id.0.as_bytes();
        u32::from_le_bytes([a, b, c, d]).max(FIRST)
    }

    /// The key of a name in a module, for those who look from within it, or from elsewhere: these do
    /// not see what is private.
    pub fn name(module: NodeId, name: &str, from: From) -> u32 {
        in_module(module, hash_name(name), from)
    }

    /// The key of a name of which items anywhere are asked for: where nothing else is known of it.
    pub fn word(name: &str) -> u32 {
        word(hash_name(name))
    }

    /// Whether the items that a call makes were read like others, in its place.
    pub fn have_made(&self) -> bool {
        self.0.contains(&MADE)
    }

    /// From stored keys.
    pub fn from_keys(mut keys: Vec<u32>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        Reads(keys)
    }

    pub fn keys(&self) -> &[u32] {
        &self.0
    }

    /// Whether what has one of these keys may have been read.
    pub fn meet(&self, keys: &HashSet<u32>) -> bool {
        self.0.iter().any(|key| *key == ANYTHING || keys.contains(key))
    }

    pub(super) fn add(&mut self, more: Reads) {
        if self.0.is_empty() {
            *self = more;
        } else {
            *self = Self::from_keys(self.0.drain(..).chain(more.0).collect());
        }
    }
}

/// FNV-1a: short, and the same on every machine.
pub fn hash_name(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

pub(super) fn in_module(module: NodeId, hash: u32, from: From) -> u32 {
    let turn = match from {
        From::Within => 16,
        From::Elsewhere => 11,
    };
    let key = Reads::definition(module).rotate_left(turn) ^ hash;
    key.wrapping_mul(0x9e37_79b1).max(FIRST)
}

pub(super) fn word(hash: u32) -> u32 {
    hash.wrapping_mul(0x9e37_79b1).rotate_left(8).max(FIRST)
}

/// Runs with what it reads recorded.
pub(super) fn record<T>(run: impl FnOnce() -> T) -> (T, Recorder) {
    let before = RECORDER.replace(Some(Recorder::default()));
    let result = run();
    (result, RECORDER.replace(before).unwrap_or_default())
}

/// Runs with nothing recorded: what is computed is shared by all who ask for it.
pub(super) fn share<T>(run: impl FnOnce() -> T) -> T {
    let before = RECORDER.take();
    let result = run();
    RECORDER.set(before);
    result
}

/// A definition is read.
pub(super) fn read(def: Def) {
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(recorder) = recorder {
            recorder.defs.insert(def);
        }
    });
}

/// Whether reads are recorded.
pub(super) fn is_recording() -> bool {
    RECORDER.with_borrow(Option::is_some)
}

/// A name is looked up in a module.
pub(super) fn look_up(module: Def, name: &str, from: From) {
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(recorder) = recorder {
            recorder.names.insert((module, hash_name(name), from));
        }
    });
}

/// Items of a name are asked for, wherever they are.
pub(super) fn ask(name: &str) {
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(recorder) = recorder {
            recorder.words.insert(hash_name(name));
        }
    });
}

/// The items that a call makes are read in its place; or they cannot be.
pub(super) fn read_made(is_read: bool) {
    RECORDER.with_borrow_mut(|recorder| {
        if let Some(recorder) = recorder {
            recorder.has_made |= is_read;
            recorder.has_unread |= !is_read;
        }
    });
}

/// The impls for a type are read: those for a reference or list may be for what it leads to.
pub(super) fn read_type(ty: &Type) {
    RECORDER.with_borrow_mut(|recorder| {
        let Some(recorder) = recorder else { return };
        let defs = &mut recorder.defs;
        recorder.is_cut |= ty.any(&mut |part| {
            match part {
                Type::Adt(def, _) | Type::Param(def, _) => defs.extend([*def]),
                Type::Bounded(bounds) => defs.extend(bounds.iter().filter_map(Bound::def)),
                Type::Assoc(of) => defs.extend(of.1.iter().filter_map(Bound::def)),
                _ => {}
            }
            false
        });
    });
}
