//! The program itself: its one line, its exit codes, its settings and what they win over.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_engine-service");

/// The program without any setting of the environment.
fn program() -> Command {
    let mut command = Command::new(PROGRAM);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("HELIOPAUSE_")) {
        command.env_remove(name);
    }
    command
}

fn refused(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(!status.success(), "it did not refuse");
    assert_eq!(String::from_utf8_lossy(&stdout), "", "errors go to stderr");
    String::from_utf8(stderr).unwrap()
}

/// A running program, which is killed at the latest when the test ends.
struct Running {
    child: Child,
    ready: String,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut ready).unwrap();
        Self { child, ready: ready.trim_end().to_owned() }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// Waits for its end, and answers its exit code and its log.
    fn wait(mut self) -> (Option<i32>, String) {
        let mut log = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        (self.child.wait().unwrap().code(), log)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serving(data: &Path) -> Command {
    let mut command = program();
    command.args(["--listen", "127.0.0.1:0", "--data"]).arg(data);
    command
}

#[test]
fn it_says_when_it_is_ready_and_stops_when_it_is_told() {
    for signal in ["TERM", "INT"] {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("made/on/the/way");
        let running = Running::start(serving(&data).args(["--metrics", "127.0.0.1:0"]));
        let words: Vec<_> = running.ready.split(' ').collect();
        let ["heliopause", "ready", grpc, metrics] = words[..] else {
            panic!("{:?}", running.ready)
        };
        for (word, key) in [(grpc, "grpc=127.0.0.1:"), (metrics, "metrics=127.0.0.1:")] {
            let port: u16 = word.strip_prefix(key).unwrap().parse().unwrap();
            assert_ne!(port, 0);
        }
        assert!(data.join("admin.token").is_file());
        running.signal(signal);
        let (code, log) = running.wait();
        assert_eq!(code, Some(0), "{log}");
        assert!(log.contains("draining") && log.contains("stopped"), "{log}");
    }
}

#[test]
fn a_second_engine_on_the_same_data_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let _first = Running::start(&mut serving(directory.path()));
    let said = refused(&mut serving(directory.path()));
    assert!(said.contains("another engine-service") && said.contains("--data"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn nothing_is_left_of_a_server_in_memory() {
    let running = Running::start(&mut serving(Path::new(":memory:")));
    let tokens = running.ready.split_once("tokens=").expect("where the tokens are").1.to_owned();
    assert!(Path::new(&tokens).join("worker.token").is_file());
    running.signal("TERM");
    assert_eq!(running.wait().0, Some(0));
    assert!(!Path::new(&tokens).exists());
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("heliopause.toml");
    // Each address is refused in its own words, so the words tell which one was taken.
    std::fs::write(&file, "listen = \"192.0.2.1:1\"\ndata = \":memory:\"\n").unwrap();
    let config = || {
        let mut command = program();
        command.arg("--config").arg(&file);
        command
    };
    assert!(refused(&mut config()).contains("192.0.2.1:1"));
    assert!(refused(config().env("HELIOPAUSE_LISTEN", "192.0.2.2:2")).contains("192.0.2.2:2"));
    let flag =
        refused(config().env("HELIOPAUSE_LISTEN", "192.0.2.2:2").args(["--listen", "192.0.2.3:3"]));
    assert!(flag.contains("192.0.2.3:3"), "{flag}");
    let off =
        refused(config().env("HELIOPAUSE_INSECURE_NO_TLS", "true").arg("--insecure-no-tls=false"));
    assert!(off.contains("--insecure-no-tls"), "{off}");
}

#[test]
fn a_file_with_mistakes_is_refused_with_the_place() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("heliopause.toml");
    for (text, expected) in [
        ("lisen = \"127.0.0.1:1\"", "lisen"),
        ("listen = 7", "listen"),
        ("evict-after = \"soon\"", "soon"),
        ("registration = \"sometimes\"", "sometimes"),
    ] {
        std::fs::write(&file, text).unwrap();
        let said = refused(program().arg("--config").arg(&file));
        assert!(said.contains(expected) && said.contains("heliopause.toml"), "{text}: {said}");
    }
    let said = refused(program().args(["--config", "/nonexistent.toml"]));
    assert!(said.contains("/nonexistent.toml"), "{said}");
}

#[test]
fn what_is_dangerous_or_senseless_is_refused_with_what_to_do() {
    for (arguments, expected) in [
        (&["--listen", "0.0.0.0:0"][..], "--insecure-no-tls"),
        (&["--listen", "0.0.0.0:0", "--insecure-no-tls", "--sandbox"], "--sandbox-exposed"),
        (&["--tls-cert", "cert.pem"], "--tls-key"),
        (&["--tls-client-ca", "ca.pem"], "--tls-cert"),
        (&["--stream-limit", "0"], "--stream-limit"),
        (&["--evict-after=-5s"], "--evict-after"),
        (&["--evict-after", "0s"], "90s"),
        (&["--data", "/proc/heliopause"], "/proc/heliopause"),
        (&["backup", "--data", "/nonexistent", "--to", "x"], "/nonexistent"),
        (&["restore", "--data", ":memory:", "--from", "x"], "directory"),
    ] {
        let said = refused(program().args(arguments));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn help_and_version_are_for_strangers() {
    let help = String::from_utf8(program().arg("--help").output().unwrap().stdout).unwrap();
    for expected in [
        "Examples:",
        "--listen",
        "HELIOPAUSE_LISTEN",
        "backup",
        "restore",
        "default: 127.0.0.1:50051",
    ] {
        assert!(help.contains(expected), "{expected} is not in\n{help}");
    }
    let version = String::from_utf8(program().arg("--version").output().unwrap().stdout).unwrap();
    assert_eq!(version, format!("engine-service {}\n", env!("CARGO_PKG_VERSION")));
}
