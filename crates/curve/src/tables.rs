//! Multiples of G, one file a curve: `tables/NAME.bin`, written by `cargo xtask tables`, compared by `cargo xtask tables --check`.
//!
//! | part | rows | row |
//! |---|---|---|
//! | windows | ⌈bits/w⌉ windows of 2^(w−1), w = `WINDOWS.ct_base` | (2j + 1)·2^(w i)·G, window i, entry j |
//! | odd multiples of G | 2^(w−2), w = `WINDOWS.base` | (2j + 1)·G |
//! | odd multiples of 2^s·G, s = ⌈bits/2⌉ | 2^(w−2) | (2j + 1)·2^s·G |
//! | lanes | `WINDOWS.ct_lane_steps` steps of 2^(w−1) entries of eight, w = `WINDOWS.ct_lanes` | (2j + 1)·2^(b l + w s)·G, step s, entry j, lane l, b = `lane_bits()` |
//!
//! A row is 64 bytes: x, then y, canonical, little-endian. The eight rows of an entry of the last part stand word by word: the first
//! words of all x, the second ones …, then y. No header, no gaps.
//!
//! Sizes and sha256 stand in `tables/README.md`.
//!
//! The compiler turns the bytes into words when it builds this crate: without unsafe code a byte array is no aligned word
//! array, and a conversion at the first call would be a lazily filled table. The 18,272 rows of secp256k1 cost about a second of
//! compile time and nothing afterwards. Keeping bytes and converting each row as it is loaded costs nothing on a little-endian
//! CPU either, but the lookup kernels then read through another type of row for no other gain.
//!
//! To change a window's width: change `WINDOWS` and the lengths below, `truncate -s BYTES` the file, run `cargo xtask tables`.

use crate::formulas::a_zero::{Add, Double};
use crate::params::{CurveParams, LANES, base_split};
use crate::point::{AffinePoint, Jacobian};
use crate::vartime::to_affine_batch;
use alloc::vec;
use alloc::vec::Vec;
use arith::Words;
use core::mem::swap;
use field::ops::WordsOf;
use field::{Column, FieldOps, Prime, Row};

/// Multiples of a curve's G.
#[derive(Clone, Copy, Debug)]
pub struct Tables<W: 'static> {
    /// Window after window, for multiplications without doublings.
    pub windows: &'static [Row<W>],
    /// The odd multiples of G and of 2^s·G.
    pub odd_multiples: [&'static [Row<W>]; 2],
    /// Step after step, for multiplications in lanes: what [`FieldOps::lookup_lanes_to`] reads.
    pub lanes: &'static [Column],
}

/// `N` rows from row `first` on.
const fn section<const N: usize>(bytes: &[u8], first: usize) -> [Row<[u64; 4]>; N] {
    let mut rows = [Row { x: [0; 4], y: [0; 4] }; N];
    let (_, mut rest) = bytes.split_at(64 * first);
    let mut i = 0;
    while i < 8 * N {
        // The pattern is what the compiler's interpreter does fastest: split_first_chunk takes 2.4 times as long.
        let [b0, b1, b2, b3, b4, b5, b6, b7, behind @ ..] = rest else { break };
        let word = u64::from_le_bytes([*b0, *b1, *b2, *b3, *b4, *b5, *b6, *b7]);
        match i % 8 {
            j @ 0..4 => rows[i / 8].x[j] = word,
            j => rows[i / 8].y[j - 4] = word,
        }
        rest = behind;
        i += 1;
    }
    rows
}

/// `N` columns, which begin where row `first` would.
const fn columns<const N: usize>(bytes: &[u8], first: usize) -> [Column; N] {
    let (mut columns, mut i) = ([Column([0; 8]); N], 0);
    let rows = section::<N>(bytes, first);
    while i < N {
        let Row { x: [c0, c1, c2, c3], y: [c4, c5, c6, c7] } = rows[i];
        columns[i] = Column([c0, c1, c2, c3, c4, c5, c6, c7]);
        i += 1;
    }
    columns
}

