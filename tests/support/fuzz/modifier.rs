//! The other process: it changes the files that are edited, as editors, formatters and people do,
//! and keeps a record of what stood there before and after each change.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::content::{Content, Event, Job, Wire};
use super::items::{Item, Kind, Parsed};
use crate::support::edits::Rng;

/// Answers jobs until the other side hangs up.
pub fn serve<S: Read + Write>(stream: S) {
    let mut wire = Wire(stream);
    while let Ok(job) = wire.take_job() {
        let events = Modifier::new(&job).run();
        if wire.send_events(&events).is_err() {
            return;
        }
    }
}

struct Modifier<'a> {
    job: &'a Job,
    rng: Rng,
    events: Vec<Event>,
    spare: PathBuf,
    /// Texts that files had before, to put back.
    seen: Vec<(String, Vec<u8>)>,
}

impl<'a> Modifier<'a> {
    fn new(job: &'a Job) -> Self {
        let spare = Path::new(&job.outside).join(format!("spare-{}", std::process::id()));
        Self { job, rng: Rng::new(job.seed), events: Vec::new(), spare, seen: Vec::new() }
    }

    fn run(mut self) -> Vec<Event> {
        for delay in self.job.delays.clone() {
            wait(delay);
            let Some((path, keys)) = self.rng.pick(&self.job.files).cloned() else { break };
            // A change that finds nothing to work on is tried as another one.
            for _ in 0..6 {
                if self.change(&path, &keys).unwrap_or(false) {
                    break;
                }
            }
        }
        self.events
    }

    fn full(&self, path: &str) -> PathBuf {
        Path::new(&self.job.root).join(path)
    }

