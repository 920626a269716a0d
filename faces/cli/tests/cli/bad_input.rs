//! Whatever comes in: a malformed row with a reason, never a panic, never a stop, bounded memory.

use windlass::{Keypair, LowS, SecretKey, schnorr};
use windlass_cli::csv::{Columns, CsvCheck, Encoding, HybridKeys, Rules};
use windlass_cli::ethereum::EthereumCheck;
use windlass_cli::nostr::{Event, NostrCheck, Windlass, id_of};
use windlass_cli::row::{Outcome, RowCheck, Verdict};

use crate::process::{Folder, gzip, run, sample, verdicts, verify};

fn check<C: RowCheck>(check: &C, row: impl AsRef<[u8]>) -> Outcome {
    check.check(row.as_ref(), &mut C::Scratch::default())
}

#[test]
fn an_empty_input_has_no_rows_and_all_of_them_are_valid() {
    for format in ["nostr", "ethereum", "csv"] {
        for text in ["", "\n", "\r\n \n\n"] {
            let (summary, rows, code) = verify(&["--format", format], text.as_bytes());
            assert_eq!((code, rows.len(), summary["rows"].as_u64()), (0, 0, Some(0)), "{format} {text:?}");
        }
        assert_eq!(run(&["verify", "-", "--format", format], &gzip(b"")).code, 0);
    }
    let folder = Folder::new();
    let file = folder.write("empty.jsonl", b"");
    let run = run(&["verify", &file], b"");
    assert_eq!(run.code, 0);
    assert!(run.err.contains("empty.jsonl: no rows"), "{run:?}");
    assert!(run.out.contains("0 rows"), "{run:?}");
}

/// However many blank lines come first, the rows behind them count: a file of rows is not taken for an empty one.
#[test]
fn rows_behind_many_blank_lines_are_rows() {
    let folder = Folder::new();
    for format in ["nostr", "ethereum", "csv"] {
        let text = sample(&[format, "-n", "20", "--bad", "3"]);
        for blank in ["\n", " \t\r\n"] {
            for bytes in [60_000, 65_535, 65_536, 65_537, 1_000_000] {
                let text = [&blank.repeat(bytes / blank.len()), &text].map(String::as_str).concat();
                let file = folder.write("rows", text.as_bytes());
                for (source, input) in [("-", text.as_bytes()), (file.as_str(), b"")] {
                    let run = run(&["verify", source, "--json", "-"], input);
                    let summary: serde_json::Value = serde_json::from_str(&run.out).unwrap();
                    assert_eq!(
                        (run.code, &summary["rows"], &summary["valid"]),
                        (1, &20.into(), &17.into()),
                        "{format}"
                    );
                }
            }
        }
    }
    // A row that begins behind so many blanks tells nothing.
    let run = run(&["verify", "-"], [&vec![b' '; 100_000][..], b"{}"].concat().as_slice());
    assert_eq!(run.code, 2, "{run:?}");
}

