//! The settings for signing in with passkeys, by email and with accounts of other providers.

use std::fmt;
use std::path::Path;

use http::Uri;
use serde::Deserialize;

use super::{ConfigError, NoticeSettings, Settings};

/// A sign-in method that the operator can enable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum SignInMethod {
    /// Passkeys (WebAuthn)
    Passkey,
    /// Codes and links by email
    Mail,
}

/// The origin of the web page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOrigin {
    /// For example `https://play.example` or `http://localhost:50051`.
    pub origin: String,
    /// The host name, which is the relying party id of passkeys.
    pub host: String,
}

/// A secret from a file, which is not displayed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(...)")
    }
}

/// A provider of OpenID Connect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderSettings {
    pub name: String,
    pub issuer: String,
    pub client_id: String,
    /// `None` for a public client.
    pub secret: Option<Secret>,
}

/// The sign-in methods that the operator has enabled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignInSettings {
    pub page: Option<PageOrigin>,
    pub passkeys: bool,
    pub mail: bool,
    pub providers: Vec<ProviderSettings>,
}

impl SignInSettings {
    pub(super) fn of(settings: &Settings, notices: &NoticeSettings) -> Result<Self, ConfigError> {
        let page = settings.page_origin.as_deref().map(page).transpose()?;
        let has = |method| settings.sign_in.contains(&method);
        let providers = settings.oidc_provider.iter().map(|text| provider(text));
        let providers = providers.collect::<Result<Vec<_>, _>>()?;
        let (passkeys, mail) = (has(SignInMethod::Passkey), has(SignInMethod::Mail));
        if page.is_none() && (passkeys || mail || !providers.is_empty()) {
            return Err(ConfigError::NoPageOrigin);
        }
        if mail && notices.mail.is_none() {
            return Err(ConfigError::NoSignInMail);
        }
        Ok(Self { page, passkeys, mail, providers })
    }
}

fn page(text: &str) -> Result<PageOrigin, ConfigError> {
    let wrong = || ConfigError::PageOrigin(text.to_owned());
    let uri: Uri = text.parse().map_err(|_| wrong())?;
    let authority = uri.authority().ok_or_else(wrong)?;
    let host = authority.host();
    // Browsers have passkeys only for https, and for the name localhost.
    let is_secure =
        uri.scheme_str() == Some("https") || (uri.scheme_str() == Some("http") && is_local(host));
    let is_bare = uri.path_and_query().is_none_or(|path| path == "/")
        && !authority.as_str().contains('@')
        && !text.ends_with('/');
    if !is_secure || !is_bare || text != text.to_lowercase() {
        return Err(wrong());
    }
    Ok(PageOrigin { origin: text.to_owned(), host: host.to_owned() })
}

fn is_local(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host == "127.0.0.1" || host == "[::1]"
}

/// Parses NAME=ISSUER,CLIENT_ID or NAME=ISSUER,CLIENT_ID,SECRET_FILE.
fn provider(text: &str) -> Result<ProviderSettings, ConfigError> {
    let wrong = || ConfigError::Provider(text.to_owned());
    let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
    let parts: Vec<&str> = rest.split(',').map(str::trim).collect();
    let (issuer, client_id, file) = match parts[..] {
        [issuer, client_id] => (issuer, client_id, None),
        [issuer, client_id, file] => (issuer, client_id, Some(file)),
        _ => return Err(wrong()),
    };
    let name = name.trim();
    let is_name = (1..=32).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b" -_.".contains(&byte));
    let uri: Uri = issuer.parse().map_err(|_| wrong())?;
    let is_secure = uri.scheme_str() == Some("https")
        || (uri.scheme_str() == Some("http") && uri.host().is_some_and(is_local));
    if !is_name || client_id.is_empty() || !is_secure || uri.query().is_some() {
        return Err(wrong());
    }
    let read = |file: &str| match std::fs::read_to_string(Path::new(file)) {
        Ok(secret) => Ok(Secret(secret.trim().to_owned())),
        Err(error) => Err(ConfigError::ProviderSecret { path: file.into(), error }),
    };
    Ok(ProviderSettings {
        name: name.to_owned(),
        issuer: issuer.to_owned(),
        client_id: client_id.to_owned(),
        secret: file.map(read).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(change: impl Fn(&mut Settings)) -> Result<SignInSettings, ConfigError> {
        let mut settings = Settings::default();
        change(&mut settings);
        SignInSettings::of(&settings, &NoticeSettings::default())
    }

    #[test]
    fn methods_need_the_origin_of_the_page() {
        assert_eq!(of(|_| {}).unwrap(), SignInSettings::default());
        let passkeys = |origin: Option<&str>| {
            of(|settings| {
                settings.sign_in = vec![SignInMethod::Passkey];
                settings.page_origin = origin.map(str::to_owned);
            })
        };
        assert!(matches!(passkeys(None), Err(ConfigError::NoPageOrigin)));
        for good in ["https://play.example", "https://play.example:444", "http://localhost:50051"] {
            let page = passkeys(Some(good)).unwrap().page.unwrap();
            assert_eq!(page.origin, good);
            assert!(["play.example", "localhost"].contains(&page.host.as_str()));
        }
        for wrong in [
            "",
            "play.example",
            "http://play.example",
            "https://play.example/",
            "https://play.example/x",
            "https://ann@play.example",
            "https://Play.example",
            "ftp://play.example",
        ] {
            assert!(matches!(passkeys(Some(wrong)), Err(ConfigError::PageOrigin(_))), "{wrong}");
        }
        let mail = of(|settings| {
            settings.sign_in = vec![SignInMethod::Mail];
            settings.page_origin = Some("https://play.example".to_owned());
        });
        assert!(matches!(mail, Err(ConfigError::NoSignInMail)));
    }

    #[test]
    fn providers_have_a_name_an_issuer_and_a_client() {
        let providers = |text: &str| {
            let text = text.to_owned();
            of(move |settings| {
                settings.page_origin = Some("https://play.example".to_owned());
                settings.oidc_provider = vec![text.clone()];
            })
        };
        let found = providers("Example=https://id.example/realm,client").unwrap().providers;
        assert_eq!(found[0].issuer, "https://id.example/realm");
        assert_eq!((found[0].name.as_str(), found[0].client_id.as_str()), ("Example", "client"));
        let file = std::env::temp_dir().join(format!("secret-{}", std::process::id()));
        std::fs::write(&file, "swordfish\n").unwrap();
        let with = format!("Example=http://127.0.0.1:1,client,{}", file.display());
        let secret = providers(&with).unwrap().providers.remove(0).secret.unwrap();
        assert_eq!(secret.reveal(), "swordfish");
        assert!(!format!("{secret:?}").contains("swordfish"));
        std::fs::remove_file(&file).unwrap();
        assert!(matches!(providers(&with), Err(ConfigError::ProviderSecret { .. })));
        for wrong in [
            "",
            "Example",
            "=https://id.example,client",
            "Example=https://id.example",
            "Example=https://id.example,",
            "Example=http://id.example,client",
            "Example=https://id.example?x=y,client",
            "Ex<ample=https://id.example,client",
            "Example=https://id.example,client,file,more",
        ] {
            assert!(matches!(providers(wrong), Err(ConfigError::Provider(_))), "{wrong}");
        }
    }
}
