//! The participants of a run, and the faults with their times, as derived from a seed.
//!
//! Swarm testing: each run first draws the possible kinds of faults and their frequency. More
//! frequent kinds then do not hide rare combinations of few kinds.

use std::fmt;
use std::time::Duration;

use crate::chance::Rng;
use crate::net::Node;

/// The node number of the first engine.
pub const ENGINE: Node = 1;
/// The node number of the first worker.
pub const WORKER: Node = 100;
/// The node number of the first player.
pub const PLAYER: Node = 200;

/// The participants, games and faults of a run.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is drawn by itself")]
pub struct Plan {
    pub seed: u64,
    pub engines: u8,
    /// Whether the engines share a store. A single engine can have its own store.
    pub shared: bool,
    pub workers: u8,
    pub players: u8,
    pub games: Vec<GamePlan>,
    pub fault_time: Duration,
    /// The minimum and maximum delay of a packet in milliseconds.
    pub delay: (u64, u64),
    pub hints_lost: u64,
    pub evict_after: Duration,
    /// Offsets of the engines' clocks in milliseconds.
    pub skews: Vec<i64>,
    /// Careless calls per 1,000 calls of a player.
    pub careless: u64,
    pub idle_reader: bool,
    pub slow_readers: bool,
    pub unwatched: bool,
    pub silent_worker: bool,
    pub thinking_time: u64,
    pub sqlite: bool,
    /// The number that selects the text of private messages. All texts have the same length.
    pub secret: u64,
    pub killed_last: bool,
    pub faults: Vec<Fault>,
}

/// A game to create during a run.
#[derive(Clone, Debug)]
pub struct GamePlan {
    pub kind: &'static str,
    pub people: usize,
    pub automated: usize,
    /// The length of a phase in seconds.
    pub interval: u64,
    pub at: Duration,
    pub has_master: bool,
}

/// A fault and the time at which it starts.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The fault's number, for `--without`.
    pub id: usize,
    pub at: Duration,
    pub what: FaultKind,
}

/// The kinds of faults. A fault that ends has a duration. `FailOver` replaces the store by a
/// replica with all acknowledged data and a different clock. `Rollback` restores the store to its
/// state from `lost` ago; with `breaks`, connections break.
#[derive(Clone, Debug)]
pub enum FaultKind {
    Crash { engine: Node, down: Duration, silent: bool },
    Drain { engine: Node, down: Duration },
    Block { from: Node, to: Node, duration: Duration },
    Break { node: Node },
    Slow { duration: Duration, millis: u64 },
    Full { duration: Duration },
    Lose { duration: Duration, in_1000: u64 },
    Fail { duration: Duration, in_1000: u64 },
    LoseHints { engine: Node, duration: Duration },
    Jump { engine: Node, millis: i64 },
    Worker { worker: Node, down: Duration, hangs: bool },
    FailOver { down: Duration, millis: i64 },
    Upgrade { down: Duration },
    Rollback { lost: Duration, breaks: bool },
}

impl FaultKind {
    pub fn duration(&self) -> Duration {
        match self {
            Self::Crash { down, .. }
            | Self::Drain { down, .. }
            | Self::Worker { down, .. }
            | Self::FailOver { down, .. }
            | Self::Upgrade { down }
            | Self::Rollback { lost: down, .. } => *down,
            Self::Block { duration, .. }
            | Self::Slow { duration, .. }
            | Self::Full { duration }
            | Self::Lose { duration, .. }
            | Self::Fail { duration, .. }
            | Self::LoseHints { duration, .. } => *duration,
            Self::Break { .. } | Self::Jump { .. } => Duration::ZERO,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>3} at {:>5.1} s: {:?}", self.id, self.at.as_secs_f64(), self.what)
    }
}

/// The largest difference between the clocks of a store and its replica, in milliseconds.
pub const CLOCKS_DIFFER: i64 = 50;

/// In runs from this seed on, the store is rolled back once and may lose acknowledged data.
pub const FIRST_ROLLBACK_SEED: u64 = 1_000_000;

/// The kinds of games that are quick enough to simulate, with their minimum and maximum number of
/// seats.
const KINDS: [(&str, usize, usize); 3] =
    [("starships-at-large", 2, 4), ("star-empires", 2, 3), ("diplomacy", 2, 4)];

