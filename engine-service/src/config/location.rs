//! The location of the data: a directory, a database, or memory.

use std::fmt;
use std::path::PathBuf;

use super::{ConfigError, default_directory};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    Directory(PathBuf),
    Database(DatabaseUrl),
    /// Memory. The data is lost when the process ends.
    Memory,
}

/// The URL of a PostgreSQL database. It is displayed without its password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Returns the URL if `place` has the scheme of a PostgreSQL URL, or else `None`.
    pub fn of(place: &str) -> Option<Self> {
        let (scheme, _) = place.split_once("://")?;
        let is_ours =
            ["postgres", "postgresql"].iter().any(|ours| scheme.eq_ignore_ascii_case(ours));
        is_ours.then(|| Self(place.to_owned()))
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("postgres", &self.0));
        let (user, place) = match rest.rsplit_once('@') {
            Some((user, place)) => (user.split([':', '/', '?']).next(), place),
            None => (None, rest),
        };
        let (place, query) = place.split_once('?').unwrap_or((place, ""));
        write!(out, "{scheme}://")?;
        if let Some(user) = user {
            write!(out, "{user}@")?;
        }
        write!(out, "{place}")?;
        let shown = query.split('&').filter(|pair| !pair.is_empty() && !is_secret(pair));
        for (number, pair) in shown.enumerate() {
            write!(out, "{}{pair}", if number == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

/// Removes the passwords of all URLs in `text`, including malformed URLs.
pub fn without_passwords(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        shown.push_str(before);
        shown.push_str("://");
        // A quoted URL ends at the closing quotation mark, and any other URL at a space.
        let of_scheme = |part: &char| part.is_ascii_alphanumeric() || "+.-".contains(*part);
        let end = match before.chars().rev().find(|part| !of_scheme(part)) {
            Some(quote @ ('\'' | '"' | '`')) => after.find([quote, '\n']),
            _ => after.find(char::is_whitespace),
        };
        let (address, following) = after.split_at(end.unwrap_or(after.len()));
        if address.contains(":PASSWORD@") {
            // The password is a placeholder, as in a usage example.
            shown.push_str(address);
        } else {
            let address = DatabaseUrl(format!("x://{address}")).to_string();
            shown.push_str(address.strip_prefix("x://").unwrap_or_default());
        }
        rest = following;
    }
    shown + rest
}

fn is_secret(pair: &str) -> bool {
    let key = pair.split_once('=').map_or(pair, |(key, _)| key);
    percent_encoding::percent_decode_str(key)
        .decode_utf8_lossy()
        .to_ascii_lowercase()
        .contains("password")
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self}")
    }
}

/// The schemes that are rejected even without `//`: directory names rarely start with them.
const SCHEMES: [&str; 8] =
    ["postgres", "postgresql", "mysql", "mariadb", "sqlite3", "mongodb", "jdbc", "file"];

/// Parses the location of the data. The default is `heliopause` in the user's directory for program
/// data. Fails for an unsupported scheme, or if there is no home directory for the default.
pub fn data(wanted: Option<PathBuf>) -> Result<Data, ConfigError> {
    let Some(path) = wanted else {
        return default_directory().map(Data::Directory).ok_or(ConfigError::NoHome);
    };
    let text = path.to_str().unwrap_or_default();
    if text == ":memory:" {
        return Ok(Data::Memory);
    }
    if let Some(url) = DatabaseUrl::of(text) {
        return Ok(Data::Database(url));
    }
    match text.split_once(':') {
        // The path may contain a password, so only the scheme is shown.
        Some((scheme, rest))
            if rest.starts_with("//")
                || SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)) =>
        {
            Err(ConfigError::NoLocation { scheme: scheme.to_owned() })
        }
        Some((scheme, directory)) if scheme.eq_ignore_ascii_case("sqlite") => {
            Ok(Data::Directory(directory.into()))
        }
        _ => Ok(Data::Directory(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (address, shown) in [
            ("postgres://u:SECRET@h:1/d?sslmode=require", "postgres://u@h:1/d?sslmode=require"),
            ("POSTGRES://u:SEC@RET@h/d", "POSTGRES://u@h/d"),
            (
                "postgresql://h/d?user=u&password=SECRET&sslmode=require",
                "postgresql://h/d?user=u&sslmode=require",
            ),
            ("postgres://h/d?passw%6frd=SECRET", "postgres://h/d"),
            ("postgres://u@h/d", "postgres://u@h/d"),
        ] {
            let url = DatabaseUrl::of(address).expect("an address");
            assert_eq!((url.to_string().as_str(), url.reveal()), (shown, address));
            assert_eq!(format!("{:?}", Data::Database(url)), format!("Database({shown})"));
        }
    }

    /// Security S14: malformed URLs were printed with their password.
    #[test]
    fn passwords_are_removed_from_urls_in_a_text() {
        for (text, shown) in [
            (
                "invalid value 'smtp://u:SEC RET@h' for '--x <URL>'",
                "invalid value 'smtp://u@h' for '--x <URL>'",
            ),
            (
                "unexpected 'postgres://u:SECRET@h/d?password=SECRET'",
                "unexpected 'postgres://u@h/d'",
            ),
            (
                "no postgres://u:SECRET@h/d and smtps+x://v:SECRET@i",
                "no postgres://u@h/d and smtps+x://v@i",
            ),
            ("write smtp://HOST, or mail a@b.example", "write smtp://HOST, or mail a@b.example"),
            (
                "write smtps://USER:PASSWORD@HOST, not smtp://u:SECRET@h",
                "write smtps://USER:PASSWORD@HOST, not smtp://u@h",
            ),
            ("nothing of the kind: at all", "nothing of the kind: at all"),
        ] {
            assert_eq!(without_passwords(text), shown, "{text}");
        }
    }

    #[test]
    fn data_location_is_parsed() {
        let directory = |name: &str| Some(Data::Directory(PathBuf::from(name)));
        for (place, expected) in [
            (":memory:", Some(Data::Memory)),
            ("postgres://h/d", DatabaseUrl::of("postgres://h/d").map(Data::Database)),
            ("PostgreSQL://h/d", DatabaseUrl::of("PostgreSQL://h/d").map(Data::Database)),
            ("sqlite:some/where", directory("some/where")),
            ("postgres", directory("postgres")),
            ("data:2", directory("data:2")),
            ("/a://b", None),
            ("mysql://u:SECRET@h/d", None),
            ("postgres:/h/d", None),
            ("sqlite://where", None),
            ("jdbc:postgresql://h/d", None),
        ] {
            let found = data(Some(PathBuf::from(place)));
            if let Err(error) = &found {
                assert!(
                    !error.to_string().contains("SECRET")
                        && error.to_string().contains("postgres://"),
                    "{error}"
                );
            }
            assert_eq!(found.ok(), expected, "{place}");
        }
    }
}
