//! Sending notices by mail.

use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::transport::smtp::AsyncSmtpTransport;
use lettre::{Address, AsyncTransport as _, Message, Tokio1Executor};

use super::templates::{Told, moment};
use super::webhook::Undelivered;
use crate::config::MailSettings;

/// How long one exchange with the mail server may take, and a mail in all.
const EXCHANGE: Duration = Duration::from_secs(10);
const MAIL: Duration = Duration::from_secs(15);

/// Sends mail.
pub(super) struct Mail {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// A mail to send.
pub(super) struct Letter {
    pub(super) subject: String,
    pub(super) text: String,
    /// The same at each attempt, and another for each mail.
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

    /// Makes one attempt.
    pub(super) async fn send(&self, to: &str, letter: Letter) -> Result<(), Undelivered> {
        let mail = self.compose(to, letter)?;
        match tokio::time::timeout(MAIL, self.transport.send(mail)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => {
                tracing::debug!(%error, "a mail was not sent");
                // What the server says may tell of the operator's network; its code does not.
                let code = error.status().map_or_else(
                    || "The mail server cannot be reached.".to_owned(),
                    |code| format!("The mail server answered {code}."),
                );
                Err(Undelivered::because(code))
            }
            Err(_) => Err(Undelivered::because("The mail server did not answer in time.")),
        }
    }

    fn compose(&self, to: &str, letter: Letter) -> Result<Message, Undelivered> {
        let Letter { subject, text, id } = letter;
        let to = address(to).map_err(Undelivered::because)?;
        // Nobody is to answer a mail of a machine, least of all another machine.
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(subject)
            .message_id(Some(format!("<{id}@{}>", self.from.email.domain())))
            .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|error| Undelivered::because(format!("The mail cannot be written: {error}.")))
    }
}

/// Reads an address without a name; says what is wrong with it.
pub(super) fn address(text: &str) -> Result<Address, &'static str> {
    let address: Address =
        text.parse().map_err(|_| "It is no mail address, such as ann@example.org.")?;
    // What the servers on the way read differently is a way around us.
    let is_plain =
        text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"(),:;<>[\\]".contains(&byte));
    if is_plain { Ok(address) } else { Err("It must be a plain mail address of ASCII characters.") }
}

/// The mail that brings a code.
pub(super) fn code(code: &str, player: &str, id: &str) -> Letter {
    let player = heliopause_text::shown(player);
    let text = format!(
        "The player {player} of a Heliopause server wants notices of their games sent here.\n\n\
         If that is you, bring back this code:\n\n    {code}\n\n\
         for example by: cli-client notices confirm CHANNEL {code}\n\n\
         If not, do nothing: nothing else is sent here.\n"
    );
    Letter { subject: "[Heliopause] Confirm your address".to_owned(), text, id: id.to_owned() }
}

/// The mail that brings notices, oldest first.
pub(super) fn notices(told: &[Told], channel_id: &str, id: &str) -> Letter {
    let subject = match told {
        [one] => format!("[Heliopause] {}", one.title()),
        several => format!("[Heliopause] {} notices", several.len()),
    };
    let parts: Vec<String> = told.iter().map(part).collect();
    let text = format!(
        "{}-- \nYou asked for these notices. No more of a game: cli-client mute GAME\n\
         No more at all: cli-client notices remove {channel_id}\n",
        parts.concat()
    );
    Letter { subject, text, id: id.to_owned() }
}

/// A notice in a mail.
fn part(told: &Told) -> String {
    let due = told.due_words().map(|due| format!(" {due}")).unwrap_or_default();
    let game = match told.game_id.as_str() {
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

    fn written(letter: Letter) -> String {
        let mail = mail().compose("ann@example.org", letter).unwrap();
        String::from_utf8(mail.formatted()).unwrap()
    }

    #[tokio::test]
    async fn no_name_writes_a_header() {
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
        let letter = notices(&[told("Sol", "One."), told("Vega", "Two.")], "c-1", "n-1");
        assert_eq!(letter.subject, "[Heliopause] 2 notices");
        assert!(letter.text.contains("Sol: your turn\n  One.\n"), "{}", letter.text);
        assert!(letter.text.contains("Vega: your turn\n  Two.\n"), "{}", letter.text);
    }

    #[test]
    fn addresses_are_plain() {
        assert!(address("ann+games@example.org").is_ok());
        for wrong in [
            "",
            "ann",
            "ann@",
            "@example.org",
            "ann@example.org\r\nBcc: eve@example.org",
            "Ann <ann@example.org>",
            "ann@example.org,eve@example.org",
            "\"ann\"@example.org",
            "ann@[127.0.0.1]",
            "änn@example.org",
        ] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }
}
