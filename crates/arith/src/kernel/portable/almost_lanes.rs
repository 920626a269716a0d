//! a·b/R mod m, almost, for eight moduli side by side: with R = 2^(52 N) on N digits of 52 bits, below 2m for a, b < 2m and m < R/4.
//!
//! Digit i of lane l is `x[i][l]`. This is the twin of the kernels whose lanes are numbers. Source as for `almost_blocks`.

const BITS: u32 = 52;
const MASK: u64 = (1 << BITS) - 1;

/// Eight numbers of N digits below 2^52.
pub type LaneDigits<const N: usize> = [[u64; 8]; N];

/// Eight odd moduli and what their reduction needs.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<const N: usize> {
    m: LaneDigits<N>,
    k: [u64; 8],
}

impl<const N: usize> Lanes<N> {
    /// The constants of these odd moduli.
    #[must_use]
    pub fn new(m: &LaneDigits<N>) -> Self {
        let mut k = [0; 8];
        if let Some(lowest) = m.first() {
            for (k, &m) in k.iter_mut().zip(lowest) {
                *k = super::neg_inverse(m) & MASK;
            }
        }
        Self { m: *m, k }
    }

    /// The moduli.
    #[inline]
    #[must_use]
    pub fn m(&self) -> &LaneDigits<N> {
        &self.m
    }

    /// −1/m mod 2^52 of each.
    #[inline]
    #[must_use]
    pub fn k(&self) -> &[u64; 8] {
        &self.k
    }
}

/// x = x·y/R mod m, almost, in each lane.
pub fn mul_almost_lanes_portable<const N: usize>(x: &mut LaneDigits<N>, y: &LaneDigits<N>, c: &Lanes<N>) {
    for lane in 0..8 {
        let mut t = [0u128; N];
        for row in x.iter() {
            let a = u128::from(row[lane]);
            let low = t[0] + a * u128::from(y[0][lane]);
            let q = u128::from((low as u64).wrapping_mul(c.k[lane]) & MASK);
            let mut carry = (low + q * u128::from(c.m[0][lane])) >> BITS;
            for j in 1..N {
                let sum = t[j] + a * u128::from(y[j][lane]) + q * u128::from(c.m[j][lane]) + carry;
                (t[j - 1], carry) = (sum & u128::from(MASK), sum >> BITS);
            }
            t[N - 1] = carry;
        }
        for (row, t) in x.iter_mut().zip(t) {
            row[lane] = t as u64;
        }
    }
}
