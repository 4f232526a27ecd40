//! A mail server that records emails.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc};
use tokio::time::timeout;

const TIMEOUT: Duration = Duration::from_mins(3);

/// A received email.
#[derive(Clone, Debug)]
pub struct Mail {
    /// The sender of the envelope, not of the headers.
    pub from: String,
    /// The recipients of the envelope.
    pub to: Vec<String>,
    pub headers: String,
    pub text: String,
}

impl Mail {
    pub fn header(&self, name: &str) -> Option<&str> {
        let is_it = |line: &&str| line.to_lowercase().starts_with(&format!("{name}:"));
        self.headers.lines().find(is_it).map(|line| line[name.len() + 1..].trim())
    }
}

/// The mail server, which stops with the test.
pub struct MailServer {
    port: u16,
    refuses: Arc<AtomicBool>,
    mails: Mutex<mpsc::UnboundedReceiver<Mail>>,
}

impl MailServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let (sender, mails) = mpsc::unbounded_channel();
        let refuses = Arc::new(AtomicBool::new(false));
        let refusing = Arc::clone(&refuses);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone(), Arc::clone(&refusing)));
            }
        });
        Self { port, refuses, mails: Mutex::new(mails) }
    }

    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    pub fn refuses(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::Relaxed);
    }

    pub async fn next(&self) -> Mail {
        self.within(TIMEOUT).await.expect("a mail comes")
    }

    pub async fn within(&self, time: Duration) -> Option<Mail> {
        timeout(time, async { self.mails.lock().await.recv().await }).await.ok().flatten()
    }
}

async fn serve(stream: TcpStream, sender: mpsc::UnboundedSender<Mail>, refuses: Arc<AtomicBool>) {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let (mut from, mut to) = (String::new(), Vec::new());
    let _ = write.write_all(b"220 here\r\n").await;
    while let Ok(Some(line)) = lines.next_line().await {
        let word = line.to_uppercase();
        let answer = if word.starts_with("EHLO") {
            "250-here\r\n250 8BITMIME\r\n"
        } else if refuses.load(Ordering::Relaxed) {
            "451 later\r\n"
        } else if word.starts_with("MAIL FROM:") {
            line[10..].clone_into(&mut from);
            "250 well\r\n"
        } else if word.starts_with("RCPT TO:") {
            to.push(line[8..].to_owned());
            "250 well\r\n"
        } else if word.starts_with("DATA") {
            let _ = write.write_all(b"354 go on\r\n").await;
            let mut text = String::new();
            while let Ok(Some(line)) = lines.next_line().await {
                if line == "." {
                    break;
                }
                text.push_str(line.strip_prefix('.').unwrap_or(&line));
                text.push('\n');
            }
            let _ = sender.send(mail(&std::mem::take(&mut from), &std::mem::take(&mut to), &text));
            "250 well\r\n"
        } else if word.starts_with("QUIT") {
            "221 bye\r\n"
        } else {
            "250 well\r\n"
        };
        if write.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn mail(from: &str, to: &[String], text: &str) -> Mail {
    let (headers, text) = text.split_once("\n\n").expect("headers and a body");
    // Long headers continue in lines that start with a space.
    let headers = headers.replace("\n ", " ");
    let bare = |address: &str| address.split(['<', '>']).nth(1).unwrap_or(address).to_owned();
    // Quoted-printable lines that continue end with an equals sign.
    let text = text.replace("=\n", "");
    let to = to.iter().map(|address| bare(address)).collect();
    Mail { from: bare(from), to, headers, text }
}
