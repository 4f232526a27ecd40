//! A disk that keeps flushed data and a random part of unflushed data.
//!
//! A flushed file exists under its name. Removals and renames are certain once their folder was
//! flushed. Before that, a prefix of them may have happened, because a journaling file system
//! applies them in order. Of the unflushed bytes, any writes or any sectors may be lost.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use rand::RngExt as _;
use rand_pcg::Pcg64;

use crate::trace::Event;

const SECTOR: usize = 512;

pub(crate) type Found = BTreeMap<String, Vec<u8>>;

/// The unflushed data that is left after a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// All data is left: the program was killed, but the machine continues.
    Killed,
    Nothing,
    Writes,
    Sectors,
}

impl Cut {
    pub(crate) const ALL: [Self; 4] = [Self::Killed, Self::Nothing, Self::Writes, Self::Sectors];
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Honesty {
    #[default]
    Honest,
    /// The disk reports a flush without flushing, as an injected fault.
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
    changes: Vec<(usize, Change)>,
    length: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Disk {
    honesty: Honesty,
    files: Vec<File>,
    names: BTreeMap<String, usize>,
    flushed_names: BTreeMap<String, usize>,
    namings: Vec<(usize, Naming)>,
    /// The number of the event that started the flush of each thread.
    flushing: HashMap<u32, usize>,
    now: usize,
}

impl Disk {
    pub(crate) fn new(honesty: Honesty) -> Self {
        Self { honesty, ..Self::default() }
    }

    /// Applies an event. Returns whether a cut after the event can have another result than a cut
    /// before the event.
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
            Event::Acknowledged(_) => return false,
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
        // Flushing a new file also flushes its name.
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
