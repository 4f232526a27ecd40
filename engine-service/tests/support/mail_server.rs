//! A mail server that keeps emails for a test.

use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc};
use tokio::time::timeout;

#[derive(Debug)]
pub struct Mail {
    pub to: String,
    pub text: String,
}

/// The mail server, which stops with the test.
pub struct MailServer {
    pub url: String,
    mails: Mutex<mpsc::UnboundedReceiver<Mail>>,
}

impl MailServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("smtp://{}", listener.local_addr().expect("an address"));
        let (sender, mails) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone()));
            }
        });
        Self { url, mails: Mutex::new(mails) }
    }

    pub async fn next(&self) -> Mail {
        let mut mails = self.mails.lock().await;
        let mail = timeout(Duration::from_mins(1), mails.recv()).await.expect("an email comes");
        mail.expect("the server runs")
    }
}

async fn serve(stream: TcpStream, sender: mpsc::UnboundedSender<Mail>) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut to = String::new();
    write.write_all(b"220 here\r\n").await?;
    while let Some(line) = lines.next_line().await? {
        if let Some(address) = line.strip_prefix("RCPT TO:<") {
            to = address.split('>').next().unwrap_or_default().to_owned();
        }
        if line == "DATA" {
            write.write_all(b"354 go on\r\n").await?;
            let mut text = String::new();
            while let Some(line) = lines.next_line().await?.filter(|line| line != ".") {
                text.push_str(&line);
                text.push('\n');
            }
            let text = text.replace("=\n", "").replace("=3D", "=");
            let _ = sender.send(Mail { to: to.clone(), text });
        }
        write.write_all(b"250 well\r\n").await?;
    }
    Ok(())
}
