//! A layer between SQLite and its own file system layer (<https://sqlite.org/vfs.html>): pages
//! get their checksums when they are written to the database file, and are verified when they
//! are read from it or from the log. All else is SQLite's own.
//!
//! A file is SQLite's own object with another table of methods. That table is the first field of
//! [`Checked`], so that the pointer to it leads to what we keep about the file. What SQLite
//! promises, and all unsafe code here rests on: the methods of a file get pointers that are valid
//! for the call; a file is used by one thread at a time; no method is called after `xClose`.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;
use std::{ptr, slice};

use sqlite::{Connection, ffi};

use super::log::{self, Bytes, FrameHead, Place};
use super::{PAGE, Page, RESERVED, Source, is_sound, seal, sum};

/// By this name connections ask for it; SQLite's default stays as it is.
pub(super) const NAME: &str = "asof";
const C_NAME: &CStr = c"asof";

/// SQLite reads so many bytes before it knows a database's page size, and verifies them with
/// page 1 before it uses what they say.
const HEADER: i64 = 100;

/// What we keep about an open file. Lives from `xOpen` to `xClose`.
#[repr(C)]
struct Checked {
    /// First: SQLite's pointer to it is our pointer to all of this.
    methods: ffi::sqlite3_io_methods,
    real: *const ffi::sqlite3_io_methods,
    buffer: Box<Page>,
    role: Role,
}

enum Role {
    Database(Database),
    Log(Log),
}

#[derive(Default)]
struct Database {
    /// Pages come from the log.
    checkpoint: bool,
    /// The page that was read from the log last.
    taken: Option<(u32, Source)>,
}

struct Log {
    /// Of the same connection; SQLite closes it after the log.
    database: *mut ffi::sqlite3_file,
    big_endian: Option<bool>,
    /// The frame whose head, with a checksum, was written last: its page follows.
    begun: Option<i64>,
    /// Checksums of pages whose heads follow at the commit. SQLite does so once a transaction
    /// has written a page again into a frame of its own.
    rewritten: HashMap<i64, u64>,
}

/// Registers the layer with SQLite, once.
pub(super) fn register() -> sqlite::Result<()> {
    static DONE: OnceLock<c_int> = OnceLock::new();
    let code = *DONE.get_or_init(|| {
        // SAFETY: a null name asks for the default, which SQLite never removes. The copy lives
        // for ever; its methods other than `xOpen` are the default's, which take nothing from
        // the object that is not in the copy.
        unsafe {
            let default = ffi::sqlite3_vfs_find(ptr::null());
            if default.is_null() {
                return ffi::SQLITE_ERROR;
            }
            let mut layer = *default;
            layer.pNext = ptr::null_mut();
            layer.zName = C_NAME.as_ptr();
            layer.xOpen = Some(open);
            ffi::sqlite3_vfs_register(Box::leak(Box::new(layer)), 0)
        }
    });
    match code {
        ffi::SQLITE_OK => Ok(()),
        code => Err(sqlite::Error { code: Some(code as isize), message: None }),
    }
}

/// Leaves room for our bytes in each page of a database that is still empty.
pub(super) fn reserve(connection: &Connection) -> sqlite::Result<()> {
    let mut reserved = RESERVED as c_int;
    // SAFETY: the connection is open, and this operation reads and writes one `int`.
    let code = unsafe {
        ffi::sqlite3_file_control(
            connection.as_raw(),
            c"main".as_ptr(),
            ffi::SQLITE_FCNTL_RESERVE_BYTES,
            (&raw mut reserved).cast(),
        )
    };
    match code {
        ffi::SQLITE_OK => Ok(()),
        code => Err(sqlite::Error { code: Some(code as isize), message: None }),
    }
}

