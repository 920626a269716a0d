//! The checks check: a backend with one fault at a time, under [`Verified`]. Without a fault the same exercise passes.

use arith::{Words, limbs};
use field::ops_verify::{Inspect, Verified, value_of};
use field::secp256k1::FieldPrime;
use field::{FieldOps, Mask, Prime, Row, Task};
use windlass_field as field;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A product is one too large.
    Product,
    /// A carry does nothing.
    Carry,
    /// A difference has no multiple of p to stay above zero.
    Bias,
    /// Zero is stored as p.
    Store,
    /// p is not seen as zero.
    IsZero,
    /// The mask is taken the other way round.
    Select,
}

/// Five limbs of 52 bits, products by the oracle; no bound is checked at compile time.
#[derive(Clone, Copy)]
struct Plain(Fault);

#[derive(Clone, Copy)]
struct Element<const M: u32>([u64; 5]);

impl<const M: u32> zeroize::Zeroize for Element<M> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

const LOW: u64 = (1 << 52) - 1;
const P: [u64; 4] = FieldPrime::MODULUS.m;

const fn split(a: &[u64; 4]) -> [u64; 5] {
    [
        a[0] & LOW,
        (a[0] >> 52 | a[1] << 12) & LOW,
        (a[1] >> 40 | a[2] << 24) & LOW,
        (a[2] >> 28 | a[3] << 36) & LOW,
        a[3] >> 16,
    ]
}

impl FieldOps for Plain {
    type Prime = FieldPrime;
    type El<const M: u32> = Element<M>;
    const LANES: usize = 1;
    const MUL_MAX: u32 = 2;

    fn outline<T: Task>(self, task: T) -> T::Out {
        task.run()
    }
    fn constant(self, c: &[u64; 4]) -> Element<1> {
        Element(split(c))
    }
    fn load(self, lanes: &[[u64; 4]]) -> Element<1> {
        Element(split(&lanes[0]))
    }
    fn load_to(self, x: &mut Element<1>, y: &mut Element<1>, rows: &[Row<[u64; 4]>], at: &[u32]) {
        self.lookup_to(x, y, rows, at);
    }
    fn lookup_to(self, x: &mut Element<1>, y: &mut Element<1>, rows: &[Row<[u64; 4]>], at: &[u32]) {
        let zero = Row { x: [0; 4], y: [0; 4] };
        let row = rows.get(at[0] as usize).unwrap_or(&zero);
        (*x, *y) = (Element(split(&row.x)), Element(split(&row.y)));
    }
    fn store<const A: u32>(self, a: &Element<A>, lane: usize) -> [u64; 4] {
        let value = value_of(self, a, lane);
        if self.0 == Fault::Store && value == [0; 4] { P } else { value }
    }
    fn add<const A: u32, const B: u32, const R: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<R> {
        Element([0, 1, 2, 3, 4].map(|i| a.0[i] + b.0[i]))
    }
    fn sub<const A: u32, const B: u32, const R: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<R> {
        let bias = split(&P).map(|limb| if self.0 == Fault::Bias { 0 } else { 2 * u64::from(B) * limb });
        Element([0, 1, 2, 3, 4].map(|i| (a.0[i] + bias[i]).wrapping_sub(b.0[i])))
    }
    fn times<const K: u32, const A: u32, const R: u32>(self, a: &Element<A>) -> Element<R> {
        Element(a.0.map(|limb| u64::from(K) * limb))
    }
    fn carry<const A: u32>(self, a: &Element<A>) -> Element<1> {
        Element(if self.0 == Fault::Carry { a.0 } else { split(&value_of(self, a, 0)) })
    }
    fn select_to(self, r: &mut Element<1>, keep: Mask, other: &Element<1>) {
        if (keep.0 & 1 == 0) != (self.0 == Fault::Select) {
            *r = *other;
        }
    }
    fn is_zero(self, a: &Element<1>) -> Mask {
        let zero = if self.0 == Fault::IsZero { a.0 == [0; 5] } else { value_of(self, a, 0) == [0; 4] };
        Mask(u32::from(zero))
    }
    fn mul_k<const K: u32, const A: u32, const B: u32>(self, a: &Element<A>, b: &Element<B>) -> Element<1> {
        let m = FieldPrime::MODULUS;
        let product = m.mul(&value_of(self, a, 0), &value_of(self, b, 0));
        let mut sum = if self.0 == Fault::Product { <[u64; 4]>::ONE } else { [0; 4] };
        for _ in 0..K {
            sum = m.add(&sum, &product);
        }
        Element(split(&sum))
    }
    fn sqr_k<const K: u32, const A: u32>(self, a: &Element<A>) -> Element<1> {
        self.mul_k::<K, A, A>(a, a)
    }
}

impl Inspect for Plain {
    const LIMBS: usize = 5;
    const LIMB_BITS: u32 = 52;
    fn limb_limit(self, m: u32, _i: usize) -> u64 {
        u64::from(m) * LOW
    }
    fn limb<const M: u32>(self, a: &Element<M>, _lane: usize, i: usize) -> u64 {
        a.0[i]
    }
    fn with_limbs<const M: u32>(self, limbs: impl Fn(usize) -> u64) -> Element<M> {
        Element([0, 1, 2, 3, 4].map(limbs))
    }
}

/// A few of each operation.
fn exercise(fault: Fault) {
    let f = Verified(Plain(fault));
    let (a, b) = (f.constant(&[5, 6, 7, 8]), f.constant(&limbs::sub(&P, &[1, 0, 0, 0]).0));
    let product = f.mul(&a, &b);
    let sum: <Verified<Plain> as FieldOps>::El<2> = f.add(&b, &b);
    let reduced = f.carry(&sum);
    let difference: <Verified<Plain> as FieldOps>::El<3> = f.sub(&product, &reduced);
    let mut chosen = f.mul_sub_2sqr(&a, &b, &f.carry(&difference));
    f.select_to(&mut chosen, Mask(0), &a);
    f.select_to(&mut chosen, Mask(1), &b);
    assert_eq!(f.is_zero(&chosen), Mask(0));
    let p = f.with_limbs::<1>(|i| split(&P)[i]);
    assert_eq!(f.is_zero(&p), Mask(1));
}

#[test]
fn without_a_fault() {
    exercise(Fault::None);
}

#[test]
#[should_panic(expected = "the limbs' value is not the operation's")]
fn a_wrong_product() {
    exercise(Fault::Product);
}

#[test]
#[should_panic(expected = "an El<1> allows")]
fn a_carry_that_does_nothing() {
    exercise(Fault::Carry);
}

#[test]
#[should_panic(expected = "an El<3> allows")]
fn a_difference_below_zero() {
    exercise(Fault::Bias);
}

#[test]
#[should_panic(expected = "store differs from the limbs")]
fn a_store_that_is_not_canonical() {
    exercise(Fault::Store);
}

#[test]
#[should_panic(expected = "is_zero")]
fn a_zero_that_is_not_seen() {
    exercise(Fault::IsZero);
}

#[test]
#[should_panic(expected = "the limbs' value is not the operation's")]
fn a_mask_the_other_way_round() {
    exercise(Fault::Select);
}

#[test]
#[should_panic(expected = "the operations prove a bound of 2, the type says 1")]
fn a_sum_larger_than_its_type() {
    let f = Verified(Plain(Fault::None));
    let a = f.constant(&[1, 0, 0, 0]);
    let _: <Verified<Plain> as FieldOps>::El<1> = f.add(&a, &a);
}
