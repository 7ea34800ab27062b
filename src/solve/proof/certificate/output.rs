//! The bytes of a certificate. The latest are kept in memory, because a count is written before the
//! references that it counts.

use std::io::{self, Write};

/// Writes a certificate and computes its checksum.
pub(super) struct CertificateOutput<'a> {
    output: &'a mut dyn Write,
    checksum: crc32fast::Hasher,
    /// The bytes that are not written yet.
    buffer: Vec<u8>,
    /// The number of bytes kept at most.
    limit: usize,
    written: u64,
}

impl<'a> CertificateOutput<'a> {
    /// Fails if the buffer cannot be allocated.
    pub(super) fn new(output: &'a mut dyn Write, limit: usize) -> Result<Self, ()> {
        let mut buffer = Vec::new();
        buffer.try_reserve_exact(limit).map_err(|_| ())?;
        Ok(Self { output, checksum: crc32fast::Hasher::new(), buffer, limit, written: 0 })
    }

    /// The number of bytes so far.
    pub(super) fn size(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    pub(super) fn push(&mut self, byte: u8) -> io::Result<()> {
        if self.buffer.len() >= self.limit {
            self.flush()?;
        }
        self.buffer.push(byte);
        Ok(())
    }

    pub(super) fn push_header(&mut self, header: &str) -> io::Result<()> {
        header.bytes().chain([b'\n']).try_for_each(|byte| self.push(byte))
    }

    /// Whether the count at an offset can be incremented.
    pub(super) fn is_countable(&self, offset: u64) -> bool {
        self.index(offset).is_some_and(|index| self.buffer[index] < u8::MAX)
    }

    pub(super) fn count(&mut self, offset: u64) {
        if let Some(index) = self.index(offset) {
            self.buffer[index] += 1;
        }
    }

    fn index(&self, offset: u64) -> Option<usize> {
        let index = offset.checked_sub(self.written)? as usize;
        (index < self.buffer.len()).then_some(index)
    }

    pub(super) fn finish(mut self) -> io::Result<u64> {
        self.flush()?;
        self.output.write_all(&self.checksum.finalize().to_le_bytes())?;
        Ok(self.written + 4)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.checksum.update(&self.buffer);
        self.written += self.buffer.len() as u64;
        self.output.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