/// Opens a file with the default's method, and puts our methods before the default's.
unsafe extern "C" fn open(
    _layer: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: `file` has room for the default's object, as the copy asked for; `name` of a log
    // is one that SQLite made, so it leads to the database file of the same connection, which
    // is open and, as all files of this layer with its flags, one of ours.
    unsafe {
        let default = ffi::sqlite3_vfs_find(ptr::null());
        let Some(real_open) = default.as_ref().and_then(|default| default.xOpen) else {
            return ffi::SQLITE_CANTOPEN;
        };
        let code = real_open(default, name, file, flags, out_flags);
        let Some(real) = (*file).pMethods.as_ref() else { return code };
        let role = if flags & ffi::SQLITE_OPEN_MAIN_DB != 0 {
            Role::Database(Database::default())
        } else if flags & ffi::SQLITE_OPEN_WAL != 0 {
            Role::Log(Log {
                database: ffi::sqlite3_database_file_object(name),
                big_endian: None,
                begun: None,
                rewritten: HashMap::new(),
            })
        } else {
            return code;
        };
        let mut methods = *real;
        // Without the third version's methods nothing is mapped into memory past `xRead`.
        methods.iVersion = real.iVersion.min(2);
        methods.xFetch = None;
        methods.xUnfetch = None;
        methods.xClose = Some(close);
        methods.xRead = Some(read);
        methods.xWrite = Some(write);
        methods.xFileControl = Some(control);
        let buffer = Box::new([0; PAGE]);
        let checked = Box::new(Checked { methods, real, buffer, role });
        (*file).pMethods = Box::into_raw(checked).cast();
        code
    }
}

/// What we keep about a file.
///
/// # Safety
/// `file` is an open file of this layer, and the result of an earlier call is not used any more.
unsafe fn checked<'a>(file: *mut ffi::sqlite3_file) -> &'a mut Checked {
    // SAFETY: `open` put it there, and `close` has not been called.
    unsafe { &mut *(*file).pMethods.cast_mut().cast() }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: the box is the one of `open`; SQLite does not use the file any more.
    unsafe {
        let checked: Box<Checked> = Box::from_raw((*file).pMethods.cast_mut().cast());
        (*file).pMethods = checked.real;
        (*checked.real).xClose.map_or(ffi::SQLITE_IOERR, |close| close(file))
    }
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    out: *mut c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: `out` has room for `amount` bytes. They are set before a slice is made of them.
    let (out, checked) = unsafe {
        ptr::write_bytes(out.cast::<u8>(), 0, amount.max(0) as usize);
        (slice::from_raw_parts_mut(out.cast::<u8>(), amount.max(0) as usize), checked(file))
    };
    let under = Under { file, real: checked.real };
    let outcome = match &mut checked.role {
        Role::Database(_) => read_database(under, &mut checked.buffer, out, offset),
        Role::Log(log) => read_log(under, log, &mut checked.buffer, out, offset),
    };
    outcome.err().unwrap_or(ffi::SQLITE_OK)
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    amount: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: `bytes` points to `amount` bytes.
    let (bytes, checked) =
        unsafe { (slice::from_raw_parts(bytes.cast(), amount.max(0) as usize), checked(file)) };
    let under = Under { file, real: checked.real };
    let outcome = match &mut checked.role {
        Role::Database(database) => {
            write_database(under, database, &mut checked.buffer, bytes, offset)
        }
        Role::Log(log) => {
            log.note(bytes, offset);
            under.write(bytes, offset)
        }
    };
    outcome.err().unwrap_or(ffi::SQLITE_OK)
}

unsafe extern "C" fn control(
    file: *mut ffi::sqlite3_file,
    operation: c_int,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: all is passed on as it came.
    unsafe {
        let checked = checked(file);
        if let Role::Database(database) = &mut checked.role {
            match operation {
                ffi::SQLITE_FCNTL_CKPT_START => database.checkpoint = true,
                ffi::SQLITE_FCNTL_CKPT_DONE => database.checkpoint = false,
                _ => {}
            }
        }
        (*checked.real)
            .xFileControl
            .map_or(ffi::SQLITE_NOTFOUND, |control| control(file, operation, argument))
    }
}

