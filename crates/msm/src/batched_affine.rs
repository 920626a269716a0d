//! Sums of many lists of affine points, pair by pair, with one inversion for all additions of a level.
//!
//! 1. A list of more than [`LONGEST`] points is cut into pieces. A lane sums one piece, and LANES pieces of about equal length, a
//!    group, lie side by side. The pieces' sums are the points of another round, until every list has become one point.
//! 2. A level adds the points i and i + ⌈h/2⌉ of the h that each piece still has, and the sum stands in its first summand's place.
//! 3. A level: forward, the products of the denominators x_b − x_a; one inversion, of all lanes together; backward,
//!    1/(x_b − x_a) for each pair, and with λ = (y_b − y_a)/(x_b − x_a)
//!    x = λ² − x_a − x_b, y = λ(x_a − x) − y_a.
//! 4. If the product is 0 there are equal or opposite points: that level runs again as a complete one, in which a doubling has
//!    λ = 3x²/2y and opposite points leave their lane without a point. It costs about twice as much, whatever the points are.
//!
//! Cost: 5M + 1S an addition, an inversion a level. Vartime.
//! Sources: P. Montgomery, "Speeding the Pollard and elliptic curve methods of factorization", Math. Comp. 48 (1987),
//! section 10.3.1; affine buckets: G. Botrel, Y. El Housni, "Faster Montgomery multiplication and multi-scalar-multiplication for
//! SNARKs", TCHES 2023.

use crate::sort::Signed;
use alloc::vec::Vec;
use arith::Words;
use curve::formulas::affine::chord;
use curve::point::Affine;
use field::batch_inverse::{invert_vartime, reciprocal};
use field::ops::{MAX_LANES, WordsOf};
use field::{FieldOps, Mask, Row, Task};

/// The most points that a lane sums in one round.
const LONGEST: u32 = 64;

/// What one lane sums: points from `start` on, and where the sum goes.
#[derive(Clone, Copy)]
struct Piece {
    start: u32,
    count: u32,
    to: u32,
}

/// LANES pieces, longest first.
#[derive(Clone, Copy)]
struct Group {
    /// The longest piece's length.
    count: u32,
    /// Are they all of this length?
    even: bool,
    /// The group's first place among the points.
    base: u32,
}

/// What the method keeps in memory.
pub(crate) struct BatchedAffine<F: FieldOps> {
    /// What is summed in this round, and how many of each length there are.
    pieces: Vec<Piece>,
    lengths: [u32; LONGEST as usize + 1],
    /// Lists of this round's sums, which the next round sums.
    again: Vec<Piece>,
    /// Sums so far, those of pieces included.
    places: u32,
    sorted: Vec<Piece>,
    groups: Vec<Group>,
    /// The groups' points, one a lane.
    points: Vec<Affine<F>>,
    /// The lanes that have one.
    present: Vec<Mask>,
    /// The products of the denominators before each pair.
    prefixes: Vec<F::El<1>>,
    /// The next round's points: sums of pieces.
    signed: Vec<Signed>,
}

/// Where sums go: points, and whether there is one.
pub(crate) struct Sums<W> {
    /// The points.
    pub(crate) rows: Vec<Row<W>>,
    /// Is it one? The sum of no points and an infinite sum are none.
    pub(crate) full: Vec<bool>,
}

impl<W: Words> Sums<W> {
    pub(crate) const fn new() -> Self {
        Self { rows: Vec::new(), full: Vec::new() }
    }

    /// So many empty places.
    pub(crate) fn reset(&mut self, count: usize) {
        self.full.clear();
        self.resize(count);
    }

    /// More or fewer places; new ones are empty.
    fn resize(&mut self, count: usize) {
        self.rows.resize(count, Row { x: W::ZERO, y: W::ZERO });
        self.full.resize(count, false);
    }
}

