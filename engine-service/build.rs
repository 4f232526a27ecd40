//! Lists the files of the web page, which `edge/web.rs` serves, so that they become part of the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let built = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"))
        .join("../web-client/dist")
        .canonicalize()?;
    println!("cargo:rerun-if-changed={}", built.display());
    let mut files = Vec::new();
    gather(&built, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let path = file.strip_prefix(&built).expect("it lies there").display().to_string();
        let path = path.replace('\\', "/");
        let file = file.to_str().expect("paths of the sources are text");
        writeln!(list, "    (\"/{path}\", include_bytes!({file:?})),").expect("a string takes it");
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("web_files.rs"), list)
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
