"""Small Git repositories with a past, the second of which depends on the first."""

import os
import subprocess

LIB = """//! Delays.
pub mod delay;
pub use delay::{next_delay, Backoff};

pub fn twice(n: u64) -> u64 {
    next_delay(n) + next_delay(n + 1)
}
"""

DELAY = """pub fn next_delay(n: u64) -> u64 {
    clamp(n * 2)
}

fn clamp(n: u64) -> u64 {
    n.min(60)
}

pub struct Backoff {
    pub n: u64,
}

impl Backoff {
    pub fn next(&mut self) -> u64 {
        self.n += 1;
        next_delay(self.n)
    }
}

pub fn nobody() {}
"""

USER = """use retry::{next_delay, Backoff};

pub fn wait() -> u64 {
    let mut backoff = Backoff { n: 0 };
    backoff.next() + next_delay(3)
}

fn main() {
    std::process::exit(wait() as i32);
}
"""


def manifest(name, version, more=""):
    return f'[package]\nname = "{name}"\nversion = "{version}"\nedition = "2021"\n{more}'


def lock(packages):
    text = "version = 4\n"
    for name, version, source, depends in packages:
        text += f'\n[[package]]\nname = "{name}"\nversion = "{version}"\n'
        if source:
            text += 'source = "registry+https://github.com/rust-lang/crates.io-index"\n'
        if depends:
            text += "dependencies = [" + ", ".join(f'"{d}"' for d in depends) + "]\n"
    return text


class Repository:
    def __init__(self, root):
        self.root = root
        self.clock = 1_600_000_000
        os.makedirs(root)
        self.git("init", "-q", "-b", "main")

    def git(self, *args):
        self.clock += 60
        date = f"@{self.clock} +0000"
        env = dict(os.environ, GIT_COMMITTER_DATE=date, GIT_AUTHOR_DATE=date)
        config = ["-c", "user.name=Ana", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *config, *args], cwd=self.root, env=env, check=True)

    def commit(self, **files):
        for path, text in files.items():
            path = os.path.join(self.root, path.replace("__", "/").replace("_rs", ".rs"))
            path = path.replace("Cargo_toml", "Cargo.toml").replace("Cargo_lock", "Cargo.lock")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as out:
                out.write(text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "step")


def make(folder):
    """Two repositories; returns their roots."""
    one = Repository(os.path.join(folder, "retry"))
    one.commit(Cargo_toml=manifest("retry", "0.1.0"), src__lib_rs=LIB, src__delay_rs=DELAY)
    for n in range(6):
        body = DELAY.replace("n * 2", f"n * {n + 3}")
        if n % 2:
            body = f"// {'moved ' * n}\n\n" + body.replace("fn clamp", "fn limit").replace(
                "clamp(", "limit("
            )
        one.commit(Cargo_toml=manifest("retry", f"0.{n + 2}.0"), src__delay_rs=body)
    one.commit(src__lib_rs=LIB.replace("Backoff}", "Backoff as Wait, Backoff}"))
    two = Repository(os.path.join(folder, "user"))
    depends = '[dependencies]\nretry = "0.1"\nlog = "0.4"\n'
    for n in range(5):
        two.commit(
            Cargo_toml=manifest("user", "0.1.0", depends),
            Cargo_lock=lock(
                [
                    ("log", f"0.4.{n + 18}", True, []),
                    ("retry", f"0.{n + 1}.0", True, []),
                    ("user", "0.1.0", False, ["log", "retry"]),
                ]
            ),
            src__main_rs=USER + f"\nfn other{n}() -> u64 {{\n    wait() + {n}\n}}\n" * (n + 1),
        )
    return [one.root, two.root]
