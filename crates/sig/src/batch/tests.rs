#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
use super::*;
use crate::ecdsa::{self, LowS};
use crate::keys;
use crate::many::{self, Row};
use crate::schnorr;
use crate::tagged_hash::TaggedHash;
use alloc::vec;
use curve::encode::{Encoded, Parity};
use curve::{AffinePoint, Secp256k1};
use field::secp256k1::{GroupOrder, Portable4x64};
use field::{OneLane, SecretScalar};

type N = Scalar<GroupOrder>;
type Point = AffinePoint<Secp256k1>;
type PortableBatch = Batch<Secp256k1, OneLane<Portable4x64>>;
const F: Portable4x64 = Portable4x64::new();

/// A signed message.
#[derive(Clone)]
struct Signed {
    message: [u8; 32],
    signature: [u8; 64],
    key: Encoded<Secp256k1>,
}

fn pair(d: u64) -> (SecretScalar<GroupOrder>, Point) {
    let secret = SecretScalar::from_u64(d);
    let public = keys::public_key::<Secp256k1, _>(OneLane(F), &secret);
    (secret, public)
}

fn sign(d: u64, message: u16) -> Signed {
    let (secret, public) = pair(d);
    let message = core::array::from_fn(|i| message.to_be_bytes()[i % 2]);
    let signature = schnorr::sign(OneLane(F), &message, &secret, &public, &[0; 32]).0;
    Signed { message, signature, key: Encoded::Lift(*public.x_words(), Parity::Even) }
}

/// `count` signatures, of ten keys.
fn signed(count: u16) -> Vec<Signed> {
    (0..count).map(|i| sign(u64::from(i % 10) + 1, i)).collect()
}

impl Signed {
    fn row(&self) -> schnorr::VerifyRow<'_, Secp256k1> {
        schnorr::VerifyRow { message: &self.message, signature: &self.signature, key: self.key }
    }

    fn s(&self) -> N {
        N::from_be_bytes(&self.signature[32..]).unwrap()
    }

    fn with_s(&self, s: &N) -> Self {
        let mut changed = self.clone();
        changed.signature[32..].copy_from_slice(&s.to_be_bytes());
        changed
    }

    fn verify(&self) -> Verdict {
        let key = keys::XOnlyKey::of(&self.key.decode(F).unwrap());
        schnorr::verify(OneLane(F), &self.message, &schnorr::Signature(self.signature), &key).into()
    }
}

/// A batch of these rows that begins with this entropy.
fn batch(rows: &[Signed], entropy: u8) -> PortableBatch {
    let mut batch = Batch::new(OneLane(F), 1 << 20);
    batch.start(rows.len(), Some(&[entropy; 32]), 0);
    let at: Vec<u32> = (0..rows.len() as u32).collect();
    let rows: Vec<_> = rows.iter().map(Signed::row).collect();
    batch.push_schnorr(&at, &rows, &mut []);
    batch
}

fn settle(rows: &[Signed]) -> Vec<Verdict> {
    let mut verdicts = vec![Verdict::Malformed(crate::ParseError::Length); rows.len()];
    batch(rows, 7).settle(&mut verdicts);
    verdicts
}

/// Every row of a batch has the verdict that it has alone, whichever row is wrong and however.
#[test]
fn verdicts_are_those_of_single_verifications() {
    let good = signed(70);
    assert_eq!(settle(&good), vec![Verdict::Valid; 70]);
    for wrong in [&[0][..], &[69], &[13], &[34, 35], &[1, 2, 3, 5, 8, 13, 21, 34, 55], &[7; 1]] {
        let mut rows = good.clone();
        for &i in wrong {
            rows[i].message[i % 32] ^= 1;
        }
        let verdicts = settle(&rows);
        for (i, (row, verdict)) in rows.iter().zip(verdicts).enumerate() {
            assert_eq!(verdict, row.verify());
            assert_eq!(verdict == Verdict::Valid, !wrong.contains(&i));
        }
    }
    let all_wrong: Vec<_> = good.iter().map(|row| row.with_s(&row.s().neg())).collect();
    assert_eq!(settle(&all_wrong), vec![Verdict::Invalid; 70]);
}

