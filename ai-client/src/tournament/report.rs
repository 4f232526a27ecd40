//! The report of a tournament, as a table and as JSON.

use std::fmt;
use std::time::Duration;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::Plan;
use super::match_up::{GameReport, SeatScore};
use super::player::Player;
use super::rating::ratings;
use super::statistics::{Estimate, Sprt, Verdict, percentile};
use crate::bot::Level;

/// The results of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub games: usize,
    pub sets: usize,
    /// Number of planned sets. Exceeds `sets` if the tournament was stopped.
    #[serde(rename = "planned_sets")]
    pub planned: usize,
    pub seats: usize,
    pub seed: u64,
    pub automata: AutomataReport,
    pub without_winner: usize,
    pub rounds: Rounds,
    pub players: Vec<PlayerReport>,
    pub pairs: Vec<PairReport>,
    pub sprt: Option<SprtReport>,
    /// Results per seat. Empty in games for one player.
    pub places: Vec<SeatReport>,
    /// Rules and the numbers of games that they ended, most games first.
    #[serde(skip)]
    pub endings: Vec<(&'static str, usize)>,
    pub list: Vec<GameReport>,
    #[serde(skip)]
    pub score: &'static str,
}

/// The results of the automated seats: their level, wins and rejected orders.
#[derive(Clone, Debug, Serialize)]
pub struct AutomataReport {
    pub level: Level,
    pub won: usize,
    pub refused: u64,
}

/// The rounds per game.
#[derive(Clone, Debug, Serialize)]
pub struct Rounds {
    pub shortest: u32,
    pub mean: f64,
    pub longest: u32,
}

/// The results of each player in one seat, in the plan's order.
#[derive(Clone, Debug, Serialize)]
pub struct SeatReport {
    pub name: String,
    pub players: Vec<PlaceReport>,
}

/// The results of one player in one seat.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceReport {
    pub player: Player,
    pub games: usize,
    pub score: Estimate,
    pub won: usize,
}

/// The results of one player.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    pub player: Player,
    pub score: Estimate,
    /// The rating by the Weng-Lin model, with its 95% interval.
    pub rating: Estimate,
    pub wins: Estimate,
    pub points: f64,
    /// Least points, first quartile, median, third quartile and most points.
    pub spread: [i64; 5],
    /// Named results, best first. Empty unless the game is for one player and names its results.
    #[serde(serialize_with = "list_of_pairs")]
    pub grades: Vec<(&'static str, usize)>,
    pub refused: u64,
    pub decisions: usize,
    #[serde(rename = "times_us")]
    pub times: Times,
}

/// Statistics of decision times.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Times {
    #[serde(serialize_with = "microseconds")]
    pub mean: Duration,
    #[serde(serialize_with = "microseconds")]
    pub p99: Duration,
    #[serde(serialize_with = "microseconds")]
    pub longest: Duration,
}

/// The comparison of two players.
#[derive(Clone, Debug, Serialize)]
pub struct PairReport {
    pub first: Player,
    pub second: Player,
    pub difference: Estimate,
}

/// The state of a sequential test.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtReport {
    pub effect: f64,
    pub ratio: f64,
    #[serde(skip)]
    pub verdict: Verdict,
}

