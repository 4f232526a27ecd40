//! The recorder: every call with which a program changes a folder, as reported by strace.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use anyhow::{Context as _, Result, ensure};

/// A system call of the recorded program. Paths are relative to the folder. `Wrote` without an
/// offset writes at the end of the file. `Flushes` is the start of a flush of a file or folder,
/// which covers everything written before.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Opened { path: String },
    Wrote { path: String, at: Option<u64>, bytes: Rc<[u8]> },
    Cut { path: String, length: u64 },
    Flushes { thread: u32 },
    Flushed { thread: u32, path: String },
    Removed { path: String },
    Renamed { from: String, to: String },
    Acknowledged(String),
}

const CALLS: &str = "openat,write,pwrite64,ftruncate,fsync,fdatasync,unlink,unlinkat,rename,\
                     renameat,renameat2";
/// The maximum size of a recorded write. strace truncates longer writes.
const BYTES_MAX: &str = "4194304";

pub(crate) fn record(mut program: Command, folder: &Path) -> Result<Vec<Event>> {
    let log = tempfile::NamedTempFile::new()?;
    let mut strace = Command::new("strace");
    strace.args(["-f", "-y", "-xx", "-s", BYTES_MAX, "-e", &format!("trace={CALLS}"), "-o"]);
    strace.arg(log.path()).arg("--").arg(program.get_program()).args(program.get_args());
    program = strace;
    let status = program.stdout(Stdio::null()).status().context("strace cannot be started")?;
    ensure!(status.success(), "the recorded program failed: {status}");
    read(&log.reopen()?, folder)
}

fn read(log: &File, folder: &Path) -> Result<Vec<Event>> {
    let folder = format!("{}/", folder.to_str().context("the folder's path is not UTF-8")?);
    let mut reader = Reader { folder, begun: HashMap::new(), events: Vec::new() };
    for line in BufReader::new(log).lines() {
        let line = line?;
        let (thread, call) = line.split_once(' ').context("a line has no thread")?;
        let read = thread.parse().ok().map(|thread| reader.call(thread, call.trim_start()));
        read.transpose()?.with_context(|| format!("a line cannot be read: {line:.200}"))?;
    }
    Ok(reader.events)
}

struct Reader {
    folder: String,
    begun: HashMap<u32, String>,
    events: Vec<Event>,
}

impl Reader {
    fn call(&mut self, thread: u32, call: &str) -> Result<()> {
        if call.starts_with("+++") || call.starts_with("---") {
            return Ok(());
        }
        if let Some(begun) = call.strip_suffix("<unfinished ...>") {
            self.begins(thread, begun.trim_end())?;
            self.begun.insert(thread, begun.trim_end().to_owned());
            return Ok(());
        }
        if let Some(resumed) = call.strip_prefix("<... ") {
            let (_, rest) =
                resumed.split_once(" resumed>").context("a resumed call is incomplete")?;
            let begun = self.begun.remove(&thread).context("a resumed call has no start")?;
            return self.ends(thread, &format!("{begun}{rest}"));
        }
        self.begins(thread, call)?;
        self.ends(thread, call)
    }

    /// Records the start of a flush. All other calls are recorded when they end.
    fn begins(&mut self, thread: u32, call: &str) -> Result<()> {
        if call.starts_with("fsync(") || call.starts_with("fdatasync(") {
            let (_, arguments) = call.split_once('(').context("a flush has no arguments")?;
            if self.within(&opened(arguments)?).is_some() {
                self.events.push(Event::Flushes { thread });
            }
        }
        Ok(())
    }

    fn ends(&mut self, thread: u32, call: &str) -> Result<()> {
        let (name, rest) = call.split_once('(').context("a call has no arguments")?;
        let (arguments, result) = rest.rsplit_once(" = ").context("a call has no result")?;
        if result.starts_with('-') || result.starts_with('?') {
            return Ok(());
        }
        let parts = parts(arguments.trim_end().trim_end_matches(')'));
        let event = match name {
            "openat" => {
                let made = parts.get(2).is_some_and(|flags| flags.contains("O_CREAT"));
                self.within(&opened(result)?).filter(|_| made).map(|path| Event::Opened { path })
            }
            "write" if parts[0].starts_with("1<") => {
                let said = String::from_utf8(text(parts[1])?)?;
                Some(Event::Acknowledged(said.trim_end().to_owned()))
            }
            "write" | "pwrite64" => {
                let at = parts.get(3).map(|at| at.parse()).transpose()?;
                match self.within(&opened(parts[0])?) {
                    Some(path) => Some(Event::Wrote { path, at, bytes: text(parts[1])?.into() }),
                    None => None,
                }
            }
            "ftruncate" => {
                let length = parts[1].parse()?;
                self.within(&opened(parts[0])?).map(|path| Event::Cut { path, length })
            }
            "fsync" | "fdatasync" => {
                self.within(&opened(parts[0])?).map(|path| Event::Flushed { thread, path })
            }
            "unlink" | "unlinkat" => {
                let path = parts.iter().find(|part| part.starts_with('"'));
                let path = String::from_utf8(text(
                    path.with_context(|| format!("{name} names no file"))?,
                )?)?;
                self.within(&path).map(|path| Event::Removed { path })
            }
            "rename" | "renameat" | "renameat2" => {
                let names: Vec<&str> =
                    parts.iter().copied().filter(|part| part.starts_with('"')).collect();
                let [from, to] = names[..] else { anyhow::bail!("{name} does not name two files") };
                let name = |part| anyhow::Ok(String::from_utf8(text(part)?)?);
                match (self.within(&name(from)?), self.within(&name(to)?)) {
                    (Some(from), Some(to)) => Some(Event::Renamed { from, to }),
                    _ => None,
                }
            }
            _ => None,
        };
        self.events.extend(event);
        Ok(())
    }

    fn within(&self, path: &str) -> Option<String> {
        if path.len() + 1 == self.folder.len() && self.folder.starts_with(path) {
            return Some(String::new());
        }
        path.strip_prefix(&self.folder).map(str::to_owned)
    }
}

/// Splits the arguments of a call. Strings contain no commas, because all bytes are escaped.
fn parts(arguments: &str) -> Vec<&str> {
    arguments.split(", ").collect()
}

/// Parses the path in the description of an open file, such as `5<\x2f...>`.
fn opened(part: &str) -> Result<String> {
    let path = part.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    let (path, _) = path.with_context(|| format!("{part:.80} names no file"))?;
    Ok(String::from_utf8(bytes(path)?)?)
}

fn text(part: &str) -> Result<Vec<u8>> {
    let text = part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    bytes(text.with_context(|| format!("{part:.80} is not a complete string"))?)
}

fn bytes(text: &str) -> Result<Vec<u8>> {
    if !text.starts_with("\\x") {
        return Ok(text.as_bytes().to_vec());
    }
    text.split("\\x").skip(1).map(|hex| Ok(u8::from_str_radix(hex, 16)?)).collect()
}