impl<F: FieldOps> BatchedAffine<F> {
    pub(crate) const fn new() -> Self {
        Self {
            pieces: Vec::new(),
            lengths: [0; LONGEST as usize + 1],
            again: Vec::new(),
            places: 0,
            sorted: Vec::new(),
            groups: Vec::new(),
            points: Vec::new(),
            present: Vec::new(),
            prefixes: Vec::new(),
            signed: Vec::new(),
        }
    }

    /// Bytes that a point of a list takes: a point of a group, half a prefix.
    pub(crate) const BYTES_A_POINT: usize =
        (2 * size_of::<Affine<F>>() + size_of::<F::El<1>>()) / (2 * F::LANES) + size_of::<Signed>();

    /// Forgets the lists; sums will go to `sums` places.
    pub(crate) fn clear(&mut self, sums: usize) {
        self.pieces.clear();
        self.again.clear();
        self.lengths = [0; LONGEST as usize + 1];
        self.places = sums as u32;
    }

    /// Adds a list: `count` of the signed rows from `start` on, not none, whose sum goes to `to`.
    ///
    /// If it takes several pieces, their sums go to new places, and the list of these is the next round's.
    #[inline(always)]
    pub(crate) fn push(&mut self, start: u32, count: u32, to: u32) {
        if count <= LONGEST {
            self.lengths[count as usize] += 1;
            self.pieces.push(Piece { start, count, to });
        } else {
            self.cut(start, count, to);
        }
    }

    #[cold]
    fn cut(&mut self, start: u32, count: u32, to: u32) {
        self.again.push(Piece { start: self.places, count: count.div_ceil(LONGEST), to });
        for from in (0..count).step_by(LONGEST as usize) {
            let count = (count - from).min(LONGEST);
            self.lengths[count as usize] += 1;
            self.pieces.push(Piece { start: start + from, count, to: self.places });
            self.places += 1;
        }
    }

    /// Sums all lists of `signed` rows.
    pub(crate) fn sum(
        &mut self,
        f: F,
        rows: &[Row<WordsOf<F::Prime>>],
        signed: &[Signed],
        sums: &mut Sums<WordsOf<F::Prime>>,
    ) {
        let count = sums.rows.len();
        self.group(F::LANES);
        self.levels(f, rows, signed);
        self.store(f, sums);
        while !self.again.is_empty() {
            self.collect(sums);
            self.group(F::LANES);
            let signed = core::mem::take(&mut self.signed);
            self.levels(f, &sums.rows, &signed);
            self.signed = signed;
            self.store(f, sums);
        }
        sums.resize(count);
    }

    /// The next round's lists, of those sums of pieces that are points.
    fn collect(&mut self, sums: &Sums<WordsOf<F::Prime>>) {
        let again = core::mem::take(&mut self.again);
        let mut signed = core::mem::take(&mut self.signed);
        signed.clear();
        self.clear(self.places as usize);
        for list in &again {
            let start = signed.len() as u32;
            let pieces = (list.start..list.start + list.count).filter(|&i| sums.full[i as usize]);
            signed.extend(pieces.map(|i| i << 1));
            let count = signed.len() as u32 - start;
            if count != 0 {
                self.push(start, count, list.to);
            }
        }
        self.signed = signed;
    }

    /// Orders the pieces by length and makes groups of them; lanes that are left over get pieces of no length.
    fn group(&mut self, lanes: usize) {
        let mut places = self.lengths;
        let mut above = 0;
        for place in places.iter_mut().rev() {
            (*place, above) = (above, above + *place);
        }
        let none = Piece { start: 0, count: 0, to: 0 };
        self.sorted.clear();
        self.sorted.resize(self.pieces.len().next_multiple_of(lanes), none);
        for piece in &self.pieces {
            let place = &mut places[piece.count as usize];
            self.sorted[*place as usize] = *piece;
            *place += 1;
        }
        self.groups.clear();
        let mut base = 0;
        for pieces in self.sorted.chunks_exact(lanes) {
            let (count, least) = (pieces[0].count, pieces[lanes - 1].count);
            self.groups.push(Group { count, even: count == least, base });
            base += count;
        }
    }