    fn change(&mut self, path: &str, keys: &[String]) -> io::Result<bool> {
        let now = Content::at(&self.full(path));
        let Some(bytes) = now.bytes().map(<[u8]>::to_vec) else {
            return match self.seen.iter().rev().find(|(p, _)| p == path).cloned() {
                Some((_, bytes)) => self.put(path, "put back", bytes),
                None => Ok(false),
            };
        };
        self.seen.push((path.to_owned(), bytes.clone()));
        let sort = self.rng.below(if self.job.gentle { 60 } else { 100 });
        let n = self.rng.below(10_000);
        let text = String::from_utf8(bytes.clone()).unwrap_or_default();
        let parsed = Parsed::parse(&bytes).unwrap_or_default();
        match sort {
            0..20 => {
                let target = sort < 12;
                let Some(item) = self.choose(&parsed, keys, target) else { return Ok(false) };
                let start = item.range.start;
                let word = ["// noted\n", "// two\n// lines\n", "/* { */\n", "\n\n", "   "];
                let word = self.rng.pick(&word).copied().unwrap_or_default();
                let new = splice(&text, start, start, word);
                match self.rng.below(3) {
                    0 => self.in_place(path, "comment above, in place", new, 0),
                    _ => self.put(path, "comment above", new),
                }
            }
            20..32 => {
                let Some(item) = self.choose(&parsed, keys, false) else { return Ok(false) };
                let old = text.get(item.range.clone()).unwrap_or_default();
                let new = match self.rng.below(3) {
                    0 => old.replace("    ", "\t"),
                    1 => old.replace(") {", ")\n{").replace(", ", ",  "),
                    _ => old.replace('\n', "\n\n"),
                };
                let new = splice(&text, item.range.start, item.range.end, &new);
                self.put(path, "reformat another", new)
            }
            32..42 => {
                let new = format!("{text}\nfn appended_{n}() {{}}\n");
                match self.rng.below(3) {
                    0 => self.append(path, &format!("\nfn appended_{n}() {{}}\n")),
                    1 => self.in_place(path, "rewrite with an item more", new.into_bytes(), 1),
                    _ => self.put(path, "append an item", new.into_bytes()),
                }
            }
            42..48 => {
                let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
                if text.get(start..).is_some_and(|t| t.starts_with("#!") || t.starts_with("//!")) {
                    return Ok(false);
                }
                self.put(path, "lines at the top", splice(&text, start, start, "// top\n\n"))
            }
            48..52 => self.put(path, "the same bytes", bytes),
            52..56 => {
                let Some(item) = self.choose(&parsed, keys, false) else { return Ok(false) };
                let Some(body) = item.body.clone() else { return Ok(false) };
                if text.as_bytes().get(body.start) != Some(&b'{') {
                    return Ok(false);
                }
                let at = body.start + 1;
                self.put(path, "edit another", splice(&text, at, at, &format!(" let _n = {n};")))
            }
            56..60 => {
                let end = text.trim_end().len();
                let new = format!("{}{}", &text[..end], "\n".repeat(self.rng.below(3)));
                self.put(path, "end of the file", new.into_bytes())
            }
            60..74 => {
                let Some(item) = self.choose(&parsed, keys, true) else { return Ok(false) };
                let (start, end) = (item.range.start, item.range.end);
                let brace = item.body.clone().filter(|b| text.as_bytes()[b.start] == b'{');
                let new = match (self.rng.below(5), brace) {
                    (0, _) => splice(&text, start, end, ""),
                    (1, Some(body)) => {
                        splice(&text, body.start + 1, body.start + 1, &format!(" {n}; "))
                    }
                    (2, _) => {
                        let twin = format!("{}\n", &text[start..end]);
                        splice(&text, start, start, &twin)
                    }
                    (3, _) => splice(&text, start, start, &format!("/// Said, {n}.\n")),
                    _ => {
                        let old = &text[start..end];
                        match old.find(' ') {
                            Some(at) => splice(&text, start + at, start + at, " /* in */"),
                            None => return Ok(false),
                        }
                    }
                };
                match self.rng.below(4) {
                    0 => self.in_place(path, "edit inside, in place", new, 0),
                    _ => self.put(path, "edit inside", new),
                }
            }
            74..80 => {
                let len = match self.rng.below(3) {
                    0 => 0,
                    _ => self.rng.below(bytes.len() + 1),
                };
                let new = bytes.get(..len).unwrap_or_default().to_vec();
                match self.rng.below(2) {
                    0 => self.in_place(path, "truncate, in place", new, 0),
                    _ => self.put(path, "truncate", new),
                }
            }
            80..84 => self.remove(path, "delete"),
            84..90 => {
                let to = match self.rng.below(4) {
                    0 => format!("{}/secret.rs", self.job.outside),
                    1 => "nowhere.rs".to_owned(),
                    2 => "/dev/null".to_owned(),
                    _ => self.rng.pick(&self.job.files).map(|f| f.0.clone()).unwrap_or_default(),
                };
                self.link(path, &to)
            }
            90..94 => {
                let new = if text.contains("\r\n") {
                    text.replace("\r\n", "\n")
                } else {
                    text.replace('\n', "\r\n")
                };
                self.put(path, "line ends", new.into_bytes())
            }
            94..97 => {
                let new = match text.strip_prefix('\u{feff}') {
                    Some(rest) => rest.to_owned(),
                    None => format!("\u{feff}{text}"),
                };
                self.put(path, "byte-order mark", new.into_bytes())
            }
            _ => {
                let moved = Path::new(&self.job.outside).join(format!("moved-{n}"));
                let _ = fs::remove_file(&moved);
                fs::rename(self.full(path), &moved)?;
                let from = Content::at(&moved);
                fs::remove_file(&moved)?;
                self.note(path, "rename away", from, Content::Gone, false);
                Ok(true)
            }
        }
    }

    /// One of the edited items, or one that is none of them.
    fn choose(&mut self, parsed: &Parsed, keys: &[String], target: bool) -> Option<Item> {
        let is_target = |item: &&Item| {
            keys.iter().any(|key| {
                if target {
                    item.key == *key
                } else {
                    // Neither in an edited item nor around one.
                    item.key.starts_with(key.as_str()) || key.starts_with(&item.key)
                }
            })
        };
        let ours = |item: &&Item| is_target(item) == target;
        let plain = |item: &&Item| item.kind != Kind::Field && item.kind != Kind::Variant;
        let items: Vec<&Item> = parsed.items.iter().filter(ours).filter(plain).collect();
        self.rng.pick(&items).map(|item| (*item).clone())
    }

