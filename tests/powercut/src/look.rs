//! Checks with the real store that everything acknowledged is still present after a cut.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use heliopause_engine::backup;
use heliopause_engine::store::Store as _;
use heliopause_engine::store::sqlite::SqliteStore;

use crate::disk::Found;
use crate::load;

/// Number of entries compared at the end of each journal. One check in `WHOLE_EVERY` compares
/// all entries.
const LAST: u64 = 12;
const WHOLE_EVERY: u64 = 50;

#[derive(Clone, Debug, Default)]
pub(crate) struct Acknowledged {
    pub(crate) games: BTreeMap<String, u64>,
    accounts: BTreeSet<String>,
    backups: BTreeMap<String, BTreeMap<String, u64>>,
    begun: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Acknowledged {
    pub(crate) fn hear(&mut self, line: &str) -> Result<()> {
        match line.split_once(' ') {
            Some(("game", rest)) => {
                let (game, last) = rest
                    .split_once(' ')
                    .with_context(|| format!("{line:?} names no last entry"))?;
                self.games.insert(game.to_owned(), last.parse()?);
            }
            Some(("account", name)) => {
                self.accounts.insert(name.to_owned());
            }
            Some(("backs-up", name)) => {
                self.begun.insert(name.to_owned(), self.games.clone());
            }
            Some(("backup", name)) => {
                let held =
                    self.begun.get(name).with_context(|| format!("{line:?} without backs-up"))?;
                self.backups.insert(name.to_owned(), held.clone());
            }
            _ => {
                ensure!(
                    ["open", "closed"].contains(&line),
                    "the recorded program printed {line:?}"
                );
            }
        }
        Ok(())
    }
}

pub(crate) async fn look(
    folder: &Path,
    found: &Found,
    said: &Acknowledged,
    nth: u64,
) -> Result<()> {
    for (path, content) in found {
        // Locks and the shared index of the log do not survive a power cut.
        if path.ends_with("-shm") || path.ends_with("/lock") {
            continue;
        }
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().context("the file has no folder")?)?;
        std::fs::write(path, content)?;
    }
    let is_whole = nth.is_multiple_of(WHOLE_EVERY);
    let data = load::data(folder);
    journal(&data, &said.games, is_whole).await?;
    let store = SqliteStore::open(&data, None)?;
    for name in &said.accounts {
        store.account(name).await.with_context(|| format!("the account {name} is lost"))?;
    }
    for (game, &last) in &said.games {
        let after = store.load(game).await?.last;
        ensure!(
            after >= last,
            "{game} ends with entry {after}, before the acknowledged entry {last}"
        );
        let next = load::append_next(&store, game, after).await;
        next.with_context(|| format!("cannot append to {game} after entry {after}"))?;
    }
    drop(store);
    for (name, held) in &said.backups {
        ensure!(folder.join(name).is_file(), "the backup {name} is lost");
        if is_whole {
            restored(folder, name, held).await?;
        }
    }
    // A backup that was not acknowledged is complete or absent.
    for name in said.begun.keys().filter(|name| !said.backups.contains_key(*name)) {
        if folder.join(name).is_file() {
            restored(folder, name, &said.begun[name]).await?;
        }
    }
    Ok(())
}

async fn restored(folder: &Path, name: &str, held: &BTreeMap<String, u64>) -> Result<()> {
    let data = folder.join(format!("{name}-restored"));
    backup::restore(&folder.join(name), &data).with_context(|| format!("the backup {name}"))?;
    journal(&data, held, true).await.with_context(|| format!("the backup {name}"))
}

async fn journal(data: &Path, games: &BTreeMap<String, u64>, is_whole: bool) -> Result<()> {
    let store = SqliteStore::open(data, None)?;
    for (game, &acknowledged) in games {
        let loaded = store.load(game).await.with_context(|| format!("{game} is lost"))?;
        let last = loaded.last;
        ensure!(
            last >= acknowledged,
            "{game} ends with entry {last}, before the acknowledged entry {acknowledged}"
        );
        let row = store.game(game).await?;
        ensure!(
            row.progress == load::progress(last),
            "{game} ends with entry {last}, but its progress is {:?}",
            row.progress
        );
        let after = if is_whole { 0 } else { last.saturating_sub(LAST) };
        let entries = store.entries(game, after, usize::MAX >> 1, usize::MAX >> 1).await?;
        ensure!(entries.len() as u64 == last - after, "{game} has a gap after entry {after}");
        for (number, entry) in (after + 1..).zip(entries) {
            ensure!(
                entry == load::entry(game, number),
                "entry {number} of {game} differs from what was written"
            );
        }
        if let Some((number, snapshot)) = loaded.snapshot
            && (number > last || snapshot != load::snapshot(game, number))
        {
            bail!(
                "snapshot {number} of {game} differs from what was written; the last entry is {last}"
            );
        }
    }
    Ok(())
}
