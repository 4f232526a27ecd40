//! Rule 17: the production turn: all players fill in sheets, which are judged whole when they are handed in and carried out
//! when all are ready.
//!
//! Growth comes first, for everybody (17.1), so that a sheet's output and bonus are known; a sheet touches nothing but what
//! its seat has, so one that was accepted can be carried out whatever others do.

use heliopause_kernel::{Refusal, Seat};

use crate::rules::judge::{Verdict, refuse};
use crate::rules::ledger::{Ledger, Site};
use crate::rules::referee::Referee;
use crate::rules::setup::hull;
use crate::state::colony::{Colony, Hold, Occupation};
use crate::state::event::{Change, Gone, OwnEvent, Source};
use crate::state::power::Eyes;
use crate::state::research::{BadPayment, Research};
use crate::state::sheet::{Payment, PostPlan, ProductionSheet, Sheet};
use crate::state::ship::{Fleet, Load, Ship, ShipKind, ShipNumber};
use crate::state::table::Stage;
use crate::tables::board::Place;
use crate::tables::technology::Tech;

/// 18.1, 18.3: whether a payment can be made.
pub(crate) fn judge_payment(research: &Research, payment: Payment) -> Result<(), Refusal> {
    let tech = payment.tech;
    match research.judge(tech, payment.points) {
        Ok(()) if payment.points == 0 => refuse("nothing-paid", "18.3", format!("Nothing is paid into {tech}.")),
        Ok(()) => Ok(()),
        Err(BadPayment::Owned) => refuse("owned-already", "18.3", format!("{tech} is owned already.")),
        Err(BadPayment::Closed) => {
            refuse("level-closed", "18.1", format!("{tech} needs a title of the level below in its class."))
        }
        Err(BadPayment::TooMuch(missing)) => {
            refuse("overpaid", "18.3", format!("{tech} needs only {missing} more i.p."))
        }
    }
}

impl Eyes<'_> {
    /// 17: a whole sheet, colony by colony, on a copy of the seat's power.
    pub(crate) fn judge_production(&self, sheet: &ProductionSheet) -> Verdict {
        if self.table.stage != Stage::Production || self.seat.index() >= self.table.players {
            return refuse("wrong-phase", "17", "That is handed in in a production turn.");
        }
        if self.table.campaign.politics().is_some() {
            return refuse("decreed", "space-6.2", "What colonies do is decreed: hand in what is left to choose.");
        }
        self.ledger(sheet).map(|_| ())
    }
}

