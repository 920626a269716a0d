//! Every prefix, both parities, coordinates at and above p, x off the curve, wrong lengths.

use testkit::vectors::{self, Fields as _};
use windlass::{ParseError, PublicKey};

#[test]
fn point_parse_edge() {
    let Some(cases) = vectors::json_lines(testkit::test_name!(), "secp256k1/point-parse-edge.jsonl") else { return };
    let mut taken = (0, 0);
    for case in &cases {
        let encoding = case.bytes("encoding");
        let (valid, hybrid) = (case["valid"] == true, case["hybrid"] == true);
        let (strict, by_name) = (PublicKey::parse(&encoding), PublicKey::parse_hybrid(&encoding));
        assert_eq!(strict.is_ok(), valid && !hybrid, "{case}");
        assert_eq!(by_name.is_ok(), valid && hybrid, "{case}");
        if hybrid {
            assert_eq!(strict, Err(ParseError::Prefix), "{case}");
        }
        if let Ok(key) = strict.or(by_name) {
            assert_eq!(key.to_uncompressed(), case.bytes("uncompressed").as_slice());
            assert_eq!(PublicKey::parse(&key.to_compressed()), Ok(key));
        }
        taken = (taken.0 + usize::from(strict.is_ok()), taken.1 + usize::from(by_name.is_ok()));
    }
    assert_eq!((cases.len(), taken), (382, (26, 12)));
}