/// Sums that are taken apart, however many rows are wrong and wherever they stand; also where a look at a few rows ends it.
#[test]
fn wrong_rows_are_found() {
    let good = signed(600);
    let steps = |from: usize, step: usize, count: usize| (0..count).map(|i| from + step * i).collect::<Vec<_>>();
    for wrong in [
        steps(0, 1, 1), // probed
        steps(1, 1, 1),
        steps(599, 1, 1),
        steps(74, 1, 2),  // on both sides of a part's edge
        steps(301, 2, 5), // in one part
        steps(1, 79, 7),  // in nearly every part
        steps(100, 1, 400),
        steps(0, 1, 600),
    ] {
        for how in 0..2 {
            let mut rows = good.clone();
            for &i in &wrong {
                match how {
                    0 => rows[i] = rows[i].with_s(&rows[i].s().add(&N::ONE)),
                    _ => rows[i].signature[..32].copy_from_slice(&[[0; 31].as_slice(), &[5]].concat()), // no point
                }
            }
            for (i, verdict) in settle(&rows).into_iter().enumerate() {
                assert_eq!(verdict == Verdict::Valid, !wrong.contains(&i), "row {i} of {wrong:?}");
            }
        }
    }
}

/// (s₁ + 1, s₂ − 1) of one key, and of two: equal weights would let both pass.
#[test]
fn opposite_errors_do_not_cancel() {
    let good = signed(70);
    for (i, j) in [(0, 10), (0, 1), (33, 63)] {
        let mut rows = good.clone();
        rows[i] = rows[i].with_s(&rows[i].s().add(&N::ONE));
        rows[j] = rows[j].with_s(&rows[j].s().sub(&N::ONE));
        let verdicts = settle(&rows);
        for (k, verdict) in verdicts.into_iter().enumerate() {
            assert_eq!(verdict == Verdict::Valid, k != i && k != j);
        }
    }
}

/// The weight a + b·λ.
fn scalar(weight: Weight) -> N {
    let [a, b] = weight.map(|half| {
        let magnitude = N::from_u64(half.unsigned_abs());
        if half < 0 { magnitude.neg() } else { magnitude }
    });
    a.add(&b.mul(&N::from_words_reduced(&Secp256k1::GLV.lambda)))
}

/// Errors that cancel under weights that depend on the entropy and the index alone, as they would be if the rows were not hashed:
/// those of the same batch before the errors went in.
#[test]
fn errors_made_for_other_weights_do_not_cancel() {
    let good = signed(70);
    let mut original = batch(&good, 7);
    original.settle(&mut vec![Verdict::Invalid; 70]);
    let [w0, w1] = [0, 1].map(|i| scalar(original.weights[i]));
    let mut rows = good.clone();
    rows[0] = rows[0].with_s(&rows[0].s().add(&w1));
    rows[1] = rows[1].with_s(&rows[1].s().sub(&w0));
    // Under the original weights nothing would show.
    let errors = [(w0, rows[0].s().sub(&good[0].s())), (w1, rows[1].s().sub(&good[1].s()))];
    assert!(errors.iter().fold(N::ZERO, |sum, (w, error)| sum.add(&w.mul(error))).is_zero());
    let verdicts = settle(&rows);
    assert_eq!(verdicts[..2], [Verdict::Invalid; 2]);
    assert_eq!(verdicts[2..], [Verdict::Valid; 68]);
}

/// A row of any kind, by its bytes.
#[derive(Clone)]
enum Bytes {
    Schnorr(Signed),
    Recoverable { digest: [u8; 32], signature: [u8; 64], id: u8, key: [u64; 4], parity: Parity },
    Taproot { internal: [u64; 4], merkle_root: Option<[u8; 32]>, output: [u8; 32], parity: Parity },
}

fn other(parity: Parity) -> Parity {
    Parity::from_is_odd(parity == Parity::Even)
}

