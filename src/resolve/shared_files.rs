//! What is kept by file, and shared by states in which it is the same.

use std::sync::Arc;

use index_vec::IndexVec;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ids::InstanceId;

/// Something of each instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SharedFiles<T>(IndexVec<InstanceId, Arc<T>>);

impl<T> Default for SharedFiles<T> {
    fn default() -> Self {
        SharedFiles(IndexVec::new())
    }
}

impl<T> SharedFiles<T> {
    pub fn push(&mut self, file: Arc<T>) -> InstanceId {
        self.0.push(file)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, number: InstanceId) -> Option<&Arc<T>> {
        self.0.get(number)
    }

    pub fn set(&mut self, number: InstanceId, file: Arc<T>) {
        if let Some(place) = self.0.get_mut(number) {
            *place = file;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().map(|file| &**file)
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
        files.map(|(_, file)| &**file)
    }
}

impl<T: Clone> SharedFiles<T> {
    /// For writing. Other states keep what they have.
    pub fn get_mut(&mut self, number: InstanceId) -> Option<&mut T> {
        self.0.get_mut(number).map(Arc::make_mut)
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

impl<T: Serialize> Serialize for SharedFiles<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SharedFiles<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let files: Vec<T> = Deserialize::deserialize(deserializer)?;
        Ok(SharedFiles(files.into_iter().map(Arc::new).collect()))
    }
}