/// Ten megabytes of what a reader could be slow at, or take much memory for: it ends, and nothing is valid.
#[test]
fn hostile_inputs_end() {
    const BYTES: usize = 10_000_000;
    let event = sample(&["nostr", "-n", "1"]);
    let record = "02".repeat(33) + ",3006020101020101," + &"11".repeat(32) + "\n";
    let of = |part: &str| part.repeat(BYTES / part.len());
    let within = |before: &str, part: &str, behind: &str| [before, &of(part), behind].concat();
    let head = "pubkey,signature,digest\n";
    // A list of RLP that holds nothing but itself, and one that holds empty ones.
    let lists =
        (0..3000).rev().fold(String::new(), |inside, _| format!("{:06x}{inside}", 0xf9_0000 + inside.len() / 2));
    for (format, text, rows) in [
        ("nostr", of("["), 1),
        ("nostr", of("{\"a\":"), 1),
        ("nostr", of("\""), 1),
        ("nostr", of("\\\\"), 1),
        ("nostr", of("9"), 1),
        ("nostr", of("\0"), 1),
        ("nostr", of("\n"), 0),
        ("nostr", of("{\"a\n"), BYTES / 4),
        ("nostr", within("{\"tags\":[", "[],", "[]]}"), 1),
        ("nostr", within("{\"tags\":[[", "\"\",", "\"\"]]}"), 1),
        ("nostr", within("{\"tags\":", "[", ""), 1),
        ("nostr", within("{\"content\":\"", "\\u0041", "\"}"), 1),
        ("nostr", within("{\"content\":\"", "\\\"", "\"}"), 1),
        ("nostr", within("{", "\"a\":1,", "\"a\":1}"), 1),
        ("nostr", within("{", "\"a\\u0041\":[{}],", "\"a\":1}"), 1),
        ("nostr", within("{\"x\":", "[", &event), 1),
        ("ethereum", of("f"), 1),
        ("ethereum", of("0x"), 1),
        ("ethereum", of("c0"), 1),
        ("ethereum", of("f8ff"), 1),
        ("ethereum", of(&format!("{lists}\n")), BYTES / (lists.len() + 1)),
        ("ethereum", within("{\"raw\":\"", "\\u0030", "\"}"), 1),
        ("ethereum", within("{", "\"a\":\"\",", "\"raw\":\"00\"}"), 1),
        ("csv", of(","), 0),
        ("csv", within(head, ",", ""), 1),
        ("csv", within(head, "\"", ""), 1),
        ("csv", within(head, "\"a\"b,\"\n", ""), BYTES / 7),
        ("csv", within(head, "\",\"", "\n"), 1),
        ("csv", within(head, "\r", "\n"), 0),
        ("csv", within(head, "\"\n", ""), 0),
        ("csv", within(head, &format!("\"\n{record}"), ""), 0),
    ] {
        let run = run(&["verify", "-", "--format", format, "--json", "-"], text.as_bytes());
        let what = text.chars().take(60).collect::<String>();
        if rows == 0 {
            // How many rows that is says another test, or there is no header.
            assert!(run.code < 3, "{format} {what:?}: {run:?}");
            continue;
        }
        let summary: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{what:?}: {run:?}"));
        assert_eq!((run.code, &summary["rows"], &summary["valid"]), (1, &rows.into(), &0.into()), "{format} {what:?}");
    }
}

#[test]
fn a_csv_file_of_a_header_alone_has_no_rows() {
    let (summary, _, code) = verify(&[], b"pubkey,signature,digest");
    assert_eq!((code, summary["rows"].as_u64()), (0, Some(0)));
}

#[test]
fn line_ends_of_every_kind() {
    for format in ["nostr", "ethereum", "csv"] {
        let text = sample(&[format, "-n", "20"]);
        let bom = format!("\u{feff}{text}");
        let blank_lines = text.replace('\n', "\n\n \r\n");
        let variants = [text.trim_end().to_owned(), text.replace('\n', "\r\n"), bom, blank_lines, text];
        for variant in variants {
            let (summary, rows, code) = verify(&[], variant.as_bytes());
            assert_eq!((code, summary["valid"].as_u64()), (0, Some(20)), "{format}: {:?}", rows);
            assert_eq!(rows.last().unwrap()["row"], 20);
        }
    }
}

#[test]
fn broken_lines_are_rows() {
    let good = sample(&["nostr", "-n", "1"]);
    let good = good.trim_end();
    let text = [
        good.as_bytes(),
        b"hello",
        b"{",
        b"\xff\xfe{}",
        &good.as_bytes().iter().map(|&b| if b == b'{' { 0xff } else { b }).collect::<Vec<_>>(),
        &[b'['; 1_000_000],
        good.replacen("\"kind\"", &format!("\"x\":{},\"kind\"", "[".repeat(1_000_000)), 1).as_bytes(),
        good.replacen("\"kind\"", &format!("\"x\":{}{},\"kind\"", "[".repeat(100_000), "]".repeat(100_000)), 1)
            .as_bytes(),
        b"null",
        b"\0\0\0",
        good.as_bytes(),
    ]
    .join(b"\n".as_slice());
    let (summary, rows, code) = verify(&["--format", "nostr"], &text);
    assert_eq!(code, 1);
    assert_eq!((summary["rows"].as_u64(), summary["malformed"].as_u64()), (Some(11), Some(8)));
    let verdicts = verdicts(&rows);
    for (i, (verdict, reason)) in verdicts.iter().enumerate() {
        assert_eq!(rows[i]["row"], i + 1);
        // Deep nesting in a field that is not looked at is no fault if it is closed.
        let want = if [0, 7, 10].contains(&i) { "valid" } else { "malformed" };
        assert_eq!((*verdict, reason.is_empty()), (want, want == "valid"), "row {} {reason}", i + 1);
    }
}

