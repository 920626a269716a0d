//! Opening files and standard input: gzip read transparently, bytes counted for the progress bar, the first
//! bytes looked at without losing them.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

use crate::chunks::Supply;
use crate::failure::Failure;

/// Where rows come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Standard input, `-`.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Source {
    /// `-` is standard input, everything else a path.
    #[must_use]
    pub fn from_argument(argument: &Path) -> Self {
        if argument.as_os_str() == "-" { Source::Stdin } else { Source::File(argument.to_owned()) }
    }

    /// The name for messages and for the `file` field.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Source::Stdin => "-".to_owned(),
            Source::File(path) => path.display().to_string(),
        }
    }

    /// Where the file system has it.
    #[must_use]
    pub fn place(&self) -> &Path {
        match self {
            Source::Stdin => Path::new("/dev/stdin"),
            Source::File(path) => path,
        }
    }

    /// The size in bytes as it lies on the disk; `None` where it can't be known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match self {
            Source::Stdin => None,
            Source::File(path) => std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|m| m.len()),
        }
    }

    /// Can it be opened at all? Asked for every file before the first is verified.
    pub fn probe(&self) -> Result<(), Failure> {
        let Source::File(path) = self else { return Ok(()) };
        let metadata = std::fs::metadata(path).map_err(|e| self.failure(&e))?;
        if metadata.is_dir() {
            return Err(Failure::new(format!("{}: is a directory", self.name())));
        }
        if metadata.is_file() {
            File::open(path).map_err(|e| self.failure(&e))?;
        }
        Ok(())
    }

    /// Opens it. `position` counts the bytes read, before decompression.
    pub fn open(&self, position: &Arc<AtomicU64>) -> Result<Input, Failure> {
        let (raw, is_file): (Box<dyn Read + Send>, bool) = match self {
            Source::Stdin => (Box::new(io::stdin()), stdin_is_file()),
            Source::File(path) => {
                let file = File::open(path).map_err(|e| self.failure(&e))?;
                let is_file = file.metadata().is_ok_and(|metadata| metadata.is_file());
                (Box::new(file), is_file)
            }
        };
        let supply = if is_file { Supply::Stored } else { Supply::Live };
        let mut input = Input::new(Counted { inner: raw, position: Arc::clone(position) }, supply);
        let is_gzip = input.peek(GZIP_MAGIC.len()).map_err(|e| self.failure(&e))?.starts_with(&GZIP_MAGIC);
        if is_gzip {
            // A file may be several gzip members one after the other (`cat a.gz b.gz`, pigz, bgzip).
            input = Input::new(MultiGzDecoder::new(BufReader::with_capacity(READ_BYTES, input)), supply);
        }
        let bom = input.peek(BOM.len()).map_err(|e| self.failure(&e))?.starts_with(&BOM);
        if bom {
            input.ahead.drain(..BOM.len());
        }
        Ok(input)
    }

    /// A message that names the file.
    #[must_use]
    pub fn failure(&self, error: &io::Error) -> Failure {
        match self {
            Source::Stdin => Failure::new(format!("standard input: {error}")),
            Source::File(path) => Failure::new(format!("{}: {error}", path.display())),
        }
    }
}

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// The UTF-8 mark that some editors put at the beginning of a file: not part of the first row.
const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];
const READ_BYTES: usize = 1 << 17;

/// An opened input whose first bytes can be looked at before they are read.
pub struct Input {
    inner: Box<dyn Read + Send>,
    supply: Supply,
    ahead: Vec<u8>,
    at_end: bool,
}

impl Input {
    /// Wraps a reader.
    pub fn new(inner: impl Read + Send + 'static, supply: Supply) -> Self {
        Self { inner: Box::new(inner), supply, ahead: Vec::new(), at_end: false }
    }

    /// Does it lie ready, or may it have to be waited for?
    #[must_use]
    pub fn supply(&self) -> Supply {
        self.supply
    }

    /// The first bytes, at least `bytes` of them unless the input is shorter.
    pub fn peek(&mut self, bytes: usize) -> io::Result<&[u8]> {
        while self.ahead.len() < bytes && !self.at_end {
            self.peek_more(bytes - self.ahead.len())?;
        }
        Ok(&self.ahead)
    }

    /// What has been looked at so far.
    #[must_use]
    pub fn peeked(&self) -> &[u8] {
        &self.ahead
    }

    /// Looks further: one more read of at most `bytes`.
    pub fn peek_more(&mut self, bytes: usize) -> io::Result<()> {
        let start = self.ahead.len();
        self.ahead.resize(start + bytes, 0);
        let read = read_retrying(&mut self.inner, self.ahead.get_mut(start..).unwrap_or_default());
        self.ahead.truncate(start + read.as_ref().map_or(0, |&n| n));
        self.at_end = read? == 0;
        Ok(())
    }

    /// Throws away the blank lines that come first in what has been looked at. False if there were none.
    pub fn drop_blank_lines(&mut self) -> bool {
        let blank = self.ahead.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let lines = memchr::memrchr(b'\n', self.ahead.get(..blank).unwrap_or_default()).map_or(0, |last| last + 1);
        self.ahead.drain(..lines);
        lines != 0
    }

    /// Has everything been looked at?
    #[must_use]
    pub fn peeked_all(&self) -> bool {
        self.at_end
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.ahead.is_empty() {
            return self.inner.read(buffer);
        }
        let n = self.ahead.as_slice().read(buffer)?;
        self.ahead.drain(..n);
        Ok(n)
    }
}

/// Is standard input a file, and not a pipe or a terminal?
fn stdin_is_file() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        let file = io::stdin().as_fd().try_clone_to_owned().map(File::from);
        file.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
    }
    #[cfg(not(unix))]
    false
}

/// `read` that a signal does not cut short.
pub(crate) fn read_retrying(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

struct Counted<R> {
    inner: R,
    position: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.position.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}
