//! Keys of many signatures: each as it is found alone.

use crate::{Effort, SMALL_SIZES};
use testkit::many_suite::signer::{Signer, recovery_id};
use testkit::many_suite::{RecoverCase, check_recover, faults};
use windlass::ecdsa;
use windlass::many::{RECOVERED_TOGETHER, crossovers};

/// Good signatures with ids that are their own.
fn good(signer: &mut Signer, count: usize) -> Vec<RecoverCase> {
    let one = |i: usize| {
        let signed = signer.any_ecdsa();
        let signature = ecdsa::Signature::from_compact(&signed.compact()).unwrap();
        let case = RecoverCase::new(format!("good {i}"), signed.digest(), signature, recovery_id(signed.id));
        assert_eq!(case.key, Ok(signed.key));
        case
    };
    (0..count).map(one).collect()
}

#[test]
fn every_answer_at_every_index() {
    let mut signer = Signer::new(400);
    let good = good(&mut signer, 40);
    let special = faults::recoveries(&mut signer);
    let mut effort = Effort::default();
    for size in SMALL_SIZES {
        for (from, case) in special.iter().enumerate() {
            for index in 0..size {
                if effort.takes_next() {
                    let mut cases: Vec<&RecoverCase> = good.iter().cycle().skip(from).take(size).collect();
                    cases[index] = case;
                    check_recover(&cases);
                }
            }
        }
        let mixed: Vec<&RecoverCase> = special.iter().cycle().skip(3 * size).take(size).collect();
        check_recover(&mixed);
    }
    check_recover(&[]);
}

#[test]
fn larger_calls() {
    let mut signer = Signer::new(401);
    let good = good(&mut signer, 100);
    let special = faults::recoveries(&mut signer);
    let sizes = crossovers().into_iter().chain([RECOVERED_TOGETHER + 1]);
    for size in sizes.flat_map(|crossover| crossover - 1..=crossover + 1) {
        let mut cases: Vec<&RecoverCase> = good.iter().cycle().take(size).collect();
        check_recover(&cases);
        for (i, case) in special.iter().enumerate() {
            cases[(i * 11 + size) % size] = case;
        }
        check_recover(&cases);
    }
}
