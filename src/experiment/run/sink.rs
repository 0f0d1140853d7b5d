//! Rows of single games, written in the order of blocks whatever the order of threads.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Takes the rows of finished blocks and writes them in the order of the blocks. What comes early
/// waits in memory: at most as much as the threads are ahead of the slowest.
pub struct GameSink {
    inner: Mutex<Inner>,
}

struct Inner {
    next: usize,
    waiting: BTreeMap<usize, Vec<u8>>,
    out: Box<dyn Write + Send>,
    failed: Option<std::io::Error>,
}

impl std::fmt::Debug for GameSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GameSink")
    }
}

impl GameSink {
    /// A sink that writes there.
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        let inner = Inner { next: 0, waiting: BTreeMap::new(), out, failed: None };
        GameSink { inner: Mutex::new(inner) }
    }

    /// Takes a block's rows.
    pub(super) fn put(&self, block: usize, rows: Vec<u8>) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.waiting.insert(block, rows);
        inner.drain(false);
    }

    /// Writes what still waits (blocks before it were never played) and flushes.
    ///
    /// # Errors
    /// The first error of the writer.
    pub fn finish(&self) -> std::io::Result<()> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.drain(true);
        match inner.failed.take() {
            Some(error) => Err(error),
            None => inner.out.flush(),
        }
    }
}

impl Inner {
    fn drain(&mut self, all: bool) {
        while let Some(entry) = self.waiting.first_entry() {
            if !all && *entry.key() != self.next {
                return;
            }
            let rows = entry.remove();
            self.next += 1;
            if self.failed.is_none() {
                self.failed = self.out.write_all(&rows).err();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn blocks_are_written_in_their_order() {
        let out = Shared::default();
        let sink = GameSink::new(Box::new(out.clone()));
        for block in [2, 0, 1, 5, 3] {
            sink.put(block, vec![block as u8]);
        }
        assert_eq!(*out.0.lock().unwrap(), [0, 1, 2, 3]);
        sink.finish().unwrap();
        assert_eq!(*out.0.lock().unwrap(), [0, 1, 2, 3, 5]);
    }
}
