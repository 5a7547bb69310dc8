"""The workspace that the clients open: a crate in a Git repository, with three commits.

    python workspace.py FOLDER    makes it there and indexes its history; ASOF is the program
"""

import os
import subprocess
import sys
from pathlib import Path

MANIFEST = """[package]
name = "zoo"
version = "0.1.0"
edition = "2021"
"""

LIB = """//! Animals and who feeds them. See [`animals::Animal`].

pub mod animals;
pub mod keeper;

/// What an animal eats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Food {
    Meat,
    Grass,
}
"""

ANIMALS = """use crate::Food;

/// Whatever has a name.
pub trait Named {
    fn name(&self) -> String;
}

/// Eats one kind of [`Food`].
pub trait Animal: Named {
    fn eats(&self) -> Food;

    fn likes(&self, given: Food) -> bool {
        given == self.eats()
    }
}

pub struct Lion {
    pub pride: u32,
}

impl Named for Lion {
    fn name(&self) -> String {
        format!("lion of {}", self.pride)
    }
}

impl Animal for Lion {
    fn eats(&self) -> Food {
        Food::Meat
    }
}
"""

GOAT = """
pub struct Goat;

impl Named for Goat {
    fn name(&self) -> String {
        "goat".to_owned()
    }
}

impl Animal for Goat {
    fn eats(&self) -> Food {
        Food::Grass
    }
}
"""

FIRST_KEEPER = """use crate::animals::{Animal, Lion};
use crate::Food;

/// Feeds animals.
pub struct Keeper {
    pub meals: Vec<Food>,
}

impl Keeper {
    pub fn start() -> Self {
        Self { meals: Vec::new() }
    }

    pub fn feed(&mut self, animal: &dyn Animal) {
        self.meals.push(animal.eats());
    }
}

pub fn open_zoo() -> Keeper {
    let mut keeper = Keeper::start();
    keeper.feed(&Lion { pride: 3 });
    keeper
}
"""

KEEPER = """use crate::animals::{Animal, Goat, Lion};
use crate::Food;

/// Feeds animals.
pub struct Keeper {
    pub meals: Vec<Food>,
}

impl Keeper {
    pub fn start() -> Self {
        Self { meals: Vec::new() }
    }

    /// One meal, and how often it was given. See [`Keeper::start`].
    pub fn feed(&mut self, animal: &dyn Animal) -> usize {
        let meal = animal.eats();
        self.meals.push(meal);
        count("Grüße 😀", &self.meals, meal)
    }
}

fn count(_greeting: &str, meals: &[Food], meal: Food) -> usize {
    meals.iter().filter(|one| **one == meal).count()
}

pub fn open_zoo() -> Keeper {
    let mut keeper = Keeper::start();
    keeper.feed(&Lion { pride: 3 });
    keeper.feed(&Goat);
    keeper
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_is_fed() {
        assert_eq!(open_zoo().meals, [Food::Meat, Food::Grass]);
    }
}
"""

COMMITS = [
    ("2026-03-02T10:00:00Z", "A zoo with lions", {"Cargo.toml": MANIFEST, "src/lib.rs": LIB,
     "src/animals.rs": ANIMALS, "src/keeper.rs": FIRST_KEEPER}),
    ("2026-04-02T10:00:00Z", "Goats", {"src/animals.rs": ANIMALS + GOAT}),
    ("2026-05-02T10:00:00Z", "Meals are counted", {"src/keeper.rs": KEEPER}),
]

SECOND = {
    "Cargo.toml": MANIFEST.replace("zoo", "shop"),
    "src/lib.rs": "/// Sells tickets.\npub fn sell_ticket(price: u32) -> u32 {\n    price\n}\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def git(root: Path, *args: str, date: str = "2026-03-02T10:00:00Z") -> None:
    person = {"NAME": "Ann", "EMAIL": "ann@example.org", "DATE": date}
    env = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER")
           for key, value in person.items()}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", "-C", root, *args], check=True, env=os.environ | env)


def make(root: Path, index: bool = True) -> Path:
    """The workspace, with its history indexed."""
    root.mkdir(parents=True)
    git(root, "init", "--quiet", "--initial-branch", "main")
    write(root, {".gitignore": ".asof/\n"})
    for date, message, files in COMMITS:
        write(root, files)
        git(root, "add", "--all", date=date)
        git(root, "commit", "--quiet", "-m", message, date=date)
    if index:
        command = [os.environ["ASOF"], "-C", root, "index", "--history", "--quiet"]
        subprocess.run(command, check=True)
    return root


if __name__ == "__main__":
    make(Path(sys.argv[1]))
