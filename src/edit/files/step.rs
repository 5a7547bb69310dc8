//! The step of one file, forward and back. A step back starts from the present state, so it works
//! after the process died at any moment, and can be repeated if the process died during the step.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::rc::Rc;

use asof_model::RawHash;

use super::disk::{self, FileSlot, Heritage, Look, Swap};
use super::error::FilesError;
use super::fault;
use super::manifest::{Entry, Kind, Stage};

/// A file of a transaction with its place.
pub(super) struct Spot<'a> {
    pub entry: &'a Entry,
    /// The file itself.
    pub file: FileSlot,
    /// Before the step the new content, after it the old one.
    pub temporary: FileSlot,
    /// The new content while it is being written.
    pub part: FileSlot,
}

/// How a step back ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Back {
    /// The file is as it was before, untouched or restored.
    Old,
    /// Somebody else changed the file before the transaction reached it; their change stays.
    Theirs,
    /// Somebody else changed the file after the transaction had written it; their change stays.
    Conflict,
}

impl<'a> Spot<'a> {
    /// `journal`: the folder of the transaction's journal, once there is one.
    pub fn new(entry: &'a Entry, file: FileSlot, journal: Option<&Rc<File>>) -> Self {
        let dir = match (entry.stage, journal) {
            (Stage::Journal, Some(journal)) => journal,
            _ => &file.dir,
        };
        let staged = |name: String| FileSlot { dir: Rc::clone(dir), name };
        Self { entry, temporary: staged(entry.temporary.clone()), part: staged(entry.part()), file }
    }

    fn failed(&self, action: &'static str, err: impl Into<std::io::Error>) -> FilesError {
        FilesError::at(action, &self.entry.path, err)
    }

    fn look(&self, place: &FileSlot) -> Result<Look, FilesError> {
        disk::look(place).map_err(|err| self.failed("read", err))
    }

    fn changed(&self, found: &Look) -> FilesError {
        match found {
            Look::Other(reason) => FilesError::refused(&self.entry.path, *reason),
            _ => FilesError::Changed {
                path: self.entry.path.clone(),
                expected: self.entry.before,
                found: found.hash(),
            },
        }
    }

    /// The file, if it is as the transaction expects it.
    pub fn expect_old(&self) -> Result<Look, FilesError> {
        let found = self.look(&self.file)?;
        match &found {
            Look::Nothing if self.entry.before.is_none() => Ok(found),
            Look::File(seen) if Some(seen.hash) == self.entry.before => Ok(found),
            _ => Err(self.changed(&found)),
        }
    }

    /// Writes the new content beside the file: whole and on disk under the temporary name.
    pub fn stage(&self, new: &[u8]) -> Result<(), FilesError> {
        let old = self.look(&self.file)?;
        let mut heritage = Heritage { rights: self.entry.new_rights, ..Heritage::default() };
        if let Look::File(seen) = &old {
            heritage.attributes = Some(&seen.file);
            heritage.newer_than = seen.modified;
        }
        self.put(new, &heritage, "write")
    }

    fn put(
        &self,
        bytes: &[u8],
        heritage: &Heritage<'_>,
        action: &'static str,
    ) -> Result<(), FilesError> {
        let failed = |err| self.failed(action, err);
        disk::write_new(&self.part, bytes, heritage).map_err(failed)?;
        fault::point("mid-stage").map_err(failed)?;
        disk::rename_new(&self.part, &self.temporary).map_err(failed)
    }

