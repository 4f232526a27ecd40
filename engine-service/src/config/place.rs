//! Where data is kept, as it is written.

use std::fmt;
use std::path::PathBuf;

use super::{ConfigError, default_directory};

/// Where everything is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    Directory(PathBuf),
    /// In the database at an address, which may be others' too.
    Database(DatabaseUrl),
    /// Nowhere: it ends with the process.
    Memory,
}

/// The address of a database. It may hold a password, so it is shown without.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Reads a place as the address of a database, if it looks like one.
    pub fn of(place: &str) -> Option<Self> {
        let (scheme, _) = place.split_once("://")?;
        let is_ours =
            ["postgres", "postgresql"].iter().any(|ours| scheme.eq_ignore_ascii_case(ours));
        is_ours.then(|| Self(place.to_owned()))
    }

    /// All of it, for whoever connects.
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

/// A text in which addresses have no passwords any more, whatever else is wrong with them.
pub fn without_passwords(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        shown.push_str(before);
        shown.push_str("://");
        // It ends where the text around it goes on: at its quote, or at a space.
        let of_scheme = |part: &char| part.is_ascii_alphanumeric() || "+.-".contains(*part);
        let end = match before.chars().rev().find(|part| !of_scheme(part)) {
            Some(quote @ ('\'' | '"' | '`')) => after.find([quote, '\n']),
            _ => after.find(char::is_whitespace),
        };
        let (address, following) = after.split_at(end.unwrap_or(after.len()));
        if address.contains(":PASSWORD@") {
            // A form that is to be filled in.
            shown.push_str(address);
        } else {
            let address = DatabaseUrl(format!("x://{address}")).to_string();
            shown.push_str(address.strip_prefix("x://").unwrap_or_default());
        }
        rest = following;
    }
    shown + rest
}

/// Whether a setting is a password, however it is spelt.
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

/// Words that nobody means as the beginning of a directory's name.
const SCHEMES: [&str; 8] =
    ["postgres", "postgresql", "mysql", "mariadb", "sqlite3", "mongodb", "jdbc", "file"];

/// Where the data is; by default in the directory where the platform keeps programs' data.
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
        // It may hold a password, so only its beginning is shown.
        Some((scheme, rest))
            if rest.starts_with("//")
                || SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known)) =>
        {
            Err(ConfigError::NoPlace { scheme: scheme.to_owned() })
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

    /// Security S14: what was written wrongly was repeated with its password.
    #[test]
    fn a_text_about_addresses_has_no_passwords() {
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
    fn a_place_is_what_it_is_written_as() {
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
