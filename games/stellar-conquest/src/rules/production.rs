//! Rule 17: the production turn. Sheets are judged as a whole and carried out when all are ready.
//!
//! Growth comes first (rule 17.1), so output and bonus are known when sheets are judged. A sheet
//! changes only what its seat owns, so other seats cannot make a legal sheet illegal.

use heliopause_kernel::Seat;

use crate::rules::arrivals::launch;
use crate::rules::campaign::fate::independents::fate_evacuate;
use crate::rules::campaign::hooks::production::after_sheets;
use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::ledger::{Ledger, Site};
use crate::rules::movement::posts::set_post;
use crate::rules::referee::Referee;
use crate::state::{
    Change, Colony, Gone, Hold, Load, Occupation, OwnEvent, PostPlan, ProductionSheet, SeatView,
    Sheet, Stage,
};
use crate::tables::Tech;

impl SeatView<'_> {
    pub(crate) fn judge_production(&self, sheet: &ProductionSheet) -> Verdict {
        if self.table.stage != Stage::Production || self.seat.index() >= self.table.players {
            return refuse!("wrong-phase/production");
        }
        if self.table.campaign.politics().is_some() {
            return refuse!("decreed");
        }
        self.ledger(sheet).map(|_| ())
    }
}

pub(super) fn grow(referee: &mut Referee<'_>) {
    for seat in referee.table().player_seats().collect::<Vec<_>>() {
        for colony in referee.power(seat).colonies.clone() {
            let grown = growth(referee, &colony);
            if grown > 0 {
                let population = colony.population.saturating_add(grown);
                change_colony(referee, seat, Colony { population, grown, ..colony }, Change::Grew);
            }
        }
    }
}

fn growth(referee: &mut Referee<'_>, colony: &Colony) -> u16 {
    if !referee.table().options.fractional_growth {
        return colony.growth();
    }
    let (grown, remainder, dice) = colony.growth_with_fractions();
    if remainder == 0 {
        return grown;
    }
    let object = colony.planet.star.index() as u64 * 4 + u64::from(colony.planet.nth);
    let thrown: u16 =
        (0..u32::from(dice)).map(|nth| u16::from(referee.roll("growth", object, nth))).sum();
    grown + u16::from(thrown <= remainder)
}

pub(super) fn has_nothing_to_produce(referee: &Referee<'_>, seat: Seat) -> bool {
    let seat_view = referee.seat_view(seat);
    let owned = seat_view.power.research.owned;
    seat_view.power.grant == 0
        && seat_view
            .commanded()
            .all(|(owner, colony)| seat_view.output_of(owner, colony, owned) == 0)
}

pub(crate) fn store_production(referee: &mut Referee<'_>, seat: Seat, sheet: ProductionSheet) {
    referee.publish_to_owner(OwnEvent::SheetStored { seat, sheet: Sheet::Production(sheet) });
}

pub(crate) fn carry_out_sheets(referee: &mut Referee<'_>) {
    for seat in referee.table().order.clone() {
        let sheet = referee.seat_view(seat).final_sheet();
        match referee.seat_view(seat).ledger(&sheet) {
            Ok(ledger) => carry_out(referee, seat, &ledger, sheet.posts.as_ref()),
            Err(refusal) => debug_assert!(false, "an accepted sheet can be carried out: {refusal}"),
        }
    }
    close_production(referee);
}

/// Resets state after a production turn, even if the game has ended (rules 15.2, 17.10).
pub(crate) fn close_production(referee: &mut Referee<'_>) {
    for seat in Seat::first(referee.table().seats()) {
        for colony in referee.power(seat).colonies.clone() {
            end_production_of(referee, seat, colony);
        }
    }
    after_sheets(referee);
}

fn carry_out(referee: &mut Referee<'_>, seat: Seat, ledger: &Ledger, posts: Option<&PostPlan>) {
    if ledger.research != referee.power(seat).research {
        let Ledger { research, acquired, .. } = *ledger;
        referee.publish_to_owner(OwnEvent::Researched { seat, research, acquired });
    }
    if referee.power(seat).grant > 0 {
        // Unspent points are lost (fate 4.2 A).
        referee.publish_to_owner(OwnEvent::GrantChanged { seat, points: 0 });
    }
    for site in &ledger.sites {
        finish_site(referee, seat, site);
    }
    let Some(PostPlan { stars: posts }) = posts else { return };
    for star in referee.table().posts_of(seat).collect::<Vec<_>>() {
        if !posts.contains(&star) {
            set_post(referee, seat, star, false);
        }
    }
    for &star in posts {
        if !referee.table().posts_of(seat).any(|post| post == star) {
            set_post(referee, seat, star, true);
        }
    }
}

fn finish_site(referee: &mut Referee<'_>, seat: Seat, site: &Site) {
    let Site { owner, colony, evacuated, .. } = *site;
    if evacuated {
        return fate_evacuate(referee, colony.planet);
    }
    // A colony without people vanishes with all its installations (rule 15.10, BR-27).
    if colony.population == 0 {
        end_colony(referee, owner, colony.planet, Gone::Abandoned);
    } else {
        change_colony(referee, owner, Colony { grown: 0, ..colony }, Change::Produced);
    }
    let captives_of = (owner != seat).then_some(owner);
    // Transports of the production turn that completes C.E.T. are all equipped (rule 16.3).
    let cet = referee.power(seat).research.has(Tech::ControlledEnvironment);
    let load = Load { cet, from: Some(colony.planet), captives_of };
    launch(referee, seat, site.fleet, colony.planet.star.at(), load);
}

fn end_production_of(referee: &mut Referee<'_>, owner: Seat, mut colony: Colony) {
    if colony.grown > 0 {
        colony.grown = 0;
        change_colony(referee, owner, colony, Change::Produced);
    }
    if colony.exceeds_capacity() {
        colony.population = colony.world.capacity;
        change_colony(referee, owner, colony, Change::Overcrowded);
    }
    if let Hold::Occupied(Occupation { by, waits: true }) = colony.control {
        colony.control = Hold::Occupied(Occupation { by, waits: false });
        change_colony(referee, owner, colony, Change::Settled);
    }
}
