//! Finds scenario files by path, folder or pattern.

use std::path::{Path, PathBuf};

use heliopause_client::failure::{Failure, about};

/// Returns the scenario files that the arguments match, in order. Returns an error if an argument
/// matches none.
pub fn find(arguments: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for argument in arguments {
        let before = files.len();
        if argument.is_dir() {
            walk(argument, &mut files)?;
        } else if argument.is_file() {
            files.push(argument.clone());
        } else {
            matching_pattern(argument, &mut files)?;
        }
        if files.len() == before {
            return Err(Failure::usage(format!(
                "No scenario file matches {}. Write a file, a directory with .json or .jsonl files, \
                 or a pattern such as 'tests/*.json'.",
                argument.display()
            )));
        }
    }
    Ok(files)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for path in entries(folder)? {
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|kind| kind == "json" || kind == "jsonl")
            && !is_base(&path)
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns whether a file exists only to be extended by other files.
fn is_base(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let read = || {
        std::fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<Vec<_>>>()
    };
    let mut entries = read().map_err(|error| about(folder, &error))?;
    entries.sort();
    Ok(entries)
}

/// Finds files whose name matches a pattern with `*`, for shells that do not expand patterns.
fn matching_pattern(pattern: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let folder =
        pattern.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name =
        pattern.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if !name.contains('*') || !folder.is_dir() {
        return Ok(());
    }
    let fits = |path: &PathBuf| {
        path.is_file() && path.file_name().is_some_and(|file| fits(&name, &file.to_string_lossy()))
    };
    files.extend(entries(folder)?.into_iter().filter(fits));
    Ok(())
}

fn fits(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len())
                .filter(|at| name.is_char_boundary(*at))
                .any(|at| fits(rest, &name[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use heliopause_client::failure::Kind;

    use super::*;

    #[test]
    fn patterns() {
        assert!(fits("*.json", "a.json") && fits("a*b*c", "aXbYc") && fits("a", "a"));
        assert!(!fits("*.json", "a.txt") && !fits("a*b", "ac"));
    }

    #[test]
    fn a_missing_file_is_a_usage_error() {
        let failure = find(&["/does/not/exist.json".into()]).err();
        assert!(failure.is_some_and(|failure| failure.report().kind == Kind::Usage));
    }
}