    /// All levels of a round.
    fn levels(&mut self, f: F, rows: &[Row<WordsOf<F::Prime>>], signed: &[Signed]) {
        let Some(longest) = self.groups.first().map(|group| group.count) else { return };
        let places = self.groups.last().map_or(0, |group| group.base + group.count) as usize;
        // What stands there is of no meaning: nothing is copied when there is too little room, and nothing is filled beforehand.
        make_room(&mut self.points, places);
        make_room(&mut self.present, places);
        make_room(&mut self.prefixes, places.div_ceil(2));
        let mut level = Level {
            source: Source { pieces: &self.sorted, rows, signed },
            groups: &self.groups,
            points: &mut self.points,
            present: &mut self.present,
            prefixes: &mut self.prefixes,
            height: 0,
        };
        level.run::<true>(f);
        while longest > 1 << level.height {
            level.run::<false>(f);
        }
    }

    /// Writes the sums.
    fn store(&self, f: F, sums: &mut Sums<WordsOf<F::Prime>>) {
        if sums.rows.len() < self.places as usize {
            sums.resize(self.places as usize);
        }
        for (group, pieces) in self.groups.iter().zip(self.sorted.chunks_exact(F::LANES)) {
            let mut to = [0; MAX_LANES];
            let mut count = 0;
            let present = self.present[group.base as usize];
            for piece in pieces.iter().take_while(|piece| piece.count != 0) {
                sums.full[piece.to as usize] = present.0 >> count & 1 == 1;
                to[count] = piece.to;
                count += 1;
            }
            let rows = &mut sums.rows;
            f.outline(StoreRows { f, point: &self.points[group.base as usize], rows, to: &to[..count] });
        }
    }
}

/// Room for so many elements: more than that if it has to be found, since the next pass may be a little longer.
fn make_room<T>(elements: &mut Vec<T>, count: usize) {
    if elements.capacity() < count {
        elements.clear();
        elements.reserve(count + count / 16);
    }
}

struct StoreRows<'a, F: FieldOps> {
    f: F,
    point: &'a Affine<F>,
    rows: &'a mut [Row<WordsOf<F::Prime>>],
    to: &'a [u32],
}

impl<F: FieldOps> Task for StoreRows<'_, F> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        self.f.store_rows(&self.point.x, &self.point.y, self.rows, self.to);
    }
}

/// Where the points come from.
#[derive(Clone, Copy)]
struct Source<'a, W> {
    pieces: &'a [Piece],
    rows: &'a [Row<W>],
    signed: &'a [Signed],
}

impl<W: Words> Source<'_, W> {
    /// Loads point j of each of a group's pieces; answers the lanes that have one.
    #[inline(always)]
    fn load<F: FieldOps>(&self, f: F, q: &mut Affine<F>, index: usize, group: &Group, j: u32) -> Mask
    where
        F::Prime: field::Prime<Words = W>,
    {
        let pieces = &self.pieces[index * F::LANES..][..F::LANES];
        let (mut at, mut negative, mut present) = ([0; MAX_LANES], 0, Mask::all(F::LANES));
        let mut set = |l: usize, signed: Signed| {
            at[l] = signed >> 1;
            negative |= (signed & 1) << l;
        };
        if group.even {
            for (l, piece) in pieces.iter().enumerate() {
                set(l, self.signed[(piece.start + j) as usize]);
            }
        } else {
            present = Mask(0);
            for (l, piece) in pieces.iter().enumerate() {
                let some = j < piece.count;
                set(l, self.signed[(piece.start + if some { j } else { 0 }) as usize]);
                present.0 |= u32::from(some) << l;
            }
        }
        f.load_to(&mut q.x, &mut q.y, self.rows, &at[..F::LANES]);
        f.negate_in(&mut q.y, Mask(negative));
        present
    }
}

