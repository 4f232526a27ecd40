//! The `engine-service` program: its ready line, exit codes, and the precedence of settings.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::{program, refused};

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
fn program_prints_a_ready_line_and_stops_on_a_signal() {
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

/// Security S15: the lock was a separate file that could be removed or bypassed.
#[test]
fn second_engine_cannot_bypass_the_database_lock() {
    let directory = tempfile::tempdir().unwrap();
    let (data, other) = (directory.path().join("data"), directory.path().join("other"));
    let first = Running::start(&mut serving(&data));
    let said = refused(&mut serving(&data));
    assert!(said.contains("another engine-service") && said.contains("--data"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
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

/// Operations O4: token files with unknown tokens were kept silently.
#[test]
fn unknown_token_files_are_replaced_or_rejected() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let token = |name: &str| std::fs::read_to_string(at(name).join("admin.token")).unwrap();
    let stop = |running: Running| {
        running.signal("TERM");
        running.wait().1
    };
    let log = stop(Running::start(&mut serving(&at("one"))));
    assert!(log.contains("token file written") && log.contains("admin.token"), "{log}");
    stop(Running::start(&mut serving(&at("two"))));
    let (one, two) = (token("one"), token("two"));

    // These are files of another database, in a directory that may belong to another engine.
    let said = refused(serving(&at("two")).arg("--tokens").arg(at("one")));
    assert!(said.contains("one/admin.token") && said.contains("--tokens"), "{said}");
    assert_eq!(token("one"), one, "the file is unchanged");

    // These files are in the data directory, so they belong to this engine.
    std::fs::write(at("two").join("admin.token"), &one).unwrap();
    std::fs::write(at("two").join("worker.token"), "nothing\n").unwrap();
    let log = stop(Running::start(&mut serving(&at("two"))));
    assert_eq!(log.matches("is unknown or revoked").count(), 2, "{log}");
    let new = token("two");
    assert!(new != one && new != two && new.starts_with("hp_"), "{new}");
    let log = stop(Running::start(&mut serving(&at("two"))));
    assert!(!log.contains("token file written"), "it is known: {log}");
    assert_eq!(token("two"), new);

    std::fs::copy(at("two").join("worker.token"), at("two").join("admin.token")).unwrap();
    stop(Running::start(&mut serving(&at("two"))));
    assert_ne!(token("two"), std::fs::read_to_string(at("two").join("worker.token")).unwrap());
}

/// Security S14: a malformed URL of a mail server was printed with its password.
#[test]
fn errors_do_not_repeat_passwords() {
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
fn localhost_is_accepted_and_other_names_get_examples() {
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

#[test]
fn exit_codes_match_the_help() {
    let code = |arguments: &[&str]| program().args(arguments).output().unwrap().status.code();
    assert_eq!(code(&["--no-such-option"]), Some(2));
    assert_eq!(code(&["--stream-limit", "0"]), Some(1));
    assert_eq!(code(&["backup", "--data", "/nonexistent", "--to", "x"]), Some(1));
}

#[test]
fn in_memory_server_leaves_no_files() {
    let running = Running::start(&mut serving(Path::new(":memory:")));
    let tokens = running.ready.split_once("tokens=").expect("where the tokens are").1.to_owned();
    assert!(Path::new(&tokens).join("worker.token").is_file());
    running.signal("TERM");
    assert_eq!(running.wait().0, Some(0));
    assert!(!Path::new(&tokens).exists());
}

#[test]
fn flag_overrides_environment_and_environment_overrides_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("heliopause.toml");
    // Each address causes a different error message, so the message shows which one was used.
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
fn settings_file_errors_name_the_line() {
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
fn unsafe_or_contradictory_settings_are_rejected() {
    for (arguments, expected) in [
        (&["--listen", "0.0.0.0:0"][..], "--insecure-no-tls"),
        (&["--listen", "0.0.0.0:0", "--insecure-no-tls", "--sandbox"], "--sandbox-exposed"),
        (&["--tls-cert", "cert.pem"], "--tls-key"),
        (&["--tls-client-ca", "ca.pem"], "--tls-cert"),
        (&["--stream-limit", "0"], "--stream-limit"),
        (&["--evict-after=-5s"], "--evict-after"),
        (&["--evict-after", "0s"], "more than 0s"),
        (&["--data", "/proc/heliopause"], "/proc/heliopause"),
        (&["backup", "--data", "/nonexistent", "--to", "x"], "/nonexistent"),
        (&["restore", "--data", ":memory:", "--from", "x"], "directory"),
    ] {
        let said = refused(program().args(arguments));
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn help_and_version_are_complete() {
    let help = String::from_utf8(program().arg("--help").output().unwrap().stdout).unwrap();
    let expected = "Examples:|--listen|HELIOPAUSE_LISTEN|backup|restore|default: 127.0.0.1:50051|\
        Exit codes: 0|2 if the arguments are wrong";
    for expected in expected.split('|') {
        assert!(help.contains(expected), "{expected} is not in\n{help}");
    }
    let version = String::from_utf8(program().arg("--version").output().unwrap().stdout).unwrap();
    assert_eq!(version, format!("engine-service {}\n", env!("CARGO_PKG_VERSION")));
}
