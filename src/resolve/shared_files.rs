//! What is kept by file, and shared by states in which it is the same, in memory and in stored form.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use index_vec::IndexVec;
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ids::InstanceId;
use super::numbers::{Numbers, Renumber};

/// Something of a file. Its stored form is kept with it: what a state shares with the one before is copied
/// when it is saved.
#[derive(Debug, Default)]
pub(super) struct Shared<T> {
    of_file: T,
    stored: OnceLock<Box<[u8]>>,
}

impl<T> From<T> for Shared<T> {
    fn from(of_file: T) -> Self {
        Shared { of_file, stored: OnceLock::new() }
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.of_file
    }
}

impl<T: Clone> Clone for Shared<T> {
    /// Clones are made to be changed.
    fn clone(&self) -> Self {
        self.of_file.clone().into()
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.of_file == other.of_file
    }
}

impl<T: Eq> Eq for Shared<T> {}

/// Something of each instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SharedFiles<T>(IndexVec<InstanceId, Arc<Shared<T>>>);

impl<T> Default for SharedFiles<T> {
    fn default() -> Self {
        SharedFiles(IndexVec::new())
    }
}

impl<T> FromIterator<Arc<Shared<T>>> for SharedFiles<T> {
    fn from_iter<I: IntoIterator<Item = Arc<Shared<T>>>>(files: I) -> Self {
        SharedFiles(files.into_iter().collect())
    }
}

impl<T> SharedFiles<T> {
    pub fn push(&mut self, file: Arc<Shared<T>>) -> InstanceId {
        self.0.push(file)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, number: InstanceId) -> Option<&Arc<Shared<T>>> {
        self.0.get(number)
    }

    pub fn set(&mut self, number: InstanceId, file: T) {
        if let Some(place) = self.0.get_mut(number) {
            *place = Arc::new(file.into());
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> + Clone {
        self.0.iter().map(|file| &***file)
    }

    pub fn iter_enumerated(&self) -> impl Iterator<Item = (InstanceId, &Arc<Shared<T>>)> {
        self.0.iter_enumerated()
    }

    /// Whether both have the same, and know it without a comparison.
    pub fn shares(&self, number: InstanceId, other: &Self, others: InstanceId) -> bool {
        let files = self.get(number).zip(other.get(others));
        files.is_some_and(|(file, other)| Arc::ptr_eq(file, other))
    }

    /// What another table does not share.
    pub fn not_in<'s>(&'s self, other: &'s Self) -> impl Iterator<Item = &'s T> {
        let files = self.0.iter_enumerated();
        let files = files.filter(|(number, _)| !self.shares(*number, other, *number));
        files.map(|(_, file)| &***file)
    }
}

impl<T: Renumber> Renumber for Shared<T> {
    fn renumber(&self, numbers: &Numbers) -> Self {
        self.of_file.renumber(numbers).into()
    }
}

impl<T: Clone> SharedFiles<T> {
    /// For writing. Other states keep what they have.
    pub fn get_mut(&mut self, number: InstanceId) -> Option<&mut T> {
        let file = Arc::make_mut(self.0.get_mut(number)?);
        // It is to be changed.
        file.stored.take();
        Some(&mut file.of_file)
    }
}

impl<T: PartialEq> SharedFiles<T> {
    /// Shares what is the same in both.
    pub fn share(&mut self, other: &Self) {
        for (file, other) in self.0.iter_mut().zip(&other.0) {
            if !Arc::ptr_eq(file, other) && file == other {
                *file = Arc::clone(other);
            }
        }
    }
}

impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(stored) = self.stored.get() {
            return serializer.serialize_bytes(stored);
        }
        let stored = postcard::to_allocvec(&self.of_file).map_err(S::Error::custom)?;
        serializer.serialize_bytes(self.stored.get_or_init(|| stored.into()))
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored: &[u8] = Deserialize::deserialize(deserializer)?;
        let of_file = postcard::from_bytes(stored).map_err(D::Error::custom)?;
        Ok(Shared { of_file, stored: OnceLock::from(Box::from(stored)) })
    }
}

impl<T: Serialize> Serialize for SharedFiles<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|file| &**file))
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for SharedFiles<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let files: Vec<Shared<T>> = Deserialize::deserialize(deserializer)?;
        Ok(files.into_iter().map(Arc::new).collect())
    }
}
