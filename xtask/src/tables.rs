//! `cargo xtask tables`: writes the multiples of every curve's generator to `crates/curve/tables`, with their sizes and sha256 in
//! its README; `--check` compares what stands there byte for byte and writes nothing.

use curve::params::small_order::{Order7, Order13, Order199};
use curve::{CurveParams, Secp256k1, tables};
use field::secp256k1::{FieldPrime, Portable5x52};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub(crate) fn run(words: &[String]) -> Result<(), String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/curve/tables");
    let files = files();
    match words {
        [] => files.iter().try_for_each(|(name, bytes)| {
            let path = directory.join(name);
            std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
        }),
        [word] if word == "--check" => {
            check(&directory, &files)?;
            println!("{} files agree", files.len());
            Ok(())
        }
        _ => Err("usage: cargo xtask tables [--check]".into()),
    }
}

/// Every file of the directory: its name and its bytes.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![of_curve::<Secp256k1>(), of_curve::<Order7>(), of_curve::<Order13>(), of_curve::<Order199>()];
    let readme = readme(&files);
    files.push(("README.md".into(), readme.into_bytes()));
    files
}

fn of_curve<C: CurveParams<Field = FieldPrime>>() -> (String, Vec<u8>) {
    (format!("{}.bin", C::NAME), tables::compute::<C, _>(Portable5x52))
}

fn readme(files: &[(String, Vec<u8>)]) -> String {
    let mut text = String::from(
        "# Multiples of the generators\n\n\
         Written by `cargo xtask tables`, this file included; compared by `cargo xtask tables --check`. The layout stands in\n\
         `../src/tables.rs`.\n\n\
         | file | bytes | sha256 |\n|---|---|---|\n",
    );
    for (name, bytes) in files {
        let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(text, "| {name} | {} | {hash} |", bytes.len());
    }
    text
}

/// Says the first byte in which a file differs from what it should be.
fn check(directory: &Path, files: &[(String, Vec<u8>)]) -> Result<(), String> {
    files.iter().try_for_each(|(name, bytes)| {
        let path: PathBuf = directory.join(name);
        let found = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if found.len() != bytes.len() {
            return Err(format!("{}: {} bytes instead of {}", path.display(), found.len(), bytes.len()));
        }
        match found.iter().zip(bytes).position(|(a, b)| a != b) {
            Some(at) => Err(format!("{}: byte {at} differs", path.display())),
            None => Ok(()),
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_changed_byte_is_found() {
        let directory = std::env::temp_dir().join(format!("windlass-tables-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let files = vec![of_curve::<Order7>(), of_curve::<Order199>()];
        for (name, bytes) in &files {
            std::fs::write(directory.join(name), bytes).unwrap();
        }
        assert_eq!(check(&directory, &files), Ok(()));
        let (name, bytes) = &files[1];
        let mut changed = bytes.clone();
        for at in [0, 700, bytes.len() - 1] {
            changed[at] ^= 0x10;
            std::fs::write(directory.join(name), &changed).unwrap();
            assert!(check(&directory, &files).unwrap_err().ends_with(&format!("byte {at} differs")));
            changed[at] ^= 0x10;
        }
        std::fs::write(directory.join(name), &bytes[1..]).unwrap();
        assert!(check(&directory, &files).is_err());
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
