//! Rule 10, `private_battles`: a battle of others that the viewer knows is fought, and nothing
//! more.

use heliopause_kernel::{Seat, SeatSet};

use crate::client::sample::sampler::{Sampler, Wanted};
use crate::state::battle::{Battle, BattleStage, Condition, Subject, Unit};
use crate::state::colony::Bases;
use crate::state::ship::ShipNumber;
use crate::state::table::Stage;
use crate::tables::attack_table::Arm;
use crate::tables::board::Place;
use crate::tables::cards::CardId;
use crate::tables::ships::ShipKind;
use crate::tables::stars::StarId;

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
    /// Finds a place for the battle that is hidden from the viewer. Where no ships of others meet a
    /// colony is attacked; then that colony is wanted too.
    pub(super) fn hidden_battle(&self, wanted: &mut Vec<Wanted>) -> Option<Hidden> {
        if self.table.stage != Stage::Battle
            || self.table.battle.is_some()
            || !self.table.options.private_battles
        {
            return None;
        }
        let hexes = || StarId::ALL.into_iter().map(StarId::at);
        let absent = |at: Place| self.me.is_none_or(|me| !self.table.has_ships(me, at));
        let active = self.others().find(|&seat| seat == self.table.active);
        let pairs = hexes().filter(|&at| absent(at)).filter_map(|at| {
            let seats: Vec<Seat> =
                self.others().filter(|&seat| self.table.has_ships(seat, at)).collect();
            seats.first().zip(seats.get(1)).map(|(&one, &other)| (at, one, other))
        });
        // The player on turn attacks, unless somebody who withdrew does (BR-11).
        let best =
            pairs.min_by_key(|&(_, one, other)| active != Some(one) && active != Some(other));
        if let Some((at, one, other)) = best {
            let (attacker, defender) =
                if active == Some(other) { (other, one) } else { (one, other) };
            return Some(Hidden { at, attacker, defender, colony: false });
        }
        let attacker = active.or_else(|| self.others().next())?;
        let attacks = |star: StarId| self.table.has_ships(attacker, star.at());
        let bases = Some(Bases { missile: 1, advanced: 0 });
        // A colony that is known to be there has room for certain.
        let known = wanted.iter_mut().find(|row| {
            row.owner != attacker
                && Some(row.owner) != self.me
                && attacks(row.star)
                && absent(row.star.at())
        });
        if let Some(row) = known {
            row.bases = bases;
            return Some(Hidden { at: row.star.at(), attacker, defender: row.owner, colony: true });
        }
        let defender = self.others().find(|&seat| seat != attacker)?;
        // If no star where the attacker has ships will do, those that attacked are destroyed.
        let star =
            StarId::ALL.into_iter().filter(|&star| absent(star.at())).max_by_key(|&star| {
                let (cards, is_unknown) = self.room(star, wanted);
                (cards > 0, attacks(star), is_unknown, cards)
            })?;
        wanted.push(Wanted { bases, ..Wanted::new(defender, star, None) });
        Some(Hidden { at: star.at(), attacker, defender, colony: true })
    }

    /// How many cards could lie at a star that have a planet for one more colony, and whether the
    /// viewer does not know it.
    fn room(&self, star: StarId, wanted: &[Wanted]) -> (usize, bool) {
        let known = |star: StarId| self.own.and_then(|own| own.chart(star).card);
        let own = self.own.map_or(0, |own| own.colonies_of(star).count());
        let taken = own + wanted.iter().filter(|row| row.star == star).count();
        let is_roomy = |card: &CardId| card.planets().len() > taken;
        if let Some(card) = known(star) {
            return (usize::from(is_roomy(&card)), false);
        }
        let elsewhere: Vec<CardId> = StarId::ALL.into_iter().filter_map(known).collect();
        let cards =
            CardId::deck(star.colour()).filter(|card| is_roomy(card) && !elsewhere.contains(card));
        (cards.count(), true)
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
            let unit = |&(_, kind)| Unit {
                owner: seat,
                arm: Arm::Ship(kind),
                planet: None,
                condition: Condition::Fighting,
            };
            units.extend(ships.iter().map(unit));
        }
        let mut battle = Battle::new(at, attacker, Subject::Ships, units);
        if colony && self.bombard(&mut battle, defender).is_none() {
            return;
        }
        self.table.battle = Some(Box::new(battle));
    }

    /// Lets the bases of the defender's colony fight; none if there is none.
    fn bombard(&mut self, battle: &mut Battle, defender: Seat) -> Option<()> {
        let colonies = &self.powers[defender.index()].colonies;
        let attacked = colonies
            .iter()
            .find(|colony| colony.planet.star.at() == battle.at && colony.bases.missile > 0)?;
        let (planet, bases) = (attacked.planet.nth, attacked.bases.missile as usize);
        battle.subject = Subject::Colonies { planets: vec![planet] };
        if battle.units.is_empty() {
            self.lose(battle, defender);
        }
        let condition = Condition::Fighting;
        let base = Unit { owner: defender, arm: Arm::MissileBase, planet: Some(planet), condition };
        battle.units.extend(std::iter::repeat_n(base, bases));
        Some(())
    }

    /// The attacker's last ship was destroyed, and who shot it is asked what to scuttle.
    fn lose(&mut self, battle: &mut Battle, defender: Seat) {
        let power = &mut self.powers[battle.attacker.index()];
        power.engaged = vec![power.next_ship];
        power.next_ship = ShipNumber(power.next_ship.0 + 1);
        let arm = Arm::Ship(ShipKind::Corvette);
        battle.units.push(Unit {
            owner: battle.attacker,
            arm,
            planet: None,
            condition: Condition::Destroyed,
        });
        battle.rounds = 1;
        battle.stage = BattleStage::Scuttle { waiting: SeatSet::one(defender) };
    }
}
