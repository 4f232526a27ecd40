//! The settings for sending notices by webhook and email.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use serde::Deserialize;

use super::{ConfigError, Settings};

/// The URL of a mail server. It may contain a password, so it is not displayed.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct SmtpUrl(String);

impl SmtpUrl {
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
    type Err = Infallible;

    /// Accepts any string. Parsers print rejected strings, and this one may contain a password.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailSettings {
    pub url: SmtpUrl,
    pub from: Mailbox,
}

/// The delivery methods of notices that the operator has enabled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoticeSettings {
    pub webhooks: bool,
    pub private_addresses: bool,
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
                AsyncSmtpTransport::<Tokio1Executor>::from_url(url.reveal())
                    .map_err(|_| ConfigError::NoMailServer)?;
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
        let wrong = "smtp+x://user:word@host".parse().ok();
        let refused = settings(wrong, from()).unwrap_err().to_string();
        assert!(refused.contains("--notices-smtp") && !refused.contains("word@"), "{refused}");
    }

    #[test]
    fn private_addresses_need_webhooks() {
        let private = Settings { notices_private_addresses: Some(true), ..Settings::default() };
        assert!(NoticeSettings::of(&private).is_err());
        let both = Settings { notices_webhooks: Some(true), ..private };
        assert!(NoticeSettings::of(&both).unwrap().private_addresses);
    }
}
