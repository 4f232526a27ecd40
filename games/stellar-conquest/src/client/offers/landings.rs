//! Offers of landings, grouped by loyalty and planet.

use heliopause_kernel::Seat;
use heliopause_kernel::offer::Draft;

use crate::client::notation::words::write_planet;
use crate::client::offers::slots::{offer, place_value};
use crate::rules::most::most;
use crate::state::{Load, Order, SeatView, ShipNumber};
use crate::tables::{PlanetId, PlanetType, StarId};

/// Bounds the search for the smallest landing. The largest minimum garrison is 5 (fate 8.5).
const FEWEST_MAX: usize = 6;

type LoyaltyGroup = (Option<Seat>, Vec<(ShipNumber, Load)>);

impl SeatView<'_> {
    pub(super) fn offer_landings_at(&self, draft: &mut Draft<Order>, star: StarId) -> bool {
        let Some(card) = self.power.chart(star).card else { return true };
        let mut companies: Vec<LoyaltyGroup> = Vec::new();
        for ship in self.power.ships_at(star.at()) {
            let Some(load) = ship.load() else { continue };
            match companies.iter_mut().find(|(people, _)| *people == load.captives_of) {
                Some((_, ships)) => ships.push((ship.number, load)),
                None => companies.push((load.captives_of, vec![(ship.number, load)])),
            }
        }
        let mut complete = true;
        for (_, transports) in companies {
            for (nth, world) in card.planets().iter().enumerate() {
                let planet = PlanetId { star, nth: nth as u8 };
                let fits = |load: &Load| {
                    load.from != Some(planet) && (load.cet || world.kind != PlanetType::Barren)
                };
                let fit: Vec<_> =
                    transports.iter().copied().filter(|(_, load)| fits(load)).collect();
                complete &= self.offer_landings_on(draft, planet, &fit);
            }
        }
        complete
    }

    /// Offers landings on one planet. Under space 7.2, transports that could settle a better planet
    /// can land here only together with at least one transport that could not.
    fn offer_landings_on(
        &self,
        draft: &mut Draft<Order>,
        planet: PlanetId,
        fit: &[(ShipNumber, Load)],
    ) -> bool {
        let mut loads: Vec<Load> = fit.iter().map(|(_, load)| *load).collect();
        loads.sort_unstable();
        loads.dedup();
        let lands = |ships: &[ShipNumber]| self.judge_land(ships, planet).is_ok();
        let alike =
            |load: Load| fit.iter().filter(move |(_, own)| *own == load).map(|(ship, _)| *ship);
        // Only Alone in Outer Space distinguishes loads here. In The Fate of Empire, one transport
        // can be too few for a garrison, whatever its load.
        let alone = |load: Load| {
            let ships: Vec<ShipNumber> = alike(load).collect();
            self.table.campaign.politics().is_none() || lands(&ships[..1])
        };
        let (able, others): (Vec<Load>, Vec<Load>) = loads.iter().partition(|load| alone(**load));
        let ships_of = |loads: &[Load]| -> Vec<ShipNumber> {
            loads.iter().flat_map(|load| alike(*load)).collect()
        };
        let (leaders, rest) = (ships_of(&able), ships_of(&others));
        let one_of_each: Vec<ShipNumber> =
            others.iter().filter_map(|load| alike(*load).next()).collect();
        let complete = one_of_each.is_empty() || !lands(&one_of_each);
        let all: Vec<ShipNumber> = leaders.iter().chain(&rest).copied().collect();
        let few = (1..=leaders.len().min(FEWEST_MAX)).find(|&count| lands(&leaders[..count]));
        let Some(few) = few else { return complete };
        let many = few
            + most((all.len() - few) as u32, |more| lands(&all[..few + more as usize])) as usize;
        draft.group("Landings");
        let by_themselves =
            self.ships_slot(draft, "ships", &leaders, few as u32, many.min(leaders.len()) as u32);
        let (at, colony) = (place_value(draft, planet.star.at()), write_planet(planet));
        offer!(draft, "land", colony, planet).at([at]).slot(by_themselves);
        if all.len() <= many && !rest.is_empty() {
            let ships = self.ships_slot(draft, "ships", &leaders, 1, leaders.len() as u32);
            let others = self.ships_slot(draft, "others", &rest, 1, rest.len() as u32);
            offer!(draft, "land/others", colony, planet).at([at]).slot(ships).slot(others);
            return complete;
        }
        for lead in 1..many.min(leaders.len() + 1) {
            if rest.is_empty() {
                break;
            }
            let ships = self.ships_slot(draft, "ships", &leaders, lead as u32, lead as u32);
            let others =
                self.ships_slot(draft, "others", &rest, 1, (many - lead).min(rest.len()) as u32);
            offer!(draft, "land/others", colony, planet).at([at]).slot(ships).slot(others);
        }
        complete
    }
}
