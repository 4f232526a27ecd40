//! Lists the web page files for `edge/web/mod.rs`, which compiles them into the program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let built = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("Cargo sets this variable"))
        .join("../clients/web/dist")
        .canonicalize()?;
    println!("cargo:rerun-if-changed={}", built.display());
    let mut files = Vec::new();
    gather(&built, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let path =
            file.strip_prefix(&built).expect("the file is in the folder").display().to_string();
        let path = path.replace('\\', "/");
        let file = file.to_str().expect("the path is UTF-8");
        writeln!(list, "    (\"/{path}\", include_bytes!({file:?})),")
            .expect("writing to a string cannot fail");
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("Cargo sets this variable"));
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
