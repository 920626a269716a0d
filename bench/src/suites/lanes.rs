//! Suite `lanes`: many inputs in one call, on one core. A row is `name/N`: N inputs a call, a pass is as many calls as it takes
//! to reach a thousand inputs and more, and a figure is the time of an input.
//!
//! Libraries that verify one signature after another are timed on the same inputs in the same form.

use crate::libraries::windlass::Windlass;
use crate::library::Library;
use crate::rig::{Contender, Expects, Plan};
use crate::suites::secp256k1::{self, Case};

/// The suite's name.
pub(crate) const NAME: &str = "lanes";

/// Damaged inputs each library has to refuse before it is timed.
const SPOILED: usize = 16;

/// A pass has this many distinct inputs at least; below a few hundred a branch predictor learns them.
const INPUTS: usize = 1024;

/// Inputs of a call, in most rows.
const SIZES: &[usize] = &[8, 24, 64, 256, 1024, 4096];

/// What is timed; what is prepared is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Row {
    /// Parsed keys, parsed signatures, 32-byte digests; high s is refused.
    EcdsaVerify,
    /// Keys from 33 bytes, signatures from 64.
    EcdsaVerifyBytes,
    /// BIP340, keys from 32 bytes.
    SchnorrVerify,
    /// The same where all signatures are of one key.
    SchnorrVerifyOneKey,
    /// The same where every signature is damaged, in a way that only the equation shows.
    SchnorrVerifyAllBad,
    /// Parsed signatures and ids to affine public keys.
    Recover,
    /// Σ kᵢ·Pᵢ on public data, parsed points, scalars from 32 bytes.
    Msm,
}

impl Row {
    const ALL: [(Row, &str, &[usize]); 7] = [
        (Row::EcdsaVerify, "ecdsa_verify_many", SIZES),
        (Row::EcdsaVerifyBytes, "ecdsa_verify_many_bytes", SIZES),
        (Row::SchnorrVerify, "schnorr_verify_many", SIZES),
        (Row::SchnorrVerifyOneKey, "schnorr_verify_many_one_key", &[1024]),
        (Row::SchnorrVerifyAllBad, "schnorr_verify_many_all_bad", &[1024]),
        (Row::Recover, "recover_many", SIZES),
        (Row::Msm, "msm", SIZES),
    ];

    /// The row of suite `secp256k1` that does the same to one input.
    pub(crate) fn one_by_one(self) -> Option<secp256k1::Row> {
        match self {
            Row::EcdsaVerify => Some(secp256k1::Row::EcdsaVerify),
            Row::EcdsaVerifyBytes => Some(secp256k1::Row::EcdsaVerifyBytes),
            Row::SchnorrVerify | Row::SchnorrVerifyOneKey | Row::SchnorrVerifyAllBad => {
                Some(secp256k1::Row::SchnorrVerifyBytes)
            }
            Row::Recover => Some(secp256k1::Row::Recover),
            Row::Msm => None, // a sum has no verdict for each of its terms
        }
    }

    /// The case damaged, of several kinds.
    fn spoil(self, case: &Case, kind: usize) -> Case {
        match self {
            // Of its kinds, the one that is seen only when the point is lifted.
            Row::Recover => secp256k1::Row::Recover.spoil(case, 2 * kind),
            _ => self.one_by_one().unwrap_or(secp256k1::Row::Mul).spoil(case, kind),
        }
    }

    /// The row with every one of `peers` that can do it, and windlass on each of `engines`; `cases` are the suite's, as many as
    /// the largest group has.
    fn plan(
        self,
        name: String,
        group: usize,
        cases: &[Case],
        peers: &[&dyn Library],
        engines: &[&'static str],
    ) -> Plan {
        let count = INPUTS.div_ceil(group) * group;
        let mut good: Vec<Case> = cases.iter().take(count).cloned().collect();
        if self == Row::SchnorrVerifyOneKey {
            good.iter_mut().for_each(|case| case.take_key_of(&cases[0]));
        }
        let spoiled = |count| good.iter().take(count).enumerate().map(|(i, case)| self.spoil(case, i)).collect();
        let (inputs, other, expects): (Vec<Case>, Vec<Case>, _) = if self == Row::SchnorrVerifyAllBad {
            (spoiled(count), good.clone(), Expects::RefusalsAlone)
        } else {
            (good.clone(), spoiled(SPOILED), Expects::Refusals)
        };
        let contender = |library: &dyn Library, engine| {
            let (job, other) = (library.many(self, group, &inputs)?, library.many(self, group, &other)?);
            Some(Contender { library: library.name(), package: library.package(), engine, job, other })
        };
        let theirs = peers.iter().filter_map(|peer| contender(*peer, None));
        let ours = engines.iter().filter_map(|&engine| contender(&Windlass, Some(engine)));
        let contenders = theirs.chain(ours).collect();
        Plan { suite: NAME, row: name, inputs: count, expects, contenders }
    }
}

/// The rows whose names are `wanted`, one at a time: the inputs of the largest are some megabytes.
pub(crate) fn plans<'a>(
    peers: &'a [&dyn Library],
    engines: &'a [&'static str],
    wanted: impl Fn(&str) -> bool,
) -> impl Iterator<Item = Plan> + 'a {
    let named = Row::ALL
        .into_iter()
        .flat_map(|(row, name, sizes)| sizes.iter().map(move |&group| (row, format!("{name}/{group}"), group)));
    let rows: Vec<_> = named.filter(|(_, name, _)| wanted(name)).collect();
    let largest = rows.iter().map(|(_, _, group)| INPUTS.div_ceil(*group) * group).max().unwrap_or(0);
    let cases = secp256k1::Row::MulAdd.some_cases(largest);
    rows.into_iter().map(move |(row, name, group)| row.plan(name, group, &cases, peers, engines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libraries::libsecp256k1::LibSecp256k1;
    use std::collections::BTreeSet;

    #[test]
    fn rows_have_the_names_and_sizes_that_their_readers_know() {
        let peers: [&dyn Library; 0] = [];
        let plans: Vec<Plan> = plans(&peers, &["portable"], |name| !name.ends_with("/4096")).collect();
        let names: BTreeSet<&str> = plans.iter().map(|plan| plan.row.as_str()).collect();
        for name in ["ecdsa_verify_many", "ecdsa_verify_many_bytes", "schnorr_verify_many", "recover_many", "msm"] {
            for group in [8, 24, 64, 256, 1024] {
                assert!(names.contains(format!("{name}/{group}").as_str()), "{name}/{group}");
            }
        }
        assert!(
            names.contains("schnorr_verify_many_one_key/1024") && names.contains("schnorr_verify_many_all_bad/1024")
        );
        assert_eq!(names.len(), plans.len());
        for plan in &plans {
            let group: usize = plan.row.split_once('/').and_then(|(_, group)| group.parse().ok()).unwrap_or(0);
            assert!(plan.inputs >= INPUTS && plan.inputs.is_multiple_of(group), "{}", plan.row);
        }
    }

    #[test]
    fn one_key_signs_distinct_messages() {
        let peers: [&dyn Library; 1] = [&LibSecp256k1];
        let plans: Vec<Plan> = plans(&peers, &[], |name| name.contains("one_key")).collect();
        let [plan] = &plans[..] else { panic!("one row") };
        let faults = crate::rig::faults(&plan.contenders, plan.expects);
        assert!(faults.is_ok_and(|faults| faults.iter().all(Option::is_none)));
    }
}