impl Bytes {
    /// `count` good rows, the kinds in turn.
    fn good(count: u16) -> Vec<Self> {
        let row = |i: u16| {
            let (secret, public) = pair(u64::from(i % 10) + 1);
            let (key, digest) = (*public.x_words(), core::array::from_fn(|j| (i as u8) ^ (j as u8) << 2));
            match i % 3 {
                0 => Self::Schnorr(sign(u64::from(i % 10) + 1, i)),
                1 => {
                    let (signed, id) =
                        ecdsa::sign_digest::<Secp256k1, _, crate::HmacSha256>(OneLane(F), &digest, &secret, None);
                    let mut signature = [0; 64];
                    let (r, s) = signed.to_compact();
                    signature[..32].copy_from_slice(&r);
                    signature[32..].copy_from_slice(&s);
                    let parity = Parity::from_is_odd(public.y_is_odd());
                    Self::Recoverable { digest, signature, id: id.to_u8(), key, parity }
                }
                _ => {
                    let even = keys::XOnlyKey::of(&public);
                    let tweak = TaggedHash::TAP_TWEAK.hash(&[&even.to_bytes(), &digest]);
                    let output = keys::tweak_add(OneLane(F), even.point(), &tweak).unwrap();
                    let parity = Parity::from_is_odd(output.y_is_odd());
                    let output = curve::encode::x_bytes(&output);
                    Self::Taproot { internal: key, merkle_root: Some(digest), output, parity }
                }
            }
        };
        (0..count).map(row).collect()
    }

    /// The row with one byte changed, each byte in turn; with the other parity, another id, another root.
    fn changed(&self) -> Vec<Self> {
        let flipped = |words: [u64; 4], byte: usize| {
            let mut words = words;
            words[byte / 8] ^= 1 << (8 * (byte % 8));
            words
        };
        let mut all = Vec::new();
        match self {
            Self::Schnorr(row) => {
                for byte in 0..128 {
                    let mut row = row.clone();
                    match byte {
                        0..32 => row.message[byte] ^= 1,
                        32..96 => row.signature[byte - 32] ^= 1,
                        _ => row.key = Encoded::Lift(flipped(*row.key.x_words(), byte - 96), Parity::Even),
                    }
                    all.push(Self::Schnorr(row));
                }
            }
            Self::Recoverable { digest, signature, id, key, parity } => {
                for byte in 0..130 {
                    let (mut digest, mut signature, mut id, mut key, mut parity) =
                        (*digest, *signature, *id, *key, *parity);
                    match byte {
                        0..32 => digest[byte] ^= 1,
                        32..96 => signature[byte - 32] ^= 1,
                        96..128 => key = flipped(key, byte - 96),
                        128 => id ^= 1,
                        _ => parity = other(parity),
                    }
                    all.push(Self::Recoverable { digest, signature, id, key, parity });
                }
            }
            Self::Taproot { internal, merkle_root, output, parity } => {
                for byte in 0..98 {
                    let (mut internal, mut merkle_root, mut output, mut parity) =
                        (*internal, *merkle_root, *output, *parity);
                    match byte {
                        0..32 => internal = flipped(internal, byte),
                        32..64 => merkle_root.as_mut().unwrap()[byte - 32] ^= 1,
                        64..96 => output[byte - 64] ^= 1,
                        96 => merkle_root = None,
                        _ => parity = other(parity),
                    }
                    all.push(Self::Taproot { internal, merkle_root, output, parity });
                }
            }
        }
        all
    }

    fn push<B: Backends<<Secp256k1 as CurveParams>::Field, GroupOrder>>(
        &self,
        batch: &mut Batch<Secp256k1, B>,
        at: u32,
    ) {
        match self {
            // Many at once, or they would not be hashed side by side: see [`weights`].
            Self::Schnorr(_) => {}
            Self::Recoverable { digest, signature, id, key, parity } => {
                let (key, id) = (Encoded::Lift(*key, *parity), ecdsa::RecoveryId::from_u8(*id).unwrap());
                let Ok(signature) = ecdsa::Signature::from_compact(signature) else { return };
                let row = ecdsa::RecoverableRow { digest, signature, id, key, low_s: LowS::Accepted };
                batch.push_recoverable(at, &row).unwrap();
            }
            Self::Taproot { internal, merkle_root, output, parity } => {
                let internal = Encoded::Lift(*internal, Parity::Even);
                batch.push_taproot(at, &internal, merkle_root.as_ref(), output, *parity).unwrap();
            }
        }
    }
}

