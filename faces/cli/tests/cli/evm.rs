//! Powers and precompiles on the command line.

use crate::process::{Folder, run};
use testkit::vectors::{self, Fields as _};

#[test]
fn powers_of_any_notation() {
    let folder = Folder::new();
    let file = folder.write("modulus", b" 0x64\n");
    for (args, stdin, out) in [
        (&["3", "5", "100"][..], "", "0x2b\n"),
        (&["0x3", "0x05", "100", "--decimal"], "", "43\n"),
        (&["3", "5", &format!("@{file}"), "--decimal"], "", "43\n"),
        (&["3", "@-", "100", "--decimal"], "5\n", "43\n"),
        (&["3", "0", "1"], "", "0x0\n"),
        (&["0", "0", "2"], "", "0x1\n"),
        (&["3", "5", "0", "--decimal"], "", "0\n"),
        (
            &["2", "128", "1000000000000000000000000000000000000000", "--decimal"],
            "",
            "340282366920938463463374607431768211456\n",
        ),
    ] {
        let run = run(&[&["modexp"], args].concat(), stdin.as_bytes());
        assert_eq!((run.code, run.out.as_str()), (0, out), "{args:?}: {run:?}");
    }
    for args in [&["3", "5", "x"][..], &["@-", "@-", "7"], &["-3", "5", "7"], &["@no/where", "5", "7"], &["3", "5"]] {
        let run = run(&[&["modexp"], args].concat(), b"");
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}: {run:?}");
    }
}

#[test]
fn a_line_for_each_call() {
    let three_to_five = ["0", "0", "0"].map(|_| format!("{:064x}", 1)).concat() + "030564";
    let run_evm = |args: &[&str], stdin: &str| {
        let run = run(&[&["evm"], args].concat(), stdin.as_bytes());
        (run.code, run.out, run.err)
    };
    let answered = |args: &[&str], stdin: &str, code, out: &str| {
        assert_eq!(run_evm(args, stdin), (code, out.to_owned(), String::new()), "{args:?}");
    };
    answered(&["modexp", &three_to_five], "", 0, "{\"output\":\"0x2b\",\"gas\":500}\n");
    answered(&["modexp", &three_to_five, "--fork", "berlin"], "", 0, "{\"output\":\"0x2b\",\"gas\":200}\n");
    answered(&["modexp", &three_to_five, "--fork", "byzantium"], "", 0, "{\"output\":\"0x2b\",\"gas\":0}\n");
    answered(
        &["modexp", "-", "--fork", "berlin"],
        &format!("0x{three_to_five}\n\n{}\n", "f".repeat(64)),
        1,
        "{\"output\":\"0x2b\",\"gas\":200}\n{\"output\":\"0x\",\"gas\":200}\n{\"error\":\"out of gas\"}\n",
    );
    answered(&["modexp", "", "--fork", "frontier"], "", 1, "{\"error\":\"not a precompile in this fork\"}\n");
    answered(&["modexp", &"f".repeat(64)], "", 1, "{\"error\":\"an operand is too long\"}\n");
    answered(&["modexp", &three_to_five, "--gas-limit", "499"], "", 1, "{\"error\":\"out of gas\"}\n");
    answered(&["ecrecover", "0x", "--fork", "frontier"], "", 0, "{\"output\":\"0x\",\"gas\":3000}\n");
    for (args, stdin, says) in [
        (&["modexp", "0xg"][..], "", "the input is not hex"),
        (&["modexp", "-"], "00\n0\n", "line 2, is not hex"),
        (&["modexp", "00", "--fork", "london"], "", "byzantium"),
        (&["p256verify", "00"], "", "p256verify"),
    ] {
        let (code, _, err) = run_evm(args, stdin);
        assert_eq!((code, err.contains(says)), (2, true), "{args:?}: {err}");
    }
}

#[test]
fn vectors_line_by_line() {
    for (contract, file) in [("modexp", "evm/geth-modexp_eip7883.json"), ("ecrecover", "evm/geth-ecRecover.json")] {
        let Some(rows) = vectors::json(testkit::test_name!(), file) else { return };
        let rows = rows.as_array().unwrap();
        let lines: String = rows.iter().map(|row| format!("{}\n", row.string("Input"))).collect();
        let expected: String = rows
            .iter()
            .map(|row| format!("{{\"output\":\"0x{}\",\"gas\":{}}}\n", row.string("Expected"), row["Gas"]))
            .collect();
        let run = run(&["evm", contract, "-"], lines.as_bytes());
        assert_eq!((run.code, run.out), (0, expected), "{file}");
    }
}