    /// Puts the new content into place and checks what it replaced. `taken` becomes true as soon
    /// as there may be something to roll back.
    pub fn forward(&self, taken: &mut bool) -> Result<(), FilesError> {
        fault::point("before-step").map_err(|err| self.failed("write", err))?;
        match self.entry.kind() {
            Kind::Keep => self.expect_old().map(|_| ()),
            Kind::Modify => {
                self.expect_old()?;
                fault::point("at-step").map_err(|err| self.failed("write", err))?;
                let swap = match disk::swap(&self.temporary, &self.file) {
                    Err(err) if err.kind() == ErrorKind::NotFound => {
                        return Err(self.changed(&self.look(&self.file)?));
                    }
                    other => other.map_err(|err| self.failed("write", err))?,
                };
                *taken = true;
                fault::point("mid-step").map_err(|err| self.failed("write", err))?;
                match swap {
                    Swap::Exchanged => self.check_aside(),
                    Swap::Replaced => Ok(()),
                }
            }
            Kind::Create => {
                fault::point("at-step").map_err(|err| self.failed("write", err))?;
                *taken = true;
                match disk::rename_new(&self.temporary, &self.file) {
                    Err(err) if err.kind() == ErrorKind::AlreadyExists => {
                        Err(self.changed(&self.look(&self.file)?))
                    }
                    other => other.map_err(|err| self.failed("write", err)),
                }
            }
            Kind::Delete => {
                self.expect_old()?;
                fault::point("at-step").map_err(|err| self.failed("delete", err))?;
                match disk::rename_new(&self.file, &self.temporary) {
                    Err(err) if err.kind() == ErrorKind::NotFound => {
                        return Err(self.changed(&self.look(&self.file)?));
                    }
                    other => other.map_err(|err| self.failed("delete", err))?,
                }
                *taken = true;
                fault::point("mid-step").map_err(|err| self.failed("delete", err))?;
                self.check_aside()
            }
        }
    }

    /// Checks that the file set aside is as the transaction expects it. This decides whether
    /// somebody changed the file before it was replaced.
    ///
    /// # Errors
    /// [`FilesError::Changed`]: the step has to be rolled back.
    pub fn check_aside(&self) -> Result<(), FilesError> {
        if !matches!(self.entry.kind(), Kind::Modify | Kind::Delete) {
            return Ok(());
        }
        let aside = self.look(&self.temporary)?;
        match &aside {
            // Replaced without an exchange: it was compared before.
            Look::Nothing if self.entry.kind() == Kind::Modify => Ok(()),
            Look::File(seen) if Some(seen.hash) == self.entry.before => Ok(()),
            _ => Err(self.changed(&aside)),
        }
    }

    /// Whether the file is as the transaction wrote it.
    pub fn is_written(&self) -> Result<bool, FilesError> {
        let found = self.look(&self.file)?;
        Ok(match (&found, self.entry.after) {
            (Look::Nothing, None) => true,
            (Look::File(seen), Some(after)) => seen.hash == after,
            _ => false,
        })
    }

    /// Moves away a check's version of the file and restores the old one. The bytes are passed to
    /// `keep` first, because they may be somebody else's.
    pub fn take_from_check(
        &self,
        old: Option<&[u8]>,
        keep: &mut dyn FnMut(&[u8]) -> Result<(), FilesError>,
    ) -> Result<(), FilesError> {
        let found = self.look(&self.file)?;
        let seen = match &found {
            Look::File(seen) => Some(seen),
            Look::Nothing => None,
            // The rollback reports it.
            Look::Other(_) => return Ok(()),
        };
        if let Some(seen) = seen {
            keep(&seen.bytes)?;
        }
        let failed = |err| self.failed("roll back", err);
        match (self.entry.kind(), seen) {
            (Kind::Keep, _) | (Kind::Create, None) => return Ok(()),
            (Kind::Create, Some(_)) => {
                disk::rename_new(&self.file, &self.temporary).map_err(failed)?;
            }
            (Kind::Modify | Kind::Delete, seen) => {
                if let Look::Nothing = self.look(&self.temporary)? {
                    self.restore_aside(old, &found)?;
                }
                if seen.is_none() {
                    return disk::rename_new(&self.temporary, &self.file).map_err(failed);
                }
                disk::swap(&self.temporary, &self.file).map_err(failed)?;
            }
        }
        // Somebody may have written between the check and the exchange.
        if let (Look::File(taken), Some(seen)) = (self.look(&self.temporary)?, seen)
            && taken.hash != seen.hash
        {
            keep(&taken.bytes)?;
        }
        disk::remove(&self.temporary).map_err(failed)
    }

