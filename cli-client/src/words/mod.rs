//! The texts of this program, in the language of the terminal. The messages are in the syntax of
//! Project Fluent, with one file for each language.

use std::env;
use std::fmt::Display;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

/// The languages, with their messages. The first has all messages, and replaces missing ones.
static LANGUAGES: [(&str, &str); 1] = [("en", include_str!("en.ftl"))];

/// The bundles to search for a message: of the terminal's language, then of the first language.
static BUNDLES: LazyLock<Vec<FluentBundle<FluentResource>>> = LazyLock::new(|| {
    let wanted = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| non_empty(name));
    let code = language(&wanted.unwrap_or_default());
    let chosen = LANGUAGES.iter().skip(1).filter(|(known, _)| *known == code);
    chosen.chain(LANGUAGES.first()).map(|(code, text)| bundle(code, text)).collect()
});

fn non_empty(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns the code of a language from the name of a locale: "de" for `de_AT.UTF-8`.
fn language(locale: &str) -> String {
    locale.chars().take_while(char::is_ascii_alphabetic).collect::<String>().to_lowercase()
}

/// Reads messages. Leaves out broken ones, which a test finds.
fn bundle(code: &str, text: &str) -> FluentBundle<FluentResource> {
    let language: LanguageIdentifier = code.parse().unwrap_or_default();
    let resource = match FluentResource::try_new(text.to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    let mut bundle = FluentBundle::new_concurrent(vec![language]);
    // The terminal shows names from elsewhere without marks of direction.
    bundle.set_use_isolating(false);
    bundle.add_resource_overriding(resource);
    bundle
}

/// The values of a message, by name.
type Values<const N: usize> = [(&'static str, FluentValue<'static>); N];

/// Returns the text of a message, or `None` if there is no such message.
pub fn find<const N: usize>(id: &str, values: Values<N>) -> Option<String> {
    let args: FluentArgs<'_> = values.into_iter().collect();
    BUNDLES.iter().find_map(|bundle| {
        let pattern = bundle.get_message(id)?.value()?;
        Some(bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned())
    })
}

/// Returns the text of a message that the program contains.
pub fn text<const N: usize>(id: &str, values: Values<N>) -> String {
    find(id, values).unwrap_or_else(|| id.to_owned())
}

/// Returns the headings of a table. The message separates them by a comma and a space.
pub fn columns(id: &str) -> Vec<String> {
    text(id, []).split(", ").map(str::to_owned).collect()
}

/// A value of a message.
pub trait Value {
    fn value(&self) -> FluentValue<'static>;
}

impl<T: Display> Value for T {
    fn value(&self) -> FluentValue<'static> {
        self.to_string().into()
    }
}

/// A number that selects the plural.
pub struct Number<T>(pub T);

impl<T: Copy + Into<FluentValue<'static>>> Value for Number<T> {
    fn value(&self) -> FluentValue<'static> {
        self.0.into()
    }
}

/// Returns the text of a message with its values: `say!(ID, name = value)`.
macro_rules! say {
    ($id:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::words::text($id, [$((stringify!($name), $crate::words::Value::value(&$value))),*])
    };
}
pub(crate) use say;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use super::*;

    /// Returns the name at the start of a text.
    fn name(text: &str) -> String {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    }

    /// Returns the names of the values of each message.
    fn messages(text: &str) -> BTreeMap<String, BTreeSet<String>> {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut id = String::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((start, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
                start.clone_into(&mut id);
                assert!(found.insert(id.clone(), BTreeSet::new()).is_none(), "{id} is there twice");
            }
            let values = line.split('$').skip(1).map(name);
            found.entry(id.clone()).or_default().extend(values);
        }
        found.remove("");
        found
    }

    /// Returns the sources of this program without their tests.
    fn sources(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path());
        let read = |path: std::path::PathBuf| match path.extension() {
            _ if path.is_dir() => sources(&path),
            Some(rust) if rust == "rs" => vec![std::fs::read_to_string(&path).expect("a source")],
            _ => Vec::new(),
        };
        let cut =
            |source: String| source.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        entries.flat_map(read).map(cut).collect()
    }

    /// Returns the ids in the calls of a function or macro.
    fn ids(sources: &[String], call: &str) -> BTreeSet<String> {
        let calls = sources.iter().flat_map(|source| source.split(call).skip(1));
        calls
            .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn each_message_is_used_and_each_used_message_is_known() {
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        let used = &ids(&sources, "say!(") | &ids(&sources, "columns(");
        // The reasons of failures come from the engine.
        let is_advice = |id: &String| id.starts_with("advice-");
        let known = messages(LANGUAGES[0].1).into_keys().filter(|id| !is_advice(id));
        let known: BTreeSet<String> = known.collect();
        assert_eq!(used, known);
    }

    #[test]
    fn languages_have_the_same_messages_with_the_same_values() {
        let first = messages(LANGUAGES[0].1);
        for (code, text) in LANGUAGES {
            assert_eq!(messages(text), first, "{code}");
        }
    }

    #[test]
    fn messages_are_valid() {
        for (code, text) in LANGUAGES {
            let read = FluentResource::try_new(text.to_owned());
            assert!(read.is_ok(), "{code}: {:?}", read.err().map(|(_, errors)| errors));
        }
    }

    #[test]
    fn values_and_plurals_are_in_the_text() {
        assert_eq!(say!("lobby-seat", number = 3), "You have seat 3.");
        assert_eq!(say!("admin-revoked", count = Number(1)), "Revoked 1 token.");
        assert_eq!(say!("admin-revoked", count = Number(1_200)), "Revoked 1200 tokens.");
        assert_eq!(say!("menu-choice-number-q-leave"), "Your choice (a number, or q to leave): ");
        assert_eq!(columns("phases-columns"), ["#", "phase", "started"]);
    }

    #[test]
    fn the_language_is_the_start_of_the_locale() {
        assert_eq!(["de_AT.UTF-8", "C", "en", ""].map(language), ["de", "c", "en", ""]);
    }
}
