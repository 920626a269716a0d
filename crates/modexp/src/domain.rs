//! Where powers are taken: what sliding windows need of a ring's elements.

/// A ring whose elements are words.
pub(crate) trait Domain {
    /// The words of an element.
    fn width(&self) -> usize;
    /// x = x^(2^times).
    fn sqr_times(&mut self, x: &mut [u64], times: u64);
    /// x = x·y.
    fn mul(&mut self, x: &mut [u64], y: &[u64]);
}
