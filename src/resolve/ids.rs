//! Numbers of what resolution tells apart, each with a type of its own: one is never taken for
//! another.

use index_vec::define_index_type;

define_index_type! {
    /// A definition or scope: a node of [`CrateMaps`](crate::CrateMaps), after those the scopes of
    /// blocks; far behind, the definitions of other crates, and choices between definitions.
    pub struct Def = u32;
    // An index that is too large is in no table.
    DISABLE_MAX_INDEX_CHECK = true;
}

impl Def {
    /// The root of the standard library, after which the definitions of other crates have their
    /// numbers: the same whatever the workspace declares.
    pub(crate) const FIRST_OUTSIDE: Self = Self::from_raw_unchecked(1 << 30);
    /// Choices have numbers from here on.
    pub(crate) const FIRST_CHOICE: Self = Self::from_raw_unchecked(1 << 31);
}

define_index_type! {
    /// A name, by its number in the [`ItemIndex`](crate::ItemIndex).
    pub struct Name = u32;
    DISABLE_MAX_INDEX_CHECK = true;
    DEFAULT = Name::NONE;
}

impl Name {
    /// A name that nothing has.
    pub(crate) const NONE: Self = Self::from_raw_unchecked(u32::MAX);
}

define_index_type! {
    /// A presence condition of [`Conditions`](crate::Conditions).
    pub struct ConditionId = u32;
    DISABLE_MAX_INDEX_CHECK = true;
}

define_index_type! {
    /// A package of an [`Input`](crate::Input).
    pub struct PackageId = u32;
    DISABLE_MAX_INDEX_CHECK = true;
}

define_index_type! {
    /// A crate of the workspace: a [`Crate`](crate::Crate) of an [`Input`](crate::Input).
    pub struct CrateId = u32;
    DISABLE_MAX_INDEX_CHECK = true;
}

define_index_type! {
    /// A crate outside of the workspace: the standard library, after it the dependencies.
    pub struct LibraryId = u32;
    DISABLE_MAX_INDEX_CHECK = true;
}

define_index_type! {
    /// A definition of a crate outside of the workspace, by its number in the crate's own tables.
    pub struct DefIndex = u32;
    DISABLE_MAX_INDEX_CHECK = true;
}

impl DefIndex {
    /// The root of the crate.
    pub(crate) const ROOT: Self = Self::from_raw_unchecked(0);
}

define_index_type! {
    /// A file of an [`Input`](crate::Input).
    pub struct FileId = u32;
    DISABLE_MAX_INDEX_CHECK = true;
}

define_index_type! {
    /// One use of a file as the body of a module: an [`Instance`](crate::Instance) of an
    /// [`Input`](crate::Input).
    pub struct InstanceId = u32;
    DISABLE_MAX_INDEX_CHECK = true;
}

impl LibraryId {
    /// The standard library.
    pub const STANDARD: Self = Self::from_raw_unchecked(0);

    /// The crate with an index among the dependencies.
    pub fn from_dependency(index: usize) -> Self {
        Self::new(index + 1)
    }

    /// Index among the dependencies; none for the standard library.
    pub fn dependency(self) -> Option<usize> {
        self.index().checked_sub(1)
    }
}
