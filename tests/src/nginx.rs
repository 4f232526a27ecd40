//! nginx in front of engines, configured by `deploy/nginx.conf`.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const TIMEOUT: Duration = Duration::from_mins(1);

/// A load balancer for local engines. Dropping it kills the process.
pub struct Nginx {
    child: Child,
    port: u16,
    _directory: TempDir,
}

impl Nginx {
    /// Starts nginx in front of these ports. Returns `None` if nginx is not installed.
    /// `HELIOPAUSE_NGINX=required` makes this a failure.
    pub fn before(engines: &[u16]) -> Option<Self> {
        let Some(program) = program() else {
            let required = std::env::var("HELIOPAUSE_NGINX").is_ok_and(|value| value == "required");
            assert!(!required, "nginx is not installed, and HELIOPAUSE_NGINX requires it");
            return None;
        };
        let directory = tempfile::tempdir().expect("a temporary directory");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let file = directory.path().join("nginx.conf");
        std::fs::write(&file, settings(directory.path(), port, engines))
            .expect("a file can be written");
        let mut command = Command::new(program);
        command.arg("-c").arg(&file).args(["-e", "stderr"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().expect("nginx can be started");
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < TIMEOUT, "nginx does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Self { child, port, _directory: directory })
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGTERM also stops the workers.
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}

fn program() -> Option<PathBuf> {
    ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx"]
        .iter()
        .map(PathBuf::from)
        .find(|path| path.is_file())
}

/// Returns the shipped configuration with these engines, this port, and without TLS.
fn settings(directory: &Path, port: u16, engines: &[u16]) -> String {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/nginx.conf");
    let shipped = std::fs::read_to_string(shipped).expect("the file ships");
    let mut servers = engines.iter();
    let mut lines = vec![format!("daemon off; pid {}/pid; error_log stderr;", directory.display())];
    for line in shipped.lines() {
        let word = line.trim();
        if word.starts_with("user ") {
            // The workers need access to the temporary directory, whichever user runs the test.
            lines.push("user root;".to_owned());
        } else if word.starts_with("listen [::]") || word.starts_with("ssl_") {
        } else if word.starts_with("listen ") {
            lines.push(format!("listen 127.0.0.1:{port} http2;"));
        } else if word.starts_with("server ") && word.contains("internal:") {
            let engine = servers.next().expect("the file names two engines");
            lines.push(
                line.replace(
                    word.split_whitespace().nth(1).unwrap(),
                    &format!("127.0.0.1:{engine}"),
                ),
            );
        } else {
            lines.push(line.to_owned());
        }
        if word == "http {" {
            for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
                lines.push(format!("{kind}_temp_path {}/{kind};", directory.display()));
            }
        }
    }
    assert!(servers.next().is_none(), "the file names two engines");
    lines.join("\n")
}
