//! Profiles: files with an engine and the player's accounts, readable only by the user.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::{Deserialize, Serialize};

use crate::failure::{Failure, about};
use crate::terminal::Out;
use crate::words::say;

/// The contents of a profile's file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The accounts by the URLs of their engines. A token is never sent to any other engine.
    #[serde(default)]
    pub accounts: BTreeMap<String, Account>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub name: String,
    pub token: String,
}

/// The directory of the profiles.
#[derive(Clone, Debug)]
pub struct Profiles {
    folder: PathBuf,
}

impl Profiles {
    pub fn from_environment() -> Result<Self, Failure> {
        let named = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = named("HELIOPAUSE_CONFIG_DIR")
            .or_else(|| named("XDG_CONFIG_HOME").map(|config| config.join("heliopause")))
            .or_else(|| named("HOME").map(|home| home.join(".config/heliopause")))
            .or_else(|| named("APPDATA").map(|data| data.join("heliopause")));
        let no_folder = || {
            Failure::failed(say!("profiles-directory-profiles-unknown-because"))
                .advise(say!("profiles-set-home-heliopause-config"))
        };
        folder.map(Self::at).ok_or_else(no_folder)
    }

    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    pub fn load(&self, name: &str) -> Result<Profile, Failure> {
        let path = self.path(name)?;
        let text = match fs::read_to_string(&path).inspect(|_| warn_if_open(&path)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Profile::default());
            }
            Err(error) => return Err(about(&path, &error)),
        };
        toml::from_str(&text).map_err(|error| {
            let (path, why) = (path.display(), error.message());
            Failure::failed(say!("profiles-not-valid", path = path, why = why))
                .advise(say!("profiles-correct-file-remove-register"))
        })
    }

    /// Writes a profile atomically, readable only by its owner.
    pub fn save(&self, name: &str, profile: &Profile) -> Result<(), Failure> {
        let path = self.path(name)?;
        let text = toml::to_string(profile).map_err(|error| {
            Failure::failed(say!("profiles-cannot-write-profile", name = name, error = error))
        })?;
        write_private(&path, text.as_bytes())
    }

    pub fn file(&self, folder: &str, name: &str) -> Result<PathBuf, Failure> {
        let folder = self.folder.join(folder);
        make_private(&folder)?;
        Ok(folder.join(name))
    }

    fn path(&self, name: &str) -> Result<PathBuf, Failure> {
        let plain = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
        if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
            return Err(Failure::usage(say!("profiles-name-not-valid", name = name))
                .advise(say!("profiles-use-letters-digits-first")));
        }
        Ok(self.folder.join("profiles").join(format!("{name}.toml")))
    }
}

/// Reads a secret. Warns if other users can read it.
pub fn read_secret(path: &Path) -> Result<String, Failure> {
    let secret = fs::read_to_string(path).map_err(|error| about(path, &error))?;
    warn_if_open(path);
    Ok(secret)
}

/// Warns on standard error if other users can read the file.
fn warn_if_open(path: &Path) {
    if let Some(open) = heliopause_client::connect::secrets::open_to_others(path) {
        let _ = Out::Stderr.say(&say!("profiles-warning", open = open));
    }
}

/// Writes a file atomically, readable only by its owner, and creates its private folder.
pub fn write_private(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_private(folder)?;
    // A temporary file has mode 0600 from the start, so that other users can never read the token.
    let write = || {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|error| about(path, &error))
}

fn make_private(folder: &Path) -> Result<(), Failure> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| about(folder, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile() -> Profile {
        let account = Account { name: "Ann".into(), token: "secret".into() };
        Profile {
            engine: Some("http://there:1".into()),
            accounts: [("http://there:1".into(), account)].into(),
        }
    }

    #[test]
    fn a_saved_profile_is_read_back() -> Result<(), Failure> {
        let folder = tempfile::tempdir()?;
        let profiles = Profiles::at(folder.path().join("config"));
        assert_eq!(profiles.load("default")?, Profile::default());
        profiles.save("default", &profile())?;
        assert_eq!(profiles.load("default")?, profile());
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_a_profile() -> Result<(), Failure> {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir()?;
        let config = folder.path().join("config");
        let profiles = Profiles::at(&config);
        profiles.save("ann", &profile())?;
        let mode = |path: &Path| fs::metadata(path).map(|data| data.permissions().mode() & 0o777);
        assert_eq!(mode(&config)?, 0o700);
        assert_eq!(mode(&config.join("profiles/ann.toml"))?, 0o600);
        Ok(())
    }

    #[test]
    fn a_profile_name_stays_within_the_folder() {
        let profiles = Profiles::at("/nowhere");
        for name in ["", "../x", "a/b", ".hidden"] {
            assert!(profiles.load(name).is_err(), "{name}");
        }
    }
}