impl Referee<'_> {
    /// 17.1: every colony grows, and the sheets are open. In a solitaire game with nothing to produce it is over at once.
    pub(crate) fn begin_production(&mut self) {
        self.grow();
        if !self.before_sheets() {
            return;
        }
        // 17.11. Among several players, who has nothing to do is a secret.
        if self.table().players == 1 && self.has_nothing_to_produce(self.table().active) {
            self.finish_production();
        } else {
            self.enter(Stage::Production);
        }
    }

    /// 17.1: everybody's colonies grow.
    fn grow(&mut self) {
        for seat in self.table().player_seats().collect::<Vec<_>>() {
            for colony in self.power(seat).colonies.clone() {
                let grown = self.growth(&colony);
                if grown > 0 {
                    let population = colony.population.saturating_add(grown);
                    self.change_colony(seat, Colony { population, grown, ..colony }, Change::Grew);
                }
            }
        }
    }

    /// 17.1. Space 1.3: dice for what remains.
    fn growth(&mut self, colony: &Colony) -> u16 {
        if !self.table().options.fractional_growth {
            return colony.growth();
        }
        let (grown, remainder, dice) = colony.growth_with_fractions();
        if remainder == 0 {
            return grown;
        }
        let object = colony.planet.star.index() as u64 * 4 + u64::from(colony.planet.nth);
        let thrown: u16 = (0..u32::from(dice)).map(|nth| u16::from(self.roll("growth", object, nth))).sum();
        grown + u16::from(thrown <= remainder)
    }

    fn has_nothing_to_produce(&self, seat: Seat) -> bool {
        let eyes = self.eyes(seat);
        let owned = eyes.power.research.owned;
        eyes.power.grant == 0 && eyes.commanded().all(|(owner, colony)| eyes.output_of(owner, colony, owned) == 0)
    }

    pub(crate) fn store_production(&mut self, seat: Seat, sheet: ProductionSheet) {
        self.whisper(OwnEvent::SheetStored { seat, sheet: Sheet::Production(sheet) });
    }

    /// Carries all sheets out, in the order of play; then the production turn is over.
    pub(crate) fn finish_production(&mut self) {
        for seat in self.table().order.clone() {
            let sheet = self.eyes(seat).final_sheet();
            match self.eyes(seat).ledger(&sheet) {
                Ok(ledger) => self.carry_out(seat, &ledger, sheet.posts.as_ref()),
                Err(refusal) => debug_assert!(false, "an accepted sheet can be carried out: {refusal}"),
            }
        }
        self.close_production();
        self.after_production();
    }

    /// 17.10, 15.2: what ends with a production turn, also with one in which the game ends.
    pub(crate) fn close_production(&mut self) {
        for seat in Seat::first(self.table().seats()) {
            for colony in self.power(seat).colonies.clone() {
                self.end_production_of(seat, colony);
            }
        }
        self.after_sheets();
    }

    /// Carries one seat's sheet out.
    fn carry_out(&mut self, seat: Seat, ledger: &Ledger, posts: Option<&PostPlan>) {
        if ledger.research != self.power(seat).research {
            let Ledger { research, acquired, .. } = *ledger;
            self.whisper(OwnEvent::Researched { seat, research, acquired });
        }
        if self.power(seat).grant > 0 {
            // Fate 4.2 A: what is not spent now is lost.
            self.whisper(OwnEvent::GrantChanged { seat, points: 0 });
        }
        for site in &ledger.sites {
            self.finish_site(seat, site);
        }
        let Some(PostPlan { stars: posts }) = posts else { return };
        for star in self.table().posts_of(seat).collect::<Vec<_>>() {
            if !posts.contains(&star) {
                self.set_post(seat, star, false);
            }
        }
        for &star in posts {
            if !self.table().posts_of(seat).any(|post| post == star) {
                self.set_post(seat, star, true);
            }
        }
    }

    fn finish_site(&mut self, seat: Seat, site: &Site) {
        let Site { owner, colony, evacuated, .. } = *site;
        if evacuated {
            return self.fate_evacuate(colony.planet);
        }
        // 15.10, BR-27: what nobody lives at vanishes, with all that stands there.
        if colony.population == 0 {
            self.end_colony(owner, colony.planet, Gone::Abandoned);
        } else {
            self.change_colony(owner, Colony { grown: 0, ..colony }, Change::Produced);
        }
        let captives_of = (owner != seat).then_some(owner);
        // 16.3: transports of the production turn in which C.E.T. was completed are equipped, whoever built them first.
        let cet = self.power(seat).research.has(Tech::ControlledEnvironment);
        let load = Load { cet, from: Some(colony.planet), captives_of };
        self.launch(seat, site.fleet, colony.planet.star.at(), load);
    }

    /// 17.8: new ships, in the star hex of the colony that built them.
    pub(crate) fn launch(&mut self, seat: Seat, fleet: Fleet, at: Place, load: Load) {
        let kinds = ShipKind::ALL.into_iter().flat_map(|kind| (0..fleet.count(kind)).map(move |_| kind));
        let first = self.power(seat).next_ship.0;
        let ship = |(kind, number)| Ship::new(ShipNumber(number), hull(kind, load), Some(at));
        let ships: Vec<Ship> = kinds.zip(first..).map(ship).collect();
        if !ships.is_empty() {
            self.whisper(OwnEvent::ShipsCame { seat, ships, source: Source::Built });
            self.show_groups(seat, at);
        }
    }

    /// 17.10, 15.2: what ends for a colony with the production turn.
    fn end_production_of(&mut self, owner: Seat, mut colony: Colony) {
        if colony.grown > 0 {
            colony.grown = 0;
            self.change_colony(owner, colony, Change::Produced);
        }
        if colony.is_crowded() {
            colony.population = colony.world.capacity;
            self.change_colony(owner, colony, Change::Overcrowded);
        }
        if let Hold::Occupied(Occupation { by, waits: true }) = colony.hold {
            colony.hold = Hold::Occupied(Occupation { by, waits: false });
            self.change_colony(owner, colony, Change::Settled);
        }
    }
}