/// The weights of the chunk of this number of these rows: as many as there are rows.
fn weights<B>(b: B, rows: &[Bytes], entropy: u8, number: u64) -> Vec<Weight>
where
    B: Backends<<Secp256k1 as CurveParams>::Field, GroupOrder>,
{
    let mut batch = Batch::new(b, 1 << 20);
    batch.start(rows.len(), Some(&[entropy; 32]), number);
    (0..).zip(rows).for_each(|(at, row)| row.push(&mut batch, at));
    let schnorr =
        (0..).zip(rows).filter_map(|(at, row)| if let Bytes::Schnorr(row) = row { Some((at, row)) } else { None });
    let (at, schnorr): (Vec<u32>, Vec<_>) = schnorr.map(|(at, row)| (at, row.row())).unzip();
    batch.push_schnorr(&at, &schnorr, &mut []);
    let mut weights = vec![[0; 2]; rows.len()];
    batch.transcript.weights().fill(&mut weights);
    weights
}

/// The weights of a batch depend on the entropy, the number of the chunk, the order, and every byte of every row; every one of them
/// on each. With lanes the first signatures of BIP340 are hashed side by side.
fn everything_is_in_the_weights<B: Backends<<Secp256k1 as CurveParams>::Field, GroupOrder>>(b: B) {
    let good = Bytes::good(75);
    let differ = |a: &[Weight], b: &[Weight]| {
        a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| a != b) && a.len() == b.len()
    };
    let original = weights(b, &good, 7, 0);
    assert_eq!(original, weights(b, &good, 7, 0));
    assert!(differ(&original, &weights(b, &good, 8, 0)));
    assert!(differ(&original, &weights(b, &good, 7, 1)));
    assert!(differ(&original[..74], &weights(b, &good[..74], 7, 0)));
    for i in [0, 1, 2, 36, 37, 38, 72, 73, 74] {
        for (change, changed) in good[i].changed().into_iter().enumerate() {
            let mut rows = good.clone();
            rows[i] = changed;
            assert!(differ(&original, &weights(b, &rows, 7, 0)), "row {i}, change {change}");
        }
        let mut swapped = good.clone();
        swapped.swap(i, (i + 3) % 75);
        assert!(differ(&original, &weights(b, &swapped, 7, 0)));
    }
}

#[test]
fn every_byte_of_every_row_is_in_the_weights() {
    everything_is_in_the_weights(OneLane(F));
}

#[test]
fn every_byte_of_every_row_is_in_the_weights_of_lanes() {
    everything_is_in_the_weights(testkit::array8::ArrayBackends(F));
}

