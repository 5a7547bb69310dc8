//! Finds the sections that may mention an item.

use super::collect_sections::is_release_notes;
use super::corpus::Corpus;
use super::file_terms::Field;
use super::terms::whole;

impl Corpus {
    /// Sections of this corpus that may mention a name, as file and item: those with the name in
    /// their heading first, those of release notes last. The caller compares the names: terms are
    /// hashes, and forget case and underscores.
    pub fn mentioning(&self, name: &str) -> Vec<(usize, usize)> {
        let term = whole(name);
        let mut found = Vec::new();
        for (number, file) in self.files.iter().enumerate() {
            let late = is_release_notes(&file.path);
            file.postings(term, |posting| {
                let count = |field: Field| posting.counts.get(field.index()).copied();
                let mentions = count(Field::Signature).unwrap_or_default();
                if let (Some(item), 1..) = (posting.item, mentions) {
                    let in_heading = count(Field::Name).unwrap_or_default() > 0;
                    found.push(((late, !in_heading), (number, item as usize)));
                }
            });
        }
        found.sort_unstable();
        found.into_iter().map(|(_, place)| place).collect()
    }
}
