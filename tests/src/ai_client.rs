//! The AI client, started as a process.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{Engine, binary};

/// An AI client that plays every automated seat of an engine. Dropping it kills the process.
#[derive(Debug)]
pub struct AiClient(Child);

impl AiClient {
    pub fn start(engine: &Engine) -> Self {
        Self::at(&engine.url(), engine.data())
    }

    /// Starts a client of these engines with the token in a data directory.
    pub fn at(urls: &str, data: &Path) -> Self {
        Self::launch(&mut command(urls, data))
    }

    pub fn trusting(urls: &str, engine: &Engine, authorities: &Path) -> Self {
        Self::launch(command(urls, engine.data()).env("SSL_CERT_FILE", authorities))
    }

    fn launch(command: &mut Command) -> Self {
        Self(command.spawn().expect("the AI client can be started"))
    }
}

fn command(urls: &str, data: &Path) -> Command {
    let mut command = Command::new(binary("ai-client"));
    command.args(["--engine", urls, "--concurrency", "4", "--token-file"]);
    command.arg(data.join("worker.token"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

impl Drop for AiClient {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
