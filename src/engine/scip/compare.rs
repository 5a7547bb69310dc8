//! Compares our references with those of an index, place by place. Pure: what both say, in; how they
//! differ, out.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::ours::{OurItems, OurTarget, OurUse, OurUses};
use super::theirs::Theirs;
use asof_model::NodeId;
use asof_scip::SymbolText;
use asof_wire::{EdgeClass, EdgeReason};

/// A place where both differ, or where the index is known to be wrong.
#[derive(Debug)]
pub(super) struct Difference<'a> {
    pub file: &'a str,
    pub byte: u32,
    pub class: EdgeClass,
    pub reason: EdgeReason,
    pub ours: Vec<&'a OurUse>,
    /// Symbols, in order.
    pub theirs: Vec<u32>,
}

/// What is compared.
pub(super) struct Sides<'a> {
    pub items: &'a OurItems,
    pub ours: &'a OurUses,
    pub theirs: &'a Theirs,
    definitions: HashMap<u32, Vec<(&'a str, u32)>>,
    /// Symbols that are defined at the same place as others.
    crowded: HashSet<u32>,
    /// Packages of which the index defines something.
    packages: HashSet<&'a str>,
}

impl<'a> Sides<'a> {
    pub fn new(items: &'a OurItems, ours: &'a OurUses, theirs: &'a Theirs) -> Self {
        let mut definitions: HashMap<u32, Vec<(&str, u32)>> = HashMap::new();
        let mut at: BTreeMap<(&str, u32), BTreeSet<u32>> = BTreeMap::new();
        for (path, file) in &theirs.files {
            for name in file.names.iter().filter(|name| name.defines) {
                if !text(theirs, name.symbol).is_local() {
                    let place = (path.as_str(), name.byte);
                    definitions.entry(name.symbol).or_default().push(place);
                    at.entry(place).or_default().insert(name.symbol);
                }
            }
        }
        let crowded = at.into_values().filter(|symbols| symbols.len() > 1).flatten().collect();
        let packages =
            definitions.keys().filter_map(|symbol| text(theirs, *symbol).package()).collect();
        Self { items, ours, theirs, definitions, crowded, packages }
    }

    /// The items that a symbol may be, with the macro calls that may make it.
    pub fn items_of(&self, symbol: u32) -> BTreeSet<NodeId> {
        let places = self.definitions.get(&symbol).map_or(&[][..], Vec::as_slice);
        let at = |(file, byte): &(&str, u32)| {
            let mut all = self.items.named_at(file, *byte).to_vec();
            all.extend(self.items.calls_around(file, *byte));
            all
        };
        places.iter().flat_map(at).collect()
    }

    /// The only item that a symbol can be.
    pub fn item_of(&self, symbol: u32) -> Result<NodeId, NoItem> {
        let places = self.definitions.get(&symbol).ok_or(NoItem::Undefined)?;
        let found: Option<BTreeSet<NodeId>> =
            places.iter().map(|(file, byte)| self.items.defined_at(file, *byte)).collect();
        match found.map(|items| items.into_iter().collect::<Vec<_>>()).as_deref() {
            Some([one]) => Ok(*one),
            _ => Err(NoItem::Several),
        }
    }

