//! The context of a command: the engine, the caller, and the output format.

use std::path::PathBuf;

use heliopause_client::connect::Address;
use heliopause_proto::json;
use prost::{Message, Name};
use serde_json::Value;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::global::Global;
use crate::profile::{Account, Profile, Profiles, read_secret};
use crate::style::Style;
use crate::terminal::{self, Out};
use crate::words::say;

pub const DEFAULT_ENGINE: &str = "http://127.0.0.1:50051";

/// The settings that a command runs with.
#[derive(Clone, Debug)]
pub struct Context {
    pub style: Style,
    pub json: bool,
    profiles: Profiles,
    profile_name: String,
    profile: Profile,
    url: String,
    token: Option<String>,
    tls_ca: Option<PathBuf>,
}

impl Context {
    /// Resolves settings in order: command line, environment, profile, defaults.
    pub fn new(global: &Global) -> Result<Self, Failure> {
        let profiles = Profiles::from_environment()?;
        let profile = profiles.load(&global.profile)?;
        let engine = global.engine.clone().or_else(|| profile.engine.clone());
        let url = normal(&engine.unwrap_or_else(|| DEFAULT_ENGINE.to_owned()));
        let token = match &global.token_file {
            Some(path) => Some(read_secret(path)?),
            None => std::env::var("HELIOPAUSE_TOKEN").ok().filter(|token| !token.trim().is_empty()),
        };
        Ok(Self {
            style: terminal::detect(global.color, global.plain),
            json: global.json,
            profiles,
            profile_name: global.profile.clone(),
            profile,
            url,
            token,
            tls_ca: global.tls_ca.clone(),
        })
    }

    /// Connects with the caller's token. Reports an unreachable engine before a missing token, and
    /// warns if the connection is not encrypted.
    pub async fn engine(&self) -> Result<Engine, Failure> {
        let engine = self.connect_anonymous().await?;
        let token = self.token().ok_or_else(|| {
            Failure::failed(say!("account-none", url = self.url))
                .because("NO_ACCOUNT")
                .advise(say!("account-create-one-cli-client-register"))
        })?;
        let exposed = |url: &str| url.parse().ok().filter(Address::is_exposed);
        if let Some(address) = self.url.split(',').find_map(exposed) {
            Out::Stderr
                .say(&say!("account-warning-connection-not-encrypted", address = address))?;
        }
        engine.with_token(token)
    }

    pub async fn connect_anonymous(&self) -> Result<Engine, Failure> {
        Engine::connect(&self.url, self.tls_ca.as_deref()).await
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref().or_else(|| self.account().map(|account| account.token.as_str()))
    }

    /// Returns whether the token comes from outside the profile. Commands then leave the profile
    /// unchanged.
    pub fn has_external_token(&self) -> bool {
        self.token.is_some()
    }

