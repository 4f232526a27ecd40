//! The worth of a state to a seat, in thousandths of a credit.

use heliopause_kernel::{Game as _, Seat, Viewer};
use heliopause_starships::{
    DeathStar, EndReason, Insight, Marker, Secrets, Stage, Starships, Status, Table,
};

const CREDIT: i32 = 1_000;
pub(super) const WORST: i32 = -10 * CREDIT;
/// Worth of each planet above the mean of the others, as in a tournament's score.
const PLANET: i32 = 100;
/// Maximum worth of planets. A credit is always worth more.
const PLANETS_CAP: i32 = 490;
const OTHERS_PERCENT: i32 = 100;
const OUT: i32 = -300;

pub(super) fn for_player(game: &Starships, seat: Seat) -> i32 {
    let view = game.view(Viewer::GameMaster);
    let Insight::GameMaster(secrets) = &view.insight else { return WORST };
    let table = &view.table;
    let others = table.seats().filter(|&other| other != seat);
    let prospects = |seat| prospects(table, secrets, seat);
    let (mut envied, mut count) = (0, 0);
    for other in others {
        envied += prospects(other);
        count += 1;
    }
    let envy = if count == 0 { 0 } else { envied * OTHERS_PERCENT / 100 / count };
    let planets = (relative(secrets, table, seat) * f64::from(PLANET)) as i32;
    prospects(seat) - envy + planets.clamp(-PLANETS_CAP, PLANETS_CAP)
}

/// Returns the worth to the Death Star. The defeat of all players counts most, then destroyed
/// hexes, zones, and lost starships and bases.
pub(super) fn for_death_star(game: &Starships, _seat: Seat) -> i32 {
    let table = game.view(Viewer::Spectator).table;
    let destroyed =
        table.shown.iter().flatten().filter(|note| note.marker == Marker::Destroyed).count() as i32;
    let harm = 60 * destroyed + 8 * table.zones.len() as i32
        - 5 * table.ships.len() as i32
        - 50 * table.bases.len() as i32;
    match (table.stage, table.death_star) {
        (Stage::Over(ending), _)
            if matches!(ending.reason, EndReason::AllOut | EndReason::DeathStar) =>
        {
            4 * CREDIT
        }
        (Stage::Over(_), _) | (_, DeathStar::Gone) => harm - 2 * CREDIT,
        _ => harm,
    }
}

pub(super) fn expected_credits(game: &Starships, seat: Seat) -> i32 {
    let view = game.view(Viewer::GameMaster);
    let Insight::GameMaster(secrets) = &view.insight else { return WORST };
    let planets = secrets.own[seat.index()].planets.len() as i32;
    prospects(&view.table, secrets, seat) + PLANET * planets
}

pub(super) fn relative_planets(game: &Starships) -> Vec<f64> {
    let view = game.view(Viewer::GameMaster);
    let Insight::GameMaster(secrets) = &view.insight else { return Vec::new() };
    view.table.seats().map(|seat| relative(secrets, &view.table, seat)).collect()
}

fn relative(secrets: &Secrets, table: &Table, seat: Seat) -> f64 {
    let count = |seat: Seat| secrets.own[seat.index()].planets.len() as f64;
    let others = table.players().saturating_sub(1);
    if others == 0 {
        return count(seat);
    }
    let theirs: f64 = table.seats().filter(|&other| other != seat).map(count).sum();
    count(seat) - theirs / others as f64
}

fn prospects(table: &Table, secrets: &Secrets, seat: Seat) -> i32 {
    if let Stage::Over(ending) = table.stage {
        return CREDIT * i32::from(ending.credits.of(seat));
    }
    let hope = match table.status(seat) {
        Some(Status::Alliance) => expected_as_member(table, secrets, seat),
        Some(Status::Independent) => expected_as_independent(table, secrets, seat),
        Some(Status::Exiled { .. }) => 0,
        _ => return OUT,
    };
    // While the Death Star is active, no player can win and all may lose.
    if matches!(table.death_star, DeathStar::Active { .. }) { hope / 2 } else { hope }
}

/// Returns a member's expected credits, which rise as the Alliance approaches victory (rule 9).
fn expected_as_member(table: &Table, secrets: &Secrets, seat: Seat) -> i32 {
    let members = || table.living().filter(|&other| table.is_member(other));
    let live: i32 = members().map(|other| live_planets(secrets, other)).sum();
    let planets = |seat: Seat| secrets.own[seat.index()].planets.len();
    let better = members().filter(|&other| other != seat && planets(other) > planets(seat)).count();
    let equal = members().filter(|&other| other != seat && planets(other) == planets(seat)).count();
    let share = match (better, equal) {
        (0, 0 | 1) => 900,
        (1, 0) => 700,
        (0 | 1, _) => 450,
        _ => 150,
    };
    share * live.min(needed(table)) / needed(table)
}

/// Returns an Independent's expected credits (rule 9): two for planets alone, or one for the lead.
fn expected_as_independent(table: &Table, secrets: &Secrets, seat: Seat) -> i32 {
    let live = live_planets(secrets, seat).min(needed(table));
    let planets = |seat: Seat| secrets.own[seat.index()].planets.len() as i32;
    let best = table.seats().filter(|&other| other != seat).map(planets).max().unwrap_or(0);
    let lead = planets(seat) - best;
    2 * CREDIT * live * live / (needed(table) * needed(table)) + (300 + 150 * lead).clamp(0, 600)
}

fn needed(table: &Table) -> i32 {
    i32::from(table.options.live_planets_to_win).max(1)
}

fn live_planets(secrets: &Secrets, seat: Seat) -> i32 {
    secrets.own[seat.index()]
        .planets
        .iter()
        .filter(|at| secrets.markers[at.index()].is_live())
        .count() as i32
}
