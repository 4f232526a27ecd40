//! Sampling of a battle that is hidden from the viewer by `private_battles` (rule 10).

use heliopause_kernel::{Seat, SeatSet};

use crate::client::sample::sampler::{RequiredColony, Sampler};
use crate::state::{Bases, Battle, BattleStage, Condition, ShipNumber, Stage, Subject, Unit};
use crate::tables::{Arm, CardId, Place, ShipKind, StarId};

#[derive(Clone, Copy)]
pub(super) struct HiddenBattle {
    pub(super) at: Place,
    pub(super) attacker: Seat,
    pub(super) defender: Seat,
    pub(super) colony: bool,
}

impl Sampler<'_> {
    /// Chooses the hex and the sides of a battle that is hidden from the viewer. Returns `None` if
    /// no battle is hidden or no hex is suitable. If no ships of other players meet, a colony is
    /// attacked, and `wanted` requires that colony with a base.
    pub(super) fn hidden_battle(&self, wanted: &mut Vec<RequiredColony>) -> Option<HiddenBattle> {
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
        // The active player attacks, unless withdrawn ships attack (BR-11).
        let best =
            pairs.min_by_key(|&(_, one, other)| active != Some(one) && active != Some(other));
        if let Some((at, one, other)) = best {
            let (attacker, defender) =
                if active == Some(other) { (other, one) } else { (one, other) };
            return Some(HiddenBattle { at, attacker, defender, colony: false });
        }
        let attacker = active.or_else(|| self.others().next())?;
        let attacks = |star: StarId| self.table.has_ships(attacker, star.at());
        let bases = Some(Bases { missile: 1, advanced: 0 });
        // Prefer a colony that is already required, because a card certainly fits it.
        let known = wanted.iter_mut().find(|row| {
            row.owner != attacker
                && Some(row.owner) != self.me
                && attacks(row.star)
                && absent(row.star.at())
        });
        if let Some(row) = known {
            row.bases = bases;
            return Some(HiddenBattle {
                at: row.star.at(),
                attacker,
                defender: row.owner,
                colony: true,
            });
        }
        let defender = self.others().find(|&seat| seat != attacker)?;
        // If the attacker has no ships at a suitable star, its attacking ships count as destroyed.
        let star =
            StarId::ALL.into_iter().filter(|&star| absent(star.at())).max_by_key(|&star| {
                let (cards, is_unknown) = self.room(star, wanted);
                (cards > 0, attacks(star), is_unknown, cards)
            })?;
        wanted.push(RequiredColony { bases, ..RequiredColony::new(defender, star, None) });
        Some(HiddenBattle { at: star.at(), attacker, defender, colony: true })
    }

    /// Returns how many possible cards have room for one more colony, and whether the star's card
    /// is unknown.
    fn room(&self, star: StarId, wanted: &[RequiredColony]) -> (usize, bool) {
        let known = |star: StarId| self.own.and_then(|own| own.chart(star).card);
        let own = self.own.map_or(0, |own| own.colonies_of(star).count());
        let taken = own + wanted.iter().filter(|row| row.star == star).count();
        let is_roomy = |card: &CardId| card.planets().len() > taken;
        if let Some(card) = known(star) {
            return (usize::from(is_roomy(&card)), false);
        }
        let elsewhere: Vec<CardId> = StarId::ALL.into_iter().filter_map(known).collect();
        let cards =
            CardId::deck(star.color()).filter(|card| is_roomy(card) && !elsewhere.contains(card));
        (cards.count(), true)
    }

    pub(super) fn start_hidden_battle(&mut self, hidden: Option<HiddenBattle>) {
        let Some(HiddenBattle { at, attacker, defender, colony }) = hidden else { return };
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
        if colony && self.add_bases(&mut battle, defender).is_none() {
            return;
        }
        self.table.battle = Some(Box::new(battle));
    }

    fn add_bases(&mut self, battle: &mut Battle, defender: Seat) -> Option<()> {
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

    /// Adds a destroyed ship of the attacker. The defender then decides which factories to destroy.
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
