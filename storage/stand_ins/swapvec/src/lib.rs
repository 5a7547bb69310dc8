//! What the engine takes from the crate `swapvec`: a list that it fills once and reads once, while
//! it makes or removes an index. That crate compresses long ones into temporary files.

use std::convert::Infallible;

/// A list in memory.
#[derive(Debug)]
pub struct SwapVec<T>(Vec<T>);

impl<T> Default for SwapVec<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> SwapVec<T> {
    /// Adds an element.
    ///
    /// # Errors
    /// None: the engine expects the failures of a file.
    pub fn push(&mut self, element: T) -> Result<(), Infallible> {
        self.0.push(element);
        Ok(())
    }
}

impl<T> IntoIterator for SwapVec<T> {
    type Item = Result<T, Infallible>;
    type IntoIter = std::iter::Map<std::vec::IntoIter<T>, fn(T) -> Result<T, Infallible>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(Ok)
    }
}

#[cfg(test)]
mod tests {
    use super::SwapVec;

    #[test]
    fn elements_come_in_order() {
        let mut list = SwapVec::default();
        for element in [3, 1, 2] {
            assert_eq!(list.push(element), Ok(()));
        }
        assert_eq!(list.into_iter().collect::<Result<Vec<_>, _>>(), Ok(vec![3, 1, 2]));
    }
}
