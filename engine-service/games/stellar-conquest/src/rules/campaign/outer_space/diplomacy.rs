//! Chapter 8: diplomatic events and their branches.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::campaign::outer_space::lots::{draw_lot, powers_left, throw_two};
use crate::rules::campaign::outer_space::partings::{drop_incidents, free_conquests};
use crate::rules::campaign::outer_space::peace::make_peace;
use crate::rules::referee::Referee;
use crate::state::campaign::politics::{Incident, Quarrel, Relation};
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::campaign::war::{War, WarKind};
use crate::tables::borders::borders;
use crate::tables::outer_space::{Happening, Talks};
use crate::tables::stars::StarId;

/// P4: talks in a truce, otherwise the dice of diplomacy; nothing in the first stage (5.3).
pub(super) fn space_diplomacy(referee: &mut Referee<'_>) {
    let politics = referee.politics();
    let Some(modifier) = politics.era.modifier() else { return };
    if politics.war.as_ref().is_some_and(|war| war.truce) {
        return hold_talks(referee);
    }
    let dice = throw_two(referee, "diplomacy", 0);
    let happening = Happening::of(dice[0] + dice[1] + modifier);
    let pair = if happening == Happening::Talks { None } else { draw_pair(referee) };
    let relation = pair.map(|[one, other]| referee.politics().relation(one, other));
    referee.announce_politics(PoliticsEvent::Rolled { dice, modifier, happening, pair, relation });
    match pair {
        Some([one, other]) => happen(referee, happening, one, other),
        None if happening == Happening::Talks => hold_talks(referee),
        None => {}
    }
}

/// 8.1, DR-26: two different powers; in a dispute the claimant comes first.
fn draw_pair(referee: &mut Referee<'_>) -> Option<[Seat; 2]> {
    let mut powers: Vec<Seat> = powers_left(referee).iter().collect();
    if powers.len() < 2 {
        return None;
    }
    let first = draw_lot(referee, "pair", 0, powers.len());
    let one = powers.remove(first);
    let second = draw_lot(referee, "pair", 1, powers.len());
    Some([one, powers[second]])
}

/// 8.2: what an event does to two powers.
pub(super) fn happen(referee: &mut Referee<'_>, happening: Happening, one: Seat, other: Seat) {
    let total = happening == Happening::TotalWar;
    match referee.politics().relation(one, other) {
        Relation::Enemies => {}
        Relation::Allies => match happening {
            Happening::Blunder => {
                let offended = [one, other][draw_lot(referee, "offended", 0, 2)];
                leave_war(referee, offended);
            }
            Happening::Dispute => change_sides(referee, other),
            Happening::Talks | Happening::LimitedWar | Happening::TotalWar => {}
        },
        Relation::OneAtWar => take_sides(referee, one, other),
        Relation::NeutralToAWar if total || happening == Happening::LimitedWar => {
            join_opposite_sides(referee, one, other);
        }
        Relation::AtPeace if total => begin_war(referee, one, other, WarKind::Total),
        Relation::AtPeace if happening == Happening::LimitedWar => {
            begin_war(referee, one, other, WarKind::Limited);
        }
        Relation::NeutralToAWar | Relation::AtPeace => fall_out(referee, happening, one, other),
    }
    if total && referee.politics().war.as_ref().is_some_and(|war| war.kind == WarKind::Limited) {
        referee.announce_politics(PoliticsEvent::Escalated);
    }
    drop_incidents(referee);
}

fn begin_war(referee: &mut Referee<'_>, one: Seat, other: Seat, kind: WarKind) {
    let war = War::between(one, other, kind, referee.table().players);
    referee.announce_politics(PoliticsEvent::WarBegan(war));
}

/// The neutral one of two joins against the other.
fn take_sides(referee: &mut Referee<'_>, one: Seat, other: Seat) {
    let at_war =
        |seat| referee.politics().war.as_ref().is_some_and(|war| war.side_of(seat).is_some());
    let (seat, against) = if at_war(one) { (other, one) } else { (one, other) };
    referee.announce_politics(PoliticsEvent::Joined { seat, against });
}

/// DR-19: the first joins the side that a die says, the other one the other.
fn join_opposite_sides(referee: &mut Referee<'_>, one: Seat, other: Seat) {
    let Some(war) = referee.politics().war.clone() else { return };
    let odd = referee.roll("side", 0, 0) % 2 == 1;
    let sides = war.sides.map(|side| side.iter().next());
    let [Some(first), Some(second)] = sides else { return };
    let (friend, enemy) = if odd { (first, second) } else { (second, first) };
    referee.announce_politics(PoliticsEvent::Joined { seat: one, against: enemy });
    referee.announce_politics(PoliticsEvent::Joined { seat: other, against: friend });
}

/// An ally makes a separate peace: it and its enemies leave each other's stars.
fn leave_war(referee: &mut Referee<'_>, seat: Seat) {
    let enemies =
        referee.politics().war.as_ref().map_or(SeatSet::EMPTY, |war| war.enemies_of(seat));
    referee.announce_politics(PoliticsEvent::LeftWar { seat });
    free_conquests(referee, SeatSet::one(seat), enemies);
}

/// The owner of a disputed star changes sides: it and its old enemies leave each other's stars.
fn change_sides(referee: &mut Referee<'_>, seat: Seat) {
    let enemies =
        referee.politics().war.as_ref().map_or(SeatSet::EMPTY, |war| war.enemies_of(seat));
    referee.announce_politics(PoliticsEvent::ChangedSides { seat });
    free_conquests(referee, SeatSet::one(seat), enemies);
}

/// Two neutrals: a clash, or a dispute about a border star of the second (9). A pair has one
/// incident.
fn fall_out(referee: &mut Referee<'_>, happening: Happening, one: Seat, other: Seat) {
    if referee.politics().incident(one, other).is_some() {
        return;
    }
    let star =
        if happening == Happening::Dispute { disputed_star(referee, one, other) } else { None };
    let quarrel = star.map_or(Quarrel::Clash { tension: 0 }, |star| Quarrel::Dispute { star });
    let incident = Incident { pair: [one, other], quarrel };
    referee.announce_politics(PoliticsEvent::IncidentBegan(incident));
}

/// A random border star of the owner towards the claimant.
fn disputed_star(referee: &mut Referee<'_>, claimant: Seat, owner: Seat) -> Option<StarId> {
    let politics = referee.politics();
    let theirs: Vec<StarId> = politics.claims_of(claimant).collect();
    let on_border = |star: &StarId| theirs.iter().any(|&other| borders(*star, other));
    let stars: Vec<StarId> = politics.claims_of(owner).filter(on_border).collect();
    if stars.is_empty() {
        return None;
    }
    let nth = draw_lot(referee, "disputed-star", 0, stars.len());
    Some(stars[nth])
}

/// 8.3: failure resumes a war in truce (8.4).
pub(super) fn hold_talks(referee: &mut Referee<'_>) {
    let Some(war) = referee.politics().war.clone() else { return };
    let modifier = referee.politics().talks_modifier(powers_left(referee));
    let dice = throw_two(referee, "talks", 0);
    let talks = Talks::of(dice[0] + dice[1] + modifier);
    referee.announce_politics(PoliticsEvent::Talked { dice, modifier, talks });
    match talks {
        Talks::Treaty => make_peace(referee),
        Talks::Truce if !war.truce => {
            referee.announce_politics(PoliticsEvent::TruceChanged { truce: true });
        }
        Talks::Failure if war.truce => {
            referee.announce_politics(PoliticsEvent::TruceChanged { truce: false });
        }
        Talks::Truce | Talks::Failure => {}
    }
}
