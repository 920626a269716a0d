//! The same verdicts within any memory, from none to all.

use testkit::effort;
use testkit::many_suite::signer::{Kind, Signer};
use testkit::many_suite::{Case, Rows, faults, forgeries};
use testkit::random::Random;
use windlass::many::DEFAULT_MEMORY_BYTES;

const BYTES: [usize; 12] =
    [0, 1, 1 << 10, 1 << 16, 100_000, 1 << 18, 300_000, 1 << 20, 3 << 20, DEFAULT_MEMORY_BYTES, 1 << 30, usize::MAX];

#[test]
fn any_memory_gives_the_same_verdicts() {
    let mut signer = Signer::new(500);
    let (mut good, mut special) = (Vec::new(), Vec::new());
    for kind in Kind::ALL {
        good.extend(signer.good(kind, 300));
        special.extend(faults::of_kind(kind, &mut signer));
        special.extend(forgeries::of_kind(kind, &mut signer).into_iter().flat_map(|set| set.cases));
    }
    let mut random = Random::new(78);
    for percent in [0, 2, 100] {
        for size in [1, 30, 257, effort::cases(1200)] {
            let chosen: Vec<&Case> = (0..size)
                .map(|_| if random.below(100) < percent { random.choose(&special) } else { random.choose(&good) })
                .collect();
            let rows = Rows::new(chosen);
            BYTES.iter().for_each(|&bytes| rows.check_within(bytes));
        }
    }
}
