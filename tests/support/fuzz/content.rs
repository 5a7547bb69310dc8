//! What a path holds, and what was done to it: the records that the oracle judges by.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// What a path holds.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Content {
    Gone,
    Bytes(Arc<[u8]>),
    Link(String),
    Folder,
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Gone => f.write_str("Gone"),
            Self::Bytes(bytes) => write!(f, "Bytes({}, {})", bytes.len(), &hash(bytes)[..8]),
            Self::Link(to) => write!(f, "Link({to})"),
            Self::Folder => f.write_str("Folder"),
        }
    }
}

pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

impl Content {
    pub fn at(path: &Path) -> Self {
        let Ok(meta) = fs::symlink_metadata(path) else { return Self::Gone };
        if meta.is_symlink() {
            return match fs::read_link(path) {
                Ok(to) => Self::Link(to.to_string_lossy().into_owned()),
                Err(_) => Self::Gone,
            };
        }
        match fs::read(path) {
            Ok(bytes) => Self::Bytes(bytes.into()),
            Err(_) if meta.is_dir() => Self::Folder,
            Err(_) => Self::Gone,
        }
    }

    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }
}

/// Files below a root, by path.
pub type Tree = BTreeMap<String, Content>;

/// Everything below a root but our own state.
pub fn scan(root: &Path) -> Tree {
    fn below(root: &Path, folder: &Path, found: &mut Tree) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if name == ".asof" {
                continue;
            }
            match Content::at(&path) {
                Content::Folder => below(root, &path, found),
                content => {
                    found.insert(name, content);
                }
            }
        }
    }
    let mut found = Tree::new();
    below(root, root, &mut found);
    found
}

/// One change that the other process made.
#[derive(Debug, Clone)]
pub struct Event {
    pub path: String,
    pub what: String,
    pub from: Content,
    pub to: Content,
    /// Written into the open file; else the path was given other content in one step.
    pub in_place: bool,
}

/// What the other process is asked for.
#[derive(Debug, Clone, Default)]
pub struct Job {
    pub root: String,
    /// A folder beside the root: for temporary files, and one to which links lead.
    pub outside: String,
    pub seed: u64,
    /// Files to change, with the keys of the items that are edited in them.
    pub files: Vec<(String, Vec<String>)>,
    /// Microseconds before each change.
    pub delays: Vec<u32>,
    /// Only changes after which every item is still there.
    pub gentle: bool,
}

/// Reads and writes records on a stream.
pub struct Wire<S>(pub S);

impl<S: Read + Write> Wire<S> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(&(bytes.len() as u32).to_le_bytes())?;
        self.0.write_all(bytes)
    }

    fn get(&mut self) -> io::Result<Vec<u8>> {
        let mut len = [0u8; 4];
        self.0.read_exact(&mut len)?;
        let mut bytes = vec![0; u32::from_le_bytes(len) as usize];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn number(&mut self) -> io::Result<u64> {
        let bytes = self.get()?;
        Ok(u64::from_le_bytes(bytes.try_into().unwrap()))
    }

    fn text(&mut self) -> io::Result<String> {
        Ok(String::from_utf8(self.get()?).unwrap())
    }

    pub fn send_job(&mut self, job: &Job) -> io::Result<()> {
        self.put(job.root.as_bytes())?;
        self.put(job.outside.as_bytes())?;
        for number in [job.seed, u64::from(job.gentle), job.files.len() as u64] {
            self.put(&number.to_le_bytes())?;
        }
        for (path, keys) in &job.files {
            self.put(path.as_bytes())?;
            self.put(keys.join("\n").as_bytes())?;
        }
        let delays: Vec<u8> = job.delays.iter().flat_map(|d| d.to_le_bytes()).collect();
        self.put(&delays)
    }

    pub fn take_job(&mut self) -> io::Result<Job> {
        let (root, outside) = (self.text()?, self.text()?);
        let (seed, gentle, count) = (self.number()?, self.number()? == 1, self.number()?);
        let mut files = Vec::new();
        for _ in 0..count {
            let path = self.text()?;
            files.push((path, self.text()?.lines().map(str::to_owned).collect()));
        }
        let delays = self.get()?;
        let delays = delays.chunks(4).map(|d| u32::from_le_bytes(d.try_into().unwrap()));
        Ok(Job { root, outside, seed, files, delays: delays.collect(), gentle })
    }

    fn put_content(&mut self, content: &Content) -> io::Result<()> {
        match content {
            Content::Gone => self.put(b"-"),
            Content::Folder => self.put(b"d"),
            Content::Link(to) => self.put(format!("l{to}").as_bytes()),
            Content::Bytes(bytes) => self.put(&[b"b", &bytes[..]].concat()),
        }
    }

    fn take_content(&mut self) -> io::Result<Content> {
        let bytes = self.get()?;
        Ok(match bytes.split_first() {
            Some((b'b', rest)) => Content::Bytes(rest.into()),
            Some((b'l', rest)) => Content::Link(String::from_utf8_lossy(rest).into_owned()),
            Some((b'd', _)) => Content::Folder,
            _ => Content::Gone,
        })
    }

    pub fn send_events(&mut self, events: &[Event]) -> io::Result<()> {
        self.put(&(events.len() as u64).to_le_bytes())?;
        for event in events {
            self.put(event.path.as_bytes())?;
            self.put(event.what.as_bytes())?;
            self.put(&u64::from(event.in_place).to_le_bytes())?;
            self.put_content(&event.from)?;
            self.put_content(&event.to)?;
        }
        self.0.flush()
    }

    pub fn take_events(&mut self) -> io::Result<Vec<Event>> {
        let count = self.number()?;
        let mut events = Vec::new();
        for _ in 0..count {
            let (path, what) = (self.text()?, self.text()?);
            let in_place = self.number()? == 1;
            let (from, to) = (self.take_content()?, self.take_content()?);
            events.push(Event { path, what, from, to, in_place });
        }
        Ok(events)
    }
}
