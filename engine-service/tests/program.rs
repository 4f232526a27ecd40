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

/// Security S15: the lock was a file beside the database, which could be removed or gone around.
#[test]
fn neither_a_removed_file_nor_another_name_lets_a_second_engine_at_the_same_database() {
    let directory = tempfile::tempdir().unwrap();
    let (data, other) = (directory.path().join("data"), directory.path().join("other"));
    let first = Running::start(&mut serving(&data));
    for entry in std::fs::read_dir(&data).unwrap() {
        let name = entry.unwrap().file_name();
        if !name.to_str().unwrap().starts_with("heliopause.db") {
            std::fs::remove_file(data.join(name)).unwrap();
        }
    }
    let said = refused(&mut serving(&data));
    assert!(said.contains("another engine-service"), "{said}");
    std::fs::create_dir(&other).unwrap();
    std::fs::hard_link(data.join("heliopause.db"), other.join("heliopause.db")).unwrap();
    let said = refused(&mut serving(&other));
    assert!(said.contains("another engine-service"), "{said}");
    first.signal("KILL");
    drop(first);
    drop(Running::start(&mut serving(&other)));
}

/// Operations O4: files with tokens that the database does not know were kept without a word.
#[test]
fn token_files_that_the_database_does_not_know_are_replaced_or_refused() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let token = |name: &str| std::fs::read_to_string(at(name).join("admin.token")).unwrap();
    let stop = |running: Running| {
        running.signal("TERM");
        running.wait().1
    };
    let log = stop(Running::start(&mut serving(&at("one"))));
    assert!(log.contains("a token file was written") && log.contains("admin.token"), "{log}");
    stop(Running::start(&mut serving(&at("two"))));
    let (one, two) = (token("one"), token("two"));

    // Those of another database, in a directory that may be another engine's.
    let said = refused(serving(&at("two")).arg("--tokens").arg(at("one")));
    assert!(said.contains("one/admin.token") && said.contains("--tokens"), "{said}");
    assert_eq!(token("one"), one, "it stays as it was");

    // Those in the data directory are this engine's own.
    std::fs::write(at("two").join("admin.token"), &one).unwrap();
    std::fs::write(at("two").join("worker.token"), "nothing\n").unwrap();
    let log = stop(Running::start(&mut serving(&at("two"))));
    assert_eq!(log.matches("does not know the token").count(), 2, "{log}");
    let new = token("two");
    assert!(new != one && new != two && new.starts_with("hp_"), "{new}");
    let log = stop(Running::start(&mut serving(&at("two"))));
    assert!(!log.contains("token file was written"), "it is known: {log}");
    assert_eq!(token("two"), new);

    // A worker's token is no admin's.
    std::fs::copy(at("two").join("worker.token"), at("two").join("admin.token")).unwrap();
    stop(Running::start(&mut serving(&at("two"))));
    assert_ne!(token("two"), std::fs::read_to_string(at("two").join("worker.token")).unwrap());
}

/// Security S14: a malformed address of a mail server was printed with its password.
#[test]
fn no_refusal_repeats_a_password() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("heliopause.toml");
    let smtp = "smtp+x://user:SECRET@host";
    let mail = ["--notices-smtp", smtp, "--notices-from", "a@b.example"];
    let mut told = vec![
        refused(program().args(mail)),
        refused(
            program().args(["--notices-from", "a@b.example"]).env("HELIOPAUSE_NOTICES_SMTP", smtp),
        ),
        refused(program().args(["--data", "mysql://u:SECRET@h/d"])),
        refused(program().args(["--data", "postgres://u:SECRET@127.0.0.1:1/d"])),
        refused(program().args(["--data", "postgres://u:SEC@RET@h:x/d?password=SECRET"])),
        refused(program().args(["backup", "--data", "postgres://u:SECRET@h/d", "--to", "x"])),
        refused(program().args(["migrate", "--from", "sqlite:x", "postgres://u:SECRET@h/d"])),
        refused(program().args(["migrate", "--from", "sqlite:x", "--to", "mysql://u:SECRET@h/d"])),
        refused(program().args(["verify", "--data", "postgres://u:SECRET@127.0.0.1:1/d"])),
        refused(program().arg("postgres://u:SECRET@h/d")),
    ];
    for text in [
        format!("notices-smtp = \"{smtp}\"\nnotices-from = \"a@b.example\""),
        format!("notices-smtp = {smtp}"),
        "data = postgres://u:SECRET@h/d".to_owned(),
        "data = [\"postgres://u:SECRET@h/d\"]".to_owned(),
    ] {
        std::fs::write(&file, format!("# The first line\n{text}\n")).unwrap();
        let said = refused(program().arg("--config").arg(&file));
        let place = said.contains("heliopause.toml: line 2") || said.contains("--notices-smtp");
        assert!(place, "{text}: {said}");
        told.push(said);
    }
    for said in told {
        assert!(!said.contains("SEC") && !said.contains("RET"), "{said}");
        assert!(said.lines().count() < 10, "{said}");
    }
}

#[test]
fn localhost_is_an_address_and_other_words_are_answered_with_examples() {
    let mut command = program();
    command.args(["--listen", "localhost:0", "--metrics", "localhost:0", "--data", ":memory:"]);
    let running = Running::start(&mut command);
    assert!(running.ready.contains("grpc=127.0.0.1:"), "{}", running.ready);
    for wrong in ["localhost", "localhost:x", "games.example:1", "127.0.0.1", ""] {
        let said = refused(program().args(["--listen", wrong]));
        assert!(said.contains("127.0.0.1:50051") && said.contains("0.0.0.0:50051"), "{said}");
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("heliopause.toml");
    std::fs::write(&file, "listen = \"games.example\"\n").unwrap();
    let said = refused(program().arg("--config").arg(&file));
    assert!(said.contains("127.0.0.1:50051") && said.contains("line 1"), "{said}");
}

/// The codes that the help tells.
#[test]
fn exit_codes_are_told_and_hold() {
    let code = |arguments: &[&str]| program().args(arguments).output().unwrap().status.code();
    assert_eq!(code(&["--no-such-option"]), Some(2));
    assert_eq!(code(&["--stream-limit", "0"]), Some(1));
    assert_eq!(code(&["backup", "--data", "/nonexistent", "--to", "x"]), Some(1));
    let help = String::from_utf8(program().arg("--help").output().unwrap().stdout).unwrap();
    assert!(
        help.contains("Exit codes: 0") && help.contains("2 if the arguments are wrong"),
        "{help}"
    );
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