/// A level of all groups.
struct Level<'a, F: FieldOps> {
    source: Source<'a, WordsOf<F::Prime>>,
    groups: &'a [Group],
    points: &'a mut Vec<Affine<F>>,
    present: &'a mut Vec<Mask>,
    prefixes: &'a mut Vec<F::El<1>>,
    /// The number of the level.
    height: u32,
}

impl<F: FieldOps> Level<'_, F> {
    /// Adds the level's pairs and goes on to the next. The first time the points are loaded.
    fn run<const LOAD: bool>(&mut self, f: F) {
        let product = f.outline(Forward::<F, LOAD, false> { f, level: self });
        if f.outline(IsZero { f, a: &product }).any() {
            let product = f.outline(Forward::<F, false, true> { f, level: self });
            let inverse = f.outline(Invert { f, a: &product });
            f.outline(Backward::<F, true> { f, level: self, inverse });
        } else {
            let inverse = f.outline(Invert { f, a: &product });
            f.outline(Backward::<F, false> { f, level: self, inverse });
        }
        self.height += 1;
    }

    /// Loads a group's points j; places are taken in turn, so the one behind the last is new.
    #[inline(always)]
    fn load(&mut self, f: F, index: usize, group: &Group, j: u32) {
        let place = (group.base + j) as usize;
        if self.points.len() == place {
            self.points.push(Affine::place(f));
        }
        let present = self.source.load(f, &mut self.points[place], index, group, j);
        match self.present.get_mut(place) {
            Some(old) => *old = present,
            None => self.present.push(present),
        }
    }

    /// How many pairs a group has, and from a pair's first point to its second.
    #[inline(always)]
    fn pairs(&self, group: &Group) -> (u32, u32) {
        let left = (group.count + (1 << self.height) - 1) >> self.height;
        let distance = left.div_ceil(2);
        (left - distance, distance)
    }

    /// The operands of a group's pair i.
    #[inline(always)]
    fn operands(&self, group: &Group, i: u32, distance: u32) -> Operands<'_, F> {
        let a = (group.base + i) as usize;
        let b = a + distance as usize;
        Operands { a: &self.points[a], b: &self.points[b], has_a: self.present[a], has_b: self.present[b] }
    }
}

/// A pair's points where they lie, and the lanes that have them.
struct Operands<'a, F: FieldOps> {
    a: &'a Affine<F>,
    b: &'a Affine<F>,
    has_a: Mask,
    has_b: Mask,
}

/// The slope of a pair's sum, as a fraction.
struct Slope<F: FieldOps> {
    numerator: F::El<1>,
    denominator: F::El<1>,
    /// The lanes whose points are opposite.
    opposite: Mask,
}

impl<F: FieldOps> Operands<'_, F> {
    #[inline(always)]
    fn both(&self) -> Mask {
        self.has_a.and(self.has_b)
    }

    /// (y_b − y_a)/(x_b − x_a), if complete 3x²/2y for equal points, and a denominator of 1 in the lanes that add nothing.
    #[inline(always)]
    fn slope<const COMPLETE: bool>(&self, f: F) -> Slope<F> {
        let Self { a, b, .. } = self;
        let both = self.both();
        let mut numerator = f.carry::<3>(&f.sub(&b.y, &a.y));
        let mut denominator = f.carry::<3>(&f.sub(&b.x, &a.x));
        let (mut adding, mut opposite) = (both, Mask(0));
        if COMPLETE {
            let meeting = f.is_zero(&denominator).and(both);
            let equal = f.is_zero(&numerator).and(meeting);
            opposite = Mask(meeting.0 & !equal.0);
            adding = Mask(both.0 & !opposite.0);
            f.select_to(&mut numerator, Mask(!equal.0), &f.sqr_k::<3, 1>(&a.x));
            f.select_to(&mut denominator, Mask(!equal.0), &f.carry::<2>(&f.add(&a.y, &a.y)));
        }
        if adding != Mask::all(F::LANES) {
            f.select_to(&mut denominator, adding, &f.constant(&WordsOf::<F::Prime>::ONE));
        }
        Slope { numerator, denominator, opposite }
    }
}