    /// Removes what the transaction set aside, once it is committed.
    pub fn tidy(&self) -> Result<(), FilesError> {
        disk::remove(&self.part)
            .and_then(|()| disk::remove(&self.temporary))
            .map_err(|err| self.failed("remove a temporary file beside", err))
    }

    /// Removes what was staged for a file that no step was taken for.
    pub fn unstage(&self) -> Result<Back, FilesError> {
        self.tidy().map(|()| Back::Old)
    }

    /// Restores the file, wherever the transaction died. `old` are its bytes.
    pub fn back(&self, old: Option<&[u8]>) -> Result<Back, FilesError> {
        disk::remove(&self.part).map_err(|err| self.failed("remove a part of", err))?;
        let (file, aside) = (self.look(&self.file)?, self.look(&self.temporary)?);
        match self.entry.kind() {
            Kind::Keep => Ok(Back::Old),
            Kind::Modify => self.back_from_modify(&file, &aside, old),
            Kind::Create => self.back_from_create(&file, &aside),
            Kind::Delete => self.back_from_delete(&file, &aside, old),
        }
    }

    fn back_from_modify(
        &self,
        file: &Look,
        aside: &Look,
        old: Option<&[u8]>,
    ) -> Result<Back, FilesError> {
        let entry = self.entry;
        match (self.tell(file), self.tell(aside)) {
            (Is::Old, Is::Nothing) => Ok(Back::Old),
            (Is::Old, Is::Old | Is::New) => self.drop_aside(Back::Old),
            // What was set aside is what was there when the file was replaced, whether it is what
            // was expected or what somebody had just written.
            (Is::New, Is::Old | Is::Other) => self.swap_back(entry.after),
            (Is::New, Is::Nothing) => {
                self.restore_aside(old, file)?;
                self.swap_back(entry.after)
            }
            (Is::New, Is::New) => {
                self.drop_aside(Back::Old)?;
                self.restore_aside(old, file)?;
                self.swap_back(entry.after)
            }
            // The new content is still aside: no step was taken.
            (Is::Other | Is::Nothing, Is::New) => self.drop_aside(Back::Theirs),
            (Is::Other | Is::Nothing, Is::Old) => self.drop_aside(Back::Conflict),
            // Died while restoring what somebody wrote between a check and an exchange.
            (Is::Old, Is::Other) => self.give_back(),
            (Is::Other | Is::Nothing, Is::Nothing | Is::Other) => Ok(Back::Conflict),
        }
    }

    fn back_from_create(&self, file: &Look, aside: &Look) -> Result<Back, FilesError> {
        match (self.tell(file), self.tell(aside)) {
            (Is::Nothing, Is::Nothing) => Ok(Back::Old),
            (Is::Nothing, Is::New) => self.drop_aside(Back::Old),
            (Is::New, Is::Nothing) => {
                disk::rename_new(&self.file, &self.temporary)
                    .map_err(|err| self.failed("roll back", err))?;
                fault::point("mid-back").map_err(|err| self.failed("roll back", err))?;
                let taken = self.look(&self.temporary)?;
                if taken.hash() == self.entry.after {
                    return self.drop_aside(Back::Old);
                }
                disk::rename_new(&self.temporary, &self.file)
                    .map_err(|err| self.failed("restore", err))?;
                Ok(Back::Conflict)
            }
            (Is::Nothing, _) => self.put_back().map(|_| Back::Conflict),
            // Linked to both names: the step was half done.
            (Is::New, Is::New) if same_file(file, aside) => {
                disk::remove(&self.file).map_err(|err| self.failed("roll back", err))?;
                self.drop_aside(Back::Old)
            }
            (Is::New | Is::Other, Is::New) => self.drop_aside(Back::Theirs),
            _ => Ok(Back::Conflict),
        }
    }

