//! Compiles the contract without protoc: messages and gRPC code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use tonic_prost_build::{Config, FileDescriptorSet};

const OFFER_MAPS: [&str; 2] = [".heliopause.v1.Offers.labels", ".heliopause.v1.Offers.notes"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let files = proto_files(&root.join("heliopause"))?;
    println!("cargo::rerun-if-changed={}", root.join("heliopause").display());

    let mut compiler = protox::Compiler::new([&root])?;
    compiler.include_source_info(true).include_imports(true).open_files(&files)?;
    let descriptors = compiler.file_descriptor_set();
    // The compiler encodes custom options, which prost's types drop.
    fs::write(out.join("descriptors.bin"), compiler.encode_file_descriptor_set())?;
    fs::write(out.join("packages.rs"), modules(&descriptors))?;

    let mut config = Config::new();
    // JSON conversion finds descriptors by type name.
    config.enable_type_names();
    tonic_prost_build::configure()
        .bytes(".")
        // Sorts by key, so that encoding is deterministic.
        .btree_map(OFFER_MAPS[0])
        .btree_map(OFFER_MAPS[1])
        // These large steps are rare and would enlarge every step.
        .boxed(".heliopause.store.v1.Step.kind.created")
        .boxed(".heliopause.store.v1.Step.kind.rules_changed")
        // This response is requested most and moved many times before it is encoded.
        .boxed(".heliopause.v1.GetGameResponse.game")
        .client_mod_attribute(".", "#[cfg(feature = \"client\")]")
        .server_mod_attribute(".", "#[cfg(feature = \"server\")]")
        .compile_fds_with_config(descriptors, config)?;
    Ok(())
}

fn modules(descriptors: &FileDescriptorSet) -> String {
    let mut packages = BTreeSet::new();
    for file in &descriptors.file {
        packages.extend(file.package().strip_prefix("heliopause."));
    }
    let mut modules = Vec::new();
    for package in packages {
        let (open, close) = match package.rsplit_once('.') {
            None => (format!("/// The package `heliopause.{package}`.\npub mod {package} {{"), "}"),
            Some((game, version)) => (
                format!(
                    "/// The packages of `heliopause.{game}`.\npub mod {game} {{\n\
                     /// The package `heliopause.{package}`.\npub mod {version} {{"
                ),
                "}}",
            ),
        };
        modules.push(format!(
            "{open}
            #![allow(missing_docs, clippy::all, clippy::pedantic, unreachable_pub, unused_qualifications)]
            include!(concat!(env!(\"OUT_DIR\"), \"/heliopause.{package}.rs\"));
            {close}\n"
        ));
    }
    modules.concat()
}

fn proto_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(proto_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
