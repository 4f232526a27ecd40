//! Generation of manual pages by tests. Write the pages with
//! `WRITE_DOCS=1 cargo nextest run --workspace -E 'test(manual)'`.

mod errors;
mod refusals;

fn check_page(name: &str, page: &str) {
    let path = format!("{}/../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::write(&path, page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == page, "docs/{name} is not current: run with WRITE_DOCS=1");
}