/// A file below our layer. A code other than `SQLITE_OK` is the error.
#[derive(Clone, Copy)]
struct Under {
    file: *mut ffi::sqlite3_file,
    real: *const ffi::sqlite3_io_methods,
}

impl Under {
    fn read(self, out: &mut [u8], offset: i64) -> Result<(), c_int> {
        // SAFETY: file and methods are of one open file, the length is that of the slice.
        let code = unsafe {
            (*self.real).xRead.map_or(ffi::SQLITE_IOERR, |read| {
                read(self.file, out.as_mut_ptr().cast(), out.len() as c_int, offset)
            })
        };
        done(code)
    }

    fn write(self, bytes: &[u8], offset: i64) -> Result<(), c_int> {
        // SAFETY: as for reading.
        let code = unsafe {
            (*self.real).xWrite.map_or(ffi::SQLITE_IOERR, |write| {
                write(self.file, bytes.as_ptr().cast(), bytes.len() as c_int, offset)
            })
        };
        done(code)
    }

    /// Reads what must be there: what is cut off is damage.
    fn read_whole(self, out: &mut [u8], offset: i64) -> Result<(), c_int> {
        self.read(out, offset).map_err(|code| match code {
            ffi::SQLITE_IOERR_SHORT_READ => ffi::SQLITE_CORRUPT,
            code => code,
        })
    }
}

impl Bytes for Under {
    type Error = c_int;

    fn len(&mut self) -> Result<i64, c_int> {
        let mut len = 0;
        // SAFETY: file and methods are of one open file.
        let code = unsafe {
            (*self.real).xFileSize.map_or(ffi::SQLITE_IOERR, |size| size(self.file, &raw mut len))
        };
        done(code).map(|()| len)
    }

    fn read(&mut self, buffer: &mut [u8], offset: i64) -> Result<(), c_int> {
        match Under::read(*self, buffer, offset) {
            // SQLite has filled the rest with zeros.
            Err(ffi::SQLITE_IOERR_SHORT_READ) => Ok(()),
            outcome => outcome,
        }
    }
}

fn done(code: c_int) -> Result<(), c_int> {
    if code == ffi::SQLITE_OK { Ok(()) } else { Err(code) }
}

fn damaged_unless(sound: bool) -> Result<(), c_int> {
    if sound { Ok(()) } else { Err(ffi::SQLITE_CORRUPT) }
}

/// Number of the page at an offset, and the bytes into it.
fn page_at(offset: i64) -> Result<(u32, usize), c_int> {
    let page = offset / PAGE as i64 + 1;
    let into = usize::try_from(offset % PAGE as i64);
    match (u32::try_from(page), into) {
        (Ok(page), Ok(into)) => Ok((page, into)),
        _ => Err(ffi::SQLITE_CORRUPT),
    }
}

fn copy_from(page: &Page, into: usize, out: &mut [u8]) -> Result<(), c_int> {
    let part = page.get(into..).and_then(|rest| rest.get(..out.len()));
    out.copy_from_slice(part.ok_or(ffi::SQLITE_CORRUPT)?);
    Ok(())
}

fn read_database(
    under: Under,
    buffer: &mut Page,
    out: &mut [u8],
    offset: i64,
) -> Result<(), c_int> {
    if offset + out.len() as i64 <= HEADER {
        return under.read(out, offset);
    }
    let (number, into) = page_at(offset)?;
    if let (0, Ok(page)) = (into, <&mut Page>::try_from(&mut *out)) {
        under.read_whole(page, offset)?;
        return damaged_unless(is_sound(page, number));
    }
    // A part of a page, or, with a damaged header, anything.
    under.read_whole(buffer, offset - into as i64)?;
    damaged_unless(is_sound(buffer, number))?;
    copy_from(buffer, into, out)
}

