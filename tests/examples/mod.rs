//! What help, pages and hints tell people to type works.

mod hints;
mod home;
mod shown;