macro_rules! tables {
    ($($name:ident: $file:literal, windows $windows:literal, odd multiples $odd:literal, columns $columns:literal;)*) => { $(
        #[doc = concat!("`tables/", $file, "`.")]
        pub(crate) const $name: Tables<[u64; 4]> = {
            const BYTES: &[u8] = include_bytes!(concat!("../tables/", $file));
            const { assert!(BYTES.len() == 64 * ($windows + 2 * $odd + $columns), "the file has the rows that its curve's windows ask for") }
            static WINDOWS: [Row<[u64; 4]>; $windows] = section(BYTES, 0);
            static LOW: [Row<[u64; 4]>; $odd] = section(BYTES, $windows);
            static HIGH: [Row<[u64; 4]>; $odd] = section(BYTES, $windows + $odd);
            static LANES: [Column; $columns] = columns(BYTES, $windows + 2 * $odd);
            Tables { windows: &WINDOWS, odd_multiples: [&LOW, &HIGH], lanes: &LANES }
        };
    )* };
}

tables! {
    SECP256K1: "secp256k1.bin", windows 1376, odd multiples 8192, columns 512;
    ORDER_7: "order-7.bin", windows 4, odd multiples 2, columns 48;
    ORDER_13: "order-13.bin", windows 8, odd multiples 4, columns 96;
    ORDER_199: "order-199.bin", windows 12, odd multiples 4, columns 96;
}

/// The file's bytes, computed anew with one lane.
pub fn compute<C: CurveParams, F: FieldOps<Prime = C::Field>>(f: F) -> Vec<u8> {
    const { assert!(F::LANES == 1) }
    let (windows, bits) = (C::WINDOWS, C::Order::BITS);
    let mut points = Vec::new();
    let mut base = Jacobian::from((f, &AffinePoint::<C>::GENERATOR.load(f)));
    for _ in 0..windows.count_ct_base(bits) {
        push_odd_multiples(f, &mut points, &base, 1 << (windows.ct_base - 1));
        double_times(f, &mut base, windows.ct_base);
    }
    let mut base = Jacobian::from((f, &AffinePoint::<C>::GENERATOR.load(f)));
    for _ in 0..2 {
        push_odd_multiples(f, &mut points, &base, 1 << (windows.base - 2));
        double_times(f, &mut base, base_split(bits));
    }
    let rows = points.len();
    let entries = 1 << (windows.ct_lanes - 1);
    let mut base = Jacobian::from((f, &AffinePoint::<C>::GENERATOR.load(f)));
    for _ in 0..LANES * windows.ct_lane_steps {
        push_odd_multiples(f, &mut points, &base, entries);
        double_times(f, &mut base, windows.ct_lanes);
    }
    let mut affine = vec![None; points.len()];
    to_affine_batch::<C, F>(f, &points, &mut affine);
    // None is infinite: the widths see to that.
    let mut words: Vec<Vec<u64>> = affine.iter().flatten().map(|p| words_of(p.row())).collect();
    let by_lane = words.split_off(rows);
    let mut bytes: Vec<u8> = words.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    let steps = windows.ct_lane_steps as usize;
    for (step, entry) in (0..steps).flat_map(|step| (0..entries).map(move |entry| (step, entry))) {
        let lanes = by_lane.iter().skip(step * entries + entry).step_by(steps * entries);
        bytes.extend(
            (0..2 * <WordsOf<C::Field>>::LEN)
                .flat_map(|i| lanes.clone().filter_map(move |words| words.get(i)).flat_map(|word| word.to_le_bytes())),
        );
    }
    bytes
}

/// x, then y.
fn words_of<W: Words>(row: &Row<W>) -> Vec<u64> {
    row.x.as_ref().iter().chain(row.y.as_ref()).copied().collect()
}

