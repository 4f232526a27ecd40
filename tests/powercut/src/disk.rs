//! A disk that keeps what was flushed, and of all else whatever chance leaves.
//!
//! A file that was flushed is there, by its name too. What was removed or renamed is so for certain
//! once its folder was flushed; until then some first of these changes may have happened, as a file
//! system with a journal does them in order. Bytes that were not flushed may be there or not, page
//! by page and sector by sector, in any order.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use rand::RngExt as _;
use rand_pcg::Pcg64;

use crate::trace::Event;

const SECTOR: usize = 512;

/// What is found after a cut, by path.
pub(crate) type Found = BTreeMap<String, Vec<u8>>;

/// How much of what was not flushed a cut leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// All of it: the program was killed, the machine goes on.
    Killed,
    /// Nothing of it.
    Nothing,
    /// Any writes.
    Writes,
    /// Any sectors of any writes.
    Sectors,
}

impl Cut {
    pub(crate) const ALL: [Self; 4] = [Self::Killed, Self::Nothing, Self::Writes, Self::Sectors];
}

/// Whether the disk does as it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Honesty {
    #[default]
    Honest,
    /// It says that it flushed, and did not: a planted fault, which must be found.
    Lying,
}

#[derive(Clone, Debug)]
enum Change {
    Wrote { at: usize, bytes: Rc<[u8]> },
    Length(usize),
}

#[derive(Clone, Debug)]
enum Naming {
    Made(String, usize),
    Removed(String),
    Renamed(String, String),
}

#[derive(Debug, Default)]
struct File {
    flushed: Vec<u8>,
    /// What was changed since, each with its place among all events.
    changes: Vec<(usize, Change)>,
    length: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Disk {
    honesty: Honesty,
    files: Vec<File>,
    /// As the program sees them.
    names: BTreeMap<String, usize>,
    flushed_names: BTreeMap<String, usize>,
    namings: Vec<(usize, Naming)>,
    /// Since when a thread flushes.
    flushing: HashMap<u32, usize>,
    now: usize,
}

impl Disk {
    pub(crate) fn new(honesty: Honesty) -> Self {
        Self { honesty, ..Self::default() }
    }

    /// Does what the program did. Answers whether a cut after it may find something else than
    /// before.
    pub(crate) fn apply(&mut self, event: &Event) -> bool {
        self.now += 1;
        match event {
            Event::Opened { path } => return self.open(path),
            Event::Wrote { path, at, bytes } => {
                let Some(file) = self.file(path) else { return false };
                let at = at.map_or(file.length, |at| at as usize);
                file.length = file.length.max(at + bytes.len());
                self.change(path, Change::Wrote { at, bytes: Rc::clone(bytes) });
            }
            Event::Cut { path, length } => {
                let length = *length as usize;
                let Some(file) = self.file(path) else { return false };
                file.length = length;
                self.change(path, Change::Length(length));
            }
            Event::Flushes { thread } => {
                self.flushing.insert(*thread, self.now);
                return false;
            }
            Event::Flushed { thread, path } => {
                let since = self.flushing.remove(thread).unwrap_or(self.now);
                if self.honesty == Honesty::Honest {
                    self.flush(path, since);
                }
            }
            Event::Removed { path } => {
                self.names.remove(path);
                self.namings.push((self.now, Naming::Removed(path.clone())));
            }
            Event::Renamed { from, to } => {
                if let Some(file) = self.names.remove(from) {
                    self.names.insert(to.clone(), file);
                }
                self.namings.push((self.now, Naming::Renamed(from.clone(), to.clone())));
            }
            Event::Said(_) => return false,
        }
        true
    }

    fn open(&mut self, path: &str) -> bool {
        if self.names.contains_key(path) {
            return false;
        }
        self.files.push(File::default());
        let file = self.files.len() - 1;
        self.names.insert(path.to_owned(), file);
        self.namings.push((self.now, Naming::Made(path.to_owned(), file)));
        true
    }

    fn file(&mut self, path: &str) -> Option<&mut File> {
        self.names.get(path).map(|&file| &mut self.files[file])
    }

    fn change(&mut self, path: &str, change: Change) {
        let now = self.now;
        if let Some(file) = self.file(path) {
            file.changes.push((now, change));
        }
    }

    fn flush(&mut self, path: &str, since: usize) {
        let Some(&id) = self.names.get(path) else { return self.flush_names(path, since) };
        let file = &mut self.files[id];
        let whole = file.changes.partition_point(|(at, _)| *at < since);
        for (_, change) in file.changes.drain(..whole) {
            write(&mut file.flushed, &change);
        }
        // A new file is flushed with its name.
        let made = |naming: &Naming| matches!(naming, Naming::Made(_, made) if *made == id);
        if let Some(at) = self.namings.iter().position(|(_, naming)| made(naming)) {
            let (_, naming) = self.namings.remove(at);
            rename(&mut self.flushed_names, &naming);
        }
    }

    fn flush_names(&mut self, folder: &str, since: usize) {
        let (flushed, left): (Vec<_>, Vec<_>) = std::mem::take(&mut self.namings)
            .into_iter()
            .partition(|(at, naming)| *at < since && naming.is_in(folder));
        self.namings = left;
        for (_, naming) in flushed {
            rename(&mut self.flushed_names, &naming);
        }
    }

    /// What is found after a cut that comes now.
    pub(crate) fn cut(&self, cut: Cut, chance: &mut Pcg64) -> Found {
        let mut names = self.flushed_names.clone();
        let count = match cut {
            Cut::Killed => self.namings.len(),
            Cut::Nothing => 0,
            Cut::Writes | Cut::Sectors => chance.random_range(0..=self.namings.len()),
        };
        for (_, naming) in &self.namings[..count] {
            rename(&mut names, naming);
        }
        names.into_iter().map(|(path, file)| (path, self.files[file].left(cut, chance))).collect()
    }
}

impl Naming {
    fn is_in(&self, folder: &str) -> bool {
        let (Self::Made(path, _) | Self::Removed(path) | Self::Renamed(path, _)) = self;
        path.rsplit_once('/').map_or("", |(parent, _)| parent) == folder
    }
}

impl File {
    fn left(&self, cut: Cut, chance: &mut Pcg64) -> Vec<u8> {
        let mut left = self.flushed.clone();
        for (_, change) in &self.changes {
            match (cut, change) {
                (Cut::Nothing, _) => {}
                (Cut::Killed, change) => write(&mut left, change),
                (Cut::Sectors, Change::Wrote { at, bytes }) => {
                    for (nth, sector) in bytes.chunks(SECTOR).enumerate() {
                        if chance.random() {
                            let (at, bytes) = (at + nth * SECTOR, Rc::from(sector));
                            write(&mut left, &Change::Wrote { at, bytes });
                        }
                    }
                }
                (Cut::Writes | Cut::Sectors, change) => {
                    if chance.random() {
                        write(&mut left, change);
                    }
                }
            }
        }
        left
    }
}

fn write(content: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Wrote { at, bytes } => {
            let end = at + bytes.len();
            if content.len() < end {
                content.resize(end, 0);
            }
            content[*at..end].copy_from_slice(bytes);
        }
        Change::Length(length) => content.resize(*length, 0),
    }
}

fn rename(names: &mut BTreeMap<String, usize>, naming: &Naming) {
    match naming {
        Naming::Made(path, file) => {
            names.insert(path.clone(), *file);
        }
        Naming::Removed(path) => {
            names.remove(path);
        }
        Naming::Renamed(from, to) => {
            if let Some(file) = names.remove(from) {
                names.insert(to.clone(), file);
            }
        }
    }
}