fn list_of_pairs<S: Serializer>(pairs: &[(&'static str, usize)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(pairs.iter().map(|&(name, number)| json!({ name: number })))
}

fn microseconds<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(time.as_micros() as u64)
}

impl Report {
    pub(super) fn new(
        plan: &Plan,
        sets: &[Vec<GameReport>],
        names: &[String],
        score: &'static str,
    ) -> Self {
        let records: Vec<&GameReport> = sets.iter().flatten().collect();
        let players = plan.distinct_players();
        let pairs = players
            .iter()
            .enumerate()
            .flat_map(|(at, &a)| players[at + 1..].iter().map(move |&b| (a, b)));
        let ratings = ratings(sets, &players);
        let sprt = plan.sprt.and_then(|sprt| {
            let &[first, second] = &players[..] else { return None };
            Some(SprtReport::new(sprt, &differences(sets, first, second)))
        });
        Self {
            games: records.len(),
            sets: sets.len(),
            planned: match sprt {
                Some(SprtReport { verdict: Verdict::Better | Verdict::NotBetter, .. }) => {
                    sets.len()
                }
                _ => plan.sets(),
            },
            seats: plan.seats,
            seed: plan.seed,
            automata: AutomataReport {
                level: plan.automata,
                won: records.iter().filter(|record| record.automaton_won).count(),
                refused: records.iter().map(|record| record.automata_refused).sum(),
            },
            without_winner: records
                .iter()
                .filter(|record| record.seats.iter().all(|seat| !seat.won))
                .count(),
            rounds: rounds(&records),
            pairs: pairs.map(|(first, second)| pair(sets, first, second)).collect(),
            players: players
                .iter()
                .zip(ratings)
                .map(|(&player, rating)| player_report(sets, player, rating))
                .collect(),
            sprt,
            places: places(&records, names, &players),
            endings: endings(&records),
            list: sets.concat(),
            score,
        }
    }

    pub fn is_complete(&self) -> bool {
        self.sets == self.planned
    }

    pub fn each(&self) -> String {
        let lines: Vec<String> = self.list.iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    /// Returns JSON with times in microseconds. Everything except the times is the same in every
    /// run.
    pub fn json(&self) -> Value {
        json!(self)
    }
}

fn rounds(records: &[&GameReport]) -> Rounds {
    let rounds = || records.iter().map(|record| record.rounds);
    let total: f64 = rounds().map(f64::from).sum();
    Rounds {
        shortest: rounds().min().unwrap_or(0),
        mean: total / records.len().max(1) as f64,
        longest: rounds().max().unwrap_or(0),
    }
}

fn places(records: &[&GameReport], names: &[String], players: &[Player]) -> Vec<SeatReport> {
    let report = |at: usize, player: Player| {
        let seats = records.iter().filter_map(|record| record.seats.get(at));
        let own: Vec<&SeatScore> = seats.filter(|seat| seat.player == player).collect();
        let scores: Vec<f64> = own.iter().map(|seat| seat.score).collect();
        let won = own.iter().filter(|seat| seat.won).count();
        PlaceReport { player, games: own.len(), score: Estimate::of(&scores), won }
    };
    let place = |(at, name): (usize, &String)| {
        let players = players.iter().map(|&player| report(at, player)).collect();
        SeatReport { name: name.clone(), players }
    };
    if names.len() > 1 { names.iter().enumerate().map(place).collect() } else { Vec::new() }
}

fn endings(records: &[&GameReport]) -> Vec<(&'static str, usize)> {
    let mut endings = std::collections::BTreeMap::<_, usize>::new();
    for record in records {
        *endings.entry(record.rule).or_default() += 1;
    }
    let mut endings: Vec<_> = endings.into_iter().collect();
    endings.sort_by_key(|&(_, games)| std::cmp::Reverse(games));
    endings
}

fn mean_in(set: &[GameReport], player: Player, figure: impl Fn(&SeatScore) -> f64) -> f64 {
    let figures: Vec<f64> = seats_of(set, player).map(figure).collect();
    figures.iter().sum::<f64>() / figures.len().max(1) as f64
}

fn seats_of(set: &[GameReport], player: Player) -> impl Iterator<Item = &SeatScore> {
    set.iter().flat_map(|record| &record.seats).filter(move |seat| seat.player == player)
}

fn per_set(
    sets: &[Vec<GameReport>],
    player: Player,
    figure: impl Fn(&SeatScore) -> f64,
) -> Vec<f64> {
    sets.iter().map(|set| mean_in(set, player, &figure)).collect()
}

fn player_report(sets: &[Vec<GameReport>], player: Player, rating: Estimate) -> PlayerReport {
    let mut thought: Vec<Duration> = sets
        .iter()
        .flat_map(|set| seats_of(set, player))
        .flat_map(|seat| seat.thought.iter().copied())
        .collect();
    thought.sort_unstable();
    PlayerReport {
        player,
        rating,
        score: Estimate::of(&per_set(sets, player, |seat| seat.score)),
        wins: Estimate::of(&per_set(sets, player, |seat| f64::from(u8::from(seat.won)))),
        points: Estimate::of(&per_set(sets, player, |seat| seat.points as f64)).mean,
        spread: spread(sets, player),
        grades: grades(sets, player),
        refused: sets.iter().flat_map(|set| seats_of(set, player)).map(|seat| seat.refused).sum(),
        decisions: thought.len(),
        times: Times::of(&thought),
    }
}

fn spread(sets: &[Vec<GameReport>], player: Player) -> [i64; 5] {
    let mut points: Vec<i64> =
        sets.iter().flat_map(|set| seats_of(set, player)).map(|seat| seat.points).collect();
    points.sort_unstable();
    [0, 25, 50, 75, 100].map(|percent| percentile(&points, percent).unwrap_or_default())
}

/// Returns the named results of a player with their numbers of games, most points first.
fn grades(sets: &[Vec<GameReport>], player: Player) -> Vec<(&'static str, usize)> {
    let mut graded: Vec<(i64, &'static str)> = Vec::new();
    for seat in sets.iter().flat_map(|set| seats_of(set, player)) {
        graded.extend(seat.grade.map(|grade| (seat.points, grade)));
    }
    graded.sort_unstable_by_key(|&(points, _)| std::cmp::Reverse(points));
    let mut grades: Vec<(&'static str, usize)> = Vec::new();
    for (_, grade) in graded {
        match grades.last_mut() {
            Some((last, games)) if *last == grade => *games += 1,
            _ => grades.push((grade, 1)),
        }
    }
    grades
}

impl Times {
    fn of(sorted: &[Duration]) -> Self {
        let Some(&longest) = sorted.last() else { return Self::default() };
        let mean =
            sorted.iter().sum::<Duration>() / u32::try_from(sorted.len()).unwrap_or(u32::MAX);
        Self { mean, p99: percentile(sorted, 99).unwrap_or(longest), longest }
    }
}

/// Returns the difference of the mean scores of two players in a set.
pub(super) fn difference(set: &[GameReport], first: Player, second: Player) -> f64 {
    score_in(set, first) - score_in(set, second)
}

pub(super) fn score_in(set: &[GameReport], player: Player) -> f64 {
    mean_in(set, player, |seat| seat.score)
}

fn differences(sets: &[Vec<GameReport>], first: Player, second: Player) -> Vec<f64> {
    sets.iter().map(|set| difference(set, first, second)).collect()
}

fn pair(sets: &[Vec<GameReport>], first: Player, second: Player) -> PairReport {
    PairReport { first, second, difference: Estimate::of(&differences(sets, first, second)) }
}

impl SprtReport {
    fn new(sprt: Sprt, differences: &[f64]) -> Self {
        let (ratio, verdict) = (sprt.ratio(differences), sprt.verdict(differences));
        Self { effect: sprt.effect, ratio, verdict }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, sets, seats, seed, without_winner, .. } = self;
        writeln!(f, "{games} games in {sets} sets, {seats} seats, seed {seed}")?;
        if !self.is_complete() {
            writeln!(f, "interrupted: {} sets planned", self.planned)?;
        }
        let Rounds { shortest, mean, longest } = self.rounds;
        writeln!(f, "rounds: {shortest} to {longest}, {mean:.1} on average")?;
        let AutomataReport { level, won, refused } = self.automata;
        write!(f, "won by the automated seat ({level}): {won}; ")?;
        writeln!(f, "without a winner: {without_winner}")?;
        let endings = self.endings.iter().map(|(rule, games)| format!("{games} by rule {rule}"));
        writeln!(f, "games ended: {}", endings.collect::<Vec<_>>().join(", "))?;
        writeln!(f)?;
        write!(
            f,
            "{:10} {:>18} {:>18} {:>8} {:>14}",
            "player", "score", "won", "points", "rating"
        )?;
        writeln!(f, "  decisions   mean ms    p99 ms    max ms  refused")?;
        self.players.iter().try_for_each(|player| writeln!(f, "{player}"))?;
        writeln!(f)?;
        self.write_seats(f)?;
        self.write_spreads(f)?;
        self.pairs.iter().try_for_each(|pair| writeln!(f, "{pair}"))?;
        self.sprt.iter().try_for_each(|sprt| writeln!(f, "{sprt}"))?;
        writeln!(f, "rejected orders of the automated seat: {refused}")?;
        write!(f, "Intervals are 95%, over sets. {}", self.score)
    }
}

impl Report {
    fn write_seats(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.places.is_empty() {
            return Ok(());
        }
        let width = self.places.iter().map(|place| place.name.chars().count()).max().unwrap_or(0);
        let width = width.max("seat".len());
        write!(f, "{:width$}", "seat")?;
        for player in &self.players {
            write!(f, " {:>18} {:>5} {:>5}", player.player, "games", "won")?;
        }
        writeln!(f)?;
        for place in &self.places {
            write!(f, "{:width$}", place.name)?;
            for &PlaceReport { games, score, won, .. } in &place.players {
                let score = match games {
                    0 => String::new(),
                    1 => format!("{:.3}", score.mean),
                    _ => score.to_string(),
                };
                write!(f, " {score:>18} {games:>5} {won:>5}")?;
            }
            writeln!(f)?;
        }
        writeln!(f)
    }

    /// Writes the distribution of points in games for one player, because wins say little there.
    fn write_spreads(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seats > 1 {
            return Ok(());
        }
        writeln!(f, "points        least      25%   median      75%     most")?;
        for player in &self.players {
            write!(f, "{:10}", player.player)?;
            player.spread.iter().try_for_each(|points| write!(f, " {points:>8}"))?;
            writeln!(f)?;
        }
        writeln!(f)?;
        for player in self.players.iter().filter(|player| !player.grades.is_empty()) {
            let grades = player.grades.iter().map(|(grade, games)| format!("{games} x {grade}"));
            writeln!(f, "{:10} {}", player.player, grades.collect::<Vec<_>>().join(", "))?;
        }
        writeln!(f)
    }
}

impl fmt::Display for GameReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seat = |&SeatScore { player, score, won, .. }: &SeatScore| {
            format!("{player} {score:.3}{}", if won { " won" } else { "" })
        };
        let seats = self.seats.iter().map(seat).collect::<Vec<_>>().join(", ");
        let Self { seed, set, rounds, summary, rule, .. } = self;
        write!(f, "seed {seed}, set {set}: {seats}; {rounds} rounds; {summary} (rule {rule})")
    }
}

impl fmt::Display for PlayerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = self.score.to_string();
        let wins = format!("{:.1}% ± {:.1}", self.wins.mean * 100.0, self.wins.margin * 100.0);
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        let Times { mean, p99, longest } = self.times;
        let rating = format!("{:.1} ± {:.1}", self.rating.mean, self.rating.margin);
        let Self { player, points, decisions, refused, .. } = self;
        write!(f, "{player:10} {score:>18} {wins:>18} {points:>8.3} {rating:>14}")?;
        write!(f, " {decisions:>10} ")?;
        write!(f, "{:>9.3} {:>9.3} {:>9.3} {refused:>8}", ms(mean), ms(p99), ms(longest))
    }
}

impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { effect, ratio, verdict } = self;
        let found = match verdict {
            Verdict::Better => "the first player is better",
            Verdict::NotBetter => "the first player is not better",
            Verdict::Undecided => "undecided",
        };
        write!(f, "sequential test of effect {effect} against 0: {found}; ")?;
        write!(f, "log-likelihood ratio {ratio:.2}, decided at ±{:.2}", Sprt::BOUND)
    }
}

impl fmt::Display for PairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second, difference } = self;
        let Estimate { mean, margin } = difference;
        let (low, high) = (difference.low(), difference.high());
        write!(f, "{first} over {second}: {mean:+.3} ± {margin:.3} ({low:+.3} to {high:+.3})")
    }
}
