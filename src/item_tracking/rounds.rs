//! Matches added definitions with removed ones, the strongest evidence first.
//!
//! Certain matches come first, in rounds until there are no more: the same path (only the id
//! changed: another `cfg`, another impl header); the same shape, with name and container as
//! further evidence; containers of matched items; the same name in a matched container, or of the
//! same type. The rest is compared by tokens ([`super::Bag`]), and the best pairs are taken first;
//! related names and calls that changed from one name to the other are further evidence. An item
//! is matched at most once.

use super::call_sites::CallSites;
use super::matching::{Matching, Steps};
use super::similarity::Pass;
use super::state::ItemState;
use super::texts::Texts;
use asof_model::NodeId;

impl<'a> Matching<'a> {
    /// Matches the items that a step removed with those that it added, as far as they agree
    /// without comparing tokens. `texts` are read only where the rows do not decide.
    pub fn certain<E>(
        old: &'a [ItemState],
        new: &'a [ItemState],
        told: &[(NodeId, NodeId)],
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        Self::certain_in(old, new, None, told, texts)
    }

    /// Matches items that were removed in one step with items that were added in a later one.
    /// Items of one step were matched with that step, and an item that was added before the other
    /// was removed existed beside it: such items are not matched.
    pub fn across<E>(
        old: &'a [ItemState],
        new: &'a [ItemState],
        steps: Steps<'a>,
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        let mut matching = Self::certain_in(old, new, Some(steps), &[], texts)?;
        matching.similar(&CallSites::default(), texts)?;
        Ok(matching)
    }

    fn certain_in<E>(
        old: &'a [ItemState],
        new: &'a [ItemState],
        steps: Option<Steps<'a>>,
        told: &[(NodeId, NodeId)],
        texts: &mut Texts<'_, E>,
    ) -> Result<Self, E> {
        let mut matching = Self::open(old, new, steps);
        matching.by_edit(told);
        if !old.is_empty() && !new.is_empty() {
            matching.by_path();
            matching.by_shape(texts)?;
        }
        Ok(matching)
    }

    /// Matches what is left by the similarity of its tokens.
    pub fn similar<E>(&mut self, calls: &CallSites, texts: &mut Texts<'_, E>) -> Result<(), E> {
        if !self.is_open() {
            return Ok(());
        }
        let alike = self.likenesses(texts)?;
        for pass in [Pass::First, Pass::Members, Pass::All, Pass::All] {
            if self.take_alike(&alike, calls, pass) {
                self.by_shape(texts)?;
            }
        }
        Ok(())
    }
}
