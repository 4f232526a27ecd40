//! Notices that leave the engine.

use std::fmt;
use std::str::FromStr;

use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use serde::Deserialize;

use super::{ConfigError, Settings};

/// The address of a mail server, which may hold a password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SmtpUrl(String);

impl SmtpUrl {
    /// The address with its password.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SmtpUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SmtpUrl(...)")
    }
}

impl FromStr for SmtpUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // The words of the library would repeat what may hold a password.
        AsyncSmtpTransport::<Tokio1Executor>::from_url(text).map_err(|_| {
            "write smtps://USER:PASSWORD@HOST, smtp://USER:PASSWORD@HOST?tls=required or \
             smtp://HOST"
                .to_owned()
        })?;
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for SmtpUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// How mail is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailSettings {
    /// By which server.
    pub url: SmtpUrl,
    pub from: Mailbox,
}

/// Which notices leave the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoticeSettings {
    /// Whether webhooks get them.
    pub webhooks: bool,
    /// Whether those may have private addresses.
    pub private_addresses: bool,
    /// How mail is sent, if it is.
    pub mail: Option<MailSettings>,
}

impl NoticeSettings {
    pub(super) fn of(settings: &Settings) -> Result<Self, ConfigError> {
        let webhooks = settings.notices_webhooks.unwrap_or(false);
        let private_addresses = settings.notices_private_addresses.unwrap_or(false);
        if private_addresses && !webhooks {
            return Err(ConfigError::NoWebhooks);
        }
        let mail = match (&settings.notices_smtp, &settings.notices_from) {
            (None, None) => None,
            (Some(url), Some(from)) => {
                let from = from.parse().map_err(|_| ConfigError::NoSender(from.clone()))?;
                Some(MailSettings { url: url.clone(), from })
            }
            _ => return Err(ConfigError::HalfMail),
        };
        Ok(Self { webhooks, private_addresses, mail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_needs_a_server_and_a_sender() {
        let url = || "smtp://user:word@mail.example.org?tls=required".parse::<SmtpUrl>().unwrap();
        let from = || Some("Games <games@example.org>".to_owned());
        let settings = |notices_smtp, notices_from| {
            NoticeSettings::of(&Settings { notices_smtp, notices_from, ..Settings::default() })
        };
        assert_eq!(settings(None, None).unwrap(), NoticeSettings::default());
        assert!(settings(Some(url()), from()).unwrap().mail.is_some());
        assert!(settings(Some(url()), None).is_err());
        assert!(settings(None, from()).is_err());
        assert!(settings(Some(url()), Some("nobody".to_owned())).is_err());
        assert!(!format!("{:?}", url()).contains("word"));
        let refused = "smtp+x://user:word@host".parse::<SmtpUrl>().unwrap_err();
        assert!(!refused.contains(":word"), "{refused}");
    }

    #[test]
    fn private_addresses_are_for_webhooks() {
        let private = Settings { notices_private_addresses: Some(true), ..Settings::default() };
        assert!(NoticeSettings::of(&private).is_err());
        let both = Settings { notices_webhooks: Some(true), ..private };
        assert!(NoticeSettings::of(&both).unwrap().private_addresses);
    }
}
