//! `cargo xtask providers`: the tests of `faces/providers`, then revm-precompile's own unit tests on windlass.
//!
//! That crate's sources, as the registry has them, are copied to `target/revm-precompile`; `faces/providers/src/revm.rs` becomes a
//! module of the copy and is installed before the first use. Then the same tests run on a provider that is broken on purpose: they
//! have to fail, which shows that they reach it.

use crate::command;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Names the function whose output is wrong.
const BROKEN: &str = "WINDLASS_BROKEN_PROVIDER";

/// The end of the copied provider: what is installed, broken where the variable says so.
const INSTALL: &str = r#"
pub(crate) fn install() {
    use std::sync::Once;
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let broken = std::env::var("WINDLASS_BROKEN_PROVIDER").is_ok_and(|name| name == "modexp");
        let installed =
            if broken { revm_precompile::install_crypto(Broken) } else { revm_precompile::install_crypto(Windlass) };
        assert!(installed, "another provider was there first");
    });
}

/// The lowest bit of MODEXP's output is wrong.
#[derive(Debug)]
struct Broken;

impl Crypto for Broken {
    fn modexp(&self, base: &[u8], exponent: &[u8], modulus: &[u8]) -> Result<Vec<u8>, PrecompileHalt> {
        let mut output = Windlass.modexp(base, exponent, modulus)?;
        if let Some(last) = output.last_mut() {
            *last ^= 1;
        }
        Ok(output)
    }
}
"#;

/// The task.
pub(crate) fn run(words: &[String]) -> Result<(), String> {
    command::no_more(words)?;
    let manifest = command::root().join("faces/providers/Cargo.toml");
    command::run(command::cargo().args(["test", "--manifest-path"]).arg(&manifest))?;
    let copy = copy(&package_of(&manifest)?)?;
    let tests = |broken: Option<&str>| {
        let mut cargo = command::cargo();
        cargo.args(["test", "--lib", "--no-default-features", "--features", "std", "--manifest-path"]);
        cargo.arg(copy.join("Cargo.toml")).env_remove(BROKEN);
        cargo.arg("--target-dir").arg(command::root().join("faces/providers/target"));
        cargo.envs(broken.map(|function| (BROKEN, function)));
        command::run(&mut cargo)
    };
    tests(None)?;
    match tests(Some("modexp")) {
        Ok(()) => Err("the broken provider passes as well: the tests do not reach it".to_owned()),
        Err(_) => {
            println!(
                "providers: revm-precompile's own tests pass on windlass, and fail on a provider with a wrong bit"
            );
            Ok(())
        }
    }
}

/// Where the registry's sources of revm-precompile are.
fn package_of(manifest: &Path) -> Result<PathBuf, String> {
    let mut cargo = command::cargo();
    let text = command::output(cargo.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(manifest))?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let package = packages.iter().find(|package| package["name"] == "revm-precompile");
    let path = package.and_then(|package| package["manifest_path"].as_str()).and_then(|path| Path::new(path).parent());
    path.map(Path::to_path_buf).ok_or_else(|| "no revm-precompile".to_owned())
}

/// The sources in a folder of their own, with the provider in them.
fn copy(package: &Path) -> Result<PathBuf, String> {
    let folder = command::root().join("target/revm-precompile");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| fault(&folder, &error))?;
    }
    copy_folder(&package.join("src"), &folder.join("src"))?;
    let provider = command::root().join("faces/providers/src/revm.rs");
    write(&folder.join("src/windlass_provider.rs"), &(read(&provider)? + INSTALL))?;
    let lib = read(&folder.join("src/lib.rs"))?;
    let module = "\n#[cfg(test)]\nextern crate self as revm_precompile;\n#[cfg(test)]\nmod windlass_provider;\n";
    write(&folder.join("src/lib.rs"), &(lib + module))?;
    let interface = folder.join("src/interface.rs");
    let door = "pub fn crypto() -> &'static dyn Crypto {\n";
    let text = read(&interface)?;
    if text.matches(door).count() != 1 {
        return Err(format!("{}: where does crypto() begin?", interface.display()));
    }
    let with_provider = format!("{door}    #[cfg(test)]\n    crate::windlass_provider::install();\n");
    write(&interface, &text.replacen(door, &with_provider, 1))?;
    write(&folder.join("Cargo.toml"), &manifest(&read(&package.join("Cargo.toml"))?))?;
    Ok(folder)
}

/// The manifest without its benchmark, with windlass.
fn manifest(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_kept = true;
    for line in text.lines() {
        if line.starts_with('[') {
            is_kept = !(line.starts_with("[[bench]]") || line.starts_with("[dev-dependencies.criterion]"));
        }
        if is_kept {
            kept.push(line);
        }
    }
    let path = |folder: &str| command::root().join(folder).display().to_string();
    format!(
        "{}\n[dependencies.windlass]\npath = {:?}\n[dependencies.windlass-evm]\npath = {:?}\n[workspace]\n",
        kept.join("\n"),
        path("crates/windlass"),
        path("faces/evm")
    )
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| fault(to, &error))?;
    for entry in fs::read_dir(from).map_err(|error| fault(from, &error))? {
        let path = entry.map_err(|error| fault(from, &error))?.path();
        let Some(target) = path.file_name().map(|name| to.join(name)) else { continue };
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            fs::copy(&path, &target).map_err(|error| fault(&path, &error))?;
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| fault(path, &error))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| fault(path, &error))
}

fn fault(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
