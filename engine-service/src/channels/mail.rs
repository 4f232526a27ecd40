//! Notices by email: composing and sending.

use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::AsyncSmtpTransport;
use lettre::{Address, AsyncTransport as _, Message, Tokio1Executor};

use super::templates::{ReadyNotice, moment};
use super::webhook::Undelivered;
use crate::config::MailSettings;

/// The timeouts of one SMTP exchange and of sending a whole email.
const EXCHANGE: Duration = Duration::from_secs(10);
const MAIL: Duration = Duration::from_secs(15);

pub(super) struct Mail {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

#[derive(Clone)]
pub(super) struct MailMessage {
    pub(super) subject: String,
    pub(super) text: String,
    /// Identical at every attempt, so that the mail server can recognize duplicates.
    pub(super) id: String,
}

impl Mail {
    pub(super) fn new(settings: &MailSettings) -> Self {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(settings.url.reveal())
            .expect("the configuration was checked")
            .timeout(Some(EXCHANGE))
            .build();
        Self { transport, from: settings.from.clone() }
    }

    pub(super) fn sender(&self) -> String {
        self.from.email.to_string()
    }

    pub(super) async fn send(&self, to: &str, message: MailMessage) -> Result<(), Undelivered> {
        let mail = self.compose(to, message)?;
        match tokio::time::timeout(MAIL, self.transport.send(mail)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => {
                tracing::debug!(%error, "an email could not be sent");
                // The server's message may reveal the operator's network. The status code does not.
                let code = error.status().map_or_else(
                    || "The mail server is unreachable.".to_owned(),
                    |code| format!("The mail server responded with {code}."),
                );
                Err(Undelivered::because(code))
            }
            Err(_) => {
                let seconds = MAIL.as_secs();
                let text = format!("The mail server did not respond within {seconds} s.");
                Err(Undelivered::because(text))
            }
        }
    }

    fn compose(&self, to: &str, message: MailMessage) -> Result<Message, Undelivered> {
        let MailMessage { subject, text, id } = message;
        let to = address(to).map_err(Undelivered::because)?;
        // This header keeps autoresponders from replying.
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(subject)
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|error| {
                Undelivered::because(format!("The email cannot be composed: {error}."))
            })
    }
}

pub(crate) fn address(text: &str) -> Result<Address, &'static str> {
    let address: Address =
        text.parse().map_err(|_| "Expected an email address, such as ann@example.org.")?;
    // Mail servers parse the excluded characters differently, so an email could go to an address
    // other than the checked one.
    let is_plain =
        text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"(),:;<>[\\]".contains(&byte));
    if is_plain {
        Ok(address)
    } else {
        Err("The address must consist of ASCII characters, without spaces or any of \"(),:;<>[\\].")
    }
}

pub(super) fn code(code: &str, player: &str, id: &str) -> MailMessage {
    let player = heliopause_proto::text::shown(player);
    let text = format!(
        "The player {player} of a Heliopause server requested notices of their games at this \
         address.\n\nIf this was you, confirm with this code:\n\n    {code}\n\nfor example: \
         cli-client notices confirm CHANNEL {code}\n\nIf not, ignore this email; you will receive \
         no others.\n"
    );
    MailMessage { subject: "[Heliopause] Confirm your address".to_owned(), text, id: id.to_owned() }
}

/// Returns the email with a sign-in code, and with a link unless it is empty.
pub(super) fn sign_in(code: &str, link: &str, id: &str) -> MailMessage {
    let link = match link {
        "" => String::new(),
        link => format!("Or open this link:\n\n    {link}\n\n"),
    };
    let text = format!(
        "Your code for a Heliopause server:\n\n    {code}\n\n{link}It works once, within 10 \
         minutes. Do not give it to anyone, and enter it only on the page where you asked for \
         it.\n\nIf you did not ask for it, ignore this email; nobody can sign in without it.\n"
    );
    MailMessage { subject: format!("[Heliopause] {code} is your code"), text, id: id.to_owned() }
}

/// Returns the email about a change of the ways to sign in.
pub(super) fn changed(change: &str, id: &str) -> MailMessage {
    let text = format!(
        "{change}\n\nIf this was not you, sign in, end the sessions that you do not know, and replace \
         your recovery codes. All of this is on the account page.\n"
    );
    let subject = "[Heliopause] The ways to sign in have changed".to_owned();
    MailMessage { subject, text, id: id.to_owned() }
}

pub(super) fn notices(told: &[ReadyNotice], channel_id: &str, id: &str) -> MailMessage {
    let subject = match told {
        [one] => format!("[Heliopause] {}", one.title()),
        several => format!("[Heliopause] {} notices", several.len()),
    };
    let parts: Vec<String> = told.iter().map(part).collect();
    let text = format!(
        "{}-- \nYou requested these notices. Mute a game: cli-client mute GAME\n\
         Stop all notices: cli-client notices remove {channel_id}\n",
        parts.concat()
    );
    MailMessage { subject, text, id: id.to_owned() }
}

fn part(told: &ReadyNotice) -> String {
    let due = told.due_words().map(|due| format!(" {due}")).unwrap_or_default();
    let game = match told.news.game_id.as_str() {
        "" => String::new(),
        game_id => format!(" Game {game_id}."),
    };
    let time = moment(told.time);
    format!("{}\n  {}\n  {time}.{due}{game}\n\n", told.title(), told.line())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::templates::tests::told;

    fn mail() -> Mail {
        let settings = MailSettings {
            url: "smtp://localhost:25".parse().unwrap(),
            from: "Games <games@example.org>".parse().unwrap(),
        };
        Mail::new(&settings)
    }

    fn written(message: MailMessage) -> String {
        let mail = mail().compose("ann@example.org", message).unwrap();
        String::from_utf8(mail.formatted()).unwrap()
    }

    #[tokio::test]
    async fn names_cannot_inject_headers() {
        let name = "x\r\nBcc: eve@example.org\r\n\r\nHello";
        let written = written(notices(&[told(name, "y\r\n.\r\nQUIT")], "c-1", "n-1"));
        let (headers, body) = written.split_once("\r\n\r\n").unwrap();
        assert!(!headers.contains("\r\nBcc:"), "{headers}");
        assert!(!body.contains("\r\n.\r\n"), "{body}");
        for header in [
            "Auto-Submitted: auto-generated",
            "Message-ID: <n-1@example.org>",
            "To: ann@example.org",
        ] {
            assert!(headers.contains(header), "{headers}");
        }
    }

    #[test]
    fn a_digest_counts_its_notices() {
        let message = notices(&[told("Sol", "One."), told("Vega", "Two.")], "c-1", "n-1");
        assert_eq!(message.subject, "[Heliopause] 2 notices");
        assert!(message.text.contains("Sol: your turn\n  One.\n"), "{}", message.text);
        assert!(message.text.contains("Vega: your turn\n  Two.\n"), "{}", message.text);
    }

    #[test]
    fn addresses_are_plain() {
        assert!(address("ann+games@example.org").is_ok());
        let wrong = "|ann|ann@|@example.org|ann@example.org\r\nBcc: eve@example.org|\
            Ann <ann@example.org>|ann@example.org,eve@example.org|\"ann\"@example.org|\
            ann@[127.0.0.1]|änn@example.org";
        for wrong in wrong.split('|') {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
