//! PostgreSQL servers for tests: one shared by all tests of a run, or one for a single test.

use std::fs::{DirBuilder, File, OpenOptions};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use tempfile::TempDir;

const TIMEOUT: Duration = Duration::from_mins(1);
/// PostgreSQL refuses to run as root. Root starts the server as this user, which the distribution's
/// package creates.
const USER: &str = "postgres";
/// Runs the shared server until no test has used it for a minute.
const KEEPER: &str = include_str!("keeper.sh");

/// A running PostgreSQL server.
pub struct Postgres {
    directory: PathBuf,
    programs: PathBuf,
    port: u16,
    cluster: Cluster,
}

/// The server of one test, or the shared one. The lock on `users` keeps the shared server running
/// until this process exits.
enum Cluster {
    Own { server: Option<Child>, _directory: TempDir },
    Shared { users: File, prefix: String, databases: Mutex<Vec<String>> },
}

impl Postgres {
    /// Starts a server for one test. Returns `None` if PostgreSQL is not installed: the test must
    /// then report that it was skipped. `HELIOPAUSE_POSTGRES=required` makes this a failure.
    pub fn start() -> Option<Self> {
        let programs = programs()?;
        let directory = tempfile::tempdir().expect("a temporary directory");
        own(directory.path());
        let mut postgres = Self {
            directory: directory.path().to_owned(),
            programs,
            port: free_port(),
            cluster: Cluster::Own { server: None, _directory: directory },
        };
        let start = lock_file("start");
        start.lock().expect("a lock");
        postgres.copy_empty();
        drop(start);
        postgres.restart();
        Some(postgres)
    }

