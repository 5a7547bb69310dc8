//! The write-ahead log (<https://sqlite.org/fileformat2.html#walformat>): its checksums, and
//! whether frames are missing. SQLite verifies the checksums when it recovers a log, and trusts the
//! log afterwards.

use super::{PAGE, RESERVED, SUM, Source};

/// Bytes of the log's own header.
pub const HEAD: usize = 32;
/// Bytes before each page.
pub const FRAME_HEAD: usize = 24;
/// Bytes of a frame.
pub const FRAME: usize = FRAME_HEAD + PAGE;

const MAGIC: u32 = 0x377f_0682;
const VERSION: u32 = 3_007_000;

/// The two halves of a checksum; each checksum continues the one before.
type Sum = [u32; 2];

/// Which part of the log an offset is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Head,
    /// The head of the frame that begins there.
    FrameHead(i64),
    /// Bytes into the page of the frame that begins there.
    Page(i64, usize),
}

pub fn place(offset: i64) -> Place {
    let Some(behind) = usize::try_from(offset).ok().and_then(|at| at.checked_sub(HEAD)) else {
        return Place::Head;
    };
    let within = behind % FRAME;
    let start = offset - within as i64;
    match within.checked_sub(FRAME_HEAD) {
        Some(into) => Place::Page(start, into),
        None => Place::FrameHead(start),
    }
}

/// Where the checksum is that the frame at `start` continues.
pub fn sum_before(start: i64) -> i64 {
    if start == HEAD as i64 { HEAD as i64 - 8 } else { start - FRAME as i64 + 16 }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..).and_then(<[u8]>::first_chunk);
    four.map_or(0, |four| u32::from_be_bytes(*four))
}

fn pair(bytes: &[u8], at: usize) -> Sum {
    [number(bytes, at), number(bytes, at + 4)]
}

fn go_on([mut a, mut b]: Sum, bytes: &[u8], big_endian: bool) -> Sum {
    let read = if big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
    for &[p, q, r, s, t, u, v, w] in bytes.as_chunks().0 {
        a = a.wrapping_add(read([p, q, r, s])).wrapping_add(b);
        b = b.wrapping_add(read([t, u, v, w])).wrapping_add(a);
    }
    [a, b]
}

/// The head of a frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameHead<'a>(pub &'a [u8; FRAME_HEAD]);

impl FrameHead<'_> {
    /// Number of the page in the database.
    pub fn page(self) -> u32 {
        number(self.0, 0)
    }

    fn commits(self) -> bool {
        number(self.0, 4) != 0
    }

    fn salts(self) -> Sum {
        pair(self.0, 8)
    }

    /// The log of the frame, and its number.
    pub fn source(self, start: i64) -> Source {
        let before = usize::try_from(start).unwrap_or_default().saturating_sub(HEAD) / FRAME;
        Source { log: number(self.0, 12), frame: u32::try_from(before + 1).unwrap_or(u32::MAX) }
    }

    /// Whether head and page belong together and follow what is before them.
    pub fn is_sound(self, before: [u8; 8], page: &[u8], big_endian: bool) -> bool {
        let (first, _) = self.0.split_at(8);
        let sum = go_on(go_on(pair(&before, 0), first, big_endian), page, big_endian);
        sum == pair(self.0, 16)
    }
}

/// Whether the head of a frame has its salts and checksum yet.
pub fn has_sum(head: &[u8]) -> bool {
    head.iter().skip(8).any(|byte| *byte != 0)
}

/// Whether checksums of a log are those of a big-endian machine, if this is the head of a log.
pub fn is_big_endian(head: &[u8]) -> Option<bool> {
    (number(head, 0) & !1 == MAGIC).then(|| number(head, 0) & 1 == 1)
}

/// The operations of a file that a check needs.
pub trait Bytes {
    type Error;
    fn len(&mut self) -> Result<i64, Self::Error>;
    /// Fills the buffer; with zeros after the end of the file.
    fn read(&mut self, buffer: &mut [u8], offset: i64) -> Result<(), Self::Error>;
}

/// Whether SQLite may recover the log. It takes the log up to the last whole transaction before
/// the first damaged frame. If a checkpoint had copied later frames already, the older pages of
/// the log would cover the newer ones of the database: a mixture of two states.
pub fn is_whole<B: Bytes>(log: &mut B, database: &mut B) -> Result<bool, B::Error> {
    let frames = log.len()?.saturating_sub(HEAD as i64) / FRAME as i64;
    if frames <= 0 {
        return Ok(true);
    }
    // SQLite syncs the head before it writes the first frame.
    let mut head = [0; HEAD];
    log.read(&mut head, 0)?;
    let Some(big_endian) = is_big_endian(&head) else { return Ok(false) };
    let (body, stored) = head.split_at(HEAD - 8);
    let intact = number(&head, 4) == VERSION
        && number(&head, 8) as usize == PAGE
        && go_on([0, 0], body, big_endian) == pair(stored, 0);
    if !intact {
        return Ok(false);
    }
    let salts = pair(&head, 16);
    let mut before = [0; 8];
    before.copy_from_slice(stored);
    let mut frame = vec![0; FRAME];
    let mut whole = 0;
    for index in 0..frames {
        log.read(&mut frame, HEAD as i64 + index * FRAME as i64)?;
        let Some((first, page)) = frame.split_first_chunk() else { break };
        let head = FrameHead(first);
        if head.salts() != salts || head.page() == 0 || !head.is_sound(before, page, big_endian) {
            break;
        }
        if let Some(sum) = first.last_chunk() {
            before = *sum;
        }
        if head.commits() {
            whole = index + 1;
        }
    }
    let pages = database.len()? / PAGE as i64;
    for page in 1..=pages {
        let mut mark = [0; RESERVED - SUM];
        database.read(&mut mark, page * PAGE as i64 - RESERVED as i64)?;
        let source = Source::from_bytes(mark);
        if source.log == number(&head, 20) && i64::from(source.frame) > whole {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_in_heads_and_pages() {
        assert_eq!(place(0), Place::Head);
        assert_eq!(place(31), Place::Head);
        assert_eq!(place(32), Place::FrameHead(32));
        assert_eq!(place(56), Place::Page(32, 0));
        assert_eq!(place(32 + FRAME as i64 - 1), Place::Page(32, PAGE - 1));
        assert_eq!(place(32 + FRAME as i64), Place::FrameHead(32 + FRAME as i64));
        assert_eq!(sum_before(32), 24);
        assert_eq!(sum_before(32 + FRAME as i64), 48);
    }

    #[test]
    fn checksums_are_those_of_the_format() {
        // s0 = 1 + 0, s1 = 2 + 1; then s0 = 1 + 3 + 3, s1 = 3 + 4 + 7.
        let bytes = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4];
        assert_eq!(go_on([0, 0], &bytes, true), [7, 14]);
        assert_eq!(go_on([0, 0], &bytes, false), [7 << 24, 14 << 24]);
    }
}