    /// Every place where the sides differ in a file, and the number of places where they agree.
    /// `word` gives the name at a byte of its text; empty for an operator.
    pub fn compare<'t>(
        &self,
        file: &'a str,
        word: &dyn Fn(u32) -> &'t str,
    ) -> (Vec<Difference<'a>>, usize) {
        let ours = self.ours.get(file);
        let known = self.theirs.files.get(file);
        let mut theirs: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for name in known.map_or(&[][..], |file| &file.names).iter().filter(|name| !name.defines) {
            theirs.entry(name.byte).or_default().insert(name.symbol);
        }
        let bytes: BTreeSet<u32> =
            ours.into_iter().flat_map(|uses| uses.keys()).chain(theirs.keys()).copied().collect();
        let (mut found, mut agreed) = (Vec::new(), 0);
        for byte in bytes {
            let name = word(byte);
            let is_number = !name.is_empty() && name.bytes().all(|c| c.is_ascii_digit());
            // Indexes have no symbols for `self` of a method, nor for fields of tuples.
            if is_number || matches!(name, "self" | "Self" | "super" | "crate") {
                continue;
            }
            let ours = ours.and_then(|uses| uses.get(&byte)).map_or(&[][..], Vec::as_slice);
            let theirs: Vec<u32> = theirs.get(&byte).into_iter().flatten().copied().collect();
            let place = Place { ours, theirs: &theirs, has_file: known.is_some() };
            let (verdicts, is_agreed) = self.judge(&place);
            agreed += usize::from(is_agreed);
            found.extend(verdicts.into_iter().map(|(class, reason)| Difference {
                file,
                byte,
                class,
                reason,
                ours: ours.iter().collect(),
                theirs: theirs.clone(),
            }));
        }
        (found, agreed)
    }

    /// How both differ at a place, and whether they agree on an item.
    fn judge(&self, place: &Place<'_>) -> (Vec<(EdgeClass, EdgeReason)>, bool) {
        let one = |class, reason| (vec![(class, reason)], false);
        let symbols = place.theirs;
        if symbols.iter().any(|symbol| self.theirs.lost.contains(symbol)) {
            return one(EdgeClass::StaleTarget, EdgeReason::None);
        }
        if symbols.iter().any(|symbol| self.is_undefined(*symbol)) {
            return one(EdgeClass::UndefinedSymbol, EdgeReason::None);
        }
        let text = |symbol: &u32| text(self.theirs, *symbol);
        if !symbols.is_empty() && symbols.iter().all(|symbol| text(symbol).is_parameter()) {
            return (Vec::new(), false);
        }
        let inside: Vec<u32> =
            symbols.iter().copied().filter(|s| self.definitions.contains_key(s)).collect();
        let named: Vec<&OurUse> =
            place.ours.iter().filter(|one| one.means == OurTarget::Item).collect();
        if inside.is_empty() {
            return match () {
                () if named.is_empty() => (Vec::new(), false),
                () if !place.has_file => one(EdgeClass::OnlyOurs, EdgeReason::NoFile),
                () if symbols.is_empty() => one(EdgeClass::OnlyOurs, EdgeReason::NoName),
                () if symbols.iter().any(|symbol| text(symbol).is_local()) => {
                    one(EdgeClass::OtherTarget, EdgeReason::TheirsLocal)
                }
                () => one(EdgeClass::OtherTarget, EdgeReason::TheirsOutside),
            };
        }
        let expected: BTreeSet<NodeId> =
            inside.iter().flat_map(|symbol| self.items_of(*symbol)).collect();
        let (right, others): (Vec<&OurUse>, Vec<&OurUse>) =
            named.iter().partition(|one| expected.contains(&one.target));
        if right.is_empty() {
            let is_outside = || place.ours.iter().any(|one| one.means == OurTarget::External);
            return match () {
                () if !named.is_empty() => one(EdgeClass::OtherTarget, EdgeReason::AnotherItem),
                () if is_outside() => one(EdgeClass::OtherTarget, EdgeReason::OursOutside),
                () if !place.ours.is_empty() => one(EdgeClass::OnlyTheirs, EdgeReason::Unresolved),
                () => one(EdgeClass::OnlyTheirs, EdgeReason::Nothing),
            };
        }
        let mut found = Vec::new();
        if let Some(fault) = inside.iter().find_map(|symbol| self.fault(*symbol)) {
            found.push((EdgeClass::SharedSymbol, fault));
        }
        let path = |one: &OurUse| self.items.items.get(&one.target).map(|item| &item.path);
        let is_duplicate = |one: &&OurUse| right.iter().any(|other| path(other) == path(one));
        let (duplicates, further): (Vec<&OurUse>, Vec<&OurUse>) =
            others.into_iter().partition(is_duplicate);
        if !duplicates.is_empty() {
            found.push((EdgeClass::CfgDuplicate, EdgeReason::None));
        }
        if !further.is_empty() {
            found.push((EdgeClass::FurtherTarget, EdgeReason::Several));
        }
        (found, true)
    }

    /// Whether a symbol is of this workspace and defined nowhere in it.
    fn is_undefined(&self, symbol: u32) -> bool {
        let text = text(self.theirs, symbol);
        !self.definitions.contains_key(&symbol)
            && !text.is_crate()
            && text.package().is_some_and(|package| self.packages.contains(package))
    }

    /// Why a symbol does not tell which item it is.
    fn fault(&self, symbol: u32) -> Option<EdgeReason> {
        let places: HashSet<&(&str, u32)> =
            self.definitions.get(&symbol).into_iter().flatten().collect();
        match places.len() {
            2.. if text(self.theirs, symbol).is_crate() => Some(EdgeReason::CrateRoot),
            2.. => Some(EdgeReason::SameSymbol),
            _ if self.crowded.contains(&symbol) => Some(EdgeReason::MacroCall),
            _ => None,
        }
    }
}

/// Why a symbol is no item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoItem {
    /// The index does not define it.
    Undefined,
    /// It is none that we know, or one of several.
    Several,
}

/// What both sides say of a place.
struct Place<'p> {
    ours: &'p [OurUse],
    theirs: &'p [u32],
    /// Whether the index has the file.
    has_file: bool,
}

fn text(theirs: &Theirs, symbol: u32) -> SymbolText<'_> {
    SymbolText(theirs.symbols.get(symbol as usize).map_or("", String::as_str))
}