    fn back_from_delete(
        &self,
        file: &Look,
        aside: &Look,
        old: Option<&[u8]>,
    ) -> Result<Back, FilesError> {
        match (self.tell(file), self.tell(aside)) {
            (Is::Old, Is::Nothing) => Ok(Back::Old),
            (Is::Old, Is::Old) => self.drop_aside(Back::Old),
            // Deleted by the transaction or by somebody else: this cannot be known.
            (Is::Nothing, Is::Nothing) => {
                self.restore_aside(old, file)?;
                self.put_back()
            }
            (Is::Nothing, _) => self.put_back(),
            (_, Is::Nothing) => Ok(Back::Theirs),
            (_, Is::Old) => self.drop_aside(Back::Conflict),
            _ => Ok(Back::Conflict),
        }
    }

    /// Contents of a name, from the view of this file's transaction. Absence is neither old nor new
    /// here.
    fn tell(&self, found: &Look) -> Is {
        match found {
            Look::Nothing => Is::Nothing,
            Look::File(seen) if Some(seen.hash) == self.entry.before => Is::Old,
            Look::File(seen) if Some(seen.hash) == self.entry.after => Is::New,
            _ => Is::Other,
        }
    }

    fn drop_aside(&self, back: Back) -> Result<Back, FilesError> {
        disk::remove(&self.temporary)
            .map_err(|err| self.failed("remove a temporary file beside", err))?;
        Ok(back)
    }

    /// Writes the saved bytes under the temporary name.
    fn restore_aside(&self, old: Option<&[u8]>, file: &Look) -> Result<(), FilesError> {
        let old = old.ok_or_else(|| {
            let reason = "the journal does not have its old text";
            self.failed("restore", io::Error::other(reason))
        })?;
        let mut heritage = Heritage { rights: self.entry.rights, ..Heritage::default() };
        if let Look::File(seen) = file {
            heritage.attributes = Some(&seen.file);
            heritage.newer_than = seen.modified;
        }
        self.put(old, &heritage, "restore")
    }

    /// Exchanges the file, which should have this hash, for what was set aside.
    fn swap_back(&self, expected: Option<RawHash>) -> Result<Back, FilesError> {
        let swap =
            disk::swap(&self.temporary, &self.file).map_err(|err| self.failed("roll back", err))?;
        fault::point("mid-back").map_err(|err| self.failed("roll back", err))?;
        if swap == Swap::Replaced {
            return Ok(Back::Old);
        }
        if self.look(&self.temporary)?.hash() == expected {
            return self.drop_aside(Back::Old);
        }
        self.give_back()
    }

    /// Exchanges the old content in the file's place for what somebody wrote there between a check
    /// and an exchange.
    fn give_back(&self) -> Result<Back, FilesError> {
        disk::swap(&self.temporary, &self.file).map_err(|err| self.failed("restore", err))?;
        self.drop_if_old(Back::Conflict)
    }

    fn put_back(&self) -> Result<Back, FilesError> {
        match disk::rename_new(&self.temporary, &self.file) {
            Ok(()) => Ok(Back::Old),
            Err(err) if err.kind() == ErrorKind::AlreadyExists => self.drop_if_old(Back::Conflict),
            Err(err) => Err(self.failed("restore", err)),
        }
    }

    /// Removes what was set aside if the journal has it too.
    fn drop_if_old(&self, back: Back) -> Result<Back, FilesError> {
        match self.tell(&self.look(&self.temporary)?) {
            Is::Old => self.drop_aside(back),
            _ => Ok(back),
        }
    }
}

/// Contents of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Is {
    Nothing,
    Old,
    New,
    Other,
}

fn same_file(a: &Look, b: &Look) -> bool {
    match (a, b) {
        (Look::File(a), Look::File(b)) => a.id == b.id && a.links > 1,
        _ => false,
    }
}

/// Hard links of a file besides its own name.
pub(super) fn other_links(found: &Look) -> u64 {
    match found {
        Look::File(seen) => seen.links.saturating_sub(1),
        _ => 0,
    }
}