fn write_database(
    under: Under,
    database: &mut Database,
    buffer: &mut Page,
    bytes: &[u8],
    offset: i64,
) -> Result<(), c_int> {
    let (number, into) = page_at(offset)?;
    // SQLite writes whole pages; a part of one would leave it without its checksum.
    let Ok(page) = <&Page>::try_from(bytes) else { return Err(ffi::SQLITE_IOERR_WRITE) };
    if into != 0 {
        return Err(ffi::SQLITE_IOERR_WRITE);
    }
    let source = match (database.checkpoint, database.taken.take()) {
        (true, Some((taken, source))) if taken == number => source,
        // The index of the log led to another page's frame.
        (true, _) => return Err(ffi::SQLITE_CORRUPT),
        (false, _) => Source::default(),
    };
    buffer.copy_from_slice(page);
    seal(buffer, number, source);
    under.write(buffer, offset)
}

fn read_log(
    under: Under,
    log: &mut Log,
    buffer: &mut Page,
    out: &mut [u8],
    offset: i64,
) -> Result<(), c_int> {
    match log::place(offset) {
        // SQLite begins to recover the log, which it verifies itself.
        Place::Head if offset == 0 && out.len() == log::HEAD => {
            // SAFETY: the database file is open as long as its log is.
            let real = unsafe { checked(log.database).real };
            let mut database = Under { file: log.database, real };
            damaged_unless(log::is_whole(&mut { under }, &mut database)?)?;
            under.read(out, offset)
        }
        Place::Head | Place::FrameHead(_) => under.read(out, offset),
        Place::Page(start, 0) if out.len() == PAGE => {
            under.read_whole(out, offset)?;
            log.verify(under, start, out)
        }
        Place::Page(start, into) => {
            under.read_whole(buffer, start + log::FRAME_HEAD as i64)?;
            log.verify(under, start, buffer)?;
            copy_from(buffer, into, out)
        }
    }
}

impl Log {
    /// Verifies the page of a frame.
    fn verify(&mut self, under: Under, start: i64, page: &[u8]) -> Result<(), c_int> {
        // After a rollback the frame may be another transaction's: then its head tells.
        if self.rewritten.get(&start).is_some_and(|expected| sum(page, 0) == *expected) {
            return Ok(());
        }
        let big_endian = match self.big_endian {
            Some(known) => known,
            None => {
                let mut magic = [0; 4];
                under.read_whole(&mut magic, 0)?;
                let found = log::is_big_endian(&magic).ok_or(ffi::SQLITE_CORRUPT)?;
                *self.big_endian.insert(found)
            }
        };
        let (mut head, mut before) = ([0; log::FRAME_HEAD], [0; 8]);
        under.read_whole(&mut head, start)?;
        under.read_whole(&mut before, log::sum_before(start))?;
        let head = FrameHead(&head);
        damaged_unless(head.is_sound(before, page, big_endian))?;
        // SAFETY: the database file is open as long as its log is, and nothing else of this
        // thread holds what we keep about it.
        if let Role::Database(database) = unsafe { &mut checked(self.database).role } {
            database.taken = Some((head.page(), head.source(start)));
        }
        Ok(())
    }

    /// Takes note of a write. A page that does not follow a head with a checksum is one of a
    /// transaction that writes a page twice; its head follows at the commit.
    fn note(&mut self, bytes: &[u8], offset: i64) {
        let begun = self.begun.take();
        match log::place(offset) {
            Place::Head => {
                self.rewritten.clear();
                self.big_endian = None;
            }
            Place::FrameHead(start) => {
                self.rewritten.remove(&start);
                // After a page was replaced, heads have no checksum until the commit.
                self.begun = log::has_sum(bytes).then_some(start);
            }
            Place::Page(start, 0) if begun != Some(start) => {
                self.rewritten.insert(start, sum(bytes, 0));
            }
            Place::Page(..) => {}
        }
    }
}
