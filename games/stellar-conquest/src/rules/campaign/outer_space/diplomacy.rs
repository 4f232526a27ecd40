//! Chapter 8: diplomatic events and their branches.

use heliopause_kernel::{Seat, SeatSet};

use crate::rules::campaign::outer_space::lots::{draw_lot, remaining_powers, roll_two};
use crate::rules::campaign::outer_space::partings::{drop_incidents, free_conquests};
use crate::rules::campaign::outer_space::peace::make_peace;
use crate::rules::referee::Referee;
use crate::state::{Incident, PoliticsEvent, Quarrel, Relation, War, WarKind};
use crate::tables::StarId;
use crate::tables::borders::borders;
use crate::tables::outer_space::{Happening, Talks};

/// Plays step P4, with talks in a truce and a diplomatic event otherwise. The first stage has
/// neither (5.3).
pub(super) fn space_diplomacy(referee: &mut Referee<'_>) {
    let politics = referee.politics();
    let Some(modifier) = politics.era.modifier() else { return };
    if politics.war.as_ref().is_some_and(|war| war.truce) {
        return hold_talks(referee);
    }
    let dice = roll_two(referee, "diplomacy", 0);
    let happening = Happening::of(dice[0] + dice[1] + modifier);
    let pair = if happening == Happening::Talks { None } else { draw_pair(referee) };
    let relation = pair.map(|[one, other]| referee.politics().relation(one, other));
    referee.publish_politics(PoliticsEvent::Rolled {
        dice,
        modifier,
        diplomatic_event: happening,
        pair,
        relation,
    });
    match pair {
        Some([one, other]) => happen(referee, happening, one, other),
        None if happening == Happening::Talks => hold_talks(referee),
        None => {}
    }
}

/// Draws two different powers, or returns `None` if fewer than two are left. In a dispute, the
/// first power is the claimant (8.1, DR-26).
fn draw_pair(referee: &mut Referee<'_>) -> Option<[Seat; 2]> {
    let mut powers: Vec<Seat> = remaining_powers(referee).iter().collect();
    if powers.len() < 2 {
        return None;
    }
    let first = draw_lot(referee, "pair", 0, powers.len());
    let one = powers.remove(first);
    let second = draw_lot(referee, "pair", 1, powers.len());
    Some([one, powers[second]])
}

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
        Relation::NeutralToAWar | Relation::AtPeace => {
            start_incident(referee, happening, one, other);
        }
    }
    if total && referee.politics().war.as_ref().is_some_and(|war| war.kind == WarKind::Limited) {
        referee.publish_politics(PoliticsEvent::Escalated);
    }
    drop_incidents(referee);
}

fn begin_war(referee: &mut Referee<'_>, one: Seat, other: Seat, kind: WarKind) {
    let war = War::between(one, other, kind, referee.table().players);
    referee.publish_politics(PoliticsEvent::WarBegan(war));
}

fn take_sides(referee: &mut Referee<'_>, one: Seat, other: Seat) {
    let at_war =
        |seat| referee.politics().war.as_ref().is_some_and(|war| war.side_of(seat).is_some());
    let (seat, against) = if at_war(one) { (other, one) } else { (one, other) };
    referee.publish_politics(PoliticsEvent::Joined { seat, against });
}

/// Lets a die choose the first power's side. The second joins the other side (DR-19).
fn join_opposite_sides(referee: &mut Referee<'_>, one: Seat, other: Seat) {
    let Some(war) = referee.politics().war.clone() else { return };
    let odd = referee.roll("side", 0, 0) % 2 == 1;
    let sides = war.sides.map(|side| side.iter().next());
    let [Some(first), Some(second)] = sides else { return };
    let (friend, enemy) = if odd { (first, second) } else { (second, first) };
    referee.publish_politics(PoliticsEvent::Joined { seat: one, against: enemy });
    referee.publish_politics(PoliticsEvent::Joined { seat: other, against: friend });
}

/// Makes a separate peace for an ally. The ally and its enemies leave each other's stars.
fn leave_war(referee: &mut Referee<'_>, seat: Seat) {
    let enemies =
        referee.politics().war.as_ref().map_or(SeatSet::EMPTY, |war| war.enemies_of(seat));
    referee.publish_politics(PoliticsEvent::LeftWar { seat });
    free_conquests(referee, SeatSet::one(seat), enemies);
}

/// Moves the owner of a disputed star to the other side. Old enemies leave each other's stars.
fn change_sides(referee: &mut Referee<'_>, seat: Seat) {
    let enemies =
        referee.politics().war.as_ref().map_or(SeatSet::EMPTY, |war| war.enemies_of(seat));
    referee.publish_politics(PoliticsEvent::ChangedSides { seat });
    free_conquests(referee, SeatSet::one(seat), enemies);
}

/// Starts a clash, or a dispute over a star of the second power, unless the pair has one (9).
fn start_incident(referee: &mut Referee<'_>, happening: Happening, one: Seat, other: Seat) {
    if referee.politics().incident(one, other).is_some() {
        return;
    }
    let star =
        if happening == Happening::Dispute { disputed_star(referee, one, other) } else { None };
    let quarrel = star.map_or(Quarrel::Clash { tension: 0 }, |star| Quarrel::Dispute { star });
    let incident = Incident { pair: [one, other], quarrel };
    referee.publish_politics(PoliticsEvent::IncidentBegan(incident));
}

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

pub(super) fn hold_talks(referee: &mut Referee<'_>) {
    let Some(war) = referee.politics().war.clone() else { return };
    let modifier = referee.politics().talks_modifier(remaining_powers(referee));
    let dice = roll_two(referee, "talks", 0);
    let talks = Talks::of(dice[0] + dice[1] + modifier);
    referee.publish_politics(PoliticsEvent::Talked { dice, modifier, talks });
    match talks {
        Talks::Treaty => make_peace(referee),
        Talks::Truce if !war.truce => {
            referee.publish_politics(PoliticsEvent::TruceChanged { truce: true });
        }
        Talks::Failure if war.truce => {
            referee.publish_politics(PoliticsEvent::TruceChanged { truce: false });
        }
        Talks::Truce | Talks::Failure => {}
    }
}
