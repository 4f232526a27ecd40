//! Rule 10, `private_battles`: a battle of others that the viewer knows is fought, and nothing more.

use heliopause_kernel::Seat;

use super::Sampler;
use super::colonies::Wanted;
use crate::attack_table::Arm;
use crate::battle::{Battle, Condition, Subject, Unit};
use crate::board::Place;
use crate::colony::Bases;
use crate::stars::StarId;
use crate::table::Stage;

/// Where it is fought, and by whom.
#[derive(Clone, Copy)]
pub(super) struct Hidden {
    pub(super) at: Place,
    pub(super) attacker: Seat,
    pub(super) defender: Seat,
    /// Whether a colony is attacked.
    pub(super) colony: bool,
}

impl Sampler<'_> {
    /// Finds a place for the battle that is hidden from the viewer. Where no ships of others meet a colony is attacked; then
    /// that colony is wanted too.
    pub(super) fn hidden_battle(&self, wanted: &mut Vec<Wanted>) -> Option<Hidden> {
        if self.table.stage != Stage::Battle || self.table.battle.is_some() || !self.table.options.private_battles {
            return None;
        }
        let hexes = || StarId::all().map(StarId::at);
        let absent = |at: Place| self.me.is_none_or(|me| !self.table.has_ships(me, at));
        let active = self.others().find(|&seat| seat == self.table.active);
        let pairs = hexes().filter(|&at| absent(at)).filter_map(|at| {
            let seats: Vec<Seat> = self.others().filter(|&seat| self.table.has_ships(seat, at)).collect();
            seats.first().zip(seats.get(1)).map(|(&one, &other)| (at, one, other))
        });
        // The player on turn attacks, unless somebody who withdrew does (BR-11).
        let best = pairs.min_by_key(|&(_, one, other)| active != Some(one) && active != Some(other));
        if let Some((at, one, other)) = best {
            let (attacker, defender) = if active == Some(other) { (other, one) } else { (one, other) };
            return Some(Hidden { at, attacker, defender, colony: false });
        }
        let attacker = active?;
        let is_open = |star: StarId| self.table.has_ships(attacker, star.at()) && absent(star.at());
        let bases = Some(Bases { missile: 1, advanced: 0 });
        // A colony that is known to be there has room for certain.
        let known =
            wanted.iter_mut().find(|row| row.owner != attacker && Some(row.owner) != self.me && is_open(row.star));
        if let Some(row) = known {
            row.bases = bases;
            return Some(Hidden { at: row.star.at(), attacker, defender: row.owner, colony: true });
        }
        let defender = self.others().find(|&seat| seat != attacker)?;
        // So there is where the viewer knows no card.
        let knows = |star: &StarId| self.own.is_some_and(|own| own.chart(*star).card.is_some());
        let star = StarId::all().filter(|&star| is_open(star)).min_by_key(knows)?;
        wanted.push(Wanted { bases, ..Wanted::new(defender, star, None) });
        Some(Hidden { at: star.at(), attacker, defender, colony: true })
    }

    /// Lets it be fought: everything there takes part, and the attacker aims.
    pub(super) fn hide_battle(&mut self, hidden: Option<Hidden>) {
        let Some(Hidden { at, attacker, defender, colony }) = hidden else { return };
        let seats = if colony { vec![attacker] } else { vec![attacker, defender] };
        let mut units = Vec::new();
        for seat in seats {
            let power = &mut self.powers[seat.index()];
            let ships: Vec<_> = power.ships_at(at).map(|ship| (ship.number, ship.kind())).collect();
            power.engaged = ships.iter().map(|&(number, _)| number).collect();
            let unit =
                |&(_, kind)| Unit { owner: seat, arm: Arm::Ship(kind), planet: None, condition: Condition::Fighting };
            units.extend(ships.iter().map(unit));
        }
        let mut subject = Subject::Ships;
        if colony {
            let attacked = self.powers[defender.index()]
                .colonies
                .iter()
                .find(|colony| colony.planet.star.at() == at && colony.bases.missile > 0);
            let Some(attacked) = attacked else { return };
            subject = Subject::Colonies { planets: vec![attacked.planet.nth] };
            units.extend((0..attacked.bases.missile).map(|_| Unit {
                owner: defender,
                arm: Arm::MissileBase,
                planet: Some(attacked.planet.nth),
                condition: Condition::Fighting,
            }));
        }
        self.table.battle = Some(Box::new(Battle::new(at, attacker, subject, units)));
    }
}
