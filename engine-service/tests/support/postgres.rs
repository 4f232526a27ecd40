//! A PostgreSQL of a test's own: made in a temporary directory, stopped and removed with it.

#![allow(dead_code, reason = "the end-to-end tests use the rest")]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long the database may take to start before the test gives up on it. Not a bound that a test
/// measures.
const PATIENCE: Duration = Duration::from_mins(1);
/// The database refuses to run as root; root starts it as this user, whom the distribution's
/// package makes.
const USER: &str = "postgres";

/// A running PostgreSQL. Stopped when dropped.
pub struct Postgres {
    directory: TempDir,
    programs: PathBuf,
    port: u16,
    server: Option<Child>,
}

impl Postgres {
    /// A fresh cluster, or `None` where no PostgreSQL is installed: then the test has nothing to
    /// test, and says so. `HELIOPAUSE_POSTGRES=required`, as the gate sets it, makes that a
    /// failure.
    pub fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            let required =
                std::env::var("HELIOPAUSE_POSTGRES").is_ok_and(|value| value == "required");
            assert!(!required, "no PostgreSQL is installed, and HELIOPAUSE_POSTGRES requires one");
            eprintln!("skipped: no PostgreSQL is installed (Debian: apt-get install postgresql)");
            return None;
        };
        let directory = tempfile::tempdir().expect("a temporary directory");
        if is_root() {
            run(Command::new("chown").arg(USER).arg(directory.path()));
        }
        let mut postgres = Self { directory, programs, port: free_port(), server: None };
        let data = postgres.data();
        run(postgres
            .program("initdb")
            .args(["-A", "trust", "-U", "heliopause", "-E", "UTF8", "--locale=C", "-D"])
            .arg(data));
        postgres.start_again();
        Some(postgres)
    }

    /// Starts it after it was stopped.
    pub fn start_again(&mut self) {
        let data = self.data();
        let settings = [
            format!("port={}", self.port),
            format!("unix_socket_directories={}", self.directory.path().display()),
        ];
        let mut server = self.program("postgres");
        server.arg("-D").arg(data).args([
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "max_connections=200",
        ]);
        server.args(settings.iter().flat_map(|setting| ["-c", setting.as_str()]));
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.server = Some(server.spawn().expect("the database can be started"));
        let begun = Instant::now();
        while !self.ask("postgres", "SELECT 1").status.success() {
            assert!(begun.elapsed() < PATIENCE, "the database does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it at once, without a word to anybody and without a checkpoint.
    pub fn stop_hard(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
            let _ = server.wait();
        }
    }

    /// Stops every process of the server in its place, so that it accepts connections and says
    /// nothing; or lets all of them continue.
    pub fn freeze(&self, frozen: bool) {
        let server = self.server.as_ref().expect("it runs").id();
        let children = format!("/proc/{server}/task/{server}/children");
        let children = std::fs::read_to_string(children).expect("Linux lists children");
        let signal = if frozen { "-STOP" } else { "-CONT" };
        let all = [server.to_string()].into_iter();
        for process in all.chain(children.split_whitespace().map(str::to_owned)) {
            // A child may have ended by now.
            let _ = Command::new("kill").args([signal, &process]).status();
        }
    }

    /// Writes a backup of a database into the server's own directory, and returns its path.
    pub fn dump(&self, database: &str) -> PathBuf {
        let file = self.directory.path().join(format!("{database}.dump"));
        run(self.program("pg_dump").args(["-Fc", "-f"]).arg(&file).arg(self.address(database)));
        file
    }

    /// Restores a backup into a database that is in use, in one transaction.
    pub fn restore(&self, database: &str, file: &Path) {
        run(self
            .program("pg_restore")
            .args(["--clean", "--if-exists", "--single-transaction", "-d"])
            .arg(self.address(database))
            .arg(file));
    }

    /// Stops the server, and copies its data directory aside; then starts it again.
    pub fn copy_aside(&mut self) {
        self.stop_hard();
        run(Command::new("cp").arg("-a").arg(self.data()).arg(self.copy()));
        self.start_again();
    }

    /// Stops the server, and puts the copy in the place of its data directory; then starts it
    /// again.
    pub fn put_back(&mut self) {
        self.stop_hard();
        std::fs::remove_dir_all(self.data()).expect("the data directory can be removed");
        std::fs::rename(self.copy(), self.data()).expect("the copy is there");
        self.start_again();
    }

    fn copy(&self) -> PathBuf {
        self.directory.path().join("copy")
    }

    /// The address of a new, empty database.
    pub fn database(&self, name: &str) -> String {
        self.execute("postgres", &format!("CREATE DATABASE {name}"));
        self.address(name)
    }

    /// The address of a database.
    pub fn address(&self, name: &str) -> String {
        format!("postgres://heliopause@127.0.0.1:{}/{name}", self.port)
    }

    /// The port on this machine.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Runs statements and answers what they print.
    pub fn execute(&self, database: &str, sql: &str) -> String {
        let output = self.ask(database, sql);
        assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn ask(&self, database: &str, sql: &str) -> Output {
        if TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            return Command::new("false").output().expect("a program that fails");
        }
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql])
            .arg(self.address(database));
        psql.output().expect("psql can be started")
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// One of the database's programs, run as somebody whom it lets run it.
    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        if !is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command
            .args([&format!("--reuid={USER}"), &format!("--regid={USER}"), "--clear-groups"])
            .arg(program);
        // It must not stand where that user may not.
        command.current_dir("/");
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if self.server.is_some() {
            self.freeze(false);
        }
        self.stop_hard();
    }
}

/// Where the newest installed PostgreSQL keeps its programs.
fn programs() -> Option<PathBuf> {
    let on_path =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    debian.sort();
    let folders = on_path.unwrap_or_default().into_iter().chain(debian.into_iter().rev());
    folders.into_iter().find(|folder| {
        ["initdb", "postgres", "psql"].iter().all(|name| is_program(&folder.join(name)))
    })
}

fn is_program(path: &Path) -> bool {
    path.is_file()
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id runs");
    output.stdout.trim_ascii() == b"0"
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a bound port").port()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
