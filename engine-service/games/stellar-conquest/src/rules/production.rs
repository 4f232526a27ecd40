//! Rule 17: the production turn: all players fill in sheets, which are judged whole when they are
//! handed in and carried out when all are ready.
//!
//! Growth comes first, for everybody (17.1), so that a sheet's output and bonus are known; a sheet
//! touches nothing but what its seat has, so one that was accepted can be carried out whatever
//! others do.

use heliopause_kernel::Seat;

use crate::rules::arrivals::launch;
use crate::rules::campaign::fate::independents::fate_evacuate;
use crate::rules::campaign::seams::production::after_sheets;
use crate::rules::colonies::{change_colony, end_colony};
use crate::rules::judge::{Verdict, refuse};
use crate::rules::ledger::{Ledger, Site};
use crate::rules::movement::posts::set_post;
use crate::rules::referee::Referee;
use crate::state::colony::{Colony, Hold, Occupation};
use crate::state::event::{Change, Gone, OwnEvent};
use crate::state::power::Eyes;
use crate::state::sheet::{PostPlan, ProductionSheet, Sheet};
use crate::state::ship::Load;
use crate::state::table::Stage;
use crate::tables::technology::Tech;

impl Eyes<'_> {
    /// 17: a whole sheet, colony by colony, on a copy of the seat's power.
    pub(crate) fn judge_production(&self, sheet: &ProductionSheet) -> Verdict {
        if self.table.stage != Stage::Production || self.seat.index() >= self.table.players {
            return refuse("wrong-phase", "17", "That is handed in in a production turn.");
        }
        if self.table.campaign.politics().is_some() {
            return refuse(
                "decreed",
                "space-6.2",
                "What colonies do is decreed: hand in what is left to choose.",
            );
        }
        self.ledger(sheet).map(|_| ())
    }
}

/// 17.1: everybody's colonies grow.
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

/// 17.1. Space 1.3: dice for what remains.
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
    let eyes = referee.eyes(seat);
    let owned = eyes.power.research.owned;
    eyes.power.grant == 0
        && eyes.commanded().all(|(owner, colony)| eyes.output_of(owner, colony, owned) == 0)
}

pub(crate) fn store_production(referee: &mut Referee<'_>, seat: Seat, sheet: ProductionSheet) {
    referee.whisper(OwnEvent::SheetStored { seat, sheet: Sheet::Production(sheet) });
}

/// Carries all sheets out, in the order of play.
pub(crate) fn carry_out_sheets(referee: &mut Referee<'_>) {
    for seat in referee.table().order.clone() {
        let sheet = referee.eyes(seat).final_sheet();
        match referee.eyes(seat).ledger(&sheet) {
            Ok(ledger) => carry_out(referee, seat, &ledger, sheet.posts.as_ref()),
            Err(refusal) => debug_assert!(false, "an accepted sheet can be carried out: {refusal}"),
        }
    }
    close_production(referee);
}

/// 17.10, 15.2: what ends with a production turn, also with one in which the game ends.
pub(crate) fn close_production(referee: &mut Referee<'_>) {
    for seat in Seat::first(referee.table().seats()) {
        for colony in referee.power(seat).colonies.clone() {
            end_production_of(referee, seat, colony);
        }
    }
    after_sheets(referee);
}

/// Carries one seat's sheet out.
fn carry_out(referee: &mut Referee<'_>, seat: Seat, ledger: &Ledger, posts: Option<&PostPlan>) {
    if ledger.research != referee.power(seat).research {
        let Ledger { research, acquired, .. } = *ledger;
        referee.whisper(OwnEvent::Researched { seat, research, acquired });
    }
    if referee.power(seat).grant > 0 {
        // Fate 4.2 A: what is not spent now is lost.
        referee.whisper(OwnEvent::GrantChanged { seat, points: 0 });
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
    // 15.10, BR-27: what nobody lives at vanishes, with all that stands there.
    if colony.population == 0 {
        end_colony(referee, owner, colony.planet, Gone::Abandoned);
    } else {
        change_colony(referee, owner, Colony { grown: 0, ..colony }, Change::Produced);
    }
    let captives_of = (owner != seat).then_some(owner);
    // 16.3: transports of the production turn in which C.E.T. was completed are equipped, whoever
    // built them first.
    let cet = referee.power(seat).research.has(Tech::ControlledEnvironment);
    let load = Load { cet, from: Some(colony.planet), captives_of };
    launch(referee, seat, site.fleet, colony.planet.star.at(), load);
}

/// 17.10, 15.2: what ends for a colony with the production turn.
fn end_production_of(referee: &mut Referee<'_>, owner: Seat, mut colony: Colony) {
    if colony.grown > 0 {
        colony.grown = 0;
        change_colony(referee, owner, colony, Change::Produced);
    }
    if colony.is_crowded() {
        colony.population = colony.world.capacity;
        change_colony(referee, owner, colony, Change::Overcrowded);
    }
    if let Hold::Occupied(Occupation { by, waits: true }) = colony.hold {
        colony.hold = Hold::Occupied(Occupation { by, waits: false });
        change_colony(referee, owner, colony, Change::Settled);
    }
}