#[test]
fn a_line_of_ten_megabytes_is_verified_and_one_over_the_bound_is_malformed() {
    let keypair = Keypair::from_secret(&SecretKey::from_bytes(&[7; 32]).unwrap());
    let event = |content: Vec<u8>| {
        let pubkey = keypair.x_only().0.to_bytes();
        let mut event = Event { pubkey, created_at: 5, kind: 1, tags: b"[]".to_vec(), content, ..Event::default() };
        event.id = id_of(&event);
        event.sig = schnorr::sign(&event.id, &keypair, &[0; 32]).0;
        let hex = testkit::vectors::to_hex;
        let head = format!(r#"{{"id":"{}","pubkey":"{}","created_at":5"#, hex(&event.id), hex(&pubkey));
        let tail = format!(r#"","sig":"{}"}}"#, hex(&event.sig));
        [head.as_bytes(), br#","kind":1,"tags":[],"content":""#, &event.content, tail.as_bytes()].concat()
    };
    let text = [event(vec![b'x'; 10 << 20]), event(vec![b'y'; 17 << 20]), event(b"short".to_vec())].join(&b'\n');
    let (_, rows, code) = verify(&[], &text);
    assert_eq!(code, 1);
    assert_eq!(verdicts(&rows), [("valid", ""), ("malformed", "longer than 16 MiB"), ("valid", "")]);
}

#[test]
fn no_beginning_of_a_row_is_valid() {
    let nostr = NostrCheck::new(Windlass);
    let ethereum = EthereumCheck::new(Windlass, LowS::Required);
    let columns = Columns::from_header(b"pubkey,signature,digest", &[]).unwrap();
    let rules = Rules::Ecdsa { encoding: Encoding::Der, low_s: LowS::Required, hybrid: HybridKeys::Accepted };
    let csv = CsvCheck::new(columns, rules);
    let whole = |text: &str| text.trim_end().to_owned();
    let event = whole(&sample(&["nostr", "-n", "1"]));
    let transactions = sample(&["ethereum", "-n", "12"]);
    let record = whole(sample(&["csv", "-n", "1"]).split_once('\n').unwrap().1);
    assert_eq!(check(&nostr, &event), Outcome::valid());
    assert_eq!(check(&csv, &record), Outcome::valid());
    for end in 0..event.len() {
        assert_eq!(check(&nostr, &event.as_bytes()[..end]).verdict, Verdict::Malformed, "{end}");
    }
    for end in 0..record.len() {
        assert_ne!(check(&csv, &record[..end]).verdict, Verdict::Valid, "{end}");
    }
    for transaction in transactions.lines() {
        let raw = transaction.split("\"raw\":\"0x").nth(1).unwrap().trim_end_matches("\"}");
        assert_eq!(check(&ethereum, raw).verdict, Verdict::Valid);
        for end in 0..raw.len() {
            assert_ne!(check(&ethereum, &raw[..end]).verdict, Verdict::Valid, "{raw} {end}");
            assert_ne!(check(&ethereum, format!("{{\"raw\":\"{}", &raw[..end])).verdict, Verdict::Valid);
        }
        assert_eq!(check(&ethereum, raw.to_owned() + "00").verdict, Verdict::Malformed);
    }
}

#[test]
fn bytes_of_zeros_and_of_ones() {
    let nostr = NostrCheck::new(Windlass);
    let event = sample(&["nostr", "-n", "1"]);
    let event: serde_json::Value = serde_json::from_str(&event).unwrap();
    for field in ["id", "pubkey", "sig"] {
        for digit in ["0", "f"] {
            let mut changed = event.clone();
            changed[field] = digit.repeat(event[field].as_str().unwrap().len()).into();
            assert_eq!(check(&nostr, changed.to_string()).verdict, Verdict::Invalid, "{field} {digit}");
        }
    }
    let ethereum = EthereumCheck::new(Windlass, LowS::Accepted);
    for bytes in [1, 2, 32, 55, 56, 300] {
        for byte in ["00", "ff", "01", "02", "03", "04", "80", "c0", "f8"] {
            assert_eq!(check(&ethereum, byte.repeat(bytes)).verdict, Verdict::Malformed, "{byte} {bytes}");
        }
    }
}

/// Whatever digit, letter or byte is another: the row does not hold any more.
#[test]
fn every_changed_byte_is_noticed() {
    let nostr = NostrCheck::new(Windlass);
    for event in sample(&["nostr", "-n", "2"]).lines() {
        for at in 0..event.len() {
            for change in [0x01, 0x20, 0x80, 0xff] {
                let mut changed = event.as_bytes().to_vec();
                changed[at] ^= change;
                let outcome = check(&nostr, &changed);
                assert_ne!(outcome.verdict, Verdict::Valid, "byte {at} of {event} by {change}");
            }
        }
    }
    let ethereum = EthereumCheck::new(Windlass, LowS::Required);
    for transaction in sample(&["ethereum", "-n", "8"]).lines() {
        let row: serde_json::Value = serde_json::from_str(transaction).unwrap();
        let raw = testkit::vectors::hex(row["raw"].as_str().unwrap().trim_start_matches("0x"));
        for at in 0..raw.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut changed = raw.clone();
                changed[at] ^= change;
                let changed = testkit::vectors::to_hex(&changed);
                let outcome = check(&ethereum, format!("{{\"raw\":\"{changed}\",\"from\":{}}}", row["from"]));
                assert_ne!(outcome.verdict, Verdict::Valid, "byte {at} of {transaction} by {change}");
            }
        }
    }
}

/// r, s and the key at the edges of their ranges.
#[test]
fn values_out_of_range_are_invalid() {
    let n = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141";
    let p = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f";
    let g = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    let (zero, one, ones) = ("0".repeat(64), format!("{:064}", 1), "f".repeat(64));
    let mut text = "pubkey,signature,digest\n".to_owned();
    let digest = "11".repeat(32);
    for (r, s) in [(zero.as_str(), one.as_str()), (&one, &zero), (&zero, &zero), (n, &one), (&one, n), (&ones, &one)] {
        text += &format!("{g},{r}{s},{digest}\n");
    }
    for key in
        [format!("02{p}"), format!("02{ones}"), format!("02{zero}"), format!("04{zero}{zero}"), format!("04{p}{p}")]
    {
        text += &format!("{key},{one}{one},{digest}\n");
    }
    let (summary, rows, _) = verify(&["--encoding", "compact"], text.as_bytes());
    assert_eq!(summary["invalid"], summary["rows"], "{rows:?}");
    // Not a key at all.
    let text = ["", "zz", "0279", &format!("05{zero}"), &format!("{g}00")]
        .iter()
        .fold("pubkey,signature,digest\n".to_owned(), |text, key| text + &format!("{key},{one}{one},{digest}\n"));
    let (summary, rows, _) = verify(&["--encoding", "compact"], text.as_bytes());
    assert_eq!(summary["malformed"], summary["rows"], "{rows:?}");
}

#[test]
fn hybrid_keys_are_taken_only_where_the_user_says_so() {
    let text = sample(&["csv", "-n", "40"]);
    let hybrid = |odd_prefix: &str, even_prefix: &str| {
        let mut lines = vec!["pubkey,signature,digest".to_owned()];
        for line in text.lines().filter(|line| line.starts_with("04")) {
            let odd = u8::from_str_radix(&line[128..130], 16).unwrap() & 1 == 1;
            lines.push(format!("{}{}", if odd { odd_prefix } else { even_prefix }, &line[2..]));
        }
        lines.join("\n")
    };
    let (right, wrong) = (hybrid("07", "06"), hybrid("06", "07"));
    let rows = right.lines().count() as u64 - 1;
    assert!(rows > 0);
    assert_eq!(verify(&["--allow-hybrid"], right.as_bytes()).0["valid"], rows);
    assert_eq!(verify(&[], right.as_bytes()).0["invalid"], rows);
    assert_eq!(verify(&["--allow-hybrid"], wrong.as_bytes()).0["invalid"], rows);
}

#[test]
fn quotes_in_csv() {
    let text = sample(&["csv", "-n", "3"]);
    let lines: Vec<&str> = text.lines().collect();
    let (header, row) = (lines[0], |i: usize| lines[i].replace(',', "\",\""));
    let text = format!(
        "note,{header}\n\"a \"\"note\"\"\nof two, lines\",\"{}\"\n\"never closed,{}\nx,{}\nx,y,{}\n",
        row(1),
        lines[2],
        lines[3],
        lines[3]
    );
    let (_, rows, _) = verify(&[], text.as_bytes());
    let verdicts = verdicts(&rows);
    assert_eq!(verdicts[0], ("valid", ""));
    assert_eq!(verdicts[1], ("malformed", "a quote is opened and never closed"));
    assert_eq!(verdicts[2], ("valid", ""));
    assert_eq!(verdicts[3], ("malformed", "5 columns where the header has 4"));
}
