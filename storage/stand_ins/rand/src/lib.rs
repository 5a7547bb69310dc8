//! What the engine takes from `rand` 0.8, by the names of that release, from the release that
//! others bring anyway.

use distributions::{Distribution, SampleRange, SampleUniform, StandardUniform};

pub use current::Rng as RngCore;
pub use current::rngs::ThreadRng;

/// The random numbers of this thread.
pub fn thread_rng() -> ThreadRng {
    current::rng()
}

/// Random values.
pub trait Rng: RngCore {
    fn r#gen<T>(&mut self) -> T
    where
        StandardUniform: Distribution<T>,
    {
        StandardUniform.sample(self)
    }

    fn gen_range<T: SampleUniform>(&mut self, range: impl SampleRange<T>) -> T {
        current::RngExt::random_range(self, range)
    }

    fn gen_bool(&mut self, probability: f64) -> bool {
        current::RngExt::random_bool(self, probability)
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        self.fill_bytes(bytes);
    }
}

impl<R: RngCore + ?Sized> Rng for R {}

/// Distributions of random values.
pub mod distributions {
    pub use current::distr::uniform::{SampleRange, SampleUniform};
    pub use current::distr::weighted::WeightedIndex;
    pub use current::distr::{Distribution, StandardUniform};
}

/// What is imported together.
pub mod prelude {
    pub use crate::distributions::Distribution;
    pub use crate::{Rng, RngCore, ThreadRng, thread_rng};
    pub use current::seq::{IndexedRandom, SliceRandom};
}

#[cfg(test)]
mod tests {
    use super::distributions::WeightedIndex;
    use super::prelude::*;

    #[test]
    fn values_are_in_their_ranges() {
        let mut rng = thread_rng();
        let mut bytes = [0; 64];
        rng.fill(&mut bytes);
        assert!(bytes.iter().any(|byte| *byte != 0));
        assert!((0.0..1.0).contains(&rng.r#gen::<f64>()));
        assert_eq!(rng.gen_range(7..=7), 7);
        assert!(rng.gen_bool(1.0) && !rng.gen_bool(0.0));
        assert_eq!([3].choose(&mut rng), Some(&3));
        assert_eq!(WeightedIndex::new([0, 1]).unwrap().sample(&mut rng), 1);
        let mut order = [1, 2, 3];
        order.shuffle(&mut rng);
        order.sort_unstable();
        assert_eq!(order, [1, 2, 3]);
    }
}