impl Plan {
    pub fn of(seed: u64) -> Self {
        let chance = &mut Rng::of(seed, "plan");
        let shared = chance.in_1000(750);
        let engines = if shared { *chance.pick(&[1, 2, 2, 2, 3]) } else { 1 };
        let workers = chance.within(1..3) as u8;
        let players = chance.within(2..4) as u8;
        let fault_time = Duration::from_secs(chance.within(60..240));
        let game = |index: u64, chance: &mut Rng| {
            let &(kind, least, most) = chance.pick(&KINDS);
            let seats = chance.within(least as u64..most as u64 + 1) as usize;
            let people = (chance.within(0..u64::from(players) + 1) as usize).min(seats);
            GamePlan {
                kind,
                people: people.max(usize::from(index == 0)),
                automated: seats.saturating_sub(people.max(usize::from(index == 0))),
                interval: {
                    let longest = *chance.pick(&[8, 8, 40, 40, 40, 400]);
                    chance.within(longest / 3..longest)
                },
                at: Duration::from_millis(chance.within(100..20_000)),
                has_master: chance.in_1000(250),
            }
        };
        let games = (0..chance.within(1..4)).map(|index| game(index, chance)).collect();
        let least = *chance.pick(&[0, 1, 5]);
        let mut plan = Self {
            seed,
            engines,
            shared,
            workers,
            players,
            games,
            fault_time,
            delay: (least, least + *chance.pick(&[1, 10, 80])),
            hints_lost: *chance.pick(&[0, 0, 100, 1_000]),
            evict_after: Duration::from_secs(*chance.pick(&[1, 3, 30])),
            skews: (0..engines).map(|_| chance.skew()).collect(),
            careless: *chance.pick(&[0, 50, 300]),
            idle_reader: chance.in_1000(300),
            slow_readers: chance.in_1000(300),
            unwatched: chance.in_1000(500),
            silent_worker: chance.in_1000(200),
            thinking_time: *chance.pick(&[20, 500, 5_000]),
            sqlite: !shared && chance.in_1000(600),
            secret: 0,
            killed_last: chance.in_1000(300),
            faults: Vec::new(),
        };
        plan.faults = plan.draw_faults(&mut Rng::of(seed, "faults"));
        if seed >= FIRST_ROLLBACK_SEED {
            plan.roll_back(&mut Rng::of(seed, "going back"));
        }
        plan
    }

    /// Adds a rollback of the store. Removes faults that disconnect clients, because a client would
    /// return with a cursor that may belong to the new history.
    fn roll_back(&mut self, chance: &mut Rng) {
        (self.shared, self.sqlite) = (true, false);
        self.fault_time = self.fault_time.max(Duration::from_mins(2));
        self.faults.retain(|fault| {
            matches!(
                fault.what,
                FaultKind::Slow { .. }
                    | FaultKind::Full { .. }
                    | FaultKind::Lose { .. }
                    | FaultKind::LoseHints { .. }
                    | FaultKind::Jump { .. }
                    | FaultKind::Worker { .. }
            )
        });
        let id = self.faults.iter().map(|fault| fault.id).max().unwrap_or(0) + 1;
        let at = chance.millis(30_000..80_000);
        let what =
            FaultKind::Rollback { lost: chance.millis(500..25_000), breaks: chance.in_1000(500) };
        self.faults.push(Fault { id, at, what });
    }

    /// Returns the number of players in the queue of quick play. A rollback of the store would undo
    /// matches that players have seen.
    pub fn queuers(&self) -> u8 {
        if self.seed >= FIRST_ROLLBACK_SEED {
            return 0;
        }
        Rng::of(self.seed, "queue").below(5) as u8
    }

    /// Returns the number of players of tournaments. A rollback of the store would undo steps that
    /// players have seen.
    pub fn entrants(&self) -> u8 {
        let chance = &mut Rng::of(self.seed, "tournament");
        let is_played = self.seed < FIRST_ROLLBACK_SEED && chance.in_1000(400);
        if is_played { chance.within(2..5) as u8 } else { 0 }
    }

    #[must_use]
    pub fn with_secret(mut self, secret: u64) -> Self {
        self.secret = secret;
        self
    }

