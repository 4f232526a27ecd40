//! Sampling of a state that is consistent with everything a view shows, for look-ahead.
//!
//! The sample is based on the view alone. Facts known to the viewer are copied. The rest is drawn
//! from the likely possibilities: cards not known to be at another star, ships from the groups that
//! hexes show, and colonies where posts, battles or earlier sightings imply them.

mod battle;
mod cards;
mod colonies;
mod sampler;
mod ships;
#[cfg(test)]
mod tests;

use heliopause_kernel::Seat;

use crate::client::sample::sampler::Sampler;
use crate::state::{
    HiddenSighting, Insight, Power, Research, Secrets, Sighting, Stage, StellarConquest, Truth,
    View,
};
use crate::tables::{Fleet, Item, STAR_COUNT, ShipKind, StarId, Tech};

pub(crate) fn sample(view: &View, rng: &mut dyn FnMut() -> u64) -> StellarConquest {
    let table = view.table.clone();
    let decided = vec![0; table.seats()];
    let (me, own) = match &view.insight {
        Insight::GameMaster(truth) => {
            return StellarConquest { table, truth: (**truth).clone(), decided };
        }
        Insight::Seat(seat, own) => (Some(*seat), Some(&**own)),
        Insight::Spectator => (None, None),
    };
    let mut powers = vec![Power::new(); table.seats()];
    if let (Some(seat), Some(own)) = (me, own) {
        powers[seat.index()] = own.clone();
    }
    let secrets = Secrets {
        decks: [const { Vec::new() }; 5],
        cards: Box::new([None; STAR_COUNT]),
        kept: Vec::new(),
    };
    let mut sampler = Sampler { table, me, own, powers, secrets, rng };
    sampler.fill_glimpses();
    let mut wanted = sampler.required_colonies();
    let hidden = sampler.hidden_battle(&mut wanted);
    sampler.deal(&wanted);
    sampler.settle(&wanted);
    sampler.launch(hidden);
    sampler.share_claimed_cards();
    sampler.grant_technologies();
    sampler.besiege();
    sampler.start_hidden_battle(hidden);
    sampler.stack();
    let Sampler { table, powers, secrets, .. } = sampler;
    StellarConquest { table, truth: Truth { powers, secrets }, decided }
}

impl Sampler<'_> {
    fn share_claimed_cards(&mut self) {
        let Some(politics) = self.table.campaign.politics() else { return };
        for star in StarId::ALL {
            let Some(claimant) = politics.claimant(star) else { continue };
            if Some(claimant) != self.me {
                self.powers[claimant.index()].charts[star.index()].card =
                    self.secrets.cards[star.index()];
            }
        }
    }

    fn fill_glimpses(&mut self) {
        let (Some(seat), Some(own)) = (self.me, self.own) else { return };
        for glimpse in &own.glimpses {
            let kinds = [ShipKind::Scout, ShipKind::Transport, ShipKind::Corvette];
            let kind = kinds[self.below(kinds.len())];
            let fleet = Fleet::from_iter([kind]);
            let sighting =
                Sighting { at: glimpse.star.at(), of: glimpse.of, fleet, turn: glimpse.turn };
            self.secrets.kept.push(HiddenSighting { seat, number: glimpse.number, sighting });
        }
    }

    fn grant_technologies(&mut self) {
        let production_turns = usize::from(self.table.turn / 4);
        for seat in self.others() {
            if seat.index() >= self.table.players {
                continue;
            }
            let mut research = self.shown(seat);
            let mut points = 25 + production_turns * production_turns * 8;
            while points > 0 && self.table.turn > 0 {
                let open: Vec<Tech> = Tech::ALL
                    .into_iter()
                    .filter(|&tech| !research.has(tech) && research.owned.opens(tech))
                    .collect();
                if open.is_empty() {
                    break;
                }
                let tech = open[self.below(open.len())];
                let cost = research.missing(tech) as usize;
                if cost > points {
                    break;
                }
                points -= cost;
                research.grant(tech);
            }
            self.powers[seat.index()].research = research;
            if self.table.stage == Stage::Production && self.table.campaign.politics().is_some() {
                // Any order of the remaining titles is possible (space 6.3).
                self.powers[seat.index()].agenda = Tech::ALL.to_vec();
                self.roll_priority(seat);
            }
        }
    }

    fn roll_priority(&mut self, seat: Seat) {
        let die = self.below(6) as u8 + 1;
        if let Some(politics) =
            self.table.campaign.politics_mut().filter(|politics| !politics.is_eliminated(seat))
        {
            politics.priorities[seat.index()] = Some(die);
        }
    }

    /// Returns the technologies that a seat's ships and colonies require.
    fn shown(&self, seat: Seat) -> Research {
        let power = &self.powers[seat.index()];
        let mut items: Vec<Tech> = Vec::new();
        for ship in &power.ships {
            items.extend(match ship.kind() {
                ShipKind::Fighter => Some(Tech::Fighter),
                ShipKind::DeathStar => Some(Tech::DeathStar),
                ShipKind::Scout | ShipKind::Transport | ShipKind::Corvette => None,
            });
        }
        for colony in &power.colonies {
            items.extend((colony.bases.missile > 0).then_some(Tech::MissileBase));
            items.extend((colony.bases.advanced > 0).then_some(Tech::AdvancedMissileBase));
            items.extend(colony.shield.then_some(Tech::PlanetShield));
            let none = Research::default().owned;
            items.extend(
                (colony.factories > 0 && !Item::Factory.is_allowed(none))
                    .then_some(Tech::IndustrialTechnology),
            );
        }
        Research::owning(items.into_iter().collect())
    }
}
