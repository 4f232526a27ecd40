//! A check of the permissions of files that contain secrets.

use std::path::Path;

/// Returns a description of the problem if users other than the owner can access a secret file.
/// Returns `None` otherwise, or if there is no such file.
///
/// ```
/// use heliopause_client::connect::secrets::open_to_others;
///
/// let folder = tempfile::tempdir().unwrap();
/// assert_eq!(open_to_others(&folder.path().join("none")), None, "what is not there is not read");
/// # #[cfg(unix)] {
/// use std::os::unix::fs::PermissionsExt as _;
///
/// let token = folder.path().join("token");
/// std::fs::write(&token, "secret").unwrap();
/// std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o644)).unwrap();
/// assert!(open_to_others(&token).unwrap().contains("change the mode to 600"));
/// # }
/// ```
pub fn open_to_others(path: &Path) -> Option<String> {
    let mode = mode(path)?;
    (mode & 0o077 != 0).then(|| {
        format!(
            "{} has mode {mode:03o}: other users can access the secret; change the mode to 600",
            path.display()
        )
    })
}

#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)
        .map(|data| data.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Option<u32> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{Permissions, set_permissions, write};
    use std::os::unix::fs::PermissionsExt as _;

    use super::open_to_others;

    /// Security T2: a token file readable by everyone was accepted without a warning.
    #[test]
    fn security_t2_secrets_readable_by_others_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("worker.token");
        write(&path, "secret").unwrap();
        for (mode, is_open) in
            [(0o600, false), (0o400, false), (0o640, true), (0o604, true), (0o620, true)]
        {
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert_eq!(open_to_others(&path).is_some(), is_open, "{mode:o}");
        }
        assert_eq!(open_to_others(folder.path()), None);
        assert_eq!(open_to_others(&folder.path().join("none")), None);
    }
}