/// Appends P, 3P, 5P …, `count` of them.
fn push_odd_multiples<F: FieldOps>(f: F, points: &mut Vec<Jacobian<F>>, p: &Jacobian<F>, count: usize) {
    let (mut twice, mut multiple) = (*p, *p);
    f.outline(Double { f, r: &mut twice, p });
    for _ in 0..count {
        points.push(multiple);
        let previous = multiple;
        f.outline(Add { f, r: &mut multiple, p: &previous, q: &twice });
    }
}

fn double_times<F: FieldOps>(f: F, p: &mut Jacobian<F>, times: u32) {
    let mut other = *p;
    for _ in 0..times {
        f.outline(Double { f, r: &mut other, p });
        swap(p, &mut other);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "a test fails by panicking")]
    use super::*;
    use crate::params::Secp256k1;
    use crate::params::small_order::{Order7, Order13, Order199};
    use crate::params::tests::{Point, add};
    use field::secp256k1::FieldPrime;

    /// Every row by the definition of the sum of two points, without an inversion: (x₁, y₁) + (x_d, y_d) = (x₃, y₃) exactly if
    /// both lie on one line with (x₃, −y₃) and that line's slope gives x₃.
    fn check_multiples(rows: &[Row<[u64; 4]>], base: Point) {
        let p = &FieldPrime::MODULUS;
        let (Some((xd, yd)), Some(first)) = (add(p, base, base), base) else { panic!("finite") };
        assert_eq!((rows[0].x, rows[0].y), first);
        for pair in rows.windows(2) {
            let (Row { x: x1, y: y1 }, Row { x: x3, y: y3 }) = (pair[0], pair[1]);
            let (run, rise) = (p.sub(&xd, &x1), p.sub(&yd, &y1));
            assert_ne!(run, [0; 4]);
            let sum = p.add(&p.add(&x1, &xd), &x3);
            assert_eq!(p.mul(&sum, &p.mul(&run, &run)), p.mul(&rise, &rise));
            assert_eq!(p.mul(&p.add(&y3, &y1), &run), p.mul(&rise, &p.sub(&x1, &x3)));
        }
    }

    fn row_of_lane(entry: &[Column], lane: usize) -> Row<[u64; 4]> {
        Row { x: core::array::from_fn(|i| entry[i].0[lane]), y: core::array::from_fn(|i| entry[4 + i].0[lane]) }
    }

    fn check<C: CurveParams<Field = FieldPrime>>() {
        let p = &FieldPrime::MODULUS;
        let times = |mut point: Point, doublings: u32| {
            for _ in 0..doublings {
                point = add(p, point, point);
            }
            point
        };
        let g = Some((C::GENERATOR.x, C::GENERATOR.y));
        let w = C::WINDOWS;
        let windows = C::TABLES.windows.chunks_exact(1 << (w.ct_base - 1));
        assert_eq!(windows.len(), w.count_ct_base(C::Order::BITS) as usize);
        assert!(windows.remainder().is_empty());
        let mut base = g;
        for rows in windows {
            check_multiples(rows, base);
            base = times(base, w.ct_base);
        }
        let [low, high] = C::TABLES.odd_multiples;
        assert_eq!([low.len(), high.len()], [1 << (w.base - 2); 2]);
        check_multiples(low, g);
        check_multiples(high, times(g, base_split(C::Order::BITS)));
        let mut base = g;
        for lane in 0..LANES as usize {
            for step in C::TABLES.lanes.chunks_exact(8 << (w.ct_lanes - 1)) {
                let rows: Vec<_> = step.chunks_exact(8).map(|entry| row_of_lane(entry, lane)).collect();
                check_multiples(&rows, base);
                base = times(base, w.ct_lanes);
            }
        }
        assert_eq!(base, times(g, LANES * w.lane_bits()));
    }

    #[test]
    fn every_row_is_the_multiple_that_it_stands_for() {
        check::<Secp256k1>();
        check::<Order7>();
        check::<Order13>();
        check::<Order199>();
    }
}