    pub fn confidants() -> [Node; 2] {
        [PLAYER, PLAYER + 1]
    }

    pub fn master(&self) -> Node {
        PLAYER + self.players + 1
    }

    pub fn cut_off(&self, node: Node) -> Vec<(Duration, Duration)> {
        let cuts = self.faults.iter().filter(|fault| match fault.what {
            FaultKind::Block { from, to, .. } => from == node || to == node,
            FaultKind::Crash { silent, .. } => silent,
            _ => false,
        });
        cuts.map(|fault| (fault.at, fault.at + fault.what.duration())).collect()
    }

    #[must_use]
    pub fn without(mut self, ids: &[usize]) -> Self {
        self.faults.retain(|fault| !ids.contains(&fault.id));
        self
    }

    fn draw_faults(&self, chance: &mut Rng) -> Vec<Fault> {
        const KINDS_OF_FAULTS: usize = 12;
        if chance.in_1000(200) {
            return Vec::new();
        }
        let often: Vec<u64> = (0..KINDS_OF_FAULTS).map(|_| *chance.pick(&[0, 0, 1, 3])).collect();
        let every = *chance.pick(&[3_000, 8_000, 20_000]);
        let mut faults = Vec::new();
        let mut at = Duration::from_secs(3);
        loop {
            at += chance.millis(every / 4..every * 2);
            if at >= self.fault_time || often.iter().sum::<u64>() == 0 {
                return faults;
            }
            let mut drawn = chance.below(often.iter().sum());
            let kind = often.iter().position(|times| {
                let here = drawn < *times;
                drawn = drawn.saturating_sub(*times);
                here
            });
            let what = self.fault(kind.unwrap_or_default(), chance);
            if let Some(what) = what {
                faults.push(Fault { id: faults.len() + 1, at, what });
            }
        }
    }

    fn fault(&self, kind: usize, chance: &mut Rng) -> Option<FaultKind> {
        let engine = ENGINE + chance.below(self.engines.into()) as Node;
        let worker = WORKER + chance.below(self.workers.into()) as Node;
        let player = PLAYER + chance.below(u64::from(self.players) + 2) as Node;
        // Some faults last longer than every timeout.
        let longest = if chance.in_1000(150) { 40_000 } else { 12_000 };
        let duration = chance.millis(200..longest);
        Some(match kind {
            0 => FaultKind::Crash {
                engine,
                down: chance.millis(50..8_000),
                silent: chance.in_1000(300),
            },
            1 => FaultKind::Drain { engine, down: chance.millis(50..5_000) },
            2 => {
                let other = *chance.pick(&[worker, player, player]);
                let (from, to) =
                    if chance.in_1000(500) { (engine, other) } else { (other, engine) };
                FaultKind::Block { from, to, duration }
            }
            3 if self.shared => {
                let to_store = chance.in_1000(500);
                let (from, to) = if to_store { (engine, 0) } else { (0, engine) };
                FaultKind::Block { from, to, duration }
            }
            4 => FaultKind::Break { node: *chance.pick(&[engine, worker, player]) },
            5 => FaultKind::Slow { duration, millis: *chance.pick(&[50, 500, 3_000]) },
            6 => FaultKind::Full { duration },
            7 if self.shared => FaultKind::Lose { duration, in_1000: *chance.pick(&[50, 300]) },
            7 => FaultKind::Fail { duration, in_1000: *chance.pick(&[300, 1_000]) },
            8 if self.shared && chance.in_1000(500) => FaultKind::LoseHints { engine, duration },
            8 if self.shared => FaultKind::Jump { engine, millis: chance.skew() },
            9 => FaultKind::Worker {
                worker,
                down: chance.millis(100..20_000),
                hangs: chance.in_1000(500),
            },
            10 if self.shared => FaultKind::FailOver {
                down: chance.millis(500..20_000),
                millis: chance.below(2 * CLOCKS_DIFFER as u64) as i64 - CLOCKS_DIFFER,
            },
            11 => FaultKind::Upgrade { down: chance.millis(100..5_000) },
            _ => return None,
        })
    }
}

impl Rng {
    fn skew(&mut self) -> i64 {
        let most = *self.pick(&[0, 300, 5_000, 90_000]);
        if most == 0 { 0 } else { self.below(2 * most) as i64 - most as i64 }
    }
}