/// The product of all denominators, with the products on the way; points are loaded before that if they are not there yet.
struct Forward<'l, 'a, F: FieldOps, const LOAD: bool, const COMPLETE: bool> {
    f: F,
    level: &'l mut Level<'a, F>,
}

impl<F: FieldOps, const LOAD: bool, const COMPLETE: bool> Task for Forward<'_, '_, F, LOAD, COMPLETE> {
    type Out = F::El<1>;
    #[inline(always)]
    fn run(self) -> F::El<1> {
        let Self { f, level } = self;
        let mut product = f.constant(&WordsOf::<F::Prime>::ONE);
        let mut next = 0;
        for (index, group) in level.groups.iter().enumerate() {
            let (pairs, distance) = level.pairs(group);
            if !LOAD && pairs == 0 {
                break; // The groups behind it are no longer.
            }
            if LOAD {
                for j in 0..group.count {
                    level.load(f, index, group, j);
                }
            }
            for i in 0..pairs {
                let Slope { denominator, .. } = level.operands(group, i, distance).slope::<COMPLETE>(f);
                match level.prefixes.get_mut(next) {
                    Some(prefix) => *prefix = product,
                    None => level.prefixes.push(product),
                }
                product = f.mul(&product, &denominator);
                next += 1;
            }
        }
        product
    }
}

/// The sums of all pairs, the last one first; `inverse` is that of the product of all denominators.
struct Backward<'l, 'a, F: FieldOps, const COMPLETE: bool> {
    f: F,
    level: &'l mut Level<'a, F>,
    inverse: F::El<1>,
}

impl<F: FieldOps, const COMPLETE: bool> Task for Backward<'_, '_, F, COMPLETE> {
    type Out = ();
    #[inline(always)]
    fn run(self) {
        let Self { f, level, mut inverse } = self;
        let used = level.groups.iter().take_while(|group| level.pairs(group).0 != 0).count();
        let mut next: usize = level.groups[..used].iter().map(|group| level.pairs(group).0 as usize).sum();
        for group in level.groups[..used].iter().rev() {
            let (pairs, distance) = level.pairs(group);
            for i in (0..pairs).rev() {
                next -= 1;
                let operands = level.operands(group, i, distance);
                let Slope { numerator, denominator, opposite } = operands.slope::<COMPLETE>(f);
                let reciprocal = reciprocal(f, &mut inverse, &denominator, Some(&level.prefixes[next]));
                let (Operands { a, b, has_a, has_b }, both) = (&operands, operands.both());
                let mut sum = chord(f, a, b, &f.mul(&numerator, &reciprocal));
                if both != Mask::all(F::LANES) {
                    let mut alone = **a;
                    alone.select(f, *has_a, b);
                    sum.select(f, both, &alone);
                }
                let has = Mask(has_a.or(*has_b).0 & !opposite.0);
                let place = (group.base + i) as usize;
                level.points[place] = sum;
                level.present[place] = has;
            }
        }
    }
}

struct IsZero<'a, F: FieldOps> {
    f: F,
    a: &'a F::El<1>,
}

impl<F: FieldOps> Task for IsZero<'_, F> {
    type Out = Mask;
    #[inline(always)]
    fn run(self) -> Mask {
        self.f.is_zero(self.a)
    }
}

struct Invert<'a, F: FieldOps> {
    f: F,
    a: &'a F::El<1>,
}

impl<F: FieldOps> Task for Invert<'_, F> {
    type Out = F::El<1>;
    #[inline(always)]
    fn run(self) -> F::El<1> {
        invert_vartime(self.f, self.a)
    }
}
