//! (described when its first part lands)
