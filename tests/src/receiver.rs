//! A receiver of webhooks: a real HTTP server, as bad as a test wants it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Mutex as AsyncMutex;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// How long a request may take to come. Not a bound that a test measures.
const PATIENCE: Duration = Duration::from_mins(1);

/// What the receiver answers.
#[derive(Clone, Debug)]
pub enum Answer {
    /// 204.
    Taken,
    /// This status, with these headers.
    Status(u16, String),
    /// 204, after a time.
    Slow(Duration),
    /// Nothing.
    Hang,
    /// A body that never ends.
    EndlessBody,
    /// Headers that never end.
    EndlessHeaders,
}

/// A request that came.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The path with its query.
    pub path: String,
    /// The headers, by their names in small letters.
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Posted {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("JSON")
    }

    /// A field of the body that is text.
    pub fn word(&self, field: &str) -> String {
        self.json()[field].as_str().unwrap_or_default().to_owned()
    }
}

/// The server. It ends with the test.
#[derive(Clone)]
pub struct Receiver {
    port: u16,
    answer: Arc<Mutex<Answer>>,
    posted: Arc<AsyncMutex<mpsc::UnboundedReceiver<Posted>>>,
}

impl Receiver {
    /// A receiver that takes everything.
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

    /// Its URL with a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// From now on it answers this.
    pub fn answers(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    /// The next request.
    pub async fn next(&self) -> Posted {
        self.within(PATIENCE).await.expect("a request comes")
    }

    /// The next request, if one comes in this time.
    pub async fn within(&self, time: Duration) -> Option<Posted> {
        timeout(time, async { self.posted.lock().await.recv().await }).await.ok().flatten()
    }

    /// The next request that tells this kind of notice.
    pub async fn next_of(&self, kind: &str) -> Posted {
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
    sender: mpsc::UnboundedSender<Posted>,
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

async fn read(stream: &mut TcpStream) -> Option<Posted> {
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
    let body = String::from_utf8(bytes[head + 4..].to_vec()).expect("the body is text");
    assert!(first.starts_with("POST "), "{first}");
    Some(Posted { path: first.split(' ').nth(1)?.to_owned(), headers, body })
}
