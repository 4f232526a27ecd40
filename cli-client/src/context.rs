//! What every command needs: the engine, who the caller is, and how to answer.

use std::path::PathBuf;

use heliopause_connect::Address;
use heliopause_proto::json;
use prost::{Message, Name};
use serde_json::Value;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::global::Global;
use crate::profile::{Account, Profile, Profiles, read_secret};
use crate::style::Style;
use crate::terminal::{self, Out};

/// The engine of this machine, as `engine-service` starts it.
pub const DEFAULT_ENGINE: &str = "http://127.0.0.1:50051";

/// What every command needs.
#[derive(Clone, Debug)]
pub struct Context {
    /// How much the output can show.
    pub style: Style,
    /// Whether answers are JSON.
    pub json: bool,
    profiles: Profiles,
    profile_name: String,
    profile: Profile,
    url: String,
    token: Option<String>,
    tls_ca: Option<PathBuf>,
}

impl Context {
    /// Settles where every setting comes from: the command line, then the environment, then the
    /// profile, then the default.
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

    /// Connects with the caller's token. An engine that is not there is told before a token that
    /// is.
    pub async fn engine(&self) -> Result<Engine, Failure> {
        let engine = self.stranger().await?;
        let token = self.token().ok_or_else(|| {
            Failure::failed(format!("You have no account at {} yet.", self.url))
                .because("NO_ACCOUNT")
                .advise("`cli-client register NAME` opens one; `cli-client play` does it for you.")
        })?;
        let exposed = |url: &str| url.parse().ok().filter(Address::is_exposed);
        if let Some(address) = self.url.split(',').find_map(exposed) {
            Out::Aside.say(&format!(
                "warning: {address} is not encrypted: others on the network can read your token. \
                 Use https."
            ))?;
        }
        engine.with_token(token)
    }

    /// Connects without a token, for opening an account.
    pub async fn stranger(&self) -> Result<Engine, Failure> {
        Engine::connect(&self.url, self.tls_ca.as_deref()).await
    }

    /// The token that calls are made with, if there is one.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref().or_else(|| self.account().map(|account| account.token.as_str()))
    }

    /// Whether the token was given from outside, so that the profile must not be changed by what is
    /// done with it.
    pub fn has_foreign_token(&self) -> bool {
        self.token.is_some()
    }

    /// The profile's account on this engine, or on one of these that share their games.
    pub fn account(&self) -> Option<&Account> {
        let named = |key: &String| {
            addresses(key).any(|address| addresses(&self.url).any(|ours| ours == address))
        };
        let shared =
            || self.profile.accounts.iter().find(|(key, _)| named(key)).map(|(_, account)| account);
        self.profile.accounts.get(&key(&self.url)).or_else(shared)
    }

    /// The engine's URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The name of the profile.
    pub fn profile_name(&self) -> &str {
        &self.profile_name
    }

    /// Private files beside the profiles.
    pub fn profiles(&self) -> &Profiles {
        &self.profiles
    }

    /// Keeps an account in the profile.
    pub fn keep(&mut self, account: Account) -> Result<(), Failure> {
        self.profile.accounts.insert(key(&self.url), account);
        if self.profile.engine.is_none() && self.url != DEFAULT_ENGINE {
            self.profile.engine = Some(self.url.clone());
        }
        self.profiles.save(&self.profile_name, &self.profile)
    }

    /// How text is written that goes into the answer: scripts get it without colours.
    pub fn plain(&self) -> Style {
        if self.json { Style { color: false, ..self.style } } else { self.style }
    }

    /// Answers: JSON for scripts, a text for people.
    pub fn answer<M: Message + Name>(
        &self,
        response: &M,
        human: impl FnOnce(&Style) -> String,
    ) -> Result<(), Failure> {
        self.say(|| to_json_line(response), human)
    }

    /// Answers with what is no message of the contract.
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
            return Out::Answer.line(&script());
        }
        Out::Answer.say(human(&self.style).trim_end())
    }
}

/// An answer as one line of JSON, with all its fields.
pub fn to_json_line<M: Message + Name>(message: &M) -> String {
    escaped_json(&json::to_whole_line(message))
}

/// The same JSON, with what could deceive the eye of whoever looks at it written as JSON writes
/// characters by number.
pub fn escaped_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for (character, shown) in
        json.chars().map(|character| (character, heliopause_text::is_hidden(character)))
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

/// One spelling for each engine, since accounts are kept by it; those that share their games stand
/// as the user named them.
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

/// Engines that share their games are one, in whatever order they are named.
fn key(urls: &str) -> String {
    let mut sorted: Vec<&str> = addresses(urls).collect();
    sorted.sort_unstable();
    sorted.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_the_same_and_hides_nothing() {
        let text = "a\u{202e}b\u{e0041}\u{200b}\n\u{1b}é👩";
        let json = escaped_json(&Value::from(text).to_string());
        assert_eq!(json, r#""a\u202eb\udb40\udc41\u200b\n\u001bé👩""#);
        assert_eq!(serde_json::from_str::<String>(&json).ok().as_deref(), Some(text));
    }

    #[test]
    fn an_engine_has_one_spelling() {
        assert_eq!(normal("127.0.0.1:50051"), DEFAULT_ENGINE);
        assert_eq!(normal("http://127.0.0.1:50051/"), DEFAULT_ENGINE);
        assert_eq!(normal("b:2, https://a/,b:2"), "http://b:2,https://a");
        assert_eq!(normal("http://"), "http://", "what is no address stays what was written");
    }

    #[test]
    fn an_account_is_found_by_any_address_of_engines_that_share_it() -> Result<(), Failure> {
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
        Ok(())
    }
}
