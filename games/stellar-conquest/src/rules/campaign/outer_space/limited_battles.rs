//! Rules 7.1, 9.1: battles of one or two rounds.

use heliopause_kernel::Seat;

use crate::rules::battle::line::{bases_at, open_battle};
use crate::rules::battle::stages::Step;
use crate::rules::referee::Referee;
use crate::state::{Battle, BattleEvent, Event, Raid, Side, Subject, Unit};
use crate::tables::{Place, PlanetId, StarId};

pub(crate) fn space_after_limited_round(referee: &mut Referee<'_>) -> Step {
    let battle = referee.battle();
    let (rounds, last_round) = (battle.rounds, battle.last_round.unwrap_or_default());
    let [attackers, defenders] =
        [Side::Attacker, Side::Defender].map(|side| !battle.fleet(side).is_empty());
    let bases = battle.in_line(Side::Defender).next().is_some();
    let is_of_ships = battle.subject == Subject::Ships;
    if rounds >= last_round || !attackers || (!is_of_ships && !bases) {
        return Step::Over;
    }
    if is_of_ships && !defenders {
        let raid =
            StarId::in_hex(battle.at).and_then(|star| referee.politics().raid_at(star)).copied();
        match raid {
            Some(raid) if !bases_of(referee, raid.other, raid.at).is_empty() => {
                show_bases(referee, raid);
            }
            _ => return Step::Over,
        }
    }
    Step::Round
}

pub(crate) fn bases_of(referee: &Referee<'_>, owner: Seat, star: StarId) -> Vec<Unit> {
    let free = referee.power(owner).colonies_of(star).filter(|colony| colony.is_free());
    let planets: Vec<PlanetId> = free.map(|colony| colony.planet).collect();
    planets.into_iter().flat_map(|planet| bases_at(referee, planet)).collect()
}

pub(crate) fn show_bases(referee: &mut Referee<'_>, raid: Raid) {
    let bases = bases_of(referee, raid.other, raid.at);
    let mut planets: Vec<u8> = bases.iter().filter_map(|unit| unit.planet).collect();
    planets.dedup();
    let participants = referee.battle().participants().with(raid.other);
    if referee.table().options.private_battles
        && !referee.battle().participants().contains(raid.other)
    {
        let battle = referee.battle().clone();
        referee.publish_to_seats(
            heliopause_kernel::SeatSet::one(raid.other),
            Event::Battle(BattleEvent::BattleBegan { battle }),
        );
    }
    referee.publish_battle_to(
        participants,
        BattleEvent::ColoniesAttacked { planets, bases, faltered: Vec::new() },
    );
}

/// Starts a battle of one or two rounds, in which no ships can withdraw (DR-39).
pub(crate) fn start_limited_battle(
    referee: &mut Referee<'_>,
    seat: Seat,
    other: Seat,
    at: Place,
    rounds: u8,
) {
    let last_round = Some(u16::from(rounds));
    let battle = Battle { last_round, ..Battle::new(at, seat, Subject::Ships, Vec::new()) };
    open_battle(referee, &[seat, other], battle);
}