    /// Returns the profile's account on this engine, or on an engine that shares its games.
    pub fn account(&self) -> Option<&Account> {
        let named = |key: &String| {
            addresses(key).any(|address| addresses(&self.url).any(|ours| ours == address))
        };
        let shared =
            || self.profile.accounts.iter().find(|(key, _)| named(key)).map(|(_, account)| account);
        self.profile.accounts.get(&key(&self.url)).or_else(shared)
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn profile_name(&self) -> &str {
        &self.profile_name
    }

    pub fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    pub fn keep(&mut self, account: Account) -> Result<(), Failure> {
        self.profile.accounts.insert(key(&self.url), account);
        if self.profile.engine.is_none() && self.url != DEFAULT_ENGINE {
            self.profile.engine = Some(self.url.clone());
        }
        self.profiles.save(&self.profile_name, &self.profile)
    }

    /// Removes the account of this engine from the profile, unless the token comes from outside it.
    pub fn forget(&mut self) -> Result<(), Failure> {
        let Some(account) = self.account().filter(|_| !self.has_external_token()).cloned() else {
            return Ok(());
        };
        self.profile.accounts.retain(|_, kept| *kept != account);
        self.profiles.save(&self.profile_name, &self.profile)
    }

    pub fn plain(&self) -> Style {
        if self.json { Style { color: false, ..self.style } } else { self.style }
    }

    pub fn answer<M: Message + Name>(
        &self,
        response: &M,
        human: impl FnOnce(&Style) -> String,
    ) -> Result<(), Failure> {
        self.say(|| to_json_line(response), human)
    }

    /// Prints a response, or a fixed text for people.
    pub fn done<M: Message + Name>(
        &self,
        response: &tonic::Response<M>,
        text: &str,
    ) -> Result<(), Failure> {
        self.answer(response.get_ref(), |_| text.to_owned())
    }

    pub fn answer_value(
        &self,
        value: &Value,
        human: impl FnOnce(&Style) -> String,
    ) -> Result<(), Failure> {
        self.say(|| escaped_json(&value.to_string()), human)
    }

    fn say(
        &self,
        script: impl FnOnce() -> String,
        human: impl FnOnce(&Style) -> String,
    ) -> Result<(), Failure> {
        if self.json {
            return Out::Stdout.line(&script());
        }
        Out::Stdout.say(human(&self.style).trim_end())
    }
}

/// Formats a message as one line of JSON with all its fields.
pub fn to_json_line<M: Message + Name>(message: &M) -> String {
    escaped_json(&json::to_full_line(message))
}

/// Escapes characters in JSON that could hide text or deceive a reader.
pub fn escaped_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for (character, shown) in
        json.chars().map(|character| (character, heliopause_proto::text::is_hidden(character)))
    {
        if shown {
            escaped.extend(
                character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")),
            );
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Normalizes a list of addresses and removes duplicates, but keeps the order. The addresses are
/// the keys of accounts.
fn normal(urls: &str) -> String {
    let one = |url: &str| {
        url.parse().map_or_else(|_| url.trim().to_owned(), |address: Address| address.to_string())
    };
    let mut known = Vec::new();
    for url in urls.split(',').filter(|url| !url.trim().is_empty()).map(one) {
        if !known.contains(&url) {
            known.push(url);
        }
    }
    known.join(",")
}

fn addresses(urls: &str) -> impl Iterator<Item = &str> {
    urls.split(',')
}

/// Returns the key for engines that share their games. The order of addresses does not matter.
fn key(urls: &str) -> String {
    let mut sorted: Vec<&str> = addresses(urls).collect();
    sorted.sort_unstable();
    sorted.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_json_is_equal_and_hides_nothing() {
        let text = "a\u{202e}b\u{e0041}\u{200b}\n\u{1b}é👩";
        let json = escaped_json(&Value::from(text).to_string());
        assert_eq!(json, r#""a\u202eb\udb40\udc41\u200b\n\u001bé👩""#);
        assert_eq!(serde_json::from_str::<String>(&json).ok().as_deref(), Some(text));
    }

    #[test]
    fn an_engine_address_is_normalized() {
        assert_eq!(normal("127.0.0.1:50051"), DEFAULT_ENGINE);
        assert_eq!(normal("http://127.0.0.1:50051/"), DEFAULT_ENGINE);
        assert_eq!(normal("b:2, https://a/,b:2"), "http://b:2,https://a");
        assert_eq!(normal("http://"), "http://", "what is no address stays what was written");
    }

    #[test]
    fn an_account_is_found_by_any_address_of_shared_engines() -> Result<(), Failure> {
        let folder = tempfile::tempdir()?;
        let at = |urls: &str| Context {
            style: terminal::detect(terminal::ColorChoice::Never, false),
            json: false,
            profiles: Profiles::at(folder.path()),
            profile_name: "default".to_owned(),
            profile: Profiles::at(folder.path()).load("default").unwrap_or_default(),
            url: normal(urls),
            token: None,
            tls_ca: None,
        };
        let account = |name: &str| Account { name: name.to_owned(), token: "secret".to_owned() };
        at("b:2").keep(account("Bob"))?;
        at("d:4,c:3").keep(account("Cid"))?;
        let name = |urls: &str| at(urls).account().map(|account| account.name.clone());
        assert_eq!(name("a:1,b:2").as_deref(), Some("Bob"), "registered at one of them");
        assert_eq!(name("c:3,d:4").as_deref(), Some("Cid"), "in another order");
        assert_eq!(name("c:3").as_deref(), Some("Cid"), "at one of those");
        assert_eq!(name("e:5"), None);
        at("a:1,b:2").forget()?;
        assert_eq!((name("b:2"), name("c:3").as_deref()), (None, Some("Cid")));
        Ok(())
    }
}
