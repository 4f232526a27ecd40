//! A receiver of webhooks: a real HTTP server that can misbehave.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex as AsyncMutex;
use tokio::sync::mpsc;
use tokio::time::timeout;

const TIMEOUT: Duration = Duration::from_mins(1);

/// The receiver's response to a request.
#[derive(Clone, Debug)]
pub enum Answer {
    Taken,
    Status(u16, String),
    /// Status 204 after a delay.
    Slow(Duration),
    Hang,
    EndlessBody,
    EndlessHeaders,
}

/// A received request.
#[derive(Clone, Debug)]
pub struct WebhookRequest {
    pub path: String,
    pub headers: HashMap<String, String>,
    /// The body if it is text; otherwise with replacement characters.
    pub body: String,
    pub bytes: Vec<u8>,
}

impl WebhookRequest {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    pub fn word(&self, field: &str) -> String {
        self.json()[field].as_str().unwrap_or_default().to_owned()
    }
}

/// A webhook server. It stops when the test ends.
#[derive(Clone)]
pub struct Receiver {
    port: u16,
    answer: Arc<Mutex<Answer>>,
    posted: Arc<AsyncMutex<mpsc::UnboundedReceiver<WebhookRequest>>>,
}

impl Receiver {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let answer = Arc::new(Mutex::new(Answer::Taken));
        let (sender, posted) = mpsc::unbounded_channel();
        let said = Arc::clone(&answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone(), Arc::clone(&said)));
            }
        });
        Self { port, answer, posted: Arc::new(AsyncMutex::new(posted)) }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn answers(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    pub async fn next(&self) -> WebhookRequest {
        self.within(TIMEOUT).await.expect("a request comes")
    }

    pub async fn within(&self, time: Duration) -> Option<WebhookRequest> {
        timeout(time, async { self.posted.lock().await.recv().await }).await.ok().flatten()
    }

    pub async fn next_of(&self, kind: &str) -> WebhookRequest {
        loop {
            let posted = self.next().await;
            if posted.headers.get("heliopause-kind").is_some_and(|told| told == kind) {
                return posted;
            }
        }
    }
}

async fn serve(
    mut stream: TcpStream,
    sender: mpsc::UnboundedSender<WebhookRequest>,
    answer: Arc<Mutex<Answer>>,
) {
    let Some(posted) = read(&mut stream).await else { return };
    let answer = answer.lock().unwrap().clone();
    let _ = sender.send(posted);
    let _ = match answer {
        Answer::Taken => stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await,
        Answer::Slow(time) => {
            tokio::time::sleep(time).await;
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await
        }
        Answer::Status(status, headers) => {
            let head = format!("HTTP/1.1 {status} Because\r\ncontent-length: 0\r\n{headers}\r\n");
            stream.write_all(head.as_bytes()).await
        }
        Answer::Hang => {
            let mut more = [0; 1];
            stream.read(&mut more).await.map(drop)
        }
        Answer::EndlessBody => {
            let head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
            let chunk = format!("400\r\n{}\r\n", "x".repeat(0x400));
            endless(&mut stream, head, &chunk).await
        }
        Answer::EndlessHeaders => {
            endless(&mut stream, "HTTP/1.1 200 OK\r\n", "x-more: and more\r\n").await
        }
    };
}

async fn endless(stream: &mut TcpStream, head: &str, more: &str) -> std::io::Result<()> {
    stream.write_all(head.as_bytes()).await?;
    loop {
        stream.write_all(more.as_bytes()).await?;
    }
}

async fn read(stream: &mut TcpStream) -> Option<WebhookRequest> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = String::from_utf8(bytes[..head].to_vec()).expect("headers are text");
    let mut lines = text.lines();
    let first = lines.next()?.to_owned();
    let header = |line: &str| {
        let (name, value) = line.split_once(':').expect("a header");
        (name.to_lowercase(), value.trim().to_owned())
    };
    let headers: HashMap<String, String> = lines.map(header).collect();
    let length: usize = headers.get("content-length")?.parse().ok()?;
    while bytes.len() < head + 4 + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    let bytes = bytes[head + 4..].to_vec();
    let body = String::from_utf8_lossy(&bytes).into_owned();
    assert!(first.starts_with("POST "), "{first}");
    Some(WebhookRequest { path: first.split(' ').nth(1)?.to_owned(), headers, body, bytes })
}