/// All kinds in one batch, keys of either parity and in every form, and each kind wrong in turn.
#[test]
fn kinds_share_a_sum() {
    let low_s = LowS::Required;
    let digest = [0x33; 32];
    for wrong in 0..4 {
        let mut batch: PortableBatch = Batch::new(OneLane(F), 1 << 20);
        batch.start(90, Some(&[1; 32]), 0);
        for i in 0..30u8 {
            let (secret, public) = pair(u64::from(i) + 1);
            let at = 3 * u32::from(i);
            let is_wrong = |kind| i == 17 && kind == wrong;
            let schnorr = schnorr::sign(OneLane(F), &digest, &secret, &public, &[i; 32]).0;
            let even = keys::XOnlyKey::of(&public);
            let message = if is_wrong(0) { [0x34; 32] } else { digest };
            let row = schnorr::VerifyRow { message: &message, signature: &schnorr, key: Encoded::Point(*even.point()) };
            batch.push_schnorr(&[at], &[row], &mut []);
            let (signature, id) =
                ecdsa::sign_digest::<Secp256k1, _, crate::HmacSha256>(OneLane(F), &digest, &secret, Some(&[i]));
            let id = ecdsa::RecoveryId::from_u8(id.to_u8() ^ u8::from(is_wrong(1))).unwrap();
            let parity = Parity::from_is_odd(public.y_is_odd());
            let key = match i % 3 {
                0 => Encoded::Lift(*public.x_words(), parity),
                1 => Encoded::Point(public),
                _ => Encoded::Check(*public.row()),
            };
            let row = ecdsa::RecoverableRow { digest: &digest, signature, id, key, low_s };
            batch.push_recoverable(at + 1, &row).unwrap();
            let internal = Encoded::Lift(*public.x_words(), Parity::Even);
            let x = even.to_bytes();
            let tweak = TaggedHash::TAP_TWEAK.hash(&[&x, &digest]);
            let output = keys::tweak_add(OneLane(F), even.point(), &tweak).unwrap();
            let parity = Parity::from_is_odd(output.y_is_odd() ^ is_wrong(2));
            let output = curve::encode::x_bytes(&output);
            batch.push_taproot(at + 2, &internal, Some(&digest), &output, parity).unwrap();
        }
        // A point and its x are one key, for both schemes and the tweak.
        assert_eq!(batch.keys.len(), 30);
        let mut verdicts = vec![Verdict::Invalid; 90];
        batch.settle(&mut verdicts);
        for (i, verdict) in verdicts.into_iter().enumerate() {
            assert_eq!(verdict == Verdict::Invalid, wrong < 3 && i == 3 * 17 + wrong, "row {i}, wrong {wrong}");
        }
    }
}

/// The two schemes by their own names.
#[test]
fn batches_of_one_scheme() {
    let mut rows = signed(60);
    rows[41].message[0] ^= 1;
    let mut verdicts = vec![Verdict::Invalid; 60];
    let views: Vec<_> = rows.iter().map(Signed::row).collect();
    schnorr::verify_batch(OneLane(F), &views, &[3; 32], &mut verdicts);
    assert!(verdicts.iter().enumerate().all(|(i, verdict)| (*verdict == Verdict::Valid) == (i != 41)));
    let digests: Vec<[u8; 32]> = (0..60).map(|i| [i; 32]).collect();
    let rows = (1..).zip(&digests).map(|(d, digest)| {
        let (secret, public) = pair(d);
        let (signature, id) = ecdsa::sign_digest::<Secp256k1, _, crate::HmacSha256>(OneLane(F), digest, &secret, None);
        let digest = if d == 30 { &digests[0] } else { digest };
        ecdsa::RecoverableRow { digest, signature, id, key: Encoded::Point(public), low_s: LowS::Required }
    });
    let rows: Vec<_> = rows.collect();
    ecdsa::verify_batch_recoverable(OneLane(F), &rows, &[3; 32], &mut verdicts);
    assert!(verdicts.iter().enumerate().all(|(i, verdict)| (*verdict == Verdict::Valid) == (i != 29)));
}

/// The front door, by chunks of every size, with and without randomness.
#[test]
fn chunks_do_not_matter() {
    let mut rows = signed(150);
    for i in [0, 64, 65, 149] {
        rows[i].signature[40] ^= 1;
    }
    rows[77].key = Encoded::Lift([5, 0, 0, 0], Parity::Even); // no point
    rows[78].signature[..32].fill(0xFF); // r ≥ p
    fn view(Signed { message, signature, key }: &Signed) -> Result<Row<'_, Secp256k1>, Verdict> {
        Ok(Row::Schnorr { message, signature, key: *key })
    }
    let mut all = vec![];
    for memory in [0, 1 << 17, 1 << 20, usize::MAX] {
        for entropy in [None, Some(&[9; 32])] {
            let mut verdicts = vec![Verdict::Invalid; rows.len()];
            many::verify(OneLane(F), &rows, view, entropy, memory, &mut verdicts);
            all.push(verdicts);
        }
    }
    for (i, verdict) in all[0].iter().enumerate() {
        let expected = match i {
            0 | 64 | 65 | 78 | 149 => Verdict::Invalid,
            77 => Verdict::Malformed(crate::ParseError::NotOnCurve),
            _ => Verdict::Valid,
        };
        assert_eq!(*verdict, expected, "row {i}");
    }
    assert!(all.iter().all(|verdicts| *verdicts == all[0]));
}