    /// Returns the server that all tests of this user share, and starts it if necessary. The server
    /// runs without `fsync`. Each test has its own databases, but all tests share the roles.
    /// Returns `None` if PostgreSQL is not installed.
    pub fn shared() -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let programs = programs()?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let prefix = format!("t{}_{count}_", std::process::id());
        let start = lock_file("start");
        start.lock().expect("a lock");
        let users = lock_file("users");
        users.lock_shared().expect("a lock");
        users.set_modified(SystemTime::now()).expect("a file of this user");
        let port = std::fs::read_to_string(folder().join("port"));
        let mut postgres = Self {
            directory: folder(),
            programs,
            port: port.ok().and_then(|port| port.parse().ok()).unwrap_or_default(),
            cluster: Cluster::Shared { users, prefix, databases: Mutex::default() },
        };
        if lock_file("running").try_lock().is_ok() {
            postgres.start_shared();
        }
        postgres.wait();
        Some(postgres)
    }

    fn start_shared(&mut self) {
        let _ = std::fs::remove_dir_all(self.data());
        self.copy_empty();
        self.port = free_port();
        std::fs::write(self.directory.join("port"), self.port.to_string()).expect("a file");
        let server = self.server(&["max_connections=600", "fsync=off"]);
        let mut keeper = Command::new("sh");
        keeper.args(["-c", KEEPER, "sh"]).arg(&self.directory);
        keeper.arg(server.get_program()).args(server.get_args());
        keeper.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // A signal to this test must not stop the server of other tests.
        let mut keeper = keeper.process_group(0).spawn().expect("a shell");
        std::thread::spawn(move || keeper.wait());
    }

    /// Copies the files of an empty cluster to the data directory. The first call runs `initdb`.
    /// The caller must hold the `start` lock.
    fn copy_empty(&self) {
        let empty = folder().join("empty");
        if !empty.join("complete").exists() {
            let _ = std::fs::remove_dir_all(&empty);
            run(self
                .program("initdb")
                .args(["-N", "-A", "trust", "-U", "heliopause", "-E", "UTF8", "--locale=C", "-D"])
                .arg(&empty));
            std::fs::write(empty.join("complete"), "").expect("a file");
        }
        run(Command::new("cp").arg("-a").arg(empty).arg(self.data()));
    }

    pub fn restart(&mut self) {
        let mut command = self.server(&["max_connections=200"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        *self.own_server() = Some(command.spawn().expect("the database can be started"));
        self.wait();
    }

    fn server(&self, settings: &[&str]) -> Command {
        let mut server = self.program("postgres");
        server.arg("-D").arg(self.data());
        let port = format!("port={}", self.port);
        let sockets = format!("unix_socket_directories={}", self.directory.display());
        for setting in ["listen_addresses=127.0.0.1", &port, &sockets].iter().chain(settings) {
            server.args(["-c", setting]);
        }
        server
    }

    fn wait(&self) {
        let begun = Instant::now();
        while !self.ask("postgres", "SELECT 1").status.success() {
            assert!(begun.elapsed() < TIMEOUT, "the database does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn own_server(&mut self) -> &mut Option<Child> {
        match &mut self.cluster {
            Cluster::Own { server, .. } => server,
            Cluster::Shared { .. } => panic!("other tests use this server"),
        }
    }

    pub fn kill_server(&mut self) {
        if let Some(mut server) = self.own_server().take() {
            let _ = Command::new("kill").args(["-QUIT", &server.id().to_string()]).status();
            let _ = server.wait();
        }
    }

    /// Suspends or resumes the server. A suspended server accepts connections but is silent.
    pub fn freeze(&self, frozen: bool) {
        let Cluster::Own { server: Some(server), .. } = &self.cluster else {
            panic!("no running server of the test's own")
        };
        let server = server.id();
        let children = format!("/proc/{server}/task/{server}/children");
        let children = std::fs::read_to_string(children).expect("Linux lists children");
        let signal = if frozen { "-STOP" } else { "-CONT" };
        let all = [server.to_string()].into_iter();
        for process in all.chain(children.split_whitespace().map(str::to_owned)) {
            let _ = Command::new("kill").args([signal, &process]).status();
        }
    }

    pub fn dump(&self, database: &str) -> PathBuf {
        let file = self.directory.join(format!("{}.dump", self.name(database)));
        run(self.program("pg_dump").args(["-Fc", "-f"]).arg(&file).arg(self.address(database)));
        file
    }

    pub fn restore(&self, database: &str, file: &Path) {
        run(self
            .program("pg_restore")
            .args(["--clean", "--if-exists", "--single-transaction", "-d"])
            .arg(self.address(database))
            .arg(file));
    }

    pub fn save_copy(&mut self) {
        self.kill_server();
        run(Command::new("cp").arg("-a").arg(self.data()).arg(self.copy()));
        self.restart();
    }

    pub fn restore_copy(&mut self) {
        self.kill_server();
        std::fs::remove_dir_all(self.data()).expect("the data directory can be removed");
        std::fs::rename(self.copy(), self.data()).expect("the copy is there");
        self.restart();
    }

    fn copy(&self) -> PathBuf {
        self.directory.join("copy")
    }

    pub fn database(&self, name: &str) -> String {
        self.execute("postgres", &format!("CREATE DATABASE {}", self.name(name)));
        if let Cluster::Shared { databases, .. } = &self.cluster {
            databases.lock().unwrap_or_else(PoisonError::into_inner).push(self.name(name));
        }
        self.address(name)
    }

    pub fn address(&self, name: &str) -> String {
        format!("postgres://heliopause@127.0.0.1:{}/{}", self.port, self.name(name))
    }

    pub fn name(&self, database: &str) -> String {
        match &self.cluster {
            Cluster::Shared { prefix, .. } if database != "postgres" => {
                format!("{prefix}{database}")
            }
            _ => database.to_owned(),
        }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

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
        self.directory.join("data")
    }

    fn program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        if !is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command
            .args([&format!("--reuid={USER}"), &format!("--regid={USER}"), "--clear-groups"])
            .arg(program);
        command.current_dir("/");
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        match &mut self.cluster {
            Cluster::Own { server, .. } => {
                if server.is_some() {
                    self.freeze(false);
                }
                self.kill_server();
            }
            Cluster::Shared { users, databases, .. } => {
                // Each of these calls may fail, because the server stops a minute after its last
                // use.
                let _ = users.set_modified(SystemTime::now());
                let databases = databases.get_mut().unwrap_or_else(PoisonError::into_inner);
                for database in std::mem::take(databases) {
                    self.ask("postgres", &format!("DROP DATABASE {database} WITH (FORCE)"));
                }
            }
        }
    }
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("heliopause-postgres-{}", user()));
    if DirBuilder::new().mode(0o700).create(&folder).is_ok() {
        own(&folder);
    }
    folder
}

fn lock_file(name: &str) -> File {
    let file = folder().join(name);
    let opened = OpenOptions::new().append(true).create(true).open(&file);
    opened.unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn own(folder: &Path) {
    if is_root() {
        run(Command::new("chown").arg(USER).arg(folder));
    }
}

fn programs() -> Option<PathBuf> {
    let on_path =
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    debian.sort();
    let folders = on_path.unwrap_or_default().into_iter().chain(debian.into_iter().rev());
    let found = folders.into_iter().find(|folder| {
        ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).is_file())
    });
    if found.is_none() {
        let required = std::env::var("HELIOPAUSE_POSTGRES").is_ok_and(|value| value == "required");
        assert!(!required, "no PostgreSQL is installed, and HELIOPAUSE_POSTGRES requires one");
        eprintln!("skipped: no PostgreSQL is installed (Debian: apt-get install postgresql)");
    }
    found
}

fn is_root() -> bool {
    user() == "0"
}

fn user() -> String {
    let output = Command::new("id").arg("-u").output().expect("id runs");
    String::from_utf8_lossy(output.stdout.trim_ascii()).into_owned()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("a bound port").port()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