    fn note(&mut self, path: &str, what: &str, from: Content, to: Content, in_place: bool) {
        let (path, what) = (path.to_owned(), what.to_owned());
        self.events.push(Event { path, what, from, to, in_place });
    }

    /// Gives a path new content in one step; what was there is what the step displaced.
    fn put(&mut self, path: &str, what: &str, bytes: Vec<u8>) -> io::Result<bool> {
        let _ = fs::remove_file(&self.spare);
        fs::write(&self.spare, &bytes)?;
        self.exchange(path, what, Content::Bytes(bytes.into()))
    }

    fn link(&mut self, path: &str, to: &str) -> io::Result<bool> {
        let _ = fs::remove_file(&self.spare);
        symlink(to, &self.spare)?;
        self.exchange(path, "swap for a link", Content::Link(to.to_owned()))
    }

    fn exchange(&mut self, path: &str, what: &str, to: Content) -> io::Result<bool> {
        let full = self.full(path);
        let from = match renameat_with(CWD, &self.spare, CWD, &full, RenameFlags::EXCHANGE) {
            Ok(()) => Content::at(&self.spare),
            Err(rustix::io::Errno::NOENT) => {
                renameat_with(CWD, &self.spare, CWD, &full, RenameFlags::NOREPLACE)?;
                Content::Gone
            }
            Err(error) => return Err(error.into()),
        };
        let _ = fs::remove_file(&self.spare);
        self.note(path, what, from, to, false);
        Ok(true)
    }

    fn remove(&mut self, path: &str, what: &str) -> io::Result<bool> {
        let _ = fs::remove_file(&self.spare);
        fs::rename(self.full(path), &self.spare)?;
        let from = Content::at(&self.spare);
        let _ = fs::remove_file(&self.spare);
        self.note(path, what, from, Content::Gone, false);
        Ok(true)
    }

    /// Writes into the open file, as many editors do: with 1, it is empty for a moment.
    fn in_place(&mut self, path: &str, what: &str, new: Vec<u8>, by: u8) -> io::Result<bool> {
        let mut file = self.open(path)?;
        let mut old = Vec::new();
        file.read_to_end(&mut old)?;
        let old = Content::Bytes(old.into());
        file.seek(SeekFrom::Start(0))?;
        let empty = Content::Bytes(Vec::new().into());
        if by == 1 {
            file.set_len(0)?;
            self.note(path, "empty", old.clone(), empty.clone(), true);
        }
        file.write_all(&new)?;
        let longer = match &old {
            Content::Bytes(old) if by == 0 && old.len() > new.len() => Some(old.clone()),
            _ => None,
        };
        let mut from = if by == 1 { empty } else { old };
        if let Some(old) = longer {
            // Between the two steps the end of the old text follows the new one.
            let mixed = [&new[..], old.get(new.len()..).unwrap_or_default()].concat();
            let mixed = Content::Bytes(mixed.into());
            self.note(path, "half of it", from, mixed.clone(), true);
            from = mixed;
            file.set_len(new.len() as u64)?;
        }
        self.note(path, what, from, Content::Bytes(new.into()), true);
        Ok(true)
    }

    fn append(&mut self, path: &str, more: &str) -> io::Result<bool> {
        let mut file = self.open(path)?;
        let mut old = Vec::new();
        file.read_to_end(&mut old)?;
        file.write_all(more.as_bytes())?;
        let new = [&old[..], more.as_bytes()].concat();
        let (old, new) = (Content::Bytes(old.into()), Content::Bytes(new.into()));
        self.note(path, "append, in place", old, new, true);
        Ok(true)
    }

    fn open(&self, path: &str) -> io::Result<File> {
        let flags = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
        let mut open = File::options();
        open.read(true).write(true).custom_flags(flags).open(self.full(path))
    }
}

fn splice(text: &str, start: usize, end: usize, new: &str) -> Vec<u8> {
    format!("{}{new}{}", &text[..start], &text[end..]).into_bytes()
}

/// Sleeps are too coarse for the moments between two steps.
fn wait(micros: u32) {
    let end = Instant::now() + Duration::from_micros(u64::from(micros));
    if micros > 1_000 {
        std::thread::sleep(Duration::from_micros(u64::from(micros) - 500));
    }
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}
